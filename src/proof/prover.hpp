#pragma once

// What the proofs of pairs and of one mesh share.

#include <optional>

#include "proof/prove.hpp"

namespace lamella::proof {

/// Middles of the longest spans, longest first.
void points_of_spans(const ProofHint& hint, std::size_t most, std::vector<WindingPoint>& out);

/// The winding number just below a point of a triangle.
[[nodiscard]] std::optional<int> winding_under(Vec3d point, MeshView mesh, std::uint32_t triangle, Workers& workers,
                                               ProofScratch& scratch);

/// For each of these triangles of a closed mesh: the winding number just below a point of it. Not given when the point
/// lies on other triangles too.
[[nodiscard]] std::vector<std::optional<int>> windings_under(MeshView mesh, std::span<const std::uint32_t> triangles,
                                                             Workers& workers, ProofScratch& scratch);

}  // namespace lamella::proof
