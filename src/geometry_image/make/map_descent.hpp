#pragma once

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// Moves interior vertices one after the other, each to where the stretch of its triangles, there and back, is lower;
/// all of them `sweeps` times, or until that hardly helps. Triangles that are not turned over stay so. About 0.2
/// microseconds a vertex and sweep.
void lower_stretch(Disc& disc, int sweeps);

}  // namespace lamella::gi
