#pragma once

// Pairs of boxes that share a point, by halving space again and again.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lamella/math.hpp"
#include "lamella/mesh.hpp"

namespace lamella::proof {

/// The box of a triangle.
struct TriangleBox {
  Vec3 min, max;
  std::uint32_t triangle = 0;
};

[[nodiscard]] TriangleBox box_of(MeshView mesh, std::uint32_t triangle);

/// Returns false to end the search.
using VisitPair = std::function<bool(std::uint32_t a, std::uint32_t b)>;

enum class Search : std::uint8_t {
  finished,
  ended,     ///< by the visitor
  given_up,  ///< too many boxes overlap
};

/// Visits every pair once, in an order that depends on the boxes alone. The arrays are reordered.
Search visit_box_pairs(std::vector<TriangleBox>& a, std::vector<TriangleBox>& b, const VisitPair& visit);
/// Pairs of boxes of one array; each pair once.
Search visit_box_pairs(std::vector<TriangleBox>& boxes, const VisitPair& visit);

}  // namespace lamella::proof
