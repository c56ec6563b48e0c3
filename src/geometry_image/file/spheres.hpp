#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "lamella/math.hpp"

namespace lamella::io {

/// A run of spheres in one row of the packed pyramid: `count` of them from (0, y) of `level`, at `column`.
struct SphereRun {
  int level = 0;
  std::uint32_t y = 0, column = 0, count = 0;
};

/// What row `row` of the packed pyramid holds: spheres of level n, and beside them those of one other level, or none.
inline std::array<SphereRun, 2> sphere_runs(int n, std::uint32_t row) {
  const std::uint32_t quads = 1u << n;
  std::array<SphereRun, 2> runs{SphereRun{n, row, 0, quads}, SphereRun{}};
  // Level l starts where quads - 2^(l+1) rows are above it and takes 2^l: half of what is left, less the last row.
  if (const std::uint32_t below = quads - row - 1; below > 0) {
    const int level = std::bit_width(below) - 1;
    runs[1] = {level, row + (2u << level) - quads, quads, 1u << level};
  }
  return runs;
}

/// How far the vertices under sphere (x, y) of a level are from `center` at most. The surface under it lies within
/// their hull, so no further. Costs a step per vertex: over all spheres of an image n + 1 steps a vertex.
inline double furthest_vertex(int n, std::span<const Vec3> positions, int level, std::uint32_t x, std::uint32_t y,
                              Vec3 center) {
  const std::size_t side = (std::size_t{1} << n) + 1, quads = std::size_t{1} << (n - level);
  const Vec3d c = to_double(center);
  double most = 0;
  for (std::size_t row = y * quads; row <= (y + 1) * quads; ++row) {
    const Vec3* p = positions.data() + row * side + x * quads;
    for (std::size_t i = 0; i <= quads; ++i) {
      const Vec3d d = to_double(p[i]) - c;
      const double square = dot(d, d);
      most = most < square ? square : most;
    }
  }
  return std::sqrt(most);
}

}  // namespace lamella::io
