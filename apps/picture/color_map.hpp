#pragma once

#include "picture/picture.hpp"

namespace lamella::picture {

// Colours for numbers, from light to dark with even steps that are told apart without seeing hues. `t` runs from 0 to
// 1 and is brought within.

/// Yellow through green to dark violet: viridis by van der Walt and Smith (CC0), from its light end.
[[nodiscard]] Rgb depth_color(float t);
/// Pale orange to dark red: ColorBrewer's OrRd.
[[nodiscard]] Rgb count_color(float t);
/// For numbers below and above 0, which is at 0.5: from brown through orange to white, and on to violet. Close to
/// ColorBrewer's PuOr, which people who see no red or no green tell apart.
[[nodiscard]] Rgb signed_color(float t);

}  // namespace lamella::picture
