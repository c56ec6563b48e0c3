#include "cli/query/shared_surface.hpp"

#include <algorithm>

#include "lamella/solid.hpp"

namespace lamella::cli {
namespace {

/// Of an overlap's volume, from which on the smooth surface would hide too much.
constexpr double kMostMissed = 0.1;

/// Cells as fine as the answer's own grid, within what a picture can show.
SolidOptions options_for(const Grid& grid, unsigned threads, bool close_holes) {
  constexpr std::uint32_t kLeast = 32, kMost = 128;
  return {.resolution = std::clamp(std::max(grid.columns, grid.rows), kLeast, kMost),
          .threads = threads,
          .close_holes = close_holes};
}

Mesh drawable(OverlapSolid solid, const Grid& grid, std::span<const Span> spans) {
  if (solid.empty() || solid.missed_volume > kMostMissed * solid.volume) return prisms(grid, spans);
  for (Vec3& p : solid.mesh.positions) p = to_float(to_double(p) + solid.mesh.origin);
  solid.mesh.origin = {};
  return std::move(solid.mesh);
}

}  // namespace

Mesh shared_surface(MeshView a, MeshView b, const Overlap& overlap, unsigned threads, bool close_holes) {
  if (overlap.spans.empty()) return {};
  return drawable(overlap_solid(a, b, options_for(overlap.grid, threads, close_holes)), overlap.grid, overlap.spans);
}

Mesh self_surface(MeshView mesh, const SelfOverlap& overlap, unsigned threads, bool close_holes) {
  if (overlap.spans.empty()) return {};
  return drawable(self_overlap_solid(mesh, options_for(overlap.grid, threads, close_holes)), overlap.grid,
                  overlap.spans);
}

}  // namespace lamella::cli
