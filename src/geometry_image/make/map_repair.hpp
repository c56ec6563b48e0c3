#pragma once

#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

/// Moves vertices of triangles that rounding turned over, as far as that helps.
void repair(Disc& disc, const MapWeights& weights);

}  // namespace lamella::gi
