#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "geometry_image/make/disc.hpp"

namespace lamella::test {

/// Positive and the same on every machine, unlike the distributions of the standard library.
inline double random_unit(std::mt19937& random) { return (random() + 0.5) / 4294967296.0; }

/// The unit square as cells x cells squares of two triangles each, along diagonals picked at random. The map is that of
/// the boundary; interior vertices are all mapped to one place. Positions are the square's own, on z = 0.
inline gi::Disc square_disc(std::uint32_t cells, std::uint32_t seed = 1) {
  gi::Disc disc;
  std::mt19937 random(seed);
  const std::uint32_t side = cells + 1;
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const double u = static_cast<double>(x) / cells, v = static_cast<double>(y) / cells;
      disc.positions.push_back({u, v, 0});
      const bool border = x == 0 || y == 0 || x == cells || y == cells;
      disc.map.push_back(border ? gi::Vec2d{u, v} : gi::Vec2d{0.5, 0.5});
    }
  for (std::uint32_t y = 0; y < cells; ++y)
    for (std::uint32_t x = 0; x < cells; ++x) {
      const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
      if (random() % 2 == 0)
        disc.triangles.insert(disc.triangles.end(), {{a, b, d}, {a, d, c}});
      else
        disc.triangles.insert(disc.triangles.end(), {{a, b, c}, {b, d, c}});
    }
  for (std::uint32_t i = 0; i < cells; ++i) disc.boundary.push_back(i);
  for (std::uint32_t i = 0; i < cells; ++i) disc.boundary.push_back(i * side + cells);
  for (std::uint32_t i = 0; i < cells; ++i) disc.boundary.push_back(side * side - 1 - i);
  for (std::uint32_t i = 0; i < cells; ++i) disc.boundary.push_back((cells - i) * side);
  return disc;
}

inline bool on_border(const gi::Disc& disc, std::size_t v) {
  const gi::Vec2d& p = disc.map[v];
  return p.x == 0 || p.y == 0 || p.x == 1 || p.y == 1;
}

/// square_disc with interior positions moved about at random, within the plane by up to `shift` cells and off it.
inline gi::Disc rough_disc(std::uint32_t cells, double shift, double height, std::uint32_t seed) {
  gi::Disc disc = square_disc(cells, seed);
  std::mt19937 random(seed + 1000);
  for (std::size_t v = 0; v < disc.positions.size(); ++v) {
    if (on_border(disc, v)) continue;
    Vec3d& p = disc.positions[v];
    p.x += (2 * random_unit(random) - 1) * shift / cells;
    p.y += (2 * random_unit(random) - 1) * shift / cells;
    p.z += (2 * random_unit(random) - 1) * height;
  }
  return disc;
}

/// A tube of radius 1, open at one end, where it is mapped to the square's border, and closed at the other. Plain maps
/// of it shrink e times for every unit of length.
inline gi::Disc tube_disc(double length, std::uint32_t around) {
  gi::Disc disc;
  std::mt19937 random(7);
  const auto rings = static_cast<std::uint32_t>(length * around / (2 * std::numbers::pi)) + 1;
  for (std::uint32_t r = 0; r <= rings; ++r)
    for (std::uint32_t i = 0; i < around; ++i) {
      const double noise = r == 0 ? 0 : 0.3 * (random_unit(random) - 0.5);
      const double angle = 2 * std::numbers::pi * (i + 0.5 * (r % 2) + noise) / around;
      disc.positions.push_back({std::cos(angle), std::sin(angle), length * r / rings});
    }
  const auto tip = static_cast<std::uint32_t>(disc.positions.size());
  disc.positions.push_back({0, 0, length});
  for (std::uint32_t r = 0; r < rings; ++r)
    for (std::uint32_t i = 0; i < around; ++i) {
      const std::uint32_t a = r * around + i, b = r * around + (i + 1) % around, c = a + around, d = b + around;
      if (r % 2 == 0)
        disc.triangles.insert(disc.triangles.end(), {{a, b, c}, {b, d, c}});
      else
        disc.triangles.insert(disc.triangles.end(), {{a, b, d}, {a, d, c}});
    }
  for (std::uint32_t i = 0; i < around; ++i)
    disc.triangles.push_back({rings * around + i, rings * around + (i + 1) % around, tip});
  disc.map.assign(disc.positions.size(), {0.5, 0.5});
  for (std::uint32_t i = 0; i < around; ++i) {
    disc.boundary.push_back(i);
    const double along = 4.0 * i / around, f = along - std::floor(along);
    disc.map[i] = along < 1   ? gi::Vec2d{f, 0}
                  : along < 2 ? gi::Vec2d{1, f}
                  : along < 3 ? gi::Vec2d{1 - f, 1}
                              : gi::Vec2d{0, 1 - f};
  }
  return disc;
}

}  // namespace lamella::test
