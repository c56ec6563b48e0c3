#include <algorithm>

#include "lamella/elementary.hpp"
#include "scenes/grids.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/rings.hpp"

namespace lamella::scenes {

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
  return make_mesh(torus_surface(faces, ring_radius, tube_radius));
}

Mesh torus_knot(std::size_t faces, float tube_radius, int p, int q) {
  return make_mesh(knot_surface(faces, tube_radius, p, q));
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
