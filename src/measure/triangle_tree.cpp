// Triangles are sorted along a Z-shaped curve through a grid of 1024 cells along each axis (Morton 1966; used for trees
// by Lauterbach et al., "Fast BVH Construction on GPUs", 2009). Six bits of the curve's number are a cube of 4 x 4 x 4
// cells: a node has up to 64 children, about 16 of them where a surface passes through. Boxes are those of the
// triangles, not of the cells.
//
// Departures: triangles much larger than most others come after these, in trees of their own under the same root, so
// that the boxes of small ones stay small; where many triangles are in one cell, a new grid is laid over these alone.

#include "measure/triangle_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/grow.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/mesh_scan.hpp"
#include "measure/morton.hpp"
#include "measure/tree_kernel.hpp"

namespace lamella::measure {
namespace {

constexpr std::size_t kChunk = 8192;
constexpr int kDigitBits = 6, kTopShift = 24, kClassShift = 30;
constexpr std::uint32_t kMostInDisc = 2048;  ///< triangles
/// From this level on, nodes are halved by number.
constexpr std::uint32_t kMostSorted = TriangleTree::kMostLevels - 8;
/// Binary exponents by which the sizes of two classes of triangles differ.
constexpr int kClassStep = 2;

struct TriangleExtent {
  Vec3 low, high;
};
TriangleExtent extent_of(MeshView mesh, const Triangle& t) {
  const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
  return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}
Vec3 middle(const TriangleExtent& e) { return e.low + (e.high - e.low) * 0.5f; }

}  // namespace

void TriangleTree::build(MeshView mesh, Workers& workers) { build({mesh, {}, true}, workers); }
void TriangleTree::build(MeshView mesh, std::span<const std::uint32_t> some, Workers& workers) {
  build({mesh, some, false}, workers);
}

void TriangleTree::build(const ChosenTriangles& triangles, Workers& workers) {
  sort_triangles(triangles, workers);
  nodes_.clear();
  ids_.clear();
  if (keys_.empty()) return;
  nodes_.push_back({});
  runs_.assign(1, {});
  split(triangles.mesh, 0, {0, static_cast<std::uint32_t>(keys_.size())}, kClassShift, 0);
  write_leaves(triangles.mesh, workers);
  join_children();
  fit_discs(workers);
}

void TriangleTree::sort_triangles(const ChosenTriangles& triangles, Workers& workers) {
  const std::size_t count = triangles.count();
  for (auto& sum : sums_) resize_with_margin(sum, count + kCornerPad);
  resize_with_margin(sizes_, count + kCornerPad);
  resize_with_margin(keys_, count);
  resize_with_margin(boxes_, (count + kChunk - 1) / kChunk);
  const MiddleColumns middles{{sums_[0].data(), sums_[1].data(), sums_[2].data()}, sizes_.data()};
  workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    boxes_[begin / kChunk] = write_middles(triangles, begin, end, middles);
  });
  Aabb around;
  for (const Aabb& box : boxes_) around = unite(around, box);
  const MortonGrid grid(around);
  workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_keys(triangles, middles, grid, begin, end, keys_.data());
  });
  sizes_.resize(count);
  set_classes();
  skipped_ = count - keys_.size();
  sorter_.sort(keys_, workers);
}

/// Keys of triangles that are much larger than most others get a class above 0 as their highest bits; those that cannot
/// be used are left out.
void TriangleTree::set_classes() {
  std::array<std::uint32_t, 256> counts{};
  for (const std::uint8_t s : sizes_) ++counts[s];
  std::size_t below = 0;
  int usual = 0, largest = 0;
  const std::size_t broken = counts[kBrokenSize];
  for (int s = 0; s < kBrokenSize; ++s) {
    if (2 * below < sizes_.size() - broken) usual = s;
    below += counts[static_cast<std::size_t>(s)];
    if (counts[static_cast<std::size_t>(s)] != 0) largest = s;
  }
  if (broken != 0) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (sizes_[i] == kBrokenSize) continue;
      keys_[kept] = keys_[i];
      sizes_[kept++] = sizes_[i];
    }
    keys_.resize(kept);
  }
  if (largest <= usual + kClassStep) return;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const int above = std::clamp((sizes_[i] - usual - 1) / kClassStep, 0, 3);
    keys_[i].key |= static_cast<std::uint32_t>(above) << kClassShift;
  }
}

/// Lays a grid over the triangles of one cell and sorts them. False when they are all at one place.
bool TriangleTree::refine_keys(MeshView mesh, Run run) {
  Aabb around;
  const auto middle_of = [&](std::uint32_t i) { return middle(extent_of(mesh, mesh.triangles[keys_[i].id])); };
  for (std::uint32_t i = run.begin; i < run.end; ++i) around = extend(around, middle_of(i));
  if (around.min == around.max) return false;
  const MortonGrid grid(around);
  for (std::uint32_t i = run.begin; i < run.end; ++i) keys_[i].key = grid.code(middle_of(i));
  std::sort(keys_.begin() + run.begin, keys_.begin() + run.end,
            [](const KeyedId& x, const KeyedId& y) { return x.key != y.key ? x.key < y.key : x.id < y.id; });
  return keys_[run.begin].key != keys_[run.end - 1].key;
}

/// The parts of a run that become children; `shift` becomes that of the parts' next digit.
void TriangleTree::find_parts(MeshView mesh, Run run, int& shift, std::uint32_t level, std::vector<Run>& parts) {
  parts.clear();
  const auto digit = [&](std::uint32_t i) { return keys_[i].key >> shift; };
  const auto skip_common = [&] {
    while (shift >= 0 && digit(run.begin) == digit(run.end - 1)) shift -= kDigitBits;
  };
  skip_common();
  if (shift < 0 && level < kMostSorted && refine_keys(mesh, run)) {
    shift = kTopShift;
    skip_common();
  }
  if (shift < 0 || level >= kMostSorted) {
    shift = -1;
    const std::uint32_t most = std::max((run.size() + kMostChildren - 1) / kMostChildren, kMostInLeaf);
    for (std::uint32_t i = run.begin; i < run.end; i += most) parts.push_back({i, std::min(i + most, run.end)});
    return;
  }
  for (std::uint32_t i = run.begin; i < run.end;) {
    const std::uint32_t key = digit(i);
    const auto end = std::upper_bound(keys_.begin() + i, keys_.begin() + run.end, key,
                                      [&](std::uint32_t k, const KeyedId& x) { return k < x.key >> shift; });
    const auto next = static_cast<std::uint32_t>(end - keys_.begin());
    if (!parts.empty() && next - parts.back().begin <= kMostInLeaf)
      parts.back().end = next;
    else
      parts.push_back({i, next});
    i = next;
  }
  shift -= kDigitBits;
}

void TriangleTree::split(MeshView mesh, std::uint32_t node, Run run, int shift, std::uint32_t level) {
  runs_[node] = run;
  if (run.size() <= kMostInLeaf) {
    nodes_[node] = {run.begin, run.size(), true};
    return;
  }
  std::vector<Run>& parts = parts_[level];
  find_parts(mesh, run, shift, level, parts);
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node] = {first, static_cast<std::uint32_t>(parts.size()), false};
  nodes_.resize(nodes_.size() + parts.size());
  runs_.resize(nodes_.size());
  for (std::uint32_t i = 0; i < parts.size(); ++i) split(mesh, first + i, parts[i], shift, level + 1);
}

NodeColumns TriangleTree::node_columns() {
  NodeColumns columns{{}, {}, {}, radius_.data(), thick_.data()};
  for (std::size_t k = 0; k < 3; ++k) {
    columns.low[k] = low_[k].data();
    columns.high[k] = high_[k].data();
    columns.normal[k] = normal_[k].data();
  }
  return columns;
}

void TriangleTree::write_leaves(MeshView mesh, Workers& workers) {
  const std::size_t count = keys_.size();
  resize_with_margin(ids_, count + kCornerPad);
  for (auto& c : corners_) resize_with_margin(c, count + kPad);
  for (auto& n : normals_) resize_with_margin(n, count + kPad);
  for (auto* of_axes : {&low_, &high_, &normal_})
    for (auto& sides : *of_axes) resize_with_margin(sides, nodes_.size() + kPad);
  for (auto* sizes : {&radius_, &thick_}) resize_with_margin(*sizes, nodes_.size() + kPad);
  CornerColumns columns{{}, {normals_[0].data(), normals_[1].data(), normals_[2].data()}, ids_.data()};
  TriangleColumns triangles{};
  for (std::size_t i = 0; i < 9; ++i) triangles.at[i] = columns.at[i] = corners_[i].data();
  workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_corners(mesh, keys_, begin, end, columns);
  });
  ids_.resize(count);
  workers.for_chunks(nodes_.size(), 1024, [&](std::size_t begin, std::size_t end, unsigned) {
    fit_boxes(nodes_, begin, end, triangles, columns.normal, node_columns());
  });
}

/// Boxes and sums of normals of nodes that are not leaves. Children come after their node.
void TriangleTree::join_children() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const TreeNode& node = nodes_[n];
    if (node.leaf) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      low_[k][n] = *std::min_element(low_[k].begin() + node.begin, low_[k].begin() + node.begin + node.count);
      high_[k][n] = *std::max_element(high_[k].begin() + node.begin, high_[k].begin() + node.begin + node.count);
      float sum = 0;
      for (std::uint32_t i = node.begin; i < node.begin + node.count; ++i) sum += normal_[k][i];
      normal_[k][n] = sum;
    }
  }
}

/// Along the sums of the triangles' normals.
void TriangleTree::fit_discs(Workers& workers) {
  TriangleColumns columns{};
  for (std::size_t i = 0; i < 9; ++i) columns.at[i] = corners_[i].data();
  workers.for_chunks(nodes_.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t n = begin; n < end; ++n) {
      const Run run = runs_[n];
      if (run.size() > kMostInDisc) {
        radius_[n] = thick_[n] = std::numeric_limits<float>::infinity();
        for (auto& axis : normal_) axis[n] = 0;
        continue;
      }
      const Vec3 sum{normal_[0][n], normal_[1][n], normal_[2][n]};
      Vec3 center;
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        center[k] = middle_of(low_[axis][n], high_[axis][n]);
      }
      const float size = length(sum);
      const Vec3 normal = size > 0x1p-100f && size < 0x1p100f ? sum * (1 / size) : Vec3{0, 0, 1};
      const DiscSize disc = disc_around(columns, run.begin, run.end, center, normal);
      for (int k = 0; k < 3; ++k) normal_[static_cast<std::size_t>(k)][n] = normal[k];
      radius_[n] = disc.radius;
      thick_[n] = disc.thick;
    }
  });
  workers.for_chunks(ids_.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    make_units(begin, end, normals_[0].data(), normals_[1].data(), normals_[2].data());
  });
}

}  // namespace lamella::measure
