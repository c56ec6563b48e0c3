#pragma once

// Boxes and discs around triangles, made anew in each call: some 30 ns for each triangle.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "measure/corner_kernel.hpp"
#include "measure/sort_keys.hpp"
#include "measure/tree_kernel.hpp"

namespace lamella::measure {

/// Keeps its memory between calls: about 100 bytes for each triangle.
class TriangleTree {
 public:
  static constexpr std::uint32_t kMostInLeaf = measure::kMostInLeaf;
  static constexpr std::uint32_t kMostChildren = 64;
  static constexpr std::uint32_t kMostLevels = 40;
  static constexpr std::size_t kPad = 64;  ///< so many floats behind the last may be read

  /// Of the mesh's triangles that can be used, or of those among `some`. Indices must be in range.
  void build(MeshView mesh, Workers& workers);
  void build(MeshView mesh, std::span<const std::uint32_t> some, Workers& workers);

  [[nodiscard]] bool empty() const { return ids_.empty(); }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  /// The first is the root. A node comes before its children.
  [[nodiscard]] std::span<const TreeNode> nodes() const { return nodes_; }
  /// Sides of the nodes' boxes.
  [[nodiscard]] const float* low(int axis) const { return low_[static_cast<std::size_t>(axis)].data(); }
  [[nodiscard]] const float* high(int axis) const { return high_[static_cast<std::size_t>(axis)].data(); }
  /// A disc around each node's triangles, along the mean of their normals: of a smooth surface it is much thinner than
  /// the box. Its centre is the box's. Infinite where a node has too many triangles for it to pay.
  [[nodiscard]] const float* normal(int axis) const { return normal_[static_cast<std::size_t>(axis)].data(); }
  [[nodiscard]] const float* radius() const { return radius_.data(); }
  [[nodiscard]] const float* thick() const { return thick_.data(); }
  /// In the tree's order: which triangle of the mesh, and its corners.
  [[nodiscard]] std::span<const std::uint32_t> ids() const { return ids_; }
  [[nodiscard]] const float* corner(int corner, int axis) const {
    return corners_[static_cast<std::size_t>(3 * corner + axis)].data();
  }
  [[nodiscard]] Vec3 corner_of(std::size_t triangle, int c) const {
    return {corner(c, 0)[triangle], corner(c, 1)[triangle], corner(c, 2)[triangle]};
  }
  /// Unit normals of the triangles, in the tree's order; 0 for those without area.
  [[nodiscard]] const float* face_normal(int axis) const { return normals_[static_cast<std::size_t>(axis)].data(); }
  [[nodiscard]] std::size_t skipped() const { return skipped_; }  ///< triangles that cannot be used

 private:
  struct Run {
    std::uint32_t begin, end;
    [[nodiscard]] std::uint32_t size() const { return end - begin; }
  };
  void build(const ChosenTriangles& triangles, Workers& workers);
  void sort_triangles(const ChosenTriangles& triangles, Workers& workers);
  void set_classes();
  void split(MeshView mesh, std::uint32_t node, Run run, int shift, std::uint32_t level);
  void find_parts(MeshView mesh, Run run, int& shift, std::uint32_t level, std::vector<Run>& parts);
  bool refine_keys(MeshView mesh, Run run);
  void write_leaves(MeshView mesh, Workers& workers);
  void join_children();
  void fit_discs(Workers& workers);
  [[nodiscard]] NodeColumns node_columns();

  std::vector<TreeNode> nodes_;
  std::vector<Run> runs_;  ///< of triangles, of each node
  std::array<std::vector<float>, 3> low_, high_, normal_;
  std::vector<float> radius_, thick_;
  std::vector<std::uint32_t> ids_;
  std::array<std::vector<float>, 9> corners_;
  std::size_t skipped_ = 0;

  KeySorter sorter_;
  std::vector<KeyedId> keys_;
  std::vector<Aabb> boxes_;                    ///< around the middles of each chunk's triangles
  std::array<std::vector<float>, 3> sums_;     ///< twice the middles of the triangles' boxes
  std::vector<std::uint8_t> sizes_;            ///< binary exponents of the triangles' sizes
  std::array<std::vector<float>, 3> normals_;  ///< of triangles
  std::array<std::vector<Run>, kMostLevels> parts_;
};

}  // namespace lamella::measure
