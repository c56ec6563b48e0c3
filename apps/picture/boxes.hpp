#pragma once

#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

// Boxes as meshes, to be drawn as layers: what lies in front of an edge hides it, what is translucent shows it.

/// The twelve edges as bars, `width` wide and high, with their middles on the box's edges. Empty for an empty box.
[[nodiscard]] Mesh wire_box(const Aabb& box, float width);

/// One face of the box, two triangles: that at the low end of the axis, or at its high end.
[[nodiscard]] Mesh box_face(const Aabb& box, Axis axis, bool high);

/// How long a line in the middle of the picture is that covers this many pixels, when `content` is what the picture
/// is fitted to.
[[nodiscard]] float pixels_long(const Picture& picture, const Aabb& content, float pixels);

}  // namespace lamella::picture
