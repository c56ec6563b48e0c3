#pragma once

#include <cstddef>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// A soft organ after a liver: a large lobe, a smaller one, and a fissure between them that closes when it is pressed.
/// Closed, a unit or so wide, its underside near z = 0.
[[nodiscard]] Mesh organ(std::size_t faces);

/// A blunt probe along z, its round tip's lowest point at the origin. Closed.
[[nodiscard]] Mesh probe(std::size_t faces, double radius, double length);

}  // namespace lamella::scenes
