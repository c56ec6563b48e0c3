#pragma once

#include <cstddef>
#include <functional>

#include "lamella/scene.hpp"

namespace lamella::cli {

/// Objects that move, to be put into a scene. Everything a frame needs is made beforehand, so that `move` is what a
/// user's program would call.
struct SceneMotion {
  std::size_t frames = 1;
  std::function<void(Scene& scene)> add;                      ///< all objects, as in frame 0
  std::function<void(Scene& scene, std::size_t frame)> move;  ///< from a neighbouring frame
};

/// One frame, or a typical one: milliseconds, and counts of what was found.
struct SceneSample {
  double update = 0;                                                          ///< calls of move() and deform()
  double broad = 0, place = 0, ldi = 0, pairs = 0, points = 0, contacts = 0;  ///< as in SceneTimings
  double gpu = 0;
  double total = 0;  ///< wall clock around all calls, update included
  /// What the paper's table calls the collision test: contacts are its response's.
  [[nodiscard]] double test() const { return total - contacts; }
  double candidates = 0, pair_count = 0, point_count = 0, contact_count = 0;
  double groups = 0, columns = 0;    ///< of all groups' grids
  double rounds = 0, read_back = 0;  ///< of gl-pairs; bytes
};

struct SceneMeasured {
  SceneSample typical;                ///< mean over the frames of each frame's median
  double worst = 0;                   ///< largest median total of a frame
  double min_cell = 0, max_cell = 0;  ///< edges of sample cells, over all groups of all frames
  std::size_t frames = 0;             ///< of the motion, unless they take too long
  std::size_t runs = 0;               ///< of all frames together
};

enum class Effort {
  usual,
  quick,  ///< one pass each to warm up and to measure: figures to look at, not to compare
};

/// Plays the motion forth and back, so that every frame follows a neighbour: twice or, on a GPU, until it has clocked
/// itself up, to warm up; then at least three times and 15 frames, more as long as they take little time, fewer where
/// they take seconds.
[[nodiscard]] SceneMeasured measure_scene(const SceneMotion& motion, const SceneOptions& options, bool gpu,
                                          Effort effort);

}  // namespace lamella::cli
