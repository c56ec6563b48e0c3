#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "lamella/mesh.hpp"

namespace lamella::test {

inline Mesh octahedron() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// Surface of the unit cubes (x, y, z) of a box of `size` for which solid(x, y, z) holds; no two of them may touch at
/// an edge or corner alone.
template <class Solid>
Mesh cubes(std::array<int, 3> size, const Solid& solid) {
  Mesh mesh;
  std::map<std::array<int, 3>, std::uint32_t> numbers;
  const auto vertex = [&](std::array<int, 3> p) {
    const auto [at, fresh] = numbers.emplace(p, static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh) mesh.positions.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    return at->second;
  };
  const auto filled = [&](const std::array<int, 3>& p) {
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] < 0 || p[axis] >= size[axis]) return false;
    return solid(p[0], p[1], p[2]);
  };
  for (int cell = 0; cell < size[0] * size[1] * size[2]; ++cell) {
    const std::array<int, 3> at{cell % size[0], cell / size[0] % size[1], cell / size[0] / size[1]};
    if (!filled(at)) continue;
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, high = face % 2;
      std::array<int, 3> beyond = at, a = at;
      beyond[axis] += 2 * high - 1;
      if (filled(beyond)) continue;
      a[axis] += high;
      std::array<int, 3> b = a, c = a, d = a;
      ++b[u], ++c[u], ++c[v], ++d[v];
      if (high == 0) std::swap(b, d);
      mesh.triangles.push_back({vertex(a), vertex(b), vertex(c)});
      mesh.triangles.push_back({vertex(a), vertex(c), vertex(d)});
    }
  }
  return mesh;
}

/// A plate with `holes` square holes in a row, and so of that genus; walls and holes are `fine` cubes wide.
inline Mesh plate_with_holes(int holes, int fine = 2) {
  return cubes({(2 * holes + 1) * fine, 3 * fine, fine},
               [&](int x, int y, int) { return !((x / fine) % 2 == 1 && y / fine == 1); });
}

/// Three bars, one cube thick and `length` long, that meet at one end.
inline Mesh tripod(int length) {
  return cubes({2 * length + 1, length + 1, 1}, [&](int x, int y, int) { return y == 0 || x == length; });
}

}  // namespace lamella::test
