// Nearest points of a surface. A tree is made for this call alone; points are sorted along the same kind of curve, so
// that each search starts where the last one ended. Which points are inside is asked of the exact test that contains()
// has (proof/points.cpp): it is right for meshes that overlap themselves too, where the normal's side is not.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/grow.hpp"
#include "core/lattice.hpp"
#include "core/mesh_scan.hpp"
#include "core/origin.hpp"
#include "core/stopwatch.hpp"
#include "lamella/error.hpp"
#include "measure/distance_state.hpp"
#include "measure/morton.hpp"
#include "measure/surface_normal.hpp"
#include "measure/triangle_distance.hpp"

namespace lamella {
namespace {

using measure::KeyedId;
using measure::NearestTriangle;
using measure::TriangleTree;

constexpr std::size_t kPointChunk = 256;  ///< that one search goes through; does not depend on the threads
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Vec3d as_double(Vec3 p) { return to_double(p); }
Vec3d as_double(Vec3d p) { return p; }

/// A mesh of floats relative to one origin.
MeshView settle(MeshView mesh, std::vector<Vec3>& positions) {
  if (mesh.wide.empty()) return mesh;
  const Vec3d origin = origin_for(wide_box(mesh));
  positions.resize(mesh.vertex_count());
  (void)place_mesh(mesh, {}, origin, positions.data());
  return {.positions = positions, .triangles = mesh.triangles, .origin = origin};
}

ClosestPoint finished(const TriangleTree& tree, Vec3d p, const NearestTriangle& nearest, Vec3d origin,
                      std::vector<std::uint32_t>& scratch) {
  const std::uint32_t i = nearest.place;
  const Vec3d corners[3] = {to_double(tree.corner_of(i, 0)), to_double(tree.corner_of(i, 1)),
                            to_double(tree.corner_of(i, 2))};
  const measure::NearestOnTriangle found = measure::nearest_on_triangle(p, corners);
  return {.distance = std::sqrt(found.square),
          .position = found.at + origin,
          .normal = to_float(measure::normal_at(tree, i, found.weights, scratch)),
          .triangle = tree.ids()[i]};
}

}  // namespace

template <class Point>
void DistanceFinder::State::find_closest(MeshView mesh, std::span<const Point> given) {
  Stopwatch watch;
  points.ms = {};
  points.health = {};
  if (given.size() >= kNoTriangle)
    throw Error(fmt::format("{} points are too many for one call: give at most 2^32 - 2", given.size()));
  const MeshView local = settle(mesh, settled_a);
  check_indices(local, workers);
  tree_a.build(local, workers);
  watch.lap(points.ms.broad);

  // Points that can be used, sorted along a curve.
  const auto relative = [&](std::size_t i) { return as_double(given[i]) - local.origin; };
  points.points.assign(given.size(), {.distance = tree_a.empty() ? HUGE_VAL : kNaN,
                                      .position = {kNaN, kNaN, kNaN},
                                      .normal = {},
                                      .triangle = kNoTriangle});
  Aabb box;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (const Vec3 p = narrow(relative(i)); usable(p)) box = extend(box, p);
  const measure::MortonGrid grid(box);
  order.clear();
  std::uint64_t broken = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (const Vec3 p = narrow(relative(i)); usable(p)) {
      order.push_back({grid.code(p), static_cast<std::uint32_t>(i)});
    } else {
      points.points[i].distance = kNaN;
      ++broken;
    }
  }
  if (!tree_a.empty()) {
    sorter.sort(order, workers);
    resize_with_margin(sorted, order.size());
    resize_with_margin(nearest, order.size());
    around.resize(workers.count());
    workers.for_chunks(order.size(), kPointChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t i = begin; i < end; ++i) sorted[i] = relative(order[i].id);
      measure::find_nearest(tree_a, std::span(sorted).subspan(begin, end - begin), nearest.data() + begin);
      for (std::size_t i = begin; i < end; ++i)
        points.points[order[i].id] = finished(tree_a, sorted[i], nearest[i], local.origin, around[worker]);
    });
  }
  watch.lap(points.ms.query);

  if (!engine) engine = make_engine({.engine = "software", .threads = threads});
  engine->contains(MeshRef(local), given, {.exact = true}, inside);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (inside.inside[i] == kPointInside) points.points[i].distance *= -1;
  points.health = inside.health;
  points.health.untrusted_points += broken;
  watch.lap(points.ms.points);
}

template void DistanceFinder::State::find_closest(MeshView mesh, std::span<const Vec3> given);
template void DistanceFinder::State::find_closest(MeshView mesh, std::span<const Vec3d> given);

}  // namespace lamella
