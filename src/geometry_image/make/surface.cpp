#include "geometry_image/make/surface.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::gi {

double Surface::length(std::uint32_t h) const {
  const Vec3d d = positions[end(h)] - positions[origins[h]];
  return std::sqrt(dot(d, d));
}

Surface make_surface(std::vector<Vec3d> positions, std::span<const Triangle> triangles) {
  Surface s;
  s.positions = std::move(positions);
  const auto count = static_cast<std::uint32_t>(3 * triangles.size());
  s.origins.resize(count);
  s.leaving.resize(s.positions.size());
  s.twins.resize(count);
  s.cut.assign(count, 0);
  for (std::uint32_t h = 0; h < count; ++h) {
    s.origins[h] = triangles[h / 3][static_cast<int>(h % 3)];
    s.leaving[s.origins[h]] = h;
  }
  // Both half-edges of an edge have the same key; sorted, they are neighbours.
  struct Key {
    std::uint64_t ends;
    std::uint32_t half_edge;
  };
  std::vector<Key> keys(count);
  for (std::uint32_t h = 0; h < count; ++h) {
    const std::uint64_t a = s.origins[h], b = s.end(h);
    keys[h] = {std::min(a, b) << 32 | std::max(a, b), h};
  }
  std::sort(keys.begin(), keys.end(), [](const Key& x, const Key& y) { return x.ends < y.ends; });
  for (std::uint32_t i = 0; i + 1 < count; i += 2) {
    s.twins[keys[i].half_edge] = keys[i + 1].half_edge;
    s.twins[keys[i + 1].half_edge] = keys[i].half_edge;
  }
  return s;
}

std::uint32_t split_edge(Surface& s, std::uint32_t h, double t) {
  const std::uint32_t g = s.twins[h], h1 = Surface::next(h), g1 = Surface::next(g);
  const std::uint32_t h2 = Surface::next(h1), g2 = Surface::next(g1);
  const std::uint32_t a = s.origins[h], b = s.origins[g], c = s.origins[h2], d = s.origins[g2];
  const std::uint32_t m = s.vertex_count(), p = s.half_edge_count(), q = p + 3;
  s.positions.push_back(s.positions[a] * (1 - t) + s.positions[b] * t);

  // (a, b, c) becomes (a, m, c) and p: (m, b, c); (b, a, d) becomes (b, m, d) and q: (m, a, d).
  s.origins[h1] = s.origins[g1] = m;
  s.origins.insert(s.origins.end(), {m, b, c, m, a, d});
  s.twins.insert(s.twins.end(), {g, s.twins[h1], h1, h, s.twins[g1], g1});
  s.cut.insert(s.cut.end(), {s.cut[h], s.cut[h1], 0, s.cut[h], s.cut[g1], 0});
  s.twins[s.twins[p + 1]] = p + 1;
  s.twins[s.twins[q + 1]] = q + 1;
  s.twins[g] = p;
  s.twins[h] = q;
  s.twins[h1] = p + 2;
  s.twins[g1] = q + 2;
  s.cut[h1] = s.cut[g1] = 0;
  s.leaving[a] = h;
  s.leaving[b] = g;
  s.leaving.push_back(p);
  return m;
}

int genus_of(const Surface& s) {
  const auto faces = static_cast<std::int64_t>(s.triangle_count());
  const std::int64_t euler = static_cast<std::int64_t>(s.vertex_count()) - faces / 2;
  return static_cast<int>((2 - euler) / 2);
}

double area_of(const Surface& s) {
  double area = 0;
  for (std::uint32_t h = 0; h < s.half_edge_count(); h += 3) {
    const Vec3d a = s.positions[s.origins[h]];
    const Vec3d normal = cross(s.positions[s.origins[h + 1]] - a, s.positions[s.origins[h + 2]] - a);
    area += std::sqrt(dot(normal, normal)) / 2;
  }
  return area;
}

}  // namespace lamella::gi
