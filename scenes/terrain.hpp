#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// Heights of a fractal landscape on (2^n + 1)^2 points, (x, y) at y * side + x, all within -1 to 1; n from 1 to 13.
/// The landscape depends on seed and roughness alone: n + 1 has the points of n, to the bit, and new ones between them.
/// `roughness`, above 0 and below 1, is how much less each halving of the distance adds: 0.5 are downs, 0.6 mountains.
/// The same bits everywhere. Throws Error when n or roughness is out of range. A second or less for 8193^2 points, on
/// one thread; no memory beyond the result.
[[nodiscard]] std::vector<float> fractal_heights(int n, std::uint32_t seed = 1, float roughness = 0.5f);

/// A closed block of 3 x 3 about the z axis with such a landscape as its top, around z = 0, of about `faces` triangles.
[[nodiscard]] Mesh terrain_block(std::size_t faces, std::uint32_t seed = 1);

}  // namespace lamella::scenes
