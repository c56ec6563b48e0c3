#include "core/doubled_faces.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/edge_table.hpp"
#include "core/union_find.hpp"

namespace lamella {
namespace {

struct Face {
  std::array<std::uint32_t, 3> corners;  ///< ascending
  std::uint32_t index = 0;
  bool turned = false;  ///< whether its own order is an odd permutation of them
};

std::vector<Face> sorted_faces(std::span<const Triangle> triangles) {
  std::vector<Face> faces;
  faces.reserve(triangles.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    if (t.a == t.b || t.b == t.c || t.c == t.a) continue;
    Face face{{t.a, t.b, t.c}, i, false};
    const auto order = [&](std::size_t x, std::size_t y) {
      if (face.corners[x] <= face.corners[y]) return;
      std::swap(face.corners[x], face.corners[y]);
      face.turned = !face.turned;
    };
    order(0, 1), order(1, 2), order(0, 1);
    faces.push_back(face);
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.index < b.index;
  });
  return faces;
}

/// Keeps those of `cancelled` that form surfaces without an edge of their own.
void keep_closed_surfaces(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                          std::span<const std::uint32_t> cancelled, std::vector<bool>& keep) {
  std::vector<Triangle> sheet;
  sheet.reserve(cancelled.size());
  for (const std::uint32_t i : cancelled) sheet.push_back(triangles[i]);
  UnionFind parts(sheet.size());
  std::vector<bool> open(sheet.size());
  with_edge_table({positions, sheet}, [&](const auto& table) {
    for_each_edge(table, [&](std::size_t, std::size_t, const auto& uses) {
      const auto first = static_cast<std::uint32_t>(uses[0].triangle());
      if (uses.size() != 2) open[first] = true;
      for (const auto& use : uses) parts.unite(first, static_cast<std::uint32_t>(use.triangle()));
    });
  });
  for (std::uint32_t i = 0; i < sheet.size(); ++i)
    if (open[i]) open[parts.root(i)] = true;
  for (std::uint32_t i = 0; i < sheet.size(); ++i) keep[cancelled[i]] = !open[parts.root(i)];
}

}  // namespace

std::vector<bool> keep_single_faces(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<bool> keep(triangles.size(), true);
  std::vector<std::uint32_t> cancelled;  // one of each set that cancels
  const std::vector<Face> faces = sorted_faces(triangles);
  for (std::size_t begin = 0, end; begin < faces.size(); begin = end) {
    std::ptrdiff_t net = 0;
    for (end = begin; end < faces.size() && faces[end].corners == faces[begin].corners; ++end)
      net += faces[end].turned ? -1 : 1;
    if (end - begin == 1) continue;
    bool found = net == 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool stays = !found && faces[i].turned == (net < 0);
      found = found || stays;
      keep[faces[i].index] = stays;
    }
    if (net == 0) cancelled.push_back(faces[begin].index);
  }
  if (!cancelled.empty()) keep_closed_surfaces(positions, triangles, cancelled, keep);
  return keep;
}

std::uint64_t count_duplicates(std::span<const Triangle> triangles) {
  const std::vector<Face> faces = sorted_faces(triangles);
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < faces.size(); ++i) count += faces[i].corners == faces[i - 1].corners ? 1 : 0;
  return count;
}

}  // namespace lamella
