// The default queries of points: in a box, vertices of a pair, and rigid meshes.
//
// TR 395 (Heidelberger, Teschner, Gross 2003), stage 3b: vertices of either object are looked up in the LDI of the
// other, which covers the pair's volume of interest. For rigid objects its stages 1 and 2, box and LDI, are computed in
// advance; the LDI is then of the whole object, since the volume of interest changes with the poses.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check_pose.hpp"
#include "core/lattice.hpp"
#include "core/mesh_scan.hpp"
#include "core/origin.hpp"
#include "core/placement.hpp"
#include "core/voi_choice.hpp"
#include "engines/checks.hpp"
#include "engines/query_parts.hpp"

namespace lamella {
namespace {

/// An empty mesh, in the memory of an earlier one.
void restart(RigidMesh& out, std::string_view engine) {
  RigidMesh fresh;
  std::swap(fresh.ldi, out.ldi);
  std::swap(fresh.vertices, out.vertices);
  std::swap(fresh.triangles, out.triangles);
  fresh.ldi.grid = {};
  fresh.engine = engine;
  out = std::move(fresh);
}

void restart(VerticesInside& out, std::string_view engine) {
  const auto empty = [](VerticesOfOne& of) {
    of.grid = {};
    of.inside.clear();
    of.looked_up = 0;
  };
  empty(out.a_in_b);
  empty(out.b_in_a);
  out.health = {};
  out.ms = {};
  out.read_back_bytes = 0;
  out.alternating = false;
  out.engine = engine;
}

/// The positions of a mesh: in the caller's arrays, in the engine's copy, or read into `memory` from its device.
std::span<const Vec3> positions_of(MeshRef mesh, std::vector<Vec3>& memory) {
  if (mesh.kept == nullptr || !mesh.view.positions.empty()) return mesh.view.positions;
  mesh.kept->read_positions(memory);
  return memory;
}

void check_box(const Aabb& box) {
  const Vec3 e = extent(box);
  if (!std::isfinite(e.x + e.y + e.z) || box.empty() || !encloses_volume(box))
    throw Error(fmt::format(
        "the box from {}, {}, {} to {}, {}, {} encloses no volume: give finite corners, the first below the second",
        box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z));
}

/// Adds up the columns of two LDIs, and what their builds left out.
void add(Health& to, const Health& h) {
  to.open_columns += h.open_columns;
  to.occupied_columns += h.occupied_columns;
  to.inside_out_columns += h.inside_out_columns;
  to.skipped_triangles += h.skipped_triangles;
  to.dropped_crossings += h.dropped_crossings;
  to.closed_edges += h.closed_edges;
  to.fan_area += h.fan_area;
  to.closing_volume += h.closing_volume;
}

float thickness_of(const Ldi& ldi, const QueryOptions& options) { return options.min_thickness * ldi.grid.depth(); }

template <class Cost, class Result>
void report(const Cost& gpu, Result& out) {
  out.ms.gpu = gpu.ms;
  out.read_back_bytes = gpu.read_back_bytes;
}

/// The pose of a rigid mesh's vertices, which are relative to its origin.
Transform pose_of(const RigidMesh& mesh, const Transform& pose) {
  if (mesh.origin == Vec3d{}) return pose;
  return {pose.translation + rotate(pose.rotation, mesh.origin), pose.rotation};
}

/// The vertices of one mesh in a rigid one. `into_b` places them in its frame.
std::uint64_t find_in_rigid(std::span<const Vec3> vertices, const Placement& into_b, const RigidMesh& b,
                            const QueryOptions& options, Workers& workers, LookupScratch& scratch, VerticesOfOne& out) {
  if (b.ldi.grid.column_count() == 0) return 0;
  return find_vertices({b.ldi, &into_b, &b.bounds}, vertices, thickness_of(b.ldi, options), workers, scratch, out);
}

/// A box around the finite points, with a margin: points on its faces are in it, and it is not flat.
Aabb box_around(std::span<const Vec3> points, const Aabb& mesh) {
  Aabb box;
  for (const Vec3 p : points)
    if (usable(p)) box = unite(box, Aabb{p, p});
  if (box.empty()) return mesh;
  const Vec3 own = extent(box), whole = extent(mesh);
  for (int k = 0; k < 3; ++k) {
    const float margin = std::max(own[k] / 64, whole[k] / 4096);
    box.min[k] -= margin;
    box.max[k] += margin;
  }
  return box;
}

/// Points of the world, relative to an origin. Floats relative to the origin of the world are left as they are.
std::span<const Vec3> relative_to(Vec3d origin, std::span<const Vec3> points, std::vector<Vec3>& room) {
  if (origin == Vec3d{}) return points;
  room.resize(points.size());
  (void)place_positions(points, placement_between({}, {}, origin), room.data());
  return room;
}
std::span<const Vec3> relative_to(Vec3d origin, std::span<const Vec3d> points, std::vector<Vec3>& room) {
  room.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) room[i] = to_float(points[i] - origin);
  return room;
}
Aabb relative_to(Vec3d origin, const Aabb& box) {
  return {to_float(to_double(box.min) - origin), to_float(to_double(box.max) - origin)};
}

/// Points in the frame of a rigid mesh, rounded there.
std::span<const Vec3> placed_points(std::span<const Vec3> points, const Placement& into_mesh, Workers& workers,
                                    std::vector<Vec3>& room) {
  room.resize(points.size());
  workers.for_chunks(points.size(), 8192, [&](std::size_t begin, std::size_t end, unsigned) {
    (void)place_positions(points.subspan(begin, end - begin), into_mesh, room.data() + begin);
  });
  return room;
}

}  // namespace

void note_box(std::span<const Vec3> points, const Aabb& box, Containment& out) {
  const auto in_box = [&](Vec3 p) {
    return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
           p.z <= box.max.z;
  };
  out.box = box;
  const auto looked_at = std::count_if(points.begin(), points.end(), in_box);
  out.not_looked_at = points.size() - static_cast<std::uint64_t>(looked_at);
}

/// `points` and `box` (null: none) are relative to the mesh's origin.
void Engine::flag_settled(MeshRef mesh, std::span<const Vec3> points, const Aabb* box, const QueryOptions& options,
                          Containment& out) {
  if (box != nullptr) {
    find_inside_box(mesh, points, *box, options, out);
  } else if (options.around_points) {
    find_inside_box(mesh, points, box_around(points, bounds(mesh)), options, out);
    out.box.reset();  // nothing was left out: points that are not finite are outside anyway
    out.not_looked_at = 0;
  } else {
    find_inside(mesh, points, options, out);
  }
}

/// Replaces flags near the surface by exact ones; `points` and `box` (null: none) are relative to the mesh's origin.
void Engine::correct_points(MeshRef mesh, std::span<const Vec3> points, const Aabb* box, Containment& out) {
  Stopwatch watch;
  Scratch& s = scratch();
  const MeshView view = on_host(mesh, s.positions_a);
  if (out.grid.column_count() == 0) check_indices(view, s.workers);  // sampling would have done it
  if (!s.exact) s.exact.emplace(s.workers);
  const proof::ExactQuery query{.mesh = view,
                                .bounds = inspect_positions(view.positions, s.workers).box,
                                .points = points,
                                .box = box,
                                .sampled = samples_on_lattice()};
  s.exact->correct(query, out);
  double ms = 0;
  watch.lap(ms);
  out.ms.query += ms;
}

template <class Point>
void Engine::flag_points_of(MeshRef mesh, std::span<const Point> points, const Aabb* box, const QueryOptions& options,
                            Containment& out) {
  check_options(options);
  check_owner(mesh);
  if (box != nullptr) check_box(*box);
  restart(out, name(), points.size());
  const Vec3d origin = settle(mesh);
  std::optional<Aabb> local;
  if (box != nullptr) local = relative_to(origin, *box);
  const auto placed = relative_to(origin, points, scratch().points);
  flag_settled(mesh, placed, local ? &*local : nullptr, options, out);
  if (options.exact && !asks_another()) correct_points(mesh, placed, local ? &*local : nullptr, out);
  out.origin = origin;
  if (box != nullptr) out.box = *box;
  require_health(out.health, options.strict);
}

void Engine::contains(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) {
  flag_points_of(mesh, points, nullptr, options, out);
}
void Engine::contains(MeshRef mesh, std::span<const Vec3d> points, const QueryOptions& options, Containment& out) {
  flag_points_of(mesh, points, nullptr, options, out);
}
void Engine::contains(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                      Containment& out) {
  flag_points_of(mesh, points, &box, options, out);
}
void Engine::contains(MeshRef mesh, std::span<const Vec3d> points, const Aabb& box, const QueryOptions& options,
                      Containment& out) {
  flag_points_of(mesh, points, &box, options, out);
}

void Engine::find_inside_box(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                             Containment& out) {
  gpu_cost_ = {};
  Stopwatch watch;
  Scratch& s = scratch();
  const Aabb mesh_box = bounds(mesh), sampled = shared_box(mesh_box, box);
  const auto axis = choose_axis(sampled);
  watch.lap(out.ms.voi);
  if (axis) {
    build(mesh, square_grid(sampled, options.axis.value_or(*axis), options.resolution), s.a);
    watch.lap(out.ms.ldi);
    flag_points({s.a, nullptr, &mesh_box}, points, health_of_columns(s.a, s.workers), s.workers, s.lookup, out);
  } else {
    out.health.skipped_triangles = skipped_unsampled(mesh);
  }
  note_box(points, box, out);
  watch.lap(out.ms.query);
  report(gpu_cost_, out);
}

void Engine::vertices_inside(MeshRef a, MeshRef b, const QueryOptions& options, VerticesInside& out) {
  check_options(options);
  check_owner(a);
  check_owner(b);
  restart(out, name());
  out.origin = settle(a, b);
  find_vertices(a, b, options, out);
  require_health(out.health, options.strict);
}

void Engine::find_vertices(MeshRef a, MeshRef b, const QueryOptions& options, VerticesInside& out) {
  gpu_cost_ = {};
  Stopwatch watch;
  Scratch& s = scratch();
  const Aabb box_a = bounds(a), box_b = bounds(b);
  const auto voi = choose_pair_voi(box_a, box_b, options.axis);
  watch.lap(out.ms.voi);
  if (!voi) {
    out.health.skipped_triangles = skipped_unsampled(a) + skipped_unsampled(b);
    return;
  }
  const Grid grid = square_grid(voi->box, voi->axis, options.resolution);
  build_cut(a, grid, voi->outside_a, s.a);
  build_cut(b, grid, voi->outside_b, s.b);
  watch.lap(out.ms.ldi);
  add(out.health, health_of_columns(s.a, s.workers));
  add(out.health, health_of_columns(s.b, s.workers));
  out.alternating = s.a.alternating || s.b.alternating;
  const float thickness = thickness_of(s.a, options);  // of both: their grid is the same
  out.health.untrusted_points = lamella::find_vertices({s.b, nullptr, &box_b}, positions_of(a, s.positions_a),
                                                       thickness, s.workers, s.lookup, out.a_in_b) +
                                lamella::find_vertices({s.a, nullptr, &box_a}, positions_of(b, s.positions_b),
                                                       thickness, s.workers, s.lookup, out.b_in_a);
  watch.lap(out.ms.query);
  report(gpu_cost_, out);
}

void Engine::vertices_inside(MeshRef a, const RigidMesh& b, const Transform& pose_b, const QueryOptions& options,
                             VerticesInside& out) {
  check_options(options);
  check_owner(a);
  check_pose(pose_b, kPoseTolerance);
  restart(out, name());
  // The vertices of `a` are looked up in the frame of `b`, and those of `b` in the frame of `a`.
  out.origin = settle(a);
  Transform pose = pose_of(b, pose_b);
  pose.translation -= out.origin;
  find_vertices(a, b, asks_another() ? pose_b : pose, options, out);
  require_health(out.health, options.strict);
}

void Engine::find_vertices(MeshRef a, const RigidMesh& b, const Transform& pose_b, const QueryOptions& options,
                           VerticesInside& out) {
  gpu_cost_ = {};
  Stopwatch watch;
  Scratch& s = scratch();
  s.positions_b.resize(b.vertices.size());
  FactsCollector placed;
  s.workers.for_chunks(b.vertices.size(), 8192, [&](std::size_t begin, std::size_t end, unsigned) {
    placed.add(place_positions(std::span(b.vertices).subspan(begin, end - begin), placement_of(normalised(pose_b)),
                               s.positions_b.data() + begin));
  });
  const Aabb box_a = bounds(a);
  const auto voi = choose_pair_voi(box_a, placed.facts().box, options.axis);
  watch.lap(out.ms.voi);
  add(out.health, b.health);
  if (!voi) {
    out.health.skipped_triangles += skipped_unsampled(a);
    return;
  }
  build_cut(a, square_grid(voi->box, voi->axis, options.resolution), voi->outside_a, s.a);
  watch.lap(out.ms.ldi);
  add(out.health, health_of_columns(s.a, s.workers));
  out.alternating = s.a.alternating || b.ldi.alternating;
  out.health.untrusted_points = find_in_rigid(positions_of(a, s.positions_a), placement_into(pose_b), b, options,
                                              s.workers, s.lookup, out.a_in_b) +
                                lamella::find_vertices({s.a, nullptr, &box_a}, s.positions_b,
                                                       thickness_of(s.a, options), s.workers, s.lookup, out.b_in_a);
  watch.lap(out.ms.query);
  report(gpu_cost_, out);
}

void Engine::vertices_inside(const RigidMesh& a, const Transform& pose_a, const RigidMesh& b, const Transform& pose_b,
                             const QueryOptions& options, VerticesInside& out) {
  check_options(options);
  check_pose(pose_a, kPoseTolerance);
  check_pose(pose_b, kPoseTolerance);
  restart(out, a.engine);
  Stopwatch watch;
  Scratch& s = scratch();
  // Relative to where `a` is: two poses far from the origin of the world differ by little.
  Transform at_a = pose_of(a, pose_a), at_b = pose_of(b, pose_b);
  at_b.translation -= at_a.translation;
  at_a.translation = {};
  const Placement a_to_b = chain(placement_of(normalised(at_a)), placement_into(at_b));
  const Placement b_to_a = chain(placement_of(normalised(at_b)), placement_into(at_a));
  add(out.health, a.health);
  add(out.health, b.health);
  out.alternating = a.ldi.alternating || b.ldi.alternating;
  out.health.untrusted_points = find_in_rigid(a.vertices, a_to_b, b, options, s.workers, s.lookup, out.a_in_b) +
                                find_in_rigid(b.vertices, b_to_a, a, options, s.workers, s.lookup, out.b_in_a);
  watch.lap(out.ms.query);
  require_health(out.health, options.strict);
}

void Engine::sample_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out) {
  check_options(options);
  check_owner(mesh);
  restart(out, name());
  out.origin = settle(mesh);
  find_rigid(mesh, options, out);
  require_health(out.health, options.strict);
}

void Engine::find_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out) {
  gpu_cost_ = {};
  Stopwatch watch;
  Scratch& s = scratch();
  const auto positions = positions_of(mesh, s.positions_a);
  out.vertices.assign(positions.begin(), positions.end());
  if (options.exact) {
    const auto triangles = mesh.kept != nullptr ? mesh.kept->triangles() : mesh.view.triangles;
    out.triangles.assign(triangles.begin(), triangles.end());
    out.on_lattice = samples_on_lattice();
  } else {
    out.triangles.clear();
  }
  out.bounds = bounds(mesh);
  if (!build_in_own_box(*this, mesh, options, watch, out.ldi, out)) {
    out.ldi.grid = {};
    return;
  }
  out.health = health_of_columns(out.ldi, s.workers);
  report(gpu_cost_, out);
}

/// `points` are in the mesh's frame.
void Engine::flag_exactly(const RigidMesh& mesh, std::span<const Vec3> points, Containment& out) {
  Scratch& s = scratch();
  const MeshView view{.positions = mesh.vertices, .triangles = mesh.triangles};
  if (view.triangles.empty() && mesh.ldi.grid.column_count() != 0)
    throw Error("exact answers need the triangles of a rigid mesh: give sample_rigid() the option exact as well");
  flag_points({mesh.ldi}, points, mesh.health, s.workers, s.lookup, out);
  if (mesh.ldi.grid.column_count() == 0) check_indices(view, s.workers);  // sampling would have done it
  if (!s.exact) s.exact.emplace(s.workers);
  s.exact->correct({.mesh = view, .bounds = mesh.bounds, .points = points, .box = nullptr, .sampled = mesh.on_lattice},
                   out);
}

void Engine::contains(const RigidMesh& mesh, const Transform& pose, std::span<const Vec3> points,
                      const QueryOptions& options, Containment& out) {
  check_options(options);
  check_pose(pose, kPoseTolerance);
  restart(out, mesh.engine, points.size());
  Stopwatch watch;
  Scratch& s = scratch();
  const Transform placed = pose_of(mesh, pose);
  const Placement into_mesh = placement_into(placed);
  const Placement* placement = is_identity(placed) ? nullptr : &into_mesh;
  if (options.exact) {
    if (placement != nullptr) points = placed_points(points, into_mesh, s.workers, s.points);
    flag_exactly(mesh, points, out);
  } else {
    flag_points({mesh.ldi, placement}, points, mesh.health, s.workers, s.lookup, out);
  }
  watch.lap(out.ms.query);
  require_health(out.health, options.strict);
}

}  // namespace lamella
