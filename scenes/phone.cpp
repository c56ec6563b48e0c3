#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/grids.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

constexpr Vec3d kHalf{0.5, 0.07, 0.05};
constexpr double kRounding = 0.045;

/// A point of the cube's surface on a box with rounded edges.
Vec3d round_box(Vec3d p) {
  const Vec3d outer{p.x * kHalf.x, p.y * kHalf.y, p.z * kHalf.z};
  Vec3d core;
  for (int i = 0; i < 3; ++i) core[i] = std::clamp(outer[i], kRounding - kHalf[i], kHalf[i] - kRounding);
  return core + normalize(outer - core) * kRounding;
}

/// How far a place along the handset belongs to the ear or mouth piece.
double piece(double x) { return smoothstep(0.26, 0.38, std::abs(x)); }

/// Widens the ends, pulls ear and mouth piece out towards +z, and bends the whole towards +z.
Vec3d handset(Vec3d p) {
  const double end = piece(p.x);
  const double top = smoothstep(-0.02, 0.05, p.z);
  const double hump = 0.08 * end * top;
  const double dish =
      0.035 * elementary::exp(-(elementary::pow((std::abs(p.x) - 0.41) / 0.045, 2) + elementary::pow(p.y / 0.05, 2)));
  const double height = p.z + hump - dish * top;
  return {p.x, p.y * (1 + 0.75 * end), height + 0.55 * p.x * p.x - 0.07};
}

}  // namespace

Mesh phone(std::size_t faces) {
  QuadGrid grid = cube_grid(faces, {1.2, 0.2, 0.16});
  for (Vec3d& p : grid.points) p = handset(round_box(p));
  return triangulate(grid);
}

}  // namespace lamella::scenes
