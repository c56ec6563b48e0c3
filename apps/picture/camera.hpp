#pragma once

#include "lamella/math.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

/// Where a point lands: x to the right and y downwards in samples; depth is -1/w, w being the distance from the eye
/// along the view. It ascends away from the eye, and it is linear across a triangle on the screen, which w is not.
struct ScreenPoint {
  double x = 0, y = 0, depth = 0;
};

/// From the eye to the middle of the scene, in radii of the scene.
inline constexpr double kEyeDistance = 5;

/// A mild perspective. The scene is first scaled to radius 1 about the origin, in double, so that neither huge nor
/// tiny coordinates lose anything.
struct Camera {
  Vec3d right, up, back;            ///< unit axes of the view; `back` points to the eye
  Vec3d center;                     ///< of the scene's box
  double scale = 1;                 ///< from the caller's units to a scene of radius 1
  double zoom = 1;                  ///< samples per unit of the image plane at distance 1
  double shift_x = 0, shift_y = 0;  ///< samples
  int samples = 3;                  ///< along each side of a pixel
};

/// Fits everything that can be drawn, or the picture's own box, into the image, below the first `reserved` rows of
/// pixels. The indices of every mesh must be in range.
[[nodiscard]] Camera fit_camera(const Picture& picture, unsigned reserved);

[[nodiscard]] ScreenPoint project(const Camera& camera, Vec3d world);

/// False for a point that is not finite, too close to the eye, or far beyond the picture. All that the camera was
/// fitted to is in sight.
[[nodiscard]] bool in_sight(const Camera& camera, Vec3 world);

/// How long a unit of the scene is in samples, in the middle of the picture.
[[nodiscard]] double samples_per_unit(const Camera& camera);

/// A world direction in the view's axes.
[[nodiscard]] Vec3d to_view(const Camera& camera, Vec3d direction);

/// Unit vector from what is seen at a sample position to the eye, in the view's axes.
[[nodiscard]] Vec3 towards_eye(const Camera& camera, double x, double y);

/// The corner at the high end along x, y, z where bit 0, 1, 2 of `i` is set.
[[nodiscard]] inline Vec3 corner(const Aabb& box, unsigned i) {
  return {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z};
}

[[nodiscard]] inline bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

[[nodiscard]] inline bool drawable(MeshView mesh, Triangle t) {
  return finite(mesh.positions[t.a]) && finite(mesh.positions[t.b]) && finite(mesh.positions[t.c]);
}

}  // namespace lamella::picture
