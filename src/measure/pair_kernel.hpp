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
[[nodiscard]] NodeShape shape_of(const TriangleTree& tree, std::uint32_t node);

/// No two triangles of a node and of `other` are nearer than this: the larger of what boxes and what discs tell,
/// squared and rounded down. For the nodes from `begin` on. `out` must have room for TriangleTree::kMostChildren.
void write_bounds(const TriangleTree& tree, std::uint32_t begin, std::uint32_t count, const NodeShape& other,
                  float* out);

/// Pairs of triangles of two leaves, a bit for each triangle of the second.
struct NearPairs {
  std::uint8_t near = 0;      ///< may be nearer than asked
  std::uint8_t may_meet = 0;  ///< of these: may have a point in common
};
/// For each triangle of leaf `a` those of leaf `b` that may be nearer than the square root of `limit`, by their boxes
/// and by how far both reach along the line between their middles.
void find_near_pairs(const TriangleTree& tree_a, const TreeNode& a, const TriangleTree& tree_b, const TreeNode& b,
                     float limit, NearPairs* out);

}  // namespace lamella::measure
