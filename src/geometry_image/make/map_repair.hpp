#pragma once

#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

/// Moves the vertices of triangles that rounding turned over, if there are any and as far as that helps.
void repair(Disc& disc, const MapWeights& weights);

}  // namespace lamella::gi
