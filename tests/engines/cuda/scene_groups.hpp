#pragma once

// Groups for engines of scenes, and answers compared.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engines/cuda/scene_window.hpp"
#include "engines/pair_finder.hpp"
#include "lamella/voi.hpp"
#include "scene/random_scenes.hpp"

namespace lamella::test {

/// One group of all meshes whose boxes share a volume with another's, each in one window around all that it shares.
/// The meshes must outlive the group. No candidates: nothing is sampled.
inline Group make_group(const std::vector<Mesh>& meshes, const Grid& grid) {
  Group g;
  g.grid = grid;
  std::vector<Aabb> boxes, shared(meshes.size());
  for (const Mesh& m : meshes) boxes.push_back(bounds(m));
  std::uint32_t face = 0;
  for (std::uint32_t i = 0; i < meshes.size(); ++i) {
    g.first_candidate.push_back(static_cast<std::uint32_t>(g.candidates.size()));
    for (std::uint32_t k = 0; k < meshes.size(); ++k) {
      const auto voi = i == k ? std::nullopt : choose_pair_voi(boxes[i], boxes[k]);
      if (!voi) continue;
      Aabb both;
      for (int axis = 0; axis < 3; ++axis) {
        both.min[axis] = std::max(boxes[i].min[axis], boxes[k].min[axis]);
        both.max[axis] = std::min(boxes[i].max[axis], boxes[k].max[axis]);
      }
      shared[i] = unite(shared[i], both);
      if (k > i) g.candidates.push_back({i, k});
    }
    g.objects.push_back({meshes[i], {}, face});
    if (!shared[i].empty() && grid.columns != 0) {
      g.objects[i].window = cuda::touched_window(shared[i], grid);
      g.windows.push_back({i, g.objects[i].window});
    }
    const auto blocks = static_cast<std::uint32_t>((meshes[i].triangles.size() + kFaceBlock - 1) / kFaceBlock);
    g.object_of_block.insert(g.object_of_block.end(), blocks, i);
    face += blocks * kFaceBlock;
  }
  g.first_candidate.push_back(static_cast<std::uint32_t>(g.candidates.size()));
  return g;
}

/// A grid over all meshes, whole along its rays.
inline Grid grid_over(const std::vector<Mesh>& meshes, Axis axis, std::uint32_t columns, std::uint32_t rows) {
  Aabb box;
  for (const Mesh& m : meshes) box = unite(box, bounds(m));
  const int w = static_cast<int>(axis);
  const float room = 0x1p-10f * (box.max[w] - box.min[w]);
  box.min[w] -= room;
  box.max[w] += room;
  return {box, axis, columns, rows};
}

inline bool same(const Surface& a, const Surface& b) { return a.crossing == b.crossing && a.face == b.face; }

inline void expect_same(const GroupAnswer& a, const GroupAnswer& b) {
  ASSERT_EQ(a.spans.size(), b.spans.size());
  for (std::size_t i = 0; i < a.spans.size(); ++i) {
    const PairSpan &x = a.spans[i], &y = b.spans[i];
    ASSERT_TRUE(x.candidate == y.candidate && x.column == y.column && x.begin == y.begin && x.end == y.end &&
                same(x.a, y.a) && same(x.b, y.b))
        << "span " << i << " in columns " << x.column << " and " << y.column;
  }
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    const PairPoint &x = a.points[i], &y = b.points[i];
    ASSERT_TRUE(x.candidate == y.candidate && x.column == y.column && same(x.a, y.a) && same(x.b, y.b))
        << "point " << i;
  }
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (std::size_t i = 0; i < a.objects.size(); ++i) {
    EXPECT_EQ(a.objects[i].open_columns, b.objects[i].open_columns) << "object " << i;
    EXPECT_EQ(a.objects[i].skipped_triangles, b.objects[i].skipped_triangles) << "object " << i;
    EXPECT_EQ(a.objects[i].self_length, b.objects[i].self_length) << "object " << i;
  }
  EXPECT_EQ(a.open_columns, b.open_columns);
  EXPECT_EQ(a.occupied_columns, b.occupied_columns);
  EXPECT_EQ(a.inside_out_columns, b.inside_out_columns);
}

/// A stack of thin plates, pairwise apart: a ray has two crossings of each.
inline Mesh plates(int count, Vec3 low, Vec3 high) {
  Mesh mesh;
  const float step = (high.z - low.z) / static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const float z = low.z + step * static_cast<float>(i);
    append(mesh, box_mesh({low.x, low.y, z}, {high.x, high.y, z + 0.5f * step}));
  }
  return mesh;
}

}  // namespace lamella::test
