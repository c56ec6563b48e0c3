// Union-find over vertices (Tarjan 1975, with path halving), where vertices with equal coordinates count as one.

#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>
#include <utility>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/subsets.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t find(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// The smaller number leads: the result does not depend on the order of calls.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// A total order in which -0 equals 0 and NaNs of the same bits are equal. Sorted, not hashed: no file can make it
/// slow.
template <class Point>
std::strong_ordering order(const Point& a, const Point& b) {
  for (int i = 0; i < 3; ++i) {
    const auto by_axis = std::strong_order(a[i] + 0, b[i] + 0);
    if (by_axis != 0) return by_axis;
  }
  return std::strong_ordering::equal;
}

template <class Point>
void join_equal(std::span<const Point> positions, Sets& sets) {
  std::vector<std::uint32_t> sorted(positions.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) { return order(positions[a], positions[b]) < 0; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (order(positions[sorted[i - 1]], positions[sorted[i]]) == 0) sets.join(sorted[i - 1], sorted[i]);
  }
}

}  // namespace

Components components_of(MeshView mesh) {
  Sets sets(mesh.vertex_count());
  mesh.wide.empty() ? join_equal(mesh.positions, sets) : join_equal(mesh.wide, sets);
  for (const Triangle& t : mesh.triangles) {
    sets.join(t.a, t.b);
    sets.join(t.a, t.c);
  }
  constexpr std::uint32_t kNone = 0xffffffffu;
  Components components;
  std::vector<std::uint32_t> number(mesh.vertex_count(), kNone);  // of a set, by the vertex that leads it
  components.of_triangle.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    std::uint32_t& n = number[sets.find(t.a)];
    if (n == kNone) n = static_cast<std::uint32_t>(components.count++);
    components.of_triangle.push_back(n);
  }
  return components;
}

std::vector<Mesh> split_components(MeshView mesh) {
  check_triangle_count(mesh);
  if (!mesh.triangles.empty() && max_index(mesh.triangles) >= mesh.vertex_count())
    throw Error("a triangle names a vertex that the mesh does not have");
  const Components components = components_of(mesh);
  std::vector<Mesh> out;
  out.reserve(components.count);
  for (MeshSubset& subset : subsets_of(mesh.triangles, mesh.vertex_count(), components.of_triangle, components.count)) {
    if (mesh.wide.empty()) {
      out.push_back({gather(mesh.positions, subset.vertices), std::move(subset.triangles), mesh.origin});
    } else {
      out.push_back(rounded(gather(mesh.wide, subset.vertices), std::move(subset.triangles)));
      out.back().origin += mesh.origin;
    }
  }
  return out;
}

}  // namespace lamella
