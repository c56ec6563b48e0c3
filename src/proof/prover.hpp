#pragma once

// What the proofs of pairs and of one mesh share.

#include <optional>

#include "proof/prove.hpp"

namespace lamella {

/// Middles of the longest spans, longest first.
void points_of_spans(const ProofHint& hint, std::size_t most, std::vector<WindingPoint>& out);

/// Of a point on a triangle of a closed mesh: the winding number just below the triangle. Not given when the point lies
/// on other triangles too.
[[nodiscard]] std::optional<int> winding_under(MeshView mesh, std::uint32_t triangle, Workers& workers,
                                               ProofScratch& scratch);

}  // namespace lamella
