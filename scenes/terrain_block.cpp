#include <cmath>

#include "scenes/grids.hpp"
#include "scenes/terrain.hpp"

namespace lamella::scenes {

Mesh terrain_block(std::size_t faces, std::uint32_t seed) {
  constexpr int kLevels = 8;
  constexpr double kHalf = 1.5, kHeight = 0.5, kBottom = -0.7;
  const std::vector<float> heights = fractal_heights(kLevels, seed);
  constexpr std::size_t kCells = std::size_t{1} << kLevels;
  const auto height_at = [&](double x, double y) {  // from -1 to 1; bilinear between the points
    const double u = (x + 1) / 2 * kCells, v = (y + 1) / 2 * kCells;
    const std::size_t i = std::min(static_cast<std::size_t>(u), kCells - 1),
                      j = std::min(static_cast<std::size_t>(v), kCells - 1);
    const auto along = [&](std::size_t row) {
      const float* at = heights.data() + row * (kCells + 1) + i;
      return std::lerp(double(at[0]), double(at[1]), u - double(i));
    };
    return kHeight * std::lerp(along(j), along(j + 1), v - double(j));
  };
  QuadGrid grid = cube_grid(faces, {kHalf, kHalf, -kBottom / 2});
  for (Vec3d& p : grid.points) {
    p = {p.x * kHalf, p.y * kHalf, std::lerp(kBottom, height_at(p.x, p.y), (p.z + 1) / 2)};
  }
  return triangulate(grid);
}

}  // namespace lamella::scenes
