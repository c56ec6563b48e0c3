#pragma once

// Random meshes, and brute force over all their triangles.

#include <cmath>
#include <limits>

#include "lamella/mesh.hpp"
#include "measure/triangle_distance.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

/// Triangles of all kinds anywhere in the box: small, large, thin, without area, some that share corners.
inline Mesh triangle_soup(Random& random, std::uint32_t count, const Aabb& box, float size) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random.below(16);
    const float reach = kind == 0 ? 20 * size : size;
    const Vec3 at = i > 0 && kind == 1 ? mesh.positions[random.below(static_cast<std::uint32_t>(mesh.positions.size()))]
                                       : random.in(box);
    const Aabb around{{-reach, -reach, -reach}, {reach, reach, reach}};
    const Vec3 u = random.in(around), v = random.in(around);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(at);
    mesh.positions.push_back(at + u);
    mesh.positions.push_back(kind == 2 ? at + u * 0.5f : kind == 3 ? at : kind == 4 ? at + u + v * 0x1p-12f : at + v);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

struct Corners3 {
  Vec3d at[3];
};
inline Corners3 corners3(MeshView mesh, std::size_t i) {
  const Triangle& t = mesh.triangles[i];
  const auto corner = [&](std::uint32_t v) {
    return (mesh.wide.empty() ? to_double(mesh.positions[v]) : mesh.wide[v]) + mesh.origin;
  };
  return {{corner(t.a), corner(t.b), corner(t.c)}};
}

inline double brute_distance(MeshView mesh, Vec3d p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    best = std::min(best, measure::nearest_on_triangle(p, corners3(mesh, i).at).square);
  return std::sqrt(best);
}
/// Of surfaces that do not cross.
inline double brute_distance(MeshView a, MeshView b) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.triangles.size(); ++i)
    for (std::size_t k = 0; k < b.triangles.size(); ++k)
      best = std::min(best, measure::nearest_of_triangles(corners3(a, i).at, corners3(b, k).at).square);
  return std::sqrt(best);
}

}  // namespace lamella::test
