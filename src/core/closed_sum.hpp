#pragma once

#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella {

/// The sum behind is_closed(): parts of a mesh can be summed apart, in any order, modulo 2^64, and the mesh is closed
/// if the sum of all is 0. Indices must be in range.
[[nodiscard]] std::uint64_t closed_sum(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace lamella
