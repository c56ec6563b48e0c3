#pragma once

#include <array>
#include <cstdint>

#include "lamella/math.hpp"

namespace lamella::io {

/// The three columns of a linear map and a translation: the part of a glTF matrix that places points.
struct Placement {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;
};

/// Without the translation.
[[nodiscard]] inline Vec3d turn(const Placement& m, Vec3d v) { return m.x * v.x + m.y * v.y + m.z * v.z; }

[[nodiscard]] inline Placement compose(const Placement& outer, const Placement& inner) {
  return {turn(outer, inner.x), turn(outer, inner.y), turn(outer, inner.z), turn(outer, inner.origin) + outer.origin};
}

[[nodiscard]] inline bool mirrors(const Placement& m) { return dot(m.x, cross(m.y, m.z)) < 0; }

/// A placement as a rotation after a change of shape.
struct Placed {
  Placement shape;      ///< has no translation; where the rest is rigid it only scales evenly, and mirrors along x
  Quaternion rotation;  ///< the identity where nothing could be split off
};

/// What is rigid of a placement, and what is not. Scales are rounded to floats, so that nodes whose matrices differ in
/// the last digits have the same shape.
[[nodiscard]] Placed taken_apart(const Placement& placement);

/// The pose of the shape that puts it where `placement` puts the mesh: exactly so at `middle`, a place in the shape.
[[nodiscard]] Transform pose_at(const Placement& placement, const Placed& placed, Vec3d middle);

/// The bits of the linear map: equal for equal shapes, and ordered even when they are not numbers.
[[nodiscard]] std::array<std::uint64_t, 9> bits_of(const Placement& shape);

}  // namespace lamella::io
