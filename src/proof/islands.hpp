#pragma once

// The connected parts of a mesh that could be inside another.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::proof {

/// Some triangles of a part, in one place each.
struct Island {
  std::vector<std::uint32_t> triangles;
};

/// Parts that lie wholly in the box `within`, each with up to `most` of its triangles. There may be others among them,
/// and parts may be there several times. `inside`: triangles, among them all around vertices in the box. `own`: the
/// mesh's box. `with_area`: triangles without area connect nothing and
/// are in no part.
[[nodiscard]] std::vector<Island> find_islands(MeshView mesh, std::span<const std::uint32_t> inside, const Aabb& own,
                                               const Aabb& within, std::size_t most, bool with_area);

/// A point of the triangle that exact arithmetic can take: its middle if that is a double without rounding, else a
/// corner.
[[nodiscard]] Vec3d point_on(MeshView mesh, std::uint32_t triangle);

}  // namespace lamella::proof
