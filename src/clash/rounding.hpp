#pragma once

// Parts are rounded to floats where they are sampled, which may move a whole flat wall one way: what that changes is a
// part of a pair's error bar.

#include "core/origin.hpp"
#include "lamella/mesh.hpp"

namespace lamella::clash {

/// In a film's frame, z is across it.
enum class Frame { world, film };

/// How far vertices were moved when they were rounded where they are sampled: the most, of the triangles near a box. In
/// a film's frame: of its walls, and along z.
[[nodiscard]] double rounding_of(const MeshView& exact, const Transform& pose, const MeshView& as_sampled,
                                 const Aabb& near, Frame frame = Frame::world);

/// The largest size of a coordinate, as far as floats are concerned.
[[nodiscard]] double largest_coordinate(const WideBox& box, Vec3d origin);

}  // namespace lamella::clash
