#include <algorithm>

#include "scenes/remesh.hpp"

namespace lamella::scenes {
namespace {

using Id = std::uint32_t;

/// Number of each triangle's edges: 3 * t + i is the edge from corner i to the next; both its triangles get one number.
std::vector<Id> number_edges(const Mesh& mesh, Id& count) {
  struct Side {
    Id low, high, place;
    bool operator<(const Side& o) const {
      return low != o.low ? low < o.low : high != o.high ? high < o.high : place < o.place;
    }
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (Id t = 0; t < mesh.triangles.size(); ++t) {
    for (Id i = 0; i < 3; ++i) {
      const Id u = mesh.triangles[t][static_cast<int>(i)], v = mesh.triangles[t][static_cast<int>((i + 1) % 3)];
      sides.push_back({std::min(u, v), std::max(u, v), 3 * t + i});
    }
  }
  std::sort(sides.begin(), sides.end());
  std::vector<Id> number(sides.size());
  count = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (i > 0 && (sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high)) ++count;
    number[sides[i].place] = count;
  }
  ++count;
  return number;
}

}  // namespace

// Vertices of the result: the old ones, then n - 1 along each edge (from its lower end), then each triangle's own.
Mesh subdivide(const Mesh& mesh, Id n) {
  if (n < 2) return mesh;
  Id edges = 0;
  const std::vector<Id> number = number_edges(mesh, edges);
  const auto old_count = static_cast<Id>(mesh.positions.size());
  const Id own = (n - 1) * (n - 2) / 2, first_own = old_count + edges * (n - 1);
  Mesh out;
  out.positions = mesh.positions;
  out.positions.resize(first_own + own * mesh.triangles.size());
  out.triangles.reserve(mesh.triangles.size() * n * n);
  for (Id t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& face = mesh.triangles[t];
    const auto on_edge = [&](Id side, Id step) {
      const bool reversed = face[static_cast<int>(side)] > face[static_cast<int>((side + 1) % 3)];
      return old_count + number[3 * t + side] * (n - 1) + (reversed ? n - step : step) - 1;
    };
    // Point (i, j): i steps towards b, j towards c.
    const auto id = [&](Id i, Id j) {
      const Id k = n - i - j;
      if (k == n) return face.a;
      if (i == n) return face.b;
      if (j == n) return face.c;
      if (j == 0) return on_edge(0, i);
      if (k == 0) return on_edge(1, j);
      if (i == 0) return on_edge(2, k);
      // Row j of the inner points holds n - 1 - j of them.
      return first_own + t * own + (j - 1) * (n - 1) - j * (j - 1) / 2 + i - 1;
    };
    const Vec3d a = to_double(mesh.positions[face.a]), b = to_double(mesh.positions[face.b]),
                c = to_double(mesh.positions[face.c]);
    for (Id j = 0; j <= n; ++j) {
      for (Id i = 0; i + j <= n; ++i) {
        const bool corner = i == n || j == n || i + j == 0;
        if (!corner) out.positions[id(i, j)] = to_float((a * (n - i - j) + b * i + c * j) * (1.0 / n));
        if (i + j < n) out.triangles.push_back({id(i, j), id(i + 1, j), id(i, j + 1)});
        if (i > 0 && i + j < n) out.triangles.push_back({id(i, j), id(i, j + 1), id(i - 1, j + 1)});
      }
    }
  }
  return out;
}

}  // namespace lamella::scenes
