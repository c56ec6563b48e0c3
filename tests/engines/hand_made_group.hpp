#pragma once

// Groups of a scene without the scene.

#include <algorithm>
#include <utility>
#include <vector>

#include "engines/pair_finder.hpp"
#include "lamella/mesh.hpp"

namespace lamella::test {

/// Meshes and the group that looks at them. Moving the vector keeps the views valid.
struct HandMadeGroup {
  std::vector<Mesh> meshes;
  Group group;
};

inline bool share_volume(const Aabb& a, const Aabb& b) {
  for (int i = 0; i < 3; ++i)
    if (!(std::max(a.min[i], b.min[i]) < std::min(a.max[i], b.max[i]))) return false;
  return true;
}

/// Every object is sampled everywhere; candidates are all pairs whose boxes share a volume, or all there are.
inline HandMadeGroup make_group(std::vector<Mesh> meshes, Axis axis, std::uint32_t resolution, bool all = false) {
  HandMadeGroup made{std::move(meshes), {}};
  Group& g = made.group;
  std::vector<Aabb> boxes;
  for (const Mesh& m : made.meshes) {
    boxes.push_back(bounds(m));
    g.grid.box = unite(g.grid.box, boxes.back());
  }
  g.grid.axis = axis;
  g.grid.columns = resolution;
  g.grid.rows = resolution - resolution / 8;
  const float room = 0x1p-10f * g.grid.depth();
  g.grid.box.min[g.grid.w()] -= room;
  g.grid.box.max[g.grid.w()] += room;
  for (std::uint32_t i = 0; i < made.meshes.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(g.object_of_block.size()) * kFaceBlock;
    g.objects.push_back({made.meshes[i], whole(g.grid), first});
    g.windows.push_back({i, whole(g.grid)});
    const std::size_t blocks = (made.meshes[i].triangles.size() + kFaceBlock - 1) / kFaceBlock;
    g.object_of_block.insert(g.object_of_block.end(), blocks, i);
    g.first_candidate.push_back(static_cast<std::uint32_t>(g.candidates.size()));
    for (std::uint32_t j = i + 1; j < made.meshes.size(); ++j)
      if (all || share_volume(boxes[i], bounds(made.meshes[j]))) g.candidates.push_back({i, j});
  }
  g.first_candidate.push_back(static_cast<std::uint32_t>(g.candidates.size()));
  return made;
}

}  // namespace lamella::test
