#pragma once

#include <span>

#include "lamella/math.hpp"

namespace lamella::scenes {

/// Bends the fingers of a hand as made by hand(faces, 0): `close` from 0 (as it is) to 1 (fist). Each vertex moves by a
/// function of its rest position alone. `out` may be `rest`.
void bend_hand(std::span<const Vec3> rest, float close, std::span<Vec3> out);

}  // namespace lamella::scenes
