#pragma once

#include <cstddef>
#include <functional>

#include "bench/row.hpp"
#include "lamella/scene.hpp"

namespace lamella::bench {

/// Objects that move, to be put into a scene. Everything a frame needs is made beforehand, so that `move` is what a
/// user's program would call.
struct SceneMotion {
  std::size_t frames = 1;
  std::function<void(Scene& scene)> add;                      ///< all objects, as in frame 0
  std::function<void(Scene& scene, std::size_t frame)> move;  ///< from a neighbouring frame
};

/// Plays the motion forth and back, so that every frame follows a neighbour: twice or, on a GPU, until it has clocked
/// itself up, to warm up; then at least three times and 15 frames, more as long as they take little time, fewer where
/// they take seconds. With `quick` once each: figures to look at, not to compare.
///
/// A typical frame: counts of what was found, "ms" as in SceneTimings with "update" for the calls of move() and
/// deform(), "test" for all but the contacts, which the paper counts with its response, and "total" for the wall clock
/// around all calls; on a GPU "gpu_ms", "rounds" and "read_back_bytes". Then the least and largest edge of a sample
/// cell, the largest median of a frame, and how many frames were run how often.
[[nodiscard]] Row measure_scene(const SceneMotion& motion, const SceneOptions& options, bool gpu, bool quick);

}  // namespace lamella::bench
