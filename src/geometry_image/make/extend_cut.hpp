#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// Lengthens the cut, which must leave a disc and goes on doing so, by paths to places that a map of the disc shrinks
/// most, up to `most` of them, and keeps as many as make the map of least stretch. `step` is called for every map.
/// Returns the number of paths added.
int extend_cut(Surface& s, int most, const std::function<void()>& step);

/// Weights for the cut with which its parts get as much of the border as the surface beside them needs.
[[nodiscard]] CutWeights weigh_cut(const Surface& s);

/// Adds the shortest path from the cut to v, which may lie on it already: then nothing happens.
void cut_towards(Surface& s, std::uint32_t v);

}  // namespace lamella::gi
