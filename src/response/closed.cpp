// Every directed edge adds a random-looking number that depends on its two ends, and the opposite edge subtracts the
// same: for a closed mesh the sum is 0. For an open one it is 0 with a probability of 2^-64. A table of edges would say
// which one is open, but `inspect` does that, and here most meshes are closed.

#include "response/closed.hpp"

#include <array>
#include <bit>

namespace lamella::response {
namespace {

/// The finaliser of MurmurHash3 (Austin Appleby): every bit of the input changes half of the output's.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

/// Equal for equal coordinates: -0 becomes 0.
std::uint64_t hash_of(Vec3 p) {
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x + 0.0f)}; };
  return mix(mix(bits(p.x) << 32 | bits(p.y)) + bits(p.z));
}

}  // namespace

bool is_closed(MeshView mesh) {
  std::uint64_t sum = 0;
  for (const Triangle t : mesh.triangles) {
    const std::array<std::uint64_t, 3> ends{hash_of(mesh.positions[t.a]), hash_of(mesh.positions[t.b]),
                                            hash_of(mesh.positions[t.c])};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t from = ends[i], to = ends[(i + 1) % 3];
      // From a vertex to itself both terms are the same.
      sum += mix(from + 3 * to) - mix(to + 3 * from);
    }
  }
  return sum == 0;
}

}  // namespace lamella::response
