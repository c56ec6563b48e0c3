#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

struct Point2 {
  double x = 0, y = 0;
};

using Polygon = std::vector<Point2>;

/// Cuts a polygon with holes into triangles between its own corners, as drawing programs do: with long, thin ones.
/// `outline` is counter-clockwise, `holes` are clockwise and lie apart in it. Corners are numbered in that order.
[[nodiscard]] std::vector<Triangle> triangulate(const Polygon& outline, std::span<const Polygon> holes);

}  // namespace lamella::scenes
