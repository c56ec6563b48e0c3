#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lamella/image_collide.hpp"

namespace lamella::simulate {

/// The landscape is a square about the origin, z up.
inline constexpr double kTerrainSide = 14;
/// A height of 1 in scenes::fractal_heights.
inline constexpr double kTerrainHeight = 4.5;

/// The ground as a geometry image of (2^n + 1)^2 vertices, an open sheet; for every n the same landscape.
[[nodiscard]] std::shared_ptr<const ImageBody> make_terrain(int n, std::uint32_t seed);

/// The helicopter as a geometry image of (2^n + 1)^2 vertices, about 1.7 long, nose towards +x, rotor up.
[[nodiscard]] std::shared_ptr<const ImageBody> make_helicopter_body(int n, unsigned threads);

/// Where a helicopter is in any frame, 60 a second, over make_terrain()'s landscape of the same seed whatever its n:
/// it circles, follows the hills, rises and sinks, at times onto the ground, climbs and dives with its nose, and banks
/// into its turns and out of them. `number` tells several of them apart.
class HelicopterFlight {
 public:
  explicit HelicopterFlight(std::uint32_t seed, std::uint32_t number = 0);
  [[nodiscard]] Transform pose(std::uint64_t frame) const;

 private:
  [[nodiscard]] double ground(double x, double y) const;
  [[nodiscard]] Vec3d place(double seconds) const;

  std::vector<float> hills_;                               ///< a coarse landscape, which the flight follows
  double turn_ = 0, reach_ = 0, sink_[2] = {}, sway_ = 0;  ///< phases
};

}  // namespace lamella::simulate
