#pragma once

#include <vector>

#include "lamella/image_collide.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// One of two that collide, for the picture: images, or a mesh when there are none.
struct ImageSubject {
  std::vector<GeometryImage> images;
  Mesh mesh;
  Transform pose;
};

/// Both as glass; triangles that meet red, and a red ball at the place of the first. Undecided, or by spheres alone: a
/// ball of the size within which the surfaces come close. `out` has the picture's size, view and captions.
[[nodiscard]] picture::Image draw_collision(const ImageSubject& a, const ImageSubject& b, const ImageCollision& found,
                                            picture::Picture out);

}  // namespace lamella::cli
