#include "lamella/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/origin.hpp"
#include "core/stopwatch.hpp"
#include "core/voi_choice.hpp"
#include "detect/holes.hpp"
#include "lamella/error.hpp"
#include "solid/overlap_box.hpp"
#include "solid/surface.hpp"

namespace lamella {
namespace {

using namespace solid;

void check(const SolidOptions& options) {
  if (options.resolution < 1 || options.resolution > kMaxSolidResolution)
    throw Error(
        fmt::format("resolution {} is outside 1 to {}, those of a solid", options.resolution, kMaxSolidResolution));
}

/// Columns are added up; the largest of what is measured along each axis.
void add_health(const Health& view, Health& out) {
  out.open_columns += view.open_columns;
  out.occupied_columns += view.occupied_columns;
  out.inside_out_columns += view.inside_out_columns;
  out.skipped_triangles = std::max(out.skipped_triangles, view.skipped_triangles);
  out.untrusted_volume = std::max(out.untrusted_volume, view.untrusted_volume);
}

double volume_of(const SpanView& view) {
  double lengths = 0;
  for (const FacedSpan& s : view.spans) lengths += static_cast<double>(s.end) - static_cast<double>(s.begin);
  return lengths * view.grid.cell_area();
}

/// What the positions are relative to, as seen from the meshes' origin: 0 unless floats would be coarse beside the box.
Vec3d near_origin(const Aabb& box) { return origin_for(wide_box(box), kFarFromOrigin); }

Aabb moved(const Aabb& box, Vec3d by) { return {to_float(to_double(box.min) - by), to_float(to_double(box.max) - by)}; }

OverlapSolid make_solid(const Meshes& meshes, const SolidOptions& options) {
  OverlapSolid out;
  out.mesh.origin = meshes.origin();
  Stopwatch watch;
  SpanSampler sampler(meshes, options.threads, options.max_crossings);
  BoxFinder finder(meshes, sampler, options.resolution);
  const bool found = finder.look();
  watch.lap(out.ms.voi);
  if (!found) {
    out.health = finder.health();
    return out;
  }
  std::array<SpanView, 3> views;
  PointLattice lattice;
  PointBits bits;
  do {
    lattice = finder.lattice();
    for (int axis = 0; axis < 3; ++axis) sampler.sample(lattice.grid(axis), views[axis]);
    bits = points_inside(views, lattice, sampler.workers());
  } while (finder.grow(clear_border(bits)));
  watch.lap(out.ms.ldi);

  const Vec3d step = lattice.step(), near = near_origin(lattice.box);
  for (int axis = 0; axis < 3; ++axis) {
    add_health(views[axis].health, out.health);
    const Losses losses = losses_of(views[axis], step[axis]);
    out.missed_volume = std::max(out.missed_volume, losses.missed);
    out.filled_volume = std::max(out.filled_volume, losses.filled);
  }
  out.volume = volume_of(views[std::max(0, shallowest_axis(lattice.box))]);
  out.mesh.origin += near;
  out.box = moved(lattice.box, near);
  out.points = {lattice.count, lattice.count, lattice.count};
  make_surface(meshes, views, lattice, bits, near, sampler.workers(), out);
  watch.lap(out.ms.query);
  return out;
}

/// A mesh with its holes closed, if it has any and the caller agrees.
struct Closed {
  Closed(MeshView mesh, bool close) : given(mesh), holes(close ? close_holes(mesh) : nullptr) {}

  [[nodiscard]] MeshView view() const { return holes ? holes->view() : given; }
  void report(OverlapSolid& out) const {
    if (holes) holes->report(out.health);
  }

  MeshView given;
  std::unique_ptr<ClosedMesh> holes;
};

}  // namespace

OverlapSolid overlap_solid(MeshView a, MeshView b, const SolidOptions& options) {
  check(options);
  const Closed first(a, options.close_holes), second(b, options.close_holes);
  const MeshView view_b = second.view();
  OverlapSolid out = make_solid(Meshes(first.view(), &view_b), options);
  first.report(out);
  second.report(out);
  return out;
}

OverlapSolid self_overlap_solid(MeshView mesh, const SolidOptions& options) {
  check(options);
  const Closed closed(mesh, options.close_holes);
  OverlapSolid out = make_solid(Meshes(closed.view(), nullptr), options);
  closed.report(out);
  return out;
}

}  // namespace lamella
