#pragma once

// Triangles that are not wholly beyond one face of a box: a byte per vertex says which faces it is beyond.

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// A vertex is beyond a face when its coordinate is below `low` or above `high`.
struct Outcodes {
  Vec3 low, high;
};

/// Of a box in doubles. A float is below a double exactly when it is below the double rounded up.
[[nodiscard]] Outcodes outcodes_of(Vec3d low, Vec3d high);

/// The triangles that no face of the box separates from it, ascending: for each `chunk` triangles a list. Chunks beyond
/// the last keep what they had.
void find_inside_candidates(MeshView mesh, const Outcodes& box, Workers& workers, std::vector<std::uint8_t>& codes,
                            std::vector<std::vector<std::uint32_t>>& chunks, std::size_t chunk);

}  // namespace lamella
