// Distances, ways out and sweeps of arrays of any content. They are exact, so that brute force over vertices and the
// proofs of intersect() can check them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "lamella/distance.hpp"
#include "lamella/query.hpp"
#include "lamella/separation.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_usable(Vec3 p) { return std::abs(p.x) <= 0x1p100f && std::abs(p.y) <= 0x1p100f && std::abs(p.z) <= 0x1p100f; }

/// Corners of triangles that can be used.
std::vector<Vec3d> corners_of(const Mesh& mesh) {
  std::vector<Vec3d> corners;
  for (const Triangle& t : mesh.triangles) {
    if (!is_usable(mesh.positions[t.a]) || !is_usable(mesh.positions[t.b]) || !is_usable(mesh.positions[t.c])) continue;
    for (int k = 0; k < 3; ++k) corners.push_back(to_double(mesh.positions[t[k]]));
  }
  return corners;
}

double size_of(std::span<const Vec3d> points) {
  double size = 0;
  for (const Vec3d p : points) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return size;
}

/// In the box of the triangle, to rounding.
void check_on(const Mesh& mesh, std::uint32_t triangle, Vec3d p, double rounding) {
  require(triangle < mesh.triangles.size(), "a triangle is one of the mesh");
  const Triangle t = mesh.triangles[triangle];
  for (int k = 0; k < 3; ++k) {
    const double x = mesh.positions[t.a][k], y = mesh.positions[t.b][k], z = mesh.positions[t.c][k];
    require(p[k] >= std::min({x, y, z}) - rounding && p[k] <= std::max({x, y, z}) + rounding,
            "a point is on its triangle");
  }
}

/// The verdict where it is proved.
std::optional<Verdict> proved(const Mesh& a, const Mesh& b) {
  const Overlap o =
      intersect(a, b, {.engine = "software", .resolution = 8, .threads = 1, .certify = true, .close_holes = false});
  if (!o.certificate.certain) return std::nullopt;
  return o.verdict;
}

void distances(Input& input) {
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  const auto threads = static_cast<unsigned>(1 + input.below(3));
  const bool good = a.indices_exist && b.indices_exist;
  const auto found = answer_of(good, [&] { return distance(a.mesh, b.mesh, threads); });
  require(found.has_value() == good, "only an index out of range is refused");
  if (!found) return;
  const std::vector<Vec3d> corners_a = corners_of(a.mesh), corners_b = corners_of(b.mesh);
  const double rounding = 1e-12 * (size_of(corners_a) + size_of(corners_b));
  require(found->distance >= 0, "a distance is not below 0");
  require((found->distance == kInfinity) == (corners_a.empty() || corners_b.empty()),
          "a distance is infinite where there is no surface");
  require(found->skipped_triangles ==
              a.mesh.triangles.size() + b.mesh.triangles.size() - (corners_a.size() + corners_b.size()) / 3,
          "triangles that cannot be used are counted");
  for (const Vec3d p : corners_a)
    for (const Vec3d q : corners_b)
      require(found->distance <= length(p - q) * (1 + 1e-12) + rounding,
              "no two vertices are closer than the distance");
  const bool some_points = found->distance < kInfinity;
  if (some_points) {
    require(is_finite(found->on_a) && is_finite(found->on_b), "the nearest points are somewhere");
    require(std::abs(length(found->on_a - found->on_b) - found->distance) <= rounding + 1e-9 * found->distance,
            "the nearest points are as far apart as the meshes");
    require((found->triangle_a == kNoTriangle) == (found->triangle_b == kNoTriangle), "both triangles or none");
    if (found->triangle_a != kNoTriangle) {
      check_on(a.mesh, found->triangle_a, found->on_a, 1e6 * rounding);
      check_on(b.mesh, found->triangle_b, found->on_b, 1e6 * rounding);
    } else {
      require(found->distance == 0 && found->verdict != Verdict::clear, "only what is inside has no nearest triangle");
    }
  }
  if (found->verdict == Verdict::colliding) require(found->distance == 0, "what collides is not apart");
  const MeshDistance swapped = distance(b.mesh, a.mesh, 1 + threads % 3);
  require(swapped.distance == found->distance ||
              std::abs(swapped.distance - found->distance) <= rounding + 1e-12 * found->distance,
          "distances are the same both ways");
  // A proof may be found one way alone.
  if (swapped.verdict != Verdict::undecided && found->verdict != Verdict::undecided)
    require(swapped.verdict == found->verdict, "verdicts are the same both ways");
  if (a.closed && b.closed && found->skipped_triangles == 0)
    if (const auto verdict = proved(a.mesh, b.mesh); verdict && found->verdict != Verdict::undecided)
      require(*verdict == found->verdict, "the verdict is that of intersect()");
}

void nearest(Input& input) {
  const Places places(input);
  const MadeMesh made = take_mesh(input, places);
  const std::vector<Vec3> points = take_points(input, places);
  const auto found = answer_of(made.indices_exist, [&] { return closest(made.mesh, points, 1); });
  require(found.has_value() == made.indices_exist, "only an index out of range is refused");
  if (!found) return;
  require(found->points.size() == points.size(), "a nearest point for each point");
  const std::vector<Vec3d> corners = corners_of(made.mesh);
  const ClosestPoints again = closest(made.mesh, points, 3);
  Options exact{.engine = "software", .resolution = 8, .threads = 1, .exact = true, .close_holes = false};
  const Containment inside = contains(made.mesh, points, exact);
  const bool trusted = made.closed && found->health.skipped_triangles == 0 && found->health.untrusted_points == 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ClosestPoint& near = found->points[i];
    require(near.triangle == again.points[i].triangle || near.distance == again.points[i].distance,
            "the number of threads does not matter");
    if (!is_usable(points[i])) {
      require(std::isnan(near.distance) && near.triangle == kNoTriangle, "a point that is nowhere is near nothing");
      continue;
    }
    if (corners.empty()) {
      require(near.distance == kInfinity && near.triangle == kNoTriangle, "a mesh without triangles is near nothing");
      continue;
    }
    const Vec3d p = to_double(points[i]);
    const double rounding = 1e-12 * (size_of(corners) + size_of(std::array{p}));
    require(is_finite(near.position) && std::isfinite(near.distance), "the nearest point is somewhere");
    require(std::abs(length(near.position - p) - std::abs(near.distance)) <= rounding + 1e-9 * std::abs(near.distance),
            "the nearest point is as far as the distance says");
    for (const Vec3d q : corners)
      require(std::abs(near.distance) <= length(p - q) * (1 + 1e-12) + rounding,
              "no vertex is closer than the nearest point");
    check_on(made.mesh, near.triangle, near.position, 1e6 * rounding);
    const double size = length(to_double(near.normal));
    require(size == 0 || std::abs(size - 1) <= 1e-5, "a normal is unit or 0");
    if (trusted && inside.inside[i] != kPointUnknown && near.distance != 0)
      require((near.distance < 0) == (inside.inside[i] == kPointInside), "the sign tells whether a point is inside");
  }
}

Mesh moved(const Mesh& mesh, Vec3d by) { return transformed(mesh, {by, {}}); }

/// What two meshes share, seen by rays: 0 where it is a rounding's.
double shared_volume(const Mesh& a, const Mesh& b) {
  return intersect(a, b, {.engine = "software", .resolution = 12, .threads = 1, .close_holes = false}).volume;
}

void ways_out(Input& input) {
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  SeparationOptions o{.engine = "software"};
  o.resolution = static_cast<std::uint32_t>(1 + input.below(12));
  o.directions = static_cast<std::uint32_t>(input.below(24));
  o.threads = static_cast<unsigned>(1 + input.below(3));
  const bool good = a.indices_exist && b.indices_exist;
  const auto found = answer_of(good, [&] { return separation(a.mesh, b.mesh, o); });
  if (!found) return;
  require(is_finite(found->translation) && is_finite(found->direction), "a way out is finite");
  require(std::isfinite(found->length) && found->length >= 0 && std::isfinite(found->margin) && found->margin >= 0,
          "a way out has a length");
  if (found->before == Verdict::clear)
    return require(found->translation == Vec3d{} && found->direction == Vec3d{}, "what is clear needs no way out");
  if (found->direction == Vec3d{}) return require(found->translation == Vec3d{}, "no direction, no way");
  require(std::abs(length(found->direction) - 1) <= 1e-9, "a direction is unit");
  require(length(found->translation - found->direction * (found->length + found->margin)) <=
              1e-9 * (found->length + found->margin),
          "a translation is its direction times its length and margin");
  if (!found->certificate.certain) return;
  require(found->after != Verdict::undecided, "what is certain is decided");
  if (found->after != Verdict::clear) return;
  const auto after = proved(moved(a.mesh, found->translation), b.mesh);
  require(!after || *after == Verdict::clear, "what is proved to be apart is apart");
}

Vec3d take_motion(Input& input, const Places& places) {
  const Vec3 to = places.take(input), from = places.take(input);
  const double times = input.flag() ? 1 : 0.3;
  return (to_double(to) - to_double(from)) * times;
}

void free_ways(Input& input) {
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  const Vec3d direction = input.below(32) == 0 ? Vec3d{input.take<double>(), 0, 1} : take_motion(input, places);
  const auto resolution = static_cast<std::uint32_t>(1 + input.below(16));
  const bool good_direction = is_finite(direction) && !(direction == Vec3d{});
  const bool good = a.indices_exist && b.indices_exist && good_direction;
  const auto found = answer_of(good, [&] { return free_shifts(a.mesh, b.mesh, direction, resolution); });
  if (!found) return;
  require(good_direction, "a direction that is none is refused");
  for (const double x : {found->forward, found->backward})
    require(std::isfinite(x) && x >= 0 && (x == 0 || found->overlapping), "a free shift is finite");
  for (const double x : {found->room_forward, found->room_backward}) require(x >= 0, "room is not below 0");
  require(std::isfinite(found->cell) && found->cell >= 0, "a cell has a size");
  if (!is_finite(direction * 4.0)) return;
  const FreeInterval again = free_shifts(a.mesh, b.mesh, direction * 4.0, resolution);
  require(again.forward == found->forward && again.room_backward == found->room_backward,
          "the length of a direction does not matter");
}

void sweeps(Input& input) {
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  const Vec3d motion = input.below(32) == 0 ? Vec3d{input.take<double>(), 0, 1} : take_motion(input, places);
  const auto threads = static_cast<unsigned>(1 + input.below(3));
  const bool good = a.indices_exist && b.indices_exist && std::isfinite(length(motion));
  std::optional<SweepHit> hit;
  const auto done = answer_of(good, [&] {
    hit = sweep(a.mesh, b.mesh, motion, threads);
    return true;
  });
  if (!done) return;
  require(is_finite(motion), "a motion that is not finite is refused");
  const bool closed = a.closed && b.closed && a.usable && b.usable;
  const std::vector<Vec3d> corners_a = corners_of(a.mesh), corners_b = corners_of(b.mesh);
  // What a volume may be off by is known of meshes of the size of the places alone.
  const double scale = places.scale, little = 1e-3 * scale * scale * scale;
  const bool measurable =
      closed && length(motion) < 100 * scale && std::max(size_of(corners_a), size_of(corners_b)) < 2000 * scale;
  if (!hit) {
    if (measurable) require(shared_volume(moved(a.mesh, motion), b.mesh) <= little, "what touches nothing ends clear");
    return;
  }
  require(hit->time >= 0 && hit->time <= 1, "a touch is a part of the motion");
  require(is_finite(hit->position) && is_finite(hit->normal), "a touch is somewhere");
  if (hit->overlapping) {
    require(hit->time == 0 && hit->normal == Vec3d{}, "what overlaps at the start touches at once");
    if (closed)
      require(proved(a.mesh, b.mesh).value_or(Verdict::colliding) == Verdict::colliding, "it really overlaps");
    return;
  }
  require(hit->triangle_a < a.mesh.triangles.size() && hit->triangle_b < b.mesh.triangles.size(),
          "triangles that touch exist");
  require(std::abs(length(hit->normal) - 1) <= 1e-6, "a normal is unit");
  const double rounding = 1e-5 * (size_of(corners_a) + size_of(corners_b) + length(motion));
  check_on(b.mesh, hit->triangle_b, hit->position, rounding);
  check_on(a.mesh, hit->triangle_a, hit->position - motion * hit->time, rounding);
  if (measurable)
    require(shared_volume(moved(a.mesh, motion * (0.999 * hit->time)), b.mesh) <= little, "nothing is passed through");
  const std::optional<SweepHit> again = sweep(a.mesh, b.mesh, motion, 1 + threads % 3);
  require(again && again->time == hit->time && again->triangle_a == hit->triangle_a,
          "the number of threads does not matter");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  switch (input.below(5)) {
    case 0:
      distances(input);
      break;
    case 1:
      nearest(input);
      break;
    case 2:
      ways_out(input);
      break;
    case 3:
      free_ways(input);
      break;
    default:
      sweeps(input);
  }
  return 0;
}
