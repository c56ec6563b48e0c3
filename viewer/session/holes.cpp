#include "session/holes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "lamella/error.hpp"

namespace lamella::session {
namespace {

bool before(Vec3 a, Vec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }
bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// For each vertex the first one at its place.
std::vector<std::uint32_t> first_at_place(std::span<const Vec3> positions) {
  std::vector<std::uint32_t> order(positions.size()), first(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::iota(first.begin(), first.end(), 0u);
  order.erase(std::remove_if(order.begin(), order.end(), [&](std::uint32_t v) { return !finite(positions[v]); }),
              order.end());
  std::sort(order.begin(), order.end(), [&](std::uint32_t v, std::uint32_t w) {
    if (before(positions[v], positions[w])) return true;
    return !before(positions[w], positions[v]) && v < w;
  });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (positions[order[i]] == positions[order[i - 1]]) first[order[i]] = first[order[i - 1]];
  return first;
}

/// Both ends of an edge, the lower one first, and in the lowest bit which way it runs.
std::uint64_t key_of(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t low = std::min(from, to), high = std::max(from, to);
  return low << 32 | high << 1 | (from < to ? 1 : 0);
}

std::vector<std::uint64_t> sorted_edges(MeshView mesh) {
  const std::vector<std::uint32_t> place = first_at_place(mesh.positions);
  std::vector<std::uint64_t> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (const Triangle& t : mesh.triangles) {
    if (!finite(mesh.positions[t.a]) || !finite(mesh.positions[t.b]) || !finite(mesh.positions[t.c])) continue;
    const std::uint32_t a = place[t.a], b = place[t.b], c = place[t.c];
    if (a == b || b == c || c == a) continue;  // runs along its edges both ways
    edges.insert(edges.end(), {key_of(a, b), key_of(b, c), key_of(c, a)});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

OpenPlaces find_open_places(MeshView mesh, std::size_t most) {
  if (mesh.positions.size() >= std::size_t{1} << 31) throw Error("the mesh has too many vertices to look for holes");
  const std::vector<std::uint64_t> edges = sorted_edges(mesh);
  OpenPlaces out;
  const auto list = [&](std::vector<Vec3>& ends, std::uint64_t& count, std::uint64_t key) {
    if (count++ >= most) return;
    ends.push_back(mesh.positions[static_cast<std::size_t>(key >> 32)]);
    ends.push_back(mesh.positions[static_cast<std::size_t>((key & 0xffffffffu) >> 1)]);
  };
  for (std::size_t i = 0; i < edges.size();) {
    const std::uint64_t ends = edges[i] >> 1;
    std::int64_t sum = 0, faces = 0;
    for (; i < edges.size() && edges[i] >> 1 == ends; ++i, ++faces) sum += (edges[i] & 1) != 0 ? 1 : -1;
    if (sum != 0) list(out.open, out.open_count, ends << 1);
    if (faces > 2) list(out.nonmanifold, out.nonmanifold_count, ends << 1);
  }
  return out;
}

}  // namespace lamella::session
