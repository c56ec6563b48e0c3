// Sets of triangles that grow together, each triangle knowing whether it looks the same way as the one that stands for
// its set: what a flood fill over neighbours finds, without lists of neighbours.

#include "core/orient.hpp"

#include <utility>
#include <vector>

#include "core/edge_table.hpp"

namespace lamella {
namespace {

class Patches {
 public:
  explicit Patches(std::size_t triangles) : parent_(triangles), turned_(triangles), one_sided_(triangles) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  struct Place {
    std::uint32_t root = 0;
    bool turned = false;  ///< looks the other way than the root
  };
  Place find(std::uint32_t t) {
    Place place{t, false};
    while (parent_[place.root] != place.root) {
      place.turned = place.turned != turned_[place.root];
      place.root = parent_[place.root];
    }
    // Let everything on the way know its root.
    for (bool turned = place.turned; parent_[t] != t;) {
      const bool was = turned_[t];
      turned_[t] = turned;
      turned = turned != was;
      t = std::exchange(parent_[t], place.root);
    }
    return place;
  }
  void unite(std::uint32_t a, std::uint32_t b, bool opposite) {
    const Place x = find(a), y = find(b);
    const bool turned = (x.turned != y.turned) != opposite;
    if (x.root == y.root) {
      if (turned) one_sided_[x.root] = true;
      return;
    }
    const std::uint32_t low = std::min(x.root, y.root), high = std::max(x.root, y.root);
    parent_[high] = low;
    turned_[high] = turned;
    one_sided_[low] = one_sided_[low] || one_sided_[high];
  }
  [[nodiscard]] bool one_sided(std::uint32_t root) const { return one_sided_[root]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<bool> turned_, one_sided_;
};

}  // namespace

Orientation orient_consistently(std::span<const Vec3> positions, std::span<Triangle> triangles) {
  Patches patches(triangles.size());
  with_edge_table({positions, triangles}, [&](const auto& table) {
    for_each_edge(table, [&](std::size_t, std::size_t, const auto& uses) {
      if (uses.size() != 2) return;
      patches.unite(static_cast<std::uint32_t>(uses[0].triangle()), static_cast<std::uint32_t>(uses[1].triangle()),
                    uses[0].ascends() == uses[1].ascends());
    });
  });
  struct Counts {
    std::uint32_t all = 0, turned = 0;
  };
  std::vector<Counts> counts(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto [root, turned] = patches.find(t);
    ++counts[root].all;
    counts[root].turned += turned ? 1 : 0;
  }
  Orientation result;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto [root, turned] = patches.find(t);
    if (patches.one_sided(root)) {
      result.one_sided_patches += root == t ? 1 : 0;
      continue;
    }
    const bool most_are_turned = counts[root].turned > counts[root].all - counts[root].turned;
    if (turned == most_are_turned) continue;
    std::swap(triangles[t].b, triangles[t].c);
    ++result.turned_faces;
  }
  return result;
}

}  // namespace lamella
