// The verdict on an overlap: whether its spans prove it, and whether what was left out could hide one.

#include <algorithm>

#include "engines/query_parts.hpp"
#include "query/verdict.hpp"
#include "query/witness.hpp"

namespace lamella {
namespace {

bool longer(const Span& x, const Span& y) { return x.end - x.begin > y.end - y.begin; }

}  // namespace

void longest_of_chunks(const Grid& grid, std::span<const Span> spans, std::vector<Span>& out) {
  const std::size_t chunk_columns = std::size_t{rows_of_chunk(grid)} * grid.columns;
  std::size_t chunk = ~std::size_t{0};
  for (const Span& s : spans) {
    if (s.column / chunk_columns != chunk) {
      chunk = s.column / chunk_columns;
      out.push_back(s);
    } else if (longer(s, out.back())) {
      out.back() = s;
    }
  }
}

void drop_spans(Overlap& out, bool uncertain) {
  if (uncertain) out.health.uncertain_spans = out.span_count;
  out.spans.clear();
  out.ends.clear();
  out.span_count = 0;
  out.volume = out.volume_error = 0;
  out.centroid = {};
  out.bounds = {};
}

/// `out` has its sums, health, and its spans or longest_spans_.
void Engine::judge(std::span<const MeshRef> meshes, const QueryOptions& options, Overlap& out) {
  if (out.span_count != 0 && !sums_suffice(out.grid, out.span_count, out.volume, out.bounds)) {
    if (longest_spans_.empty()) longest_of_chunks(out.grid, out.spans, longest_spans_);
    Scratch& s = scratch();
    const MeshView a = on_host(meshes[0], s.positions_a);
    const SpanCheck check = meshes.size() == 1
                                ? check_spans(a, out.grid, longest_spans_)
                                : check_spans(a, on_host(meshes[1], s.positions_b), out.grid, longest_spans_);
    const bool all_refuted = check.uncertain == 0 && check.refuted == out.span_count;
    if (check.certain == 0) drop_spans(out, !all_refuted);
  }
  out.verdict = verdict_of(out.span_count, out.health);
  if (out.verdict == Verdict::undecided || !out.health.ok())
    find_doubts(meshes, options.explain || options.strict || out.verdict == Verdict::undecided, out);
}

/// `which`: find out which mesh each doubt is about.
void Engine::find_doubts(std::span<const MeshRef> meshes, bool which, Overlap& out) {
  using Cause = Doubt::Cause;
  const Health& h = out.health;
  const bool columns = h.open_columns != 0 || h.inside_out_columns != 0;
  if (meshes.size() == 1 || !which) {
    const int mesh = meshes.size() == 1 ? 0 : -1;
    if (h.open_columns != 0) out.doubts.push_back({Cause::open_columns, mesh, h.open_columns});
    if (h.inside_out_columns != 0) out.doubts.push_back({Cause::inside_out, mesh, h.inside_out_columns});
    if (h.skipped_triangles != 0) out.doubts.push_back({Cause::skipped_triangles, mesh, h.skipped_triangles});
  } else {
    Scratch& s = scratch();
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const int mesh = static_cast<int>(i);
      if (columns && out.grid.column_count() != 0) {
        build(meshes[i], out.grid, s.a);
        const Health own = health_of_columns(s.a, s.workers);
        if (own.open_columns != 0) out.doubts.push_back({Cause::open_columns, mesh, own.open_columns});
        if (own.inside_out_columns != 0) out.doubts.push_back({Cause::inside_out, mesh, own.inside_out_columns});
      }
      const std::uint32_t skipped = h.skipped_triangles != 0 ? skipped_unsampled(meshes[i]) : 0;
      if (skipped != 0) out.doubts.push_back({Cause::skipped_triangles, mesh, skipped});
    }
  }
  if (h.dropped_crossings != 0) out.doubts.push_back({Cause::dropped_crossings, -1, h.dropped_crossings});
  if (h.uncertain_spans != 0) out.doubts.push_back({Cause::touching, -1, h.uncertain_spans});
}

}  // namespace lamella
