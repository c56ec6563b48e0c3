#pragma once

#include "lamella/distance.hpp"

namespace lamella::cli {

/// Distance, points and triangles for people, as lines on stdout.
void print_distance(const MeshDistance& answer);

}  // namespace lamella::cli
