#pragma once

#include <cstdint>
#include <vector>

#include "lamella/math.hpp"
#include "measure/triangle_tree.hpp"

namespace lamella::measure {

/// The unit normal of a surface at a point of a triangle, given by its place in the tree and the weights of its
/// corners: that of the face, or at edges and corners the mean of the faces around, weighted by their angles there
/// (Baerentzen and Aanaes, "Signed Distance Computation Using the Angle Weighted Pseudonormal", 2005). Faces are around
/// a corner when they have one with equal coordinates. 0 where faces without area, or with normals that cancel, are all
/// there is.
[[nodiscard]] Vec3d normal_at(const TriangleTree& tree, std::uint32_t place, Vec3d weights,
                              std::vector<std::uint32_t>& scratch);

}  // namespace lamella::measure
