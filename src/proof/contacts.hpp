#pragma once

// Triangles of two meshes that meet, and what they suggest: where a point inside both may be, and along which way the
// meshes may be moved apart. These are guesses in doubles, which others prove.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "proof/motion.hpp"
#include "proof/winding.hpp"

namespace lamella::proof {

struct Contact {
  std::uint32_t a = 0, b = 0;
};

struct Corners {
  Vec3 at[3];
};
[[nodiscard]] inline Corners corners_of(MeshView mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  return {{mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]}};
}

/// Points that may be inside both, next to the contacts from which most is to be hoped, best first; at most `most`
/// contacts are used, after the best `skip`.
void points_near(MeshView a, MeshView b, std::span<const Contact> contacts, std::size_t skip, std::size_t most,
                 std::vector<WindingPoint>& out);

/// Points at smaller and smaller distances from a triangle's middle, on its inner side.
void points_under(MeshView mesh, std::uint32_t triangle, std::vector<WindingPoint>& out);

/// Ways along which the second mesh may leave the first.
void motions_apart(MeshView a, MeshView b, std::span<const Contact> contacts, std::vector<Motion>& out);

}  // namespace lamella::proof
