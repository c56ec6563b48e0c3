#pragma once

// Triangles that are not wholly beyond one face of a box: a byte per vertex says which faces it is beyond.

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "proof/kernels.hpp"

namespace lamella::proof {

/// A vertex is beyond a face when its coordinate is below `low` or above `high`.
struct Outcodes {
  Vec3 low, high;
};

/// Of a box in doubles. A float is below a double exactly when it is below the double rounded up.
[[nodiscard]] Outcodes outcodes_of(Vec3d low, Vec3d high);

/// Triangles per list.
inline constexpr std::size_t kOutcodeChunk = 16384;

/// The triangles that no face of the box separates from it, ascending: for each kOutcodeChunk triangles a list. Lists
/// beyond the last keep what they had. In the same pass the edges are summed up (kernels.hpp), unless `sums` is null.
void find_inside_candidates(MeshView mesh, const Outcodes& box, Workers& workers, std::vector<std::uint8_t>& codes,
                            std::vector<std::vector<std::uint32_t>>& chunks, EdgeSums* sums);

}  // namespace lamella::proof
