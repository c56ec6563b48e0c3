#include <cassert>
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/grids.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::scenes {
namespace {

/// A curve on a torus, and the torus' own normal: it is at right angles to the curve, and periodic, which makes it the
/// natural frame of a tube around the knot.
struct KnotPoint {
  Vec3d position, normal, tangent;
};

KnotPoint knot_point(double u, int p, int q) {
  constexpr double kRing = 0.92, kTube = 0.38;
  const double around = 2 * kPi * p * u;
  const double through = 2 * kPi * q * u;
  const Vec3d outward{elementary::cos(around), elementary::sin(around), 0};
  const Vec3d forward{-elementary::sin(around), elementary::cos(around), 0};
  const Vec3d up{0, 0, 1};
  const double radius = kRing + kTube * elementary::cos(through);
  const Vec3d turn = outward * (-elementary::sin(through)) + up * elementary::cos(through);
  return {outward * radius + up * (kTube * elementary::sin(through)),
          outward * elementary::cos(through) + up * elementary::sin(through),
          normalize(forward * (p * radius) + turn * (q * kTube))};
}

double knot_length(int p, int q) {
  constexpr int kSteps = 512;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    sum += length(knot_point(double(i + 1) / kSteps, p, q).position - knot_point(double(i) / kSteps, p, q).position);
  }
  return sum;
}

}  // namespace

Mesh sphere(std::size_t faces, float radius) {
  QuadGrid grid = cube_grid(faces, {1, 1, 1});
  for (Vec3d& p : grid.points) p = cube_to_sphere(p) * radius;
  return triangulate(grid);
}

Mesh box(std::size_t faces, Vec3 half_size) {
  QuadGrid grid = cube_grid(faces, to_double(half_size));
  for (Vec3d& p : grid.points) p = {p.x * half_size.x, p.y * half_size.y, p.z * half_size.z};
  return triangulate(grid);
}

Mesh torus(std::size_t faces, float ring_radius, float tube_radius) {
  QuadGrid grid = torus_grid(faces, double(ring_radius) / tube_radius);
  for (Vec3d& p : grid.points) {
    const double u = 2 * kPi * p.x, v = 2 * kPi * p.y;
    const double radius = ring_radius + tube_radius * elementary::cos(v);
    p = {radius * elementary::cos(u), radius * elementary::sin(u), tube_radius * elementary::sin(v)};
  }
  return triangulate(grid);
}

Mesh torus_knot(std::size_t faces, float tube_radius, int p, int q) {
  assert(p != 0 || q != 0);
  // With fewer stations than this per winding, the tube's rings would turn against one another.
  const auto stations = static_cast<std::size_t>(8 * std::max({std::abs(p), std::abs(q), 1}));
  QuadGrid grid = torus_grid(faces, knot_length(p, q) / (2 * kPi * tube_radius), stations);
  for (Vec3d& point : grid.points) {
    const KnotPoint k = knot_point(point.x, p, q);
    const double v = 2 * kPi * point.y;
    const Vec3d side = cross(k.normal, k.tangent);
    point = k.position + (k.normal * elementary::cos(v) + side * elementary::sin(v)) * tube_radius;
  }
  return triangulate(grid);
}

Mesh blob(std::size_t faces, std::uint32_t seed) {
  constexpr int kBumps = 21;
  Random random(seed);
  Vec3d axis[kBumps];
  double height[kBumps], sharpness[kBumps];
  for (int i = 0; i < kBumps; ++i) {
    axis[i] = random.direction();
    // Two bumps to one dent.
    height[i] = i % 3 == 2 ? random.uniform(-0.30, -0.15) : random.uniform(0.20, 0.45);
    sharpness[i] = random.uniform(6, 16);
  }
  QuadGrid grid = cube_grid(faces, {1, 1, 1});
  for (Vec3d& p : grid.points) {
    const Vec3d direction = cube_to_sphere(p);
    double radius = 0.7;
    for (int i = 0; i < kBumps; ++i)
      radius += height[i] * elementary::exp(sharpness[i] * (dot(direction, axis[i]) - 1));
    // Many dents in one place must not reach the centre.
    p = direction * std::max(radius, 0.25);
  }
  return triangulate(grid);
}

}  // namespace lamella::scenes
