#pragma once

// What all whole queries for overlaps and gradients do around an engine's own work.

#include <string_view>
#include <utility>

#include "engines/checks.hpp"
#include "engines/query_parts.hpp"
#include "engines/tolerance.hpp"
#include "lamella/engine.hpp"

namespace lamella {

/// An engine that leaves the spans out by itself has counted them.
inline void count_spans(Overlap& out) {
  if (out.grid.column_count() == 0) {  // nothing was sampled
    out.spans.clear();
    out.ends.clear();
  }
  if (!out.spans.empty()) out.span_count = out.spans.size();
}

/// Makes the call; where it throws, no spans of an earlier result are left.
template <class Find>
void find_or_empty(Overlap& out, const Find& find) {
  try {
    find();
  } catch (...) {
    out.spans.clear();
    out.ends.clear();
    throw;
  }
}

/// Makes an empty result of the named engine, in the memory of an earlier result.
inline void restart(Overlap& out, std::string_view engine, bool keep_old_spans) {
  Overlap fresh;
  fresh.doubts = std::move(out.doubts);
  fresh.doubts.clear();
  fresh.spans = std::move(out.spans);
  if (!keep_old_spans) fresh.spans.clear();
  fresh.ends = std::move(out.ends);
  fresh.ends.clear();
  fresh.engine = engine;
  out = std::move(fresh);
}

inline void restart(SelfOverlap& out, std::string_view engine, bool keep_old_spans) {
  restart(static_cast<Overlap&>(out), engine, keep_old_spans);
  out.inside_out.clear();
  out.inside_out_volume = 0;
}

/// Answers by `find`, which may sample several times: `out` is then started afresh each time.
template <class Result, class Find>
void Engine::answer(std::span<const MeshRef> meshes, Vec3d origin, const QueryOptions& options, Result& out,
                    const Find& find) {
  const auto ask = [&](const QueryOptions& once) {
    restart(out, name(), replaces_spans());
    longest_spans_.clear();
    out.origin = origin;
    find(once);
    if (asks_another()) return;
    count_spans(out);
    if (options.ends && out.ends.size() != out.spans.size()) refuse_ends(name());
    options.certify ? certify(meshes, once, out) : judge(meshes, once, out);
    out.centroid = out.centroid + (out.colliding() ? out.origin : Vec3d{});
  };
  find_or_empty(out, [&] {
    if (options.tolerance && !asks_another())
      sample_to_tolerance(options, ask, out);
    else
      ask(options);
  });
  if (!options.keep_spans) out.spans.clear();
  require_answer(out, options.strict);
}

}  // namespace lamella
