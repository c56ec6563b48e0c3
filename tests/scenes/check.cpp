#include "scenes/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace lamella::scenes {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

struct Hit {
  double z;
  int sign;
};

/// Doubled signed area of the triangle's shadow on the xy plane, as seen from +z.
double shadow(Vec3d a, Vec3d b, Vec3d c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

}  // namespace

std::string defect(const Mesh& mesh) {
  std::vector<Edge> edges;
  for (const Vec3 p : mesh.positions) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return "a vertex is not finite";
  }
  for (const Triangle& t : mesh.triangles) {
    if (t.a == t.b || t.b == t.c || t.c == t.a) return "a triangle repeats a vertex";
    for (int i = 0; i < 3; ++i) {
      if (t[i] >= mesh.positions.size()) return "an index is out of range";
      edges.push_back({t[i], t[(i + 1) % 3]});
    }
  }
  if (edges.empty()) return "there is no triangle";
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end())
    return "two triangles run along an edge the same way";
  for (const auto& [u, v] : edges) {
    if (!std::binary_search(edges.begin(), edges.end(), Edge{v, u})) return "an edge has one triangle";
  }
  return volume(mesh) > 0 ? "" : "the volume is not positive";
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    sum += dot(to_double(mesh.positions[t.a]), cross(to_double(mesh.positions[t.b]), to_double(mesh.positions[t.c])));
  }
  return sum / 6;
}

std::size_t components(const Mesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles) {
    parent[root(t.b)] = root(t.a);
    parent[root(t.c)] = root(t.a);
  }
  std::size_t count = 0;
  for (std::uint32_t v = 0; v < parent.size(); ++v) count += parent[v] == v;
  return count;
}

Sampled sample(const Mesh& mesh, int n) {
  Aabb box;
  for (const Vec3 p : mesh.positions) box = extend(box, p);
  const double width = double(extent(box).x) / n, height = double(extent(box).y) / n;
  // An odd place in the cell: rays that meet a vertex or an edge would be counted twice or not at all.
  const auto x_at = [&](int i) { return double(box.min.x) + (i + 0.4871237) * width; };
  const auto y_at = [&](int j) { return double(box.min.y) + (j + 0.5190871) * height; };
  std::vector<std::vector<Hit>> columns(static_cast<std::size_t>(n * n));
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
                c = to_double(mesh.positions[t.c]);
    const double area = shadow(a, b, c);
    if (area == 0) continue;
    const auto range = [n](double low, double high, double start, double step) {
      return std::pair{std::max(0, int((low - start) / step) - 1), std::min(n - 1, int((high - start) / step) + 1)};
    };
    const auto [i0, i1] = range(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}), double(box.min.x), width);
    const auto [j0, j1] = range(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), double(box.min.y), height);
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        const Vec3d p{x_at(i), y_at(j), 0};
        const double u = shadow(p, b, c) / area, v = shadow(a, p, c) / area, w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        columns[static_cast<std::size_t>(j * n + i)].push_back({u * a.z + v * b.z + w * c.z, area > 0 ? -1 : 1});
      }
    }
  }
  Sampled sum;
  for (auto& column : columns) {
    std::sort(column.begin(), column.end(), [](Hit p, Hit q) { return p.z < q.z; });
    int winding = 0;
    for (std::size_t k = 0; k + 1 < column.size(); ++k) {
      winding += column[k].sign;
      const double part = (column[k + 1].z - column[k].z) * width * height;
      if (winding >= 1) sum.inside += part;
      if (winding >= 2) sum.twice += part;
    }
  }
  return sum;
}

Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh both = a;
  const auto shift = static_cast<std::uint32_t>(a.positions.size());
  both.positions.insert(both.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles) both.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
  return both;
}

}  // namespace lamella::scenes
