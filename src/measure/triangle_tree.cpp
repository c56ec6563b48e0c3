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
constexpr std::uint32_t kNone = ~std::uint32_t{0};
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

std::uint8_t size_of(const TriangleExtent& e) {
  const Vec3 size = e.high - e.low;
  return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(std::max({size.x, size.y, size.z})) >> 23);
}

}  // namespace

template <class IdOf>
void TriangleTree::build_of(MeshView mesh, const Aabb& around, std::size_t count, const IdOf& id_of, Workers& workers) {
  const MortonGrid grid(around);
  resize_with_margin(keys_, count);
  resize_with_margin(sizes_, count);
  workers.for_chunks(count, kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t id = id_of(i);
      const Triangle& t = mesh.triangles[id];
      const TriangleExtent e = extent_of(mesh, t);
      keys_[i] = {grid.code(middle(e)), usable(mesh, t) ? id : kNone};
      sizes_[i] = size_of(e);
    }
  });
  set_classes();
  std::erase_if(keys_, [](const KeyedId& k) { return k.id == kNone; });
  skipped_ = count - keys_.size();
  sorter_.sort(keys_, workers);
  nodes_.clear();
  ids_.clear();
  if (keys_.empty()) return;
  nodes_.push_back({});
  runs_.assign(1, {});
  split(mesh, 0, {0, static_cast<std::uint32_t>(keys_.size())}, kClassShift, 0);
  fill_leaves(mesh, workers);
  join_boxes();
  fit_discs(workers);
}

void TriangleTree::build(MeshView mesh, Workers& workers) {
  const Aabb around = inspect_positions(mesh.positions, workers).box;
  build_of(
      mesh, around, mesh.triangles.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); }, workers);
}

void TriangleTree::build(MeshView mesh, std::span<const std::uint32_t> some, Workers& workers) {
  Aabb around;
  for (const std::uint32_t id : some)
    if (const Triangle& t = mesh.triangles[id]; usable(mesh, t)) {
      const TriangleExtent e = extent_of(mesh, t);
      around = unite(around, {e.low, e.high});
    }
  build_of(
      mesh, around, some.size(), [&](std::size_t i) { return some[i]; }, workers);
}

/// Keys of triangles that are much larger than most others get a class above 0 as their highest bits.
void TriangleTree::set_classes() {
  std::array<std::uint32_t, 256> counts{};
  for (const std::uint8_t s : sizes_) ++counts[s];
  std::size_t below = 0;
  int usual = 0, largest = 0;
  for (int s = 0; s < 256; ++s) {
    if (2 * below < sizes_.size()) usual = s;
    below += counts[static_cast<std::size_t>(s)];
    if (counts[static_cast<std::size_t>(s)] != 0) largest = s;
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

void TriangleTree::fill_leaves(MeshView mesh, Workers& workers) {
  resize_with_margin(ids_, keys_.size());
  for (auto& c : corners_) resize_with_margin(c, keys_.size() + kPad);
  for (auto* of_axes : {&low_, &high_, &normal_})
    for (auto& sides : *of_axes) resize_with_margin(sides, nodes_.size() + kPad);
  for (auto* sizes : {&radius_, &thick_}) resize_with_margin(*sizes, nodes_.size() + kPad);
  for (auto& n : normals_) resize_with_margin(n, keys_.size() + kPad);
  const auto fill = [&](std::size_t i, Aabb& box) {
    ids_[i] = keys_[i].id;
    const Triangle& t = mesh.triangles[ids_[i]];
    for (int c = 0; c < 3; ++c) {
      const Vec3 p = mesh.positions[t[c]];
      for (int k = 0; k < 3; ++k) corners_[static_cast<std::size_t>(3 * c + k)][i] = p[k];
      box = extend(box, p);
    }
  };
  workers.for_chunks(nodes_.size(), 1024, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t n = begin; n < end; ++n) {
      if (!nodes_[n].leaf) continue;
      Aabb box;
      for (std::uint32_t i = 0; i < nodes_[n].count; ++i) fill(nodes_[n].begin + i, box);
      for (int k = 0; k < 3; ++k) {
        low_[static_cast<std::size_t>(k)][n] = box.min[k];
        high_[static_cast<std::size_t>(k)][n] = box.max[k];
      }
    }
  });
}

/// Boxes of nodes that are not leaves. Children come after their node.
void TriangleTree::join_boxes() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const TreeNode& node = nodes_[n];
    if (node.leaf) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      low_[k][n] = *std::min_element(low_[k].begin() + node.begin, low_[k].begin() + node.begin + node.count);
      high_[k][n] = *std::max_element(high_[k].begin() + node.begin, high_[k].begin() + node.begin + node.count);
    }
  }
}

/// Along the sums of the triangles' normals. Sums are in the triangles' order, whatever the instruction set.
void TriangleTree::fit_discs(Workers& workers) {
  TriangleColumns columns{};
  for (std::size_t i = 0; i < 9; ++i) columns.at[i] = corners_[i].data();
  workers.for_chunks(ids_.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_normals(columns, begin, end, normals_[0].data(), normals_[1].data(), normals_[2].data());
  });
  workers.for_chunks(nodes_.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t n = begin; n < end; ++n) {
      const Run run = runs_[n];
      if (run.size() > kMostInDisc) {
        radius_[n] = thick_[n] = std::numeric_limits<float>::infinity();
        for (auto& axis : normal_) axis[n] = 0;
        continue;
      }
      Vec3 sum, center;
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        for (std::uint32_t i = run.begin; i < run.end; ++i) sum[k] += normals_[axis][i];
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
}

}  // namespace lamella::measure
