#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/scene.hpp"
#include "response/solver.hpp"

namespace lamella::response {

/// A body that moves with a constant velocity.
struct Flyer {
  ObjectId object;
  bool exists = false;   ///< false: a free slot, or a body that shares no volume with any other
  bool movable = false;  ///< two that are not do not meet
  Vec3d center, velocity;
  double spin = 0;  ///< speed of its farthest vertex about the center
  double thickness = 0, reach = 0;
  Transform pose;
  Aabb box;  ///< of its mesh, in its own frame

  /// The time in which it moves by half its thickness.
  [[nodiscard]] double safe_seconds() const { return thickness / (2 * (length(velocity) + spin)); }
  /// The same by its spin alone.
  [[nodiscard]] double safe_spin() const { return thickness / (2 * spin); }
};

/// Two bodies that touch while they fly, as a sweep found it: exactly, where rays may see nothing of it.
struct Touch {
  std::uint32_t a = 0, b = 0;  ///< slots; the object of a comes before that of b
  ObjectId object_a, object_b;
  double seconds = 0;  ///< until they touch
  Vec3d on_a, on_b;    ///< the points that touch, where they are at the start
  Vec3d normal;        ///< unit, from b to a
};

/// How far bodies may fly; keeps its memory.
class Flight {
 public:
  /// By slot.
  std::vector<Flyer> bodies;

  /// The longest time up to `seconds` in which no two of the bodies, as they are in the scene, pass through each other:
  /// until shortly before the first touch, or, where that is close, until they are a little inside each other, so that
  /// they can collide. None turns by more than half its thickness where it can reach another. Two that overlap already
  /// may move on by half of the thinner one's thickness; where `contacts`, those of the last substep, hold them apart,
  /// each by half its own, and for at least `least` seconds. `cell`: of the scene's grids, if known: what is thinner
  /// may be between rays.
  double limit(Scene& scene, double seconds, double least, double cell, const ContactSet& contacts);
  /// Nothing is close.
  void clear() {
    touches_.clear();
    sweep_count_ = 0;
    spins_too_fast_ = false;
  }
  /// Of the last limit(): pairs that touch within it.
  [[nodiscard]] std::span<const Touch> touches() const { return touches_; }
  [[nodiscard]] std::uint32_t sweep_count() const { return sweep_count_; }
  /// Of the last limit(): one that touches another spins too fast for `least` seconds.
  [[nodiscard]] bool spins_too_fast() const { return spins_too_fast_; }

 private:
  /// What limit() was asked.
  struct Question {
    Scene& scene;
    double least, cell;
    const ContactSet& contacts;
  };
  double limit_pair(const Question& question, std::uint32_t i, std::uint32_t k, double seconds);
  double limit_spins(const Question& question, const Flyer& a, const Flyer& b, double seconds);

  std::vector<Touch> touches_;
  std::uint32_t sweep_count_ = 0;
  bool spins_too_fast_ = false;
};

/// Adds contacts for touches within `seconds` that rays did not find.
void add_touches(std::span<const Touch> touches, double seconds, std::span<const SolverBody> bodies,
                 std::span<const RigidBody> shapes, ContactSet& out);

}  // namespace lamella::response
