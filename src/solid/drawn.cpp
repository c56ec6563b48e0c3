#include "lamella/solid.hpp"

namespace lamella {

DrawnSolid drawn(const OverlapSolid& solid) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  DrawnSolid out;
  out.origin = solid.mesh.origin;
  out.triangles.reserve(solid.mesh.triangles.size());
  // The copies of each vertex, as a chain.
  std::vector<std::uint32_t> first(solid.mesh.positions.size(), kNone), next;
  const auto copy_of = [&](std::uint32_t vertex, Vec3 normal, std::uint8_t side) {
    for (std::uint32_t i = first[vertex]; i != kNone; i = next[i])
      if (out.normals[i] == normal && out.side[i] == side) return i;
    const auto made = static_cast<std::uint32_t>(out.positions.size());
    out.positions.push_back(solid.mesh.positions[vertex]);
    out.normals.push_back(normal);
    out.side.push_back(side);
    next.push_back(first[vertex]);
    first[vertex] = made;
    return made;
  };
  for (std::size_t i = 0; i < solid.mesh.triangles.size(); ++i) {
    const Triangle& t = solid.mesh.triangles[i];
    const Vec3* n = &solid.normals[i * 3];
    const std::uint8_t side = solid.side[i];
    const std::uint32_t a = copy_of(t.a, n[0], side), b = copy_of(t.b, n[1], side), c = copy_of(t.c, n[2], side);
    out.triangles.push_back({a, b, c});
  }
  return out;
}

}  // namespace lamella
