#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lamella/elementary.hpp"
#include "lamella/mesh.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

/// A closed surface of quads, counter-clockwise seen from outside, to be bent into shape before it becomes triangles.
struct QuadGrid {
  std::vector<Vec3d> points;
  std::vector<std::array<std::uint32_t, 4>> quads;
};

/// Surface of the cube [-1, 1]^3. The numbers of cells along x, y and z stand in about the ratio of `sides`, and are
/// those nearby that come nearest to `faces` triangles: at least 12.
[[nodiscard]] QuadGrid cube_grid(std::size_t faces, Vec3d sides);

/// How many cells a torus of about `faces` triangles has along its two ways round, u and v: in about the ratio
/// `u_per_v`, at least `min_u` (3 or more) along u.
struct TorusCells {
  std::size_t u = 0, v = 0;
};
[[nodiscard]] TorusCells torus_cells(std::size_t faces, double u_per_v, std::size_t min_u = 3);

/// Whether a quad of these corners is split from a to c, not from b to d.
[[nodiscard]] inline bool first_diagonal_is_shorter(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  return dot(a - c, a - c) <= dot(b - d, b - d);
}

/// Splits each quad along its shorter diagonal.
[[nodiscard]] Mesh triangulate(const QuadGrid& grid);

/// Direction of a point of the cube's surface, warped so that equal cells become nearly equal on the sphere.
[[nodiscard]] inline Vec3d cube_to_sphere(Vec3d p) {
  return normalize({elementary::tan(p.x * kPi / 4), elementary::tan(p.y * kPi / 4), elementary::tan(p.z * kPi / 4)});
}

}  // namespace lamella::scenes
