#pragma once

#include "lamella/export.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// Whether two triangles share a point, touching and degenerate ones too; exact for all finite coordinates.
[[nodiscard]] LAMELLA_API bool triangles_meet(const Vec3 a[3], const Vec3 b[3]);

}  // namespace lamella
