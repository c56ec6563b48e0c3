#pragma once

// The vector kernels of nearest pairs; compiled for every instruction set, with the same results.

#include <cstdint>

#include "measure/triangle_tree.hpp"

namespace lamella::measure {

/// The box of a node and the disc around its triangles.
struct NodeShape {
  Vec3 low, high, normal;
  float radius = 0, thick = 0;
};
[[nodiscard]] inline NodeShape shape_of(const TriangleTree& tree, std::uint32_t node) {
  NodeShape shape;
  for (int k = 0; k < 3; ++k) {
    shape.low[k] = tree.low(k)[node];
    shape.high[k] = tree.high(k)[node];
    shape.normal[k] = tree.normal(k)[node];
  }
  shape.radius = tree.radius()[node];
  shape.thick = tree.thick()[node];
  return shape;
}

/// Children of a node that may be near something.
struct NearChildren {
  static constexpr std::size_t kRoom = TriangleTree::kMostChildren + TriangleTree::kPad;
  float square[kRoom];  ///< no triangle in the child is nearer than its root
  std::uint32_t node[kRoom];
};
/// The children of `node` whose squares are below `limit`, in order; returns how many. A square is the larger of what
/// boxes and what discs tell, rounded down.
[[nodiscard]] std::size_t find_near_children(const TriangleTree& tree, const TreeNode& node, const NodeShape& other,
                                             float limit, NearChildren& out);

/// A leaf, as it is compared with some others: its triangles relative to a place near them.
struct PreparedLeaf {
  static constexpr std::size_t kColumns = 20;
  std::uint32_t node = ~std::uint32_t{0}, count = 0;  ///< no node yet
  NodeShape shape;
  Vec3 origin;
  alignas(64) float columns[kColumns * kMostInLeaf];
};
void prepare_leaf(const TriangleTree& tree, std::uint32_t node, PreparedLeaf& out);

/// Pairs of triangles of two leaves, a bit for each triangle of the second.
struct NearPairs {
  std::uint8_t near = 0;      ///< may be nearer than asked
  std::uint8_t may_meet = 0;  ///< of these: may have a point in common
};
/// For each triangle of a leaf those of `node`, a leaf of `tree`, that may be nearer than the square root of `limit`,
/// by how far both reach along their normals and along the line between their middles, and by their boxes.
void find_near_pairs(const PreparedLeaf& leaf, const TriangleTree& tree, std::uint32_t node, float limit,
                     NearPairs* out);

}  // namespace lamella::measure
