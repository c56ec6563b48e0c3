#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/image_collide.hpp"

namespace lamella::simulate {

struct BunnyOptions {
  std::uint32_t objects = 32;
  double radius = 0.35;  ///< of the ball that holds a rabbit, in metres
  /// Volume of all balls over that of the cube that their middles move in.
  double density = 0.5;
  double speed = 2, spin = 4;  ///< at most, at least a quarter of it: metres and radians a second
  std::uint32_t seed = 1;
};

/// Two bodies, first below second.
using BunnyPair = std::array<std::uint32_t, 2>;

/// Bodies that fly straight through a cube about the origin, turn about fixed axes, and bounce off its walls and one
/// another, without gravity: the experiment of GI-COLLIDE's section 5. It does not look for collisions: whoever found
/// the same pairs sees the same motion.
///
/// The response: equal masses exchange what they have of their velocities along the line of their middles, unless they
/// are separating already; when they begin to touch each also turns back. So energy and momentum stay as they are, but
/// for walls, and two that touch soon do not.
class BunnyWorld {
 public:
  explicit BunnyWorld(const BunnyOptions& options);

  [[nodiscard]] std::size_t size() const { return bodies_.size(); }
  [[nodiscard]] std::span<const Transform> poses() const { return poses_; }
  /// Edge of the cube that holds all balls at all times.
  [[nodiscard]] double side() const { return room_ + 2 * radius_; }
  /// Of motion, not of turning, which no collision changes; a body's mass is 1 kg.
  [[nodiscard]] double energy() const;

  /// One frame, 1/60 s. `colliding`: the pairs that collide at poses(), ascending, each once.
  void step(std::span<const BunnyPair> colliding);

 private:
  struct Body {
    Vec3d position, velocity;  ///< position from the middle of the cube
    Vec3d axis;
    double angle = 0, spin = 0;
  };

  void place();

  double radius_ = 0, room_ = 0;  ///< edge of the cube that the middles move in
  std::vector<Body> bodies_;
  std::vector<Transform> poses_;
  std::vector<BunnyPair> touching_;  ///< before the last step
  std::vector<bool> turned_;
};

/// The rabbit as a geometry image of (2^n + 1)^2 vertices, its box's middle at the origin, in a ball of `radius`.
[[nodiscard]] std::shared_ptr<const ImageBody> make_bunny(int n, double radius, unsigned threads);

}  // namespace lamella::simulate
