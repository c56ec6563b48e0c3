#pragma once

#include "lamella/mesh.hpp"

namespace lamella::simulate {

/// The cube from -half to half as its twelve edges, each 2 * `thickness` across, for pictures.
[[nodiscard]] Mesh make_edges(float half, float thickness);

}  // namespace lamella::simulate
