#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// Which of the triangles to keep, of those that have the same three vertices: one when more look one way than the
/// other, else none, as they cancel. But a closed surface that is there both ways (every edge of the faces that would
/// cancel belongs to two of them) keeps one of each: it is drawn from both sides, and bounds a solid.
/// One flag per triangle. Triangles that repeat a vertex are kept.
[[nodiscard]] std::vector<bool> keep_single_faces(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// How many triangles there are beyond one for each set of three vertices.
[[nodiscard]] std::uint64_t count_duplicates(std::span<const Triangle> triangles);

}  // namespace lamella
