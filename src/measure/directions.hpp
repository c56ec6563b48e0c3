#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "engines/shift_finder.hpp"
#include "lamella/elementary.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// Appends `count` unit vectors spread evenly over a half sphere: a Fibonacci lattice.
inline void add_spread(std::uint32_t count, std::vector<Vec3d>& out) {
  const double golden_angle = M_PI * (3 - std::sqrt(5.0));
  for (std::uint32_t i = 0; i < count; ++i) {
    const double z = (i + 0.5) / count, r = std::sqrt(1 - z * z), turn = i * golden_angle;
    out.push_back({r * elementary::cos(turn), r * elementary::sin(turn), z});
  }
}

/// About how many radians neighbours of add_spread() are apart.
inline double spread_angle(std::uint32_t count) { return std::sqrt(2 * M_PI / count); }

/// Appends `count` unit vectors at `angle` around a unit vector, evenly; the first one is `turn` of a step on.
inline void add_ring(Vec3d around, double angle, std::uint32_t count, double turn, std::vector<Vec3d>& out) {
  const ViewRotation view = rotation_to(around);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double phi = 2 * M_PI * (i + turn) / count;
    const Vec3d d = around * elementary::cos(angle) +
                    (view.u * elementary::cos(phi) + view.v * elementary::sin(phi)) * elementary::sin(angle);
    out.push_back(d * (1 / length(d)));
  }
}

}  // namespace lamella
