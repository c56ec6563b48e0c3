#pragma once

#include <cstddef>
#include <memory>

#include "bench/scene/measure.hpp"
#include "scenes/crowd.hpp"

namespace lamella::cli {

/// Frames of a sixtieth of a second. Rigid bodies move; where they deform, every vertex of every one is given anew too.
[[nodiscard]] SceneMotion crowd_motion(std::shared_ptr<const scenes::Crowd> crowd, std::size_t frames, bool deforming);

/// Medians over the frames, in milliseconds, of finding the boxes that overlap: by the library's sweep and prune, and
/// by comparing every box with every other. Both get the boxes of the bodies' balls.
struct BroadTimes {
  double sweep = 0, all_pairs = 0;
};
/// Throws Error if the two ever disagree.
[[nodiscard]] BroadTimes time_broad_phase(const scenes::Crowd& crowd, std::size_t frames);

}  // namespace lamella::cli
