// L2 stretch of Sander, Snyder, Gortler, Hoppe: "Texture Mapping Progressive Meshes", 2001. A triangle whose map has no
// area or is turned over has infinite stretch.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/map_orient.hpp"

namespace lamella::gi {

namespace {

/// An exact sum of doubles as a list of non-overlapping parts, smallest first.
struct Expansion {
  std::array<double, 12> parts{};
  int count = 0;

  void add(double value) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const double sum = value + parts[i], virtual_part = sum - value;
      const double rest = (value - (sum - virtual_part)) + (parts[i] - virtual_part);
      if (rest != 0) parts[kept++] = rest;
      value = sum;
    }
    if (value != 0) parts[kept++] = value;
    count = kept;
  }

  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }
};

}  // namespace

double orient_exactly(Vec2d a, Vec2d b, Vec2d c) {
  Expansion sum;
  sum.add_product(a.x, b.y);
  sum.add_product(-a.y, b.x);
  sum.add_product(b.x, c.y);
  sum.add_product(-b.y, c.x);
  sum.add_product(c.x, a.y);
  sum.add_product(-c.y, a.x);
  double value = 0;
  for (int i = 0; i < sum.count; ++i) value += sum.parts[i];
  return value;
}

std::vector<std::uint32_t> flipped_triangles(const Disc& disc) {
  std::vector<std::uint32_t> flipped;
  for (std::size_t i = 0; i < disc.triangles.size(); ++i) {
    const Triangle& t = disc.triangles[i];
    // Written so that a NaN counts as flipped.
    if (!(orient(disc.map[t.a], disc.map[t.b], disc.map[t.c]) > 0)) flipped.push_back(static_cast<std::uint32_t>(i));
  }
  return flipped;
}

Stretch stretch_of(const Disc& disc) {
  Stretch stretch;
  stretch.triangles.reserve(disc.triangles.size());
  double surface_area = 0, map_area = 0, sum = 0;
  for (const Triangle& t : disc.triangles) {
    const Vec2d &a = disc.map[t.a], &b = disc.map[t.b], &c = disc.map[t.c];
    const Vec3d ab = disc.positions[t.b] - disc.positions[t.a], ac = disc.positions[t.c] - disc.positions[t.a];
    const Vec3d normal = cross(ab, ac);
    const double area = std::sqrt(dot(normal, normal)) / 2;
    const double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    double squared = std::numeric_limits<double>::infinity();
    if (twice > 0) {
      const Vec3d by_x = ab * ((c.y - a.y) / twice) - ac * ((b.y - a.y) / twice);
      const Vec3d by_y = ac * ((b.x - a.x) / twice) - ab * ((c.x - a.x) / twice);
      squared = (dot(by_x, by_x) + dot(by_y, by_y)) / 2;
      map_area += twice / 2;
    }
    surface_area += area;
    // A triangle without area on the surface needs no samples, however it is mapped.
    if (area > 0) sum += area * squared;
    stretch.triangles.push_back(std::sqrt(squared));
  }
  if (!(surface_area > 0)) return stretch;
  const double scale = std::sqrt(map_area / surface_area);
  // Infinity times a scale of 0 would not be infinite.
  for (double& each : stretch.triangles)
    if (std::isfinite(each)) each *= scale;
  stretch.total = std::isfinite(sum) ? std::sqrt(sum / surface_area) * scale : sum;
  return stretch;
}

}  // namespace lamella::gi
