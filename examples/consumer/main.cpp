// Two unit cubes in plain arrays, half a unit apart along each axis, and how much they share.

#include <array>
#include <cstdint>
#include <cstdio>
#include <lamella/lamella.hpp>

// Counter-clockwise seen from outside.
constexpr std::array<std::uint32_t, 36> kIndices{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

std::array<float, 24> cube_at(float low) {
  std::array<float, 24> xyz{};
  for (unsigned corner = 0; corner < 8; ++corner)
    for (unsigned axis = 0; axis < 3; ++axis) xyz[corner * 3 + axis] = low + static_cast<float>(corner >> axis & 1u);
  return xyz;
}

int main() {
  const std::array<float, 24> a = cube_at(0), b = cube_at(0.5f);
  const lamella::Overlap overlap = lamella::intersect(lamella::make_view(a.data(), 8, kIndices.data(), 12),
                                                      lamella::make_view(b.data(), 8, kIndices.data(), 12));
  std::printf("lamella %s: %s, volume %.6f\n", lamella::kVersion, overlap.colliding() ? "overlap" : "apart",
              overlap.volume);
  return overlap.health.ok() ? 0 : 1;
}
