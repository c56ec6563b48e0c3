#pragma once

#include "geometry_image/make/disc.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella::gi {

/// The largest distance of a vertex of the disc from its image. The map, onto the unit square, tells where to search
/// first.
[[nodiscard]] double furthest_from_image(const Disc& disc, const GeometryImage& image);

/// The difference between the normals of the disc and of its image, at most 257 x 257: the area-weighted mean of 1
/// minus their cosine. Unlike stretch, this shows where samples on slanted lines fold a curved surface.
[[nodiscard]] double normal_error(const Disc& disc, int n);

}  // namespace lamella::gi
