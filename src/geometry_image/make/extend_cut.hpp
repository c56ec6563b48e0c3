#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// Extends the cut by up to `most` paths, to where a map of the disc shrinks the surface most, and keeps as many of
/// them as give the map of least stretch. The cut must leave a disc, before and after. `progress` is called after every
/// map with the part that is done, which is a guess: nobody knows how many maps there will be. Returns the number of
/// paths added.
int extend_cut(Surface& s, int most, const std::function<void(double part)>& progress);

/// Weights with which each part of the cut gets as much of the border as the surface beside it needs. `progress` is
/// called after every map with the part that is done.
[[nodiscard]] CutWeights weigh_cut(const Surface& s, const std::function<void(double part)>& progress);

/// Adds the shortest path from the cut to v; nothing if v is already on it.
void cut_towards(Surface& s, std::uint32_t v);

}  // namespace lamella::gi
