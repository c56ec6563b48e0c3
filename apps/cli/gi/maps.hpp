#pragma once

#include "lamella/sphere_pyramid.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// A geometry image's arrays as pictures of any size: each pixel is the mean of what it covers. Row 0 is at the top, as
// image tools show the pages of a file.

/// x, y and z as red, green and blue, from the box's low corner to its high one.
[[nodiscard]] picture::Rgb position_color(Vec3 p, const Aabb& box);

[[nodiscard]] picture::Image draw_positions(const GeometryImage& image, const Aabb& box, unsigned size);
/// -1 to 1 as 0 to full.
[[nodiscard]] picture::Image draw_normals(const GeometryImage& image, unsigned size);
/// The packed image, three wide to two high: centres as positions are.
[[nodiscard]] picture::Image draw_centers(const SpherePyramid& pyramid, const Aabb& box, unsigned height);
/// The same of radii as greys: by the logarithm, the outermost white. By the radius itself nearly all would be black.
[[nodiscard]] picture::Image draw_radii(const SpherePyramid& pyramid, unsigned height);

}  // namespace lamella::cli
