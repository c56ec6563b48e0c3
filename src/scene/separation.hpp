#pragma once

#include <span>

#include "scene/grouping.hpp"

namespace lamella {

/// Whether every edge has as many triangles in one direction as in the other, by the numbers of its vertices. All rays
/// then leave the mesh as often as they enter it, wherever its vertices are. One pass; wrong with a probability of
/// 2^-64.
[[nodiscard]] bool closes(std::span<const Triangle> triangles);

/// How far apart two placed objects are at least: between two planes across the line that joins the middles of their
/// boxes. 0 where no such planes separate them, where to find out would cost more than to sample them, or where
/// sampling one of them would show that it is not closed. Costs a pass over their vertices. Rounding is allowed for.
[[nodiscard]] float gap_between(const PlacedObject& a, const PlacedObject& b);

}  // namespace lamella
