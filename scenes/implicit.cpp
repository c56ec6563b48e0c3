#include "scenes/implicit.hpp"

#include <cassert>
#include <cmath>

namespace lamella::scenes {
namespace {

double part_distance(const Part& part, Vec3d p) {
  const Vec3d q = p - part.a;
  const Vec3d local{q.x / part.squash.x, q.y / part.squash.y, q.z / part.squash.z};
  const Vec3d axis = part.b - part.a;
  const double square = dot(axis, axis);
  const double t = square > 0 ? std::clamp(dot(local, axis) / square, 0.0, 1.0) : 0.0;
  const double smallest = std::min({part.squash.x, part.squash.y, part.squash.z});
  return (length(local - axis * t) - (part.radius_a + (part.radius_b - part.radius_a) * t)) * smallest;
}

/// Minimum, rounded where the two are within `width` of each other: the seam becomes a fillet.
double smooth_min(double a, double b, double width) {
  const double near = std::max(width - std::abs(a - b), 0.0) / width;
  return std::min(a, b) - near * near * width / 4;
}

double add(const Part& part, Vec3d p, double d) {
  const double other = part_distance(part, p);
  return part.carve ? -smooth_min(-d, other, part.blend) : smooth_min(d, other, part.blend);
}

constexpr double kNothing = 1e3;  // the distance when there is no part
constexpr double kStep = 1e-4;    // of differences

}  // namespace

double distance(const Shape& shape, Vec3d p) {
  double d = kNothing;
  for (const Part& part : shape.parts) d = add(part, p, d);
  return d;
}

Vec3d gradient(const Shape& shape, Vec3d p) { return Neighbourhood(shape, p, 2 * kStep).gradient_at(p); }

Neighbourhood::Neighbourhood(const Shape& shape, Vec3d p, double reach) {
  assert(shape.parts.size() <= kMost);
  const double limit = std::abs(distance(shape, p)) + 2 * reach;
  for (const Part& part : shape.parts) {
    if (part_distance(part, p) < limit + part.blend) parts[count++] = &part;
  }
}

double Neighbourhood::distance_at(Vec3d p) const {
  double d = kNothing;
  for (std::size_t i = 0; i < count; ++i) d = add(*parts[i], p, d);
  return d;
}

Vec3d Neighbourhood::gradient_at(Vec3d p) const {
  // Along the corners of a tetrahedron: four values instead of six.
  constexpr Vec3d kCorners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  Vec3d sum;
  for (const Vec3d c : kCorners) sum = sum + c * distance_at(p + c * kStep);
  return sum * (0.25 / kStep);
}

Vec3d project(const Shape& shape, Vec3d p, double reach) {
  const Neighbourhood near(shape, p, reach);
  const Vec3d start = p;
  for (int i = 0; i < 2; ++i) {
    const Vec3d g = near.gradient_at(p);
    const double square = dot(g, g);
    if (square < 1e-6) break;
    p = p - g * (near.distance_at(p) / square);
  }
  const double moved = length(p - start);
  return moved <= reach ? p : start + (p - start) * (reach / moved);
}

}  // namespace lamella::scenes
