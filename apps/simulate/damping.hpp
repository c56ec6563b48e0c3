#pragma once

#include <span>

#include "lamella/math.hpp"

namespace lamella::simulate {

/// Takes a part, 0 to 1, of the motion of points that is not theirs as a rigid whole (Müller, Heidelberger, Hennix,
/// Ratcliff: "Position Based Dynamics", 2006, section 3.5). Momentum and angular momentum stay.
void damp_deformation(std::span<const Vec3d> positions, std::span<Vec3d> velocities, std::span<const double> masses,
                      double part);

}  // namespace lamella::simulate
