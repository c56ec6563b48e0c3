#pragma once

// Where the holes of a mesh are, once they were closed, and whether another mesh comes near them.

#include <span>
#include <vector>

#include "core/origin.hpp"
#include "lamella/repair.hpp"

namespace lamella {

/// The boxes around the rims, ascending along x. `positions` are those of the mesh's own vertices, relative to `origin`
/// and placed by `pose`.
[[nodiscard]] std::vector<WideBox> rims_of(const Closure& closure, std::span<const Vec3> positions, Vec3d origin = {},
                                           const Transform& pose = {});

/// Whether a triangle of the mesh may be in one of the boxes, which ascend along x.
[[nodiscard]] bool comes_near(MeshView mesh, std::span<const WideBox> rims);

/// Whether one of the boxes holds all of `box`.
[[nodiscard]] bool in_one_rim(const WideBox& box, std::span<const WideBox> rims);

}  // namespace lamella
