#pragma once

#include <vector>

#include "picture/depth_map.hpp"

namespace lamella::picture {

/// How much of the light from all around does not reach the surfaces of a depth map, 0 to 1: corners, gaps and what
/// lies behind an edge get darker, so that heights can be read.
struct Occlusion {
  unsigned width = 0, height = 0;
  std::vector<float> distances;  ///< of the surfaces
  std::vector<float> shares;     ///< of light that is missing

  /// At a pixel, for the surface at this distance; 0 where the map has another one.
  [[nodiscard]] float at(unsigned x, unsigned y, float distance) const;
};

/// Of the surfaces at `distances`, which are those of a depth map. The same bits for any number of threads.
[[nodiscard]] Occlusion occlusion_of(std::vector<float> distances, unsigned width, unsigned height,
                                     const Camera& camera);

}  // namespace lamella::picture
