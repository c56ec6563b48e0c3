#pragma once

#include <cstdint>

#include "cli/clash/answer.hpp"
#include "cli/clash/pair_solid.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// From where a clash is looked at; lengths in the report's own unit, world coordinates, z up.
struct ClashView {
  Vec3d target{};     ///< the middle of what is shared, or of the gap
  Vec3d direction{};  ///< unit; from the eye to the target: across the way out, a little from above
  double reach = 1;   ///< half the side of a cube about the target that the view is to show
};

/// What two parts share, or what lies between them, is about a third of the view; more where it is large beside the
/// parts. Never 0.
[[nodiscard]] ClashView view_of(const ClashPair& pair, PlacedParts& parts);

/// The two parts as glass in two colours, what they share in red, the gap of parts that are near as a dark line. Other
/// parts are not drawn. The same bits for any number of threads; some ten milliseconds.
[[nodiscard]] picture::Image draw_clash(PlacedParts& parts, const ClashAnswer& answer, const ClashPair& pair,
                                        picture::Size size);

}  // namespace lamella::cli
