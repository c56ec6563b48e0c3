#pragma once

#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

// Motions write the positions of `rest` at time `t` (seconds; period 1 unless stated) into `out`, which must have as
// many vertices. Connectivity never changes, so a closed mesh stays closed. Each vertex moves by a function of its
// rest position alone: equal positions stay equal.

/// Turns about a seeded axis and sways.
void rigid(std::span<const Vec3> rest, float t, std::uint32_t seed, std::span<Vec3> out);
/// Smooth waves of about 1.5 % of the bounding box's diagonal.
void wobble(std::span<const Vec3> rest, float t, std::uint32_t seed, std::span<Vec3> out);
/// Twists about the longest axis, up to `turns` at the ends and back.
void twist(std::span<const Vec3> rest, float t, float turns, std::span<Vec3> out);
/// `rest` is a hand as made by hand(): its fingers close and open again; fully closed at t = 0.5.
void close_hand(std::span<const Vec3> rest, float t, std::span<Vec3> out);

}  // namespace lamella::scenes
