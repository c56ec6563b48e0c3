#pragma once

#include <array>
#include <vector>

#include "picture/camera.hpp"

namespace lamella::picture {

/// A layer made ready for drawing. Directions are in the view's axes.
struct Surface {
  MeshView mesh;
  Vec3 color;  ///< linear
  float opacity = 1;
  std::vector<ScreenPoint> points;           ///< for each vertex; x is NaN where the vertex is not in sight
  std::vector<Vec3> face_normals;            ///< unit; zero for a triangle that is not drawn
  std::vector<std::array<Vec3, 3>> normals;  ///< unit, for each corner of each triangle
  std::vector<Vec3> colors{};                ///< linear, for each vertex; empty: all have `color`
};

/// Smooths normals across edges flatter than the crease angle only, so that boxes keep their edges.
[[nodiscard]] Surface prepare_surface(const Layer& layer, const Camera& camera);

/// Throws Error when an index of the mesh is out of range, or when there are colours, but not one for each vertex.
void check_layer(const Layer& layer);

}  // namespace lamella::picture
