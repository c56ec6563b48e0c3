#pragma once

#include <cstdint>

#include "lamella/elementary.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

/// PCG32 (O'Neill 2014). The standard library's distributions may differ between implementations; these do not.
struct Random {
  std::uint64_t state;

  explicit Random(std::uint32_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull) {
    next();
    next();
  }

  std::uint32_t next() {
    const std::uint64_t old = state;
    state = old * 6364136223846793005ull + 1442695040888963407ull;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
  }

  /// In [low, high).
  double uniform(double low = 0, double high = 1) { return low + (high - low) * (next() * 0x1p-32); }

  /// Uniform on the unit sphere: the height of a sphere's points is uniform (Archimedes).
  Vec3d direction() {
    const double height = uniform(-1, 1);
    const double angle = uniform(0, 2 * kPi);
    const double radius = std::sqrt(1 - height * height);
    return {radius * elementary::cos(angle), radius * elementary::sin(angle), height};
  }
};

}  // namespace lamella::scenes
