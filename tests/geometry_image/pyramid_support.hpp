#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lamella/sphere_pyramid.hpp"
#include "support/closed_meshes.hpp"

// Images that are hard to enclose, and whether spheres do.

namespace lamella::test {

struct NamedImage {
  std::string name;
  GeometryImage image;
};

inline GeometryImage filled(int n, auto position) {
  GeometryImage image{.n = n, .positions = {}, .normals = {}};
  for (std::uint32_t y = 0; y < image.side(); ++y)
    for (std::uint32_t x = 0; x < image.side(); ++x) image.positions.push_back(position(x, y));
  return image;
}

inline GeometryImage random_image(int n, std::uint32_t seed, float reach) {
  Random random(seed);
  return filled(n, [&](std::uint32_t, std::uint32_t) {
    return Vec3{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
  });
}

/// A ball with waves all over it.
inline GeometryImage wavy_ball(int n, Vec3 center = {}, float radius = 1) {
  GeometryImage image = image_of_sphere(n);
  for (Vec3& p : image.positions)
    p = center + p * (radius * (1 + 0.2f * std::sin(13 * p.x + 2 * p.z) + 0.1f * std::cos(31 * p.y)));
  return image;
}

inline std::vector<NamedImage> hard_images(int n, std::uint32_t seed) {
  Random random(seed);
  const auto any_exponent = [&] {
    return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(180)) - 122);  // up to 1e17
  };
  std::vector<NamedImage> images;
  images.push_back({"random", random_image(n, seed, 1)});
  images.push_back({"huge", random_image(n, seed + 1, 1e17f)});
  images.push_back({"tiny", random_image(n, seed + 2, 1e-30f)});
  images.push_back({"below normal numbers", random_image(n, seed + 3, 1e-42f)});
  images.push_back({"all of one point", filled(n, [](auto, auto) { return Vec3{0.1f, -7.3f, 1e5f}; })});
  images.push_back({"all zero, of either sign", filled(n, [](auto x, auto y) {
                      return Vec3{x % 2 ? 0.0f : -0.0f, y % 3 ? 0.0f : -0.0f, -0.0f};
                    })});
  images.push_back({"all magnitudes", filled(n, [&](auto, auto) {
                      return Vec3{any_exponent(), any_exponent(), any_exponent()};
                    })});
  images.push_back({"one spike", filled(n, [&](auto x, auto y) {
                      return x + y == 2 ? Vec3{1e17f, 0, 0} : Vec3{random.uniform(0, 1), 0, random.uniform(0, 1)};
                    })});
  images.push_back({"line", filled(n, [](auto x, auto y) {
                      return Vec3{1, 2, 3} * (0.1f * static_cast<float>(x + y));
                    })});
  images.push_back(
      {"sheet", filled(n, [](auto x, auto y) {
         return Vec3{static_cast<float>(x), static_cast<float>(y), std::sin(0.3f * static_cast<float>(x * y))};
       })});
  images.push_back({"sphere", image_of_sphere(n)});
  images.push_back({"sphere far away", image_of_sphere(n, {1e6f, -3e6f, 2e6f}, 0.7f)});
  images.push_back({"wavy ball", wavy_ball(n)});
  return images;
}

/// Calls visit(vertex) for all vertices under a sphere.
inline void for_each_vertex_under(const GeometryImage& image, int level, std::uint32_t x, std::uint32_t y, auto visit) {
  const std::uint32_t step = 1u << (image.n - level);
  for (std::uint32_t v = y * step; v <= (y + 1) * step; ++v)
    for (std::uint32_t u = x * step; u <= (x + 1) * step; ++u)
      visit(image.positions[std::size_t{v} * image.side() + u]);
}

/// Calls visit(level, x, y, sphere) for all spheres.
inline void for_each_sphere(const SpherePyramid& pyramid, auto visit) {
  for (int level = 0; level <= pyramid.n(); ++level)
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x) visit(level, x, y, pyramid.at(level, x, y));
}

/// How far a vertex is out of a sphere at most, squared; differences of floats are exact here or next to it, and all
/// other roundings are 2^-40 times what radii are enlarged by.
inline long double most_outside(const GeometryImage& image, int level, std::uint32_t x, std::uint32_t y, Sphere s) {
  long double most = -1;
  for_each_vertex_under(image, level, x, y, [&](Vec3 p) {
    const long double dx = static_cast<long double>(p.x) - s.x, dy = static_cast<long double>(p.y) - s.y,
                      dz = static_cast<long double>(p.z) - s.z, r = s.radius;
    most = std::max(most, dx * dx + dy * dy + dz * dz - r * r);
  });
  return most;
}

inline double mean_radius(const SpherePyramid& pyramid, int level) {
  double sum = 0;
  for (std::uint32_t y = 0; y < (1u << level); ++y)
    for (std::uint32_t x = 0; x < (1u << level); ++x) sum += pyramid.at(level, x, y).radius;
  return sum / static_cast<double>(std::size_t{1} << (2 * level));
}

}  // namespace lamella::test
