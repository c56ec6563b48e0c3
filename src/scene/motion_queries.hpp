#pragma once

#include <optional>
#include <vector>

#include "lamella/scene.hpp"
#include "lamella/separation.hpp"
#include "scene/objects.hpp"

namespace lamella {

/// Questions about objects of a scene that move between frames: sweep() and separation() with their meshes placed.
/// Keeps its memory between calls.
class MotionQueries {
 public:
  explicit MotionQueries(unsigned threads) : threads_(threads) {}

  std::optional<SceneHit> sweep(SceneObjects& objects, ObjectId object, Vec3d motion);
  std::optional<SweepHit> sweep(SceneObjects& objects, ObjectId a, ObjectId b, Vec3d motion);
  Separation separation(SceneObjects& objects, ObjectId a, ObjectId b, std::uint32_t directions);

 private:
  std::optional<SweepHit> sweep_slots(SceneObjects& objects, std::uint32_t a, std::uint32_t b, Vec3d motion);

  unsigned threads_;
  std::optional<Sweeper> sweeper_;
  std::optional<Separator> separator_;
  std::uint32_t directions_ = 0;  ///< of the separator
  std::vector<Vec3> room_a_, room_b_;
};

}  // namespace lamella
