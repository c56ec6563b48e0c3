#pragma once

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// Like solve_map() for a boundary on the unit square, by way of a square with round sides. Slower, and some triangles
/// of the disc are split; but parts of the surface that hang on one side of the square do not shrink beyond the
/// precision of doubles. Returns false, with the disc as it was, when there is no such map. Else triangles may be
/// turned over only where they are thinner than 1e-12 of the square: no sample falls into them.
[[nodiscard]] bool solve_map_bulged(Disc& disc, const MapOptions& options);

}  // namespace lamella::gi
