#pragma once

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// Gives a disc another map that is a smooth function of the present one, and splits triangles that it turns over: a
/// triangle is flat in either map, but the function is not. Splits the longest edge in the present map, again and
/// again; the surface stays the same. Boundary edges are not split, nor triangles so thin that rounding decides which
/// way they face. `places` are the new map of the boundary, in its order. Returns true when no triangle is turned over
/// but such thin ones. Gives up when the disc has grown to `most` triangles; it then returns false, and the disc is of
/// no further use.
[[nodiscard]] bool remap(Disc& disc, const std::vector<Vec2d>& places, const std::function<Vec2d(Vec2d)>& function,
                         std::size_t most);

}  // namespace lamella::gi
