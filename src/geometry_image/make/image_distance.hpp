#pragma once

#include "geometry_image/make/disc.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella::gi {

/// The furthest that a vertex of the disc is from the nearest point of its image. The map, onto the unit square, says
/// where to look first.
[[nodiscard]] double furthest_from_image(const Disc& disc, const GeometryImage& image);

/// How far an image of the disc, at most 257 x 257, would be from having the disc's normals: the mean over its area of
/// 1 less the cosine between both. Unlike stretch, this shows where samples on slanted lines fold a curved surface up.
[[nodiscard]] double normal_error(const Disc& disc, int n);

}  // namespace lamella::gi
