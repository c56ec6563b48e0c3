#pragma once

#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella {

struct Orientation {
  std::uint64_t turned_faces = 0;
  std::uint64_t one_sided_patches = 0;  ///< left as they were
};

/// Turns triangles so that neighbours across edges of exactly two triangles look the same way: of each patch of such
/// neighbours the smaller part. `positions` only says how many vertices there are.
Orientation orient_consistently(std::span<const Vec3> positions, std::span<Triangle> triangles);

}  // namespace lamella
