// Whole queries for gradients: the checks of all engines, and the default, which says which engines have them.

#include <fmt/format.h>

#include <algorithm>

#include "engines/answer.hpp"
#include "engines/query_parts.hpp"
#include "lamella/engine.hpp"

namespace lamella {
namespace {

void zero(std::vector<Vec3>& vectors) { std::fill(vectors.begin(), vectors.end(), Vec3{}); }

/// What a search for a tolerance is asked for: the grid, and nothing else.
QueryOptions for_search(QueryOptions options) {
  options.strict = options.keep_spans = options.ends = false;
  return options;
}

/// The same query on the grid that a search ended with.
QueryOptions on_grid(QueryOptions options, const Grid& grid) {
  options.tolerance.reset();
  options.strict = false;
  if (grid.column_count() != 0) {
    options.resolution = grid.columns;
    options.axis = grid.axis;
  }
  return options;
}

/// A gradient with a tolerance: search() finds the grid, ask(options) samples all views on it.
template <class Search, class Ask>
void to_tolerance(const QueryOptions& options, Overlap& out, const Search& search, const Ask& ask) {
  search(for_search(options));
  const bool met = out.tolerance_met;
  const Timings ms = out.ms;
  const std::uint64_t bytes = out.read_back_bytes;
  ask(on_grid(options, out.grid));
  out.tolerance_met = met;
  out.ms += ms;
  out.read_back_bytes += bytes;
  require_answer(out, options.strict);
}

}  // namespace

void Engine::find_gradient(MeshRef, MeshRef, const QueryOptions&, const GradientOptions&, OverlapGradient&) {
  throw Error(fmt::format("engine {} gives no gradients: use software or cuda", name()));
}

void Engine::find_self_gradient(MeshRef, const QueryOptions&, const GradientOptions&, SelfGradient&) {
  throw Error(fmt::format("engine {} gives no gradients: use software or cuda", name()));
}

void Engine::volume_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                             OverlapGradient& out) {
  check_options(options);
  check_owner(a);
  check_owner(b);
  const Vec3d origin = settle(a, b);
  const MeshRef meshes[] = {a, b};
  bool found = false;
  const auto ask = [&](const QueryOptions& all) {
    answer(meshes, origin, all, out, [&](const QueryOptions& once) {
      out.sums = {};
      if (!parts.vertices) out.vertices_a.clear(), out.vertices_b.clear();
      find_gradient(a, b, once, parts, out);
      found = out.span_count != 0;
    });
  };
  if (options.tolerance && !asks_another())
    to_tolerance(
        options, out, [&](const QueryOptions& search) { intersect(a, b, search, out); }, ask);
  else
    ask(options);
  if (!found || out.span_count != 0 || asks_another()) return;
  out.sums = {};  // the spans proved nothing, and were left out
  zero(out.vertices_a);
  zero(out.vertices_b);
}

void Engine::self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts, SelfGradient& out) {
  check_options(options);
  check_owner(mesh);
  const Vec3d origin = settle(mesh);
  bool found = false;
  const auto ask = [&](const QueryOptions& all) {
    answer({&mesh, 1}, origin, all, out, [&](const QueryOptions& once) {
      out.sums = {};
      if (!parts.vertices) out.vertices.clear();
      find_self_gradient(mesh, once, parts, out);
      found = out.span_count != 0;
    });
  };
  if (options.tolerance && !asks_another())
    to_tolerance(
        options, out, [&](const QueryOptions& search) { self_intersect(mesh, search, out); }, ask);
  else
    ask(options);
  if (!found || out.span_count != 0 || asks_another()) return;
  out.sums = {};
  zero(out.vertices);
}

}  // namespace lamella
