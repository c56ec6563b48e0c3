#include "proof/outcodes.hpp"

#include <cmath>
#include <limits>

namespace lamella {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float rounded_up(double x) {
  const auto f = static_cast<float>(x);
  return f < x ? std::nextafter(f, kInfinity) : f;
}
float rounded_down(double x) {
  const auto f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -kInfinity) : f;
}

std::uint8_t code_of(Vec3 p, const Outcodes& box) {
  return static_cast<std::uint8_t>(unsigned{p.x < box.low.x} | unsigned{p.x > box.high.x} << 1 |
                                   unsigned{p.y < box.low.y} << 2 | unsigned{p.y > box.high.y} << 3 |
                                   unsigned{p.z < box.low.z} << 4 | unsigned{p.z > box.high.z} << 5);
}

void collect(MeshView mesh, const std::uint8_t* codes, std::size_t begin, std::size_t end,
             std::vector<std::uint32_t>& out) {
  out.clear();
  for (std::size_t i = begin; i < end; ++i) {
    const Triangle& t = mesh.triangles[i];
    if ((codes[t.a] & codes[t.b] & codes[t.c]) == 0) out.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace

Outcodes outcodes_of(Vec3d low, Vec3d high) {
  return {{rounded_up(low.x), rounded_up(low.y), rounded_up(low.z)},
          {rounded_down(high.x), rounded_down(high.y), rounded_down(high.z)}};
}

void find_inside_candidates(MeshView mesh, const Outcodes& box, Workers& workers, std::vector<std::uint8_t>& codes,
                            std::vector<std::vector<std::uint32_t>>& chunks, std::size_t chunk) {
  if (codes.size() < mesh.positions.size()) codes.resize(mesh.positions.size());
  const std::size_t count = (mesh.triangles.size() + chunk - 1) / chunk;
  if (chunks.size() < count) chunks.resize(count);
  workers.for_chunks(mesh.positions.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) codes[i] = code_of(mesh.positions[i], box);
  });
  workers.for_chunks(mesh.triangles.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    collect(mesh, codes.data(), begin, end, chunks[begin / chunk]);
  });
}

}  // namespace lamella
