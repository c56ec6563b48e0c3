// Marching tetrahedra (Doi and Koide 1991) on cubes cut into six along the diagonal. Unlike marching cubes it has no
// ambiguous case: the surface is a closed manifold on every grid.
#include <array>
#include <cstdint>

#include "scenes/implicit.hpp"

namespace lamella::scenes {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// The six ways from corner 0 to corner 7 of a cube, one axis at a time. Corner bits: 1 = x, 2 = y, 4 = z. Odd
/// permutations have their middle corners swapped, so that all are right-handed.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra = {
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}}};

struct Lattice {
  Vec3d origin;
  double cell = 0;
  std::size_t nx = 0, ny = 0, nz = 0;  // points

  std::size_t index(std::size_t i, std::size_t j, std::size_t k) const { return (k * ny + j) * nx + i; }
  std::size_t offset(int corner) const {
    return index(static_cast<std::size_t>(corner & 1), static_cast<std::size_t>(corner >> 1 & 1),
                 static_cast<std::size_t>(corner >> 2));
  }
  bool on_border(std::size_t n) const {
    const std::size_t i = n % nx, j = n / nx % ny, k = n / nx / ny;
    return i == 0 || j == 0 || k == 0 || i + 1 == nx || j + 1 == ny || k + 1 == nz;
  }
  Vec3d point(std::size_t n) const {
    return origin + Vec3d{double(n % nx), double(n / nx % ny), double(n / nx / ny)} * cell;
  }
};

Lattice lattice_around(const Shape& shape, double cell) {
  Vec3d low{1e9, 1e9, 1e9}, high = low * -1;
  for (const Part& part : shape.parts) {
    if (part.carve) continue;
    const double radius = std::max(part.radius_a, part.radius_b);
    const Vec3d axis = part.b - part.a;
    for (int i = 0; i < 3; ++i) {
      const double end = part.a[i] + axis[i] * part.squash[i];
      low[i] = std::min(low[i], std::min(part.a[i], end) - radius * part.squash[i] - part.blend);
      high[i] = std::max(high[i], std::max(part.a[i], end) + radius * part.squash[i] + part.blend);
    }
  }
  const Vec3d margin = Vec3d{1, 1, 1} * (2 * cell);
  low = low - margin;
  const Vec3d size = high + margin - low;
  const auto points = [&](double length) { return static_cast<std::size_t>(std::ceil(length / cell)) + 1; };
  return {low, cell, points(size.x), points(size.y), points(size.z)};
}

/// The distance at every lattice point, block by block. In a block far from the surface only the sign is right.
std::vector<double> sample(const Shape& shape, const Lattice& lattice) {
  constexpr std::size_t kBlock = 6;
  const double radius = lattice.cell * (kBlock - 1) / 2 * std::sqrt(3.0);
  const Vec3d middle = Vec3d{1, 1, 1} * (lattice.cell * (kBlock - 1) / 2);
  std::vector<double> values(lattice.nx * lattice.ny * lattice.nz);
  const auto sample_block = [&](std::size_t x, std::size_t y, std::size_t z) {
    const Vec3d centre = lattice.point(lattice.index(x, y, z)) + middle;
    const double d = distance(shape, centre);
    const bool far = std::abs(d) > 2.5 * radius;
    const Neighbourhood near(shape, centre, far ? 0 : radius);
    for (std::size_t k = z; k < std::min(z + kBlock, lattice.nz); ++k) {
      for (std::size_t j = y; j < std::min(y + kBlock, lattice.ny); ++j) {
        for (std::size_t i = x; i < std::min(x + kBlock, lattice.nx); ++i) {
          const std::size_t n = lattice.index(i, j, k);
          const double value = far ? d : near.distance_at(lattice.point(n));
          // Outside along the border whatever the shape: nothing is ever cut open.
          values[n] = lattice.on_border(n) ? std::max(value, lattice.cell) : value;
        }
      }
    }
  };
  for (std::size_t z = 0; z < lattice.nz; z += kBlock) {
    for (std::size_t y = 0; y < lattice.ny; y += kBlock) {
      for (std::size_t x = 0; x < lattice.nx; x += kBlock) sample_block(x, y, z);
    }
  }
  return values;
}

struct Polygoniser {
  const Lattice& lattice;
  const std::vector<double>& values;
  std::vector<std::uint32_t> vertex_of;  ///< per lattice point and edge direction (a corner, 1 to 7)
  Mesh mesh;

  /// The vertex on the edge between corners `u` and `v` of the cube at `base`; one bit set is always a part of the
  /// other, as both lie on one way from 0 to 7.
  std::uint32_t vertex(std::size_t base, int u, int v) {
    if (u > v) std::swap(u, v);
    const std::size_t low = base + lattice.offset(u), high = base + lattice.offset(v);
    std::uint32_t& id = vertex_of[low * 8 + static_cast<std::size_t>(v ^ u)];
    if (id == kNone) {
      id = static_cast<std::uint32_t>(mesh.positions.size());
      // Kept off the ends: there the vertices of several edges would fall together.
      const double t = std::clamp(values[low] / (values[low] - values[high]), 0.1, 0.9);
      mesh.positions.push_back(to_float(mix(lattice.point(low), lattice.point(high), t)));
    }
    return id;
  }

  void tetrahedron(std::size_t base, const std::array<int, 4>& corners) {
    std::array<int, 4> in{}, out{};
    int inside = 0, outside = 0;
    for (int i = 0; i < 4; ++i) {
      const bool below = values[base + lattice.offset(corners[static_cast<std::size_t>(i)])] < 0;
      (below ? in[static_cast<std::size_t>(inside++)] : out[static_cast<std::size_t>(outside++)]) = i;
    }
    if (inside == 0 || outside == 0) return;
    const auto edge = [&](int a, int b) {
      return vertex(base, corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)]);
    };
    // In and out together are a permutation of the corners; an odd one mirrors the triangle.
    int swaps = 0;
    for (int a : std::span(in).first(static_cast<std::size_t>(inside))) {
      for (int b : std::span(out).first(static_cast<std::size_t>(outside))) swaps += a > b;
    }
    const bool mirrored = swaps % 2 != 0;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back(mirrored ? Triangle{a, c, b} : Triangle{a, b, c});
    };
    // One after the other: compilers differ in which argument they evaluate first, and vertices are numbered as they
    // are met.
    if (inside == 1) {
      const std::uint32_t c = edge(in[0], out[2]), b = edge(in[0], out[1]), a = edge(in[0], out[0]);
      add(a, b, c);
    } else if (inside == 3) {
      const std::uint32_t c = edge(in[2], out[0]), b = edge(in[1], out[0]), a = edge(in[0], out[0]);
      add(a, b, c);
    } else {
      const std::uint32_t ik = edge(in[0], out[0]), il = edge(in[0], out[1]);
      const std::uint32_t jl = edge(in[1], out[1]), jk = edge(in[1], out[0]);
      add(ik, il, jl);
      add(ik, jl, jk);
    }
  }
};

}  // namespace

Mesh polygonise(const Shape& shape, double cell) {
  const Lattice lattice = lattice_around(shape, cell);
  const std::size_t count = lattice.nx * lattice.ny * lattice.nz;
  const std::vector<double> values = sample(shape, lattice);
  Polygoniser work{lattice, values, std::vector<std::uint32_t>(count * 8, kNone), {}};
  for (std::size_t k = 0; k + 1 < lattice.nz; ++k) {
    for (std::size_t j = 0; j + 1 < lattice.ny; ++j) {
      for (std::size_t i = 0; i + 1 < lattice.nx; ++i) {
        for (const auto& corners : kTetrahedra) work.tetrahedron(lattice.index(i, j, k), corners);
      }
    }
  }
  return std::move(work.mesh);
}

}  // namespace lamella::scenes
