#include "scenes/lathe.hpp"

#include "scenes/outlines.hpp"

namespace lamella::scenes {

Mesh lathe(const Polygon& outline, int corners) {
  Mesh mesh;
  const Polygon around = circle(1, {}, corners);
  for (const Point2 direction : around)
    for (const Point2 p : outline)
      mesh.positions.push_back(
          {static_cast<float>(p.x * direction.x), static_cast<float>(p.x * direction.y), static_cast<float>(p.y)});
  const auto rows = static_cast<std::uint32_t>(around.size()), size = static_cast<std::uint32_t>(outline.size());
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < size; ++j) {
      const std::uint32_t here = i * size, next = (i + 1) % rows * size, k = (j + 1) % size;
      mesh.triangles.push_back({here + j, next + j, next + k});
      mesh.triangles.push_back({here + j, next + k, here + k});
    }
  return mesh;
}

}  // namespace lamella::scenes
