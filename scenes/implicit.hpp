#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "lamella/mesh.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

/// A cone with round ends between two balls, melted into what came before it in the list.
struct Part {
  Vec3d a, b;
  double radius_a = 0, radius_b = 0;
  double blend = 0.02;    ///< width over which it melts; not 0
  Vec3d squash{1, 1, 1};  ///< its size along each axis, about `a`, as a factor
  bool carve = false;     ///< taken away instead of added
};

/// A solid as the places of negative distance().
struct Shape {
  std::vector<Part> parts;
  double finest = 0.01;    ///< cell of the sampling grid that shows every detail
  double coarsest = 0.02;  ///< cell beyond which thin parts would come off
};

/// About the distance to the surface, near it; negative inside; smooth.
[[nodiscard]] double distance(const Shape& shape, Vec3d p);
[[nodiscard]] Vec3d gradient(const Shape& shape, Vec3d p);

/// The few parts of a shape, which must outlive it, that have a say within `reach` of a point. Most of the work is many
/// values about one place.
struct Neighbourhood {
  static constexpr std::size_t kMost = 64;  // parts of a shape
  std::array<const Part*, kMost> parts;
  std::size_t count = 0;

  Neighbourhood(const Shape& shape, Vec3d p, double reach);
  [[nodiscard]] double distance_at(Vec3d p) const;
  [[nodiscard]] Vec3d gradient_at(Vec3d p) const;
};

/// Moves `p`, which is near the surface, onto it, by at most `reach`.
[[nodiscard]] Vec3d project(const Shape& shape, Vec3d p, double reach);

/// The closed surface on a grid of cells of size `cell`: watertight, but with slivers.
[[nodiscard]] Mesh polygonise(const Shape& shape, double cell);

/// The closed surface in exactly `faces` nearly equal triangles, or the nearest even count the surface allows (above
/// 16,000: within a part in 1,000).
[[nodiscard]] Mesh mesh_of(const Shape& shape, std::size_t faces);

}  // namespace lamella::scenes
