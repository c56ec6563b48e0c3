#pragma once

#include <cstdint>
#include <random>

#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"

namespace lamella::test {

/// Seeded random numbers that are the same everywhere (the standard's distributions are not).
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  float uniform(float low, float high) { return low + (high - low) * static_cast<float>(engine_() >> 8) * 0x1p-24f; }
  Vec3 in(const Aabb& box) {
    return {uniform(box.min.x, box.max.x), uniform(box.min.y, box.max.y), uniform(box.min.z, box.max.z)};
  }

 private:
  std::mt19937 engine_;
};

inline Mesh tetrahedron(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  return {{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

inline Mesh box_mesh(Vec3 low, Vec3 high) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back(
        {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

inline void append(Mesh& to, const Mesh& part) {
  const auto base = static_cast<std::uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), part.positions.begin(), part.positions.end());
  for (const Triangle& t : part.triangles) to.triangles.push_back({base + t.a, base + t.b, base + t.c});
}

/// A sphere of latitude-longitude quads, each split in two.
inline Mesh round_sphere(int rings, int sectors, float radius = 1, Vec3 center = {}) {
  Mesh m;
  const double pi = 3.14159265358979323846;
  const auto at = [&](double theta, double phi) {
    return center + Vec3{static_cast<float>(radius * std::sin(theta) * std::cos(phi)),
                         static_cast<float>(radius * std::sin(theta) * std::sin(phi)),
                         static_cast<float>(radius * std::cos(theta))};
  };
  m.positions.push_back(at(0, 0));
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < sectors; ++j) m.positions.push_back(at(pi * i / rings, 2 * pi * j / sectors));
  m.positions.push_back(at(pi, 0));
  const auto id = [&](int i, int j) { return static_cast<std::uint32_t>(1 + (i - 1) * sectors + j % sectors); };
  const auto last = static_cast<std::uint32_t>(m.positions.size() - 1);
  for (int j = 0; j < sectors; ++j) {
    m.triangles.push_back({0, id(1, j), id(1, j + 1)});
    m.triangles.push_back({last, id(rings - 1, j + 1), id(rings - 1, j)});
  }
  for (int i = 1; i + 1 < rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      m.triangles.push_back({id(i, j), id(i + 1, j), id(i, j + 1)});
      m.triangles.push_back({id(i, j + 1), id(i + 1, j), id(i + 1, j + 1)});
    }
  return m;
}

/// A grid over the unit box or a part of it, or one that is larger, with any axis and odd resolutions.
inline Grid random_grid(Random& random) {
  static constexpr std::uint32_t kSizes[] = {1, 2, 3, 7, 16, 31, 64, 100, 129};
  Grid grid;
  grid.axis = static_cast<Axis>(random.below(3));
  grid.columns = kSizes[random.below(std::size(kSizes))];
  grid.rows = kSizes[random.below(std::size(kSizes))];
  const Vec3 a = random.in({{-0.2f, -0.2f, -0.2f}, {0.9f, 0.9f, 0.9f}});
  const float size = random.below(4) == 0 ? 0.05f : 1.0f;
  grid.box = {a, a + Vec3{size, size * 0.75f, size * 1.25f} * random.uniform(0.2f, 1.5f)};
  if (random.below(3) == 0) grid.box = {{0, 0, 0}, {1, 1, 1}};
  return grid;
}

/// A vertex near or in the grid's box: anywhere, exactly on a sample, exactly between samples, or far outside.
inline Vec3 random_vertex(Random& random, const Grid& grid) {
  Vec3 p = random.in({grid.box.min - extent(grid.box) * 0.3f, grid.box.max + extent(grid.box) * 0.3f});
  const std::uint32_t kind = random.below(8);
  if (kind <= 2) {
    const auto place = [&](std::uint32_t cells, double cell) {
      return static_cast<float>((random.below(cells + 2) - (kind == 2 ? 1.0 : 0.5)) * cell);
    };
    p[grid.u()] = grid.box.min[grid.u()] + place(grid.columns, grid.cell_u());
    p[grid.v()] = grid.box.min[grid.v()] + place(grid.rows, grid.cell_v());
  }
  if (kind == 3) p = p * 50.0f;
  if (kind == 4 && random.below(16) == 0) p = p * 1e9f;
  return p;
}

/// Closed by construction: tetrahedra and a sphere's connectivity, with vertices wherever chance puts them. Triangles
/// range from slivers far below a pixel to ones that fill the image; solids overlap and turn inside out.
inline Mesh random_closed_mesh(Random& random, const Grid& grid) {
  Mesh mesh;
  const std::uint32_t solids = 1 + random.below(12);
  for (std::uint32_t i = 0; i < solids; ++i) {
    Mesh part = random.below(3) == 0
                    ? round_sphere(3 + static_cast<int>(random.below(9)), 3 + static_cast<int>(random.below(9)))
                    : tetrahedron({}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    const std::uint32_t style = random.below(3);
    const Vec3 anchor = random_vertex(random, grid);
    const float scale = 0.002f * static_cast<float>(1 + random.below(20)) * extent(grid.box).x;
    for (Vec3& p : part.positions) {
      if (style == 0) p = random_vertex(random, grid);
      if (style == 1) p = anchor + random.in({{-1, -1, -1}, {1, 1, 1}}) * scale;
      if (style == 2) p = anchor + p * (scale * 20);
    }
    append(mesh, part);
  }
  return mesh;
}

}  // namespace lamella::test
