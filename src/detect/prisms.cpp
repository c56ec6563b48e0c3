#include "lamella/query.hpp"

namespace lamella {

Mesh prisms(const Grid& grid, std::span<const Span> spans) {
  // Corner c of a box takes the high end along u, v, w where bit 0, 1, 2 of c is set.
  static constexpr Triangle kFaces[12] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Mesh mesh;
  mesh.positions.reserve(spans.size() * 8);
  mesh.triangles.reserve(spans.size() * 12);
  for (const Span& s : spans) {
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    const double cell[2] = {static_cast<double>(s.column % grid.columns), static_cast<double>(s.column / grid.columns)};
    for (int c = 0; c < 8; ++c) {
      Vec3d p;
      p[grid.u()] = grid.box.min[grid.u()] + (cell[0] + (c & 1)) * grid.cell_u();
      p[grid.v()] = grid.box.min[grid.v()] + (cell[1] + ((c >> 1) & 1)) * grid.cell_v();
      p[grid.w()] = grid.box.min[grid.w()] + static_cast<double>((c & 4) != 0 ? s.end : s.begin);
      mesh.positions.push_back(to_float(p));
    }
    for (const Triangle& t : kFaces) mesh.triangles.push_back({base + t.a, base + t.b, base + t.c});
  }
  return mesh;
}

}  // namespace lamella
