#pragma once

#include <cstddef>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// A soft organ after a liver: a large lobe, a smaller one, and a fissure between them that closes when it is pressed.
/// Closed, a unit or so wide, its underside near z = 0.
[[nodiscard]] Mesh organ(std::size_t faces);

/// A probe along z: a ball, its lowest point at the origin, on a rod a third as thick. Closed.
[[nodiscard]] Mesh probe(std::size_t faces, double ball_radius, double length);

}  // namespace lamella::scenes
