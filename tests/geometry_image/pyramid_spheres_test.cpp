#include <gtest/gtest.h>

#include <algorithm>

#include "geometry_image/pyramid_support.hpp"

namespace lamella {
namespace {

using namespace test;

constexpr SphereFit kFits[] = {SphereFit::fast, SphereFit::tight};

void expect_enclosed(const GeometryImage& image, SphereFit fit, const std::string& name) {
  SpherePyramid pyramid;
  pyramid.build(image.n, image.positions, 1, fit);
  std::size_t failures = 0;
  for_each_sphere(pyramid, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
    ASSERT_TRUE(std::isfinite(s.x) && std::isfinite(s.y) && std::isfinite(s.z) && std::isfinite(s.radius)) << name;
    if (most_outside(image, level, x, y, s) > 0 && ++failures == 1)
      ADD_FAILURE() << name << ", n = " << image.n << ", " << (fit == SphereFit::fast ? "fast" : "tight") << ", level "
                    << level << " (" << x << ", " << y << ") leaves a vertex outside";
  });
}

TEST(PyramidSpheres, OneQuadsSphereIsAboutTheMiddleOfItsBox) {
  const GeometryImage image = filled(1, [](auto x, auto y) {
    return Vec3{static_cast<float>(2 * x), static_cast<float>(4 * y), 0};
  });
  SpherePyramid pyramid;
  pyramid.build(1, image.positions);
  const Sphere s = pyramid.at(1, 1, 0);
  EXPECT_EQ(s.x, 3.0f);
  EXPECT_EQ(s.y, 2.0f);
  EXPECT_EQ(s.z, 0.0f);
  EXPECT_NEAR(s.radius, std::sqrt(5.0f), 1e-6f);
  EXPECT_GE(s.radius, std::sqrt(5.0f));
  EXPECT_NEAR(pyramid.root().radius, std::sqrt(4.0f + 16.0f), 1e-5f);
}

TEST(PyramidSpheres, EveryOneEnclosesAllVerticesUnderIt) {
  for (int n = 1; n <= 7; ++n)
    for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(n)))
      for (const SphereFit fit : kFits) expect_enclosed(hard.image, fit, hard.name);
}

TEST(PyramidSpheres, EnclosureHoldsForLargeImagesAsWell) {
  expect_enclosed(wavy_ball(10), SphereFit::fast, "wavy ball, written past the caches");
  expect_enclosed(random_image(8, 5, 1), SphereFit::tight, "random");
}

TEST(PyramidSpheres, TightOnesAreNeverLargerThanFastOnes) {
  for (const int n : {2, 5, 7})
    for (const NamedImage& hard : hard_images(n, 77)) {
      SpherePyramid fast, tight;
      fast.build(n, hard.image.positions);
      tight.build(n, hard.image.positions, 1, SphereFit::tight);
      for_each_sphere(tight, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
        EXPECT_LE(s.radius, fast.at(level, x, y).radius) << hard.name << ", level " << level;
      });
    }
}

/// As published: half the diagonal of a quad's box; above, about the box of the four spheres.
std::vector<double> published_mean_radii(const GeometryImage& image) {
  std::vector<double> means;
  std::vector<Sphere> below;
  for (int level = image.n; level >= 0; --level) {
    const std::uint32_t count = 1u << level;
    std::vector<Sphere> spheres;
    double sum = 0;
    for (std::uint32_t y = 0; y < count; ++y)
      for (std::uint32_t x = 0; x < count; ++x) {
        Aabb box;
        std::vector<Sphere> children;
        if (level == image.n) {
          for_each_vertex_under(image, level, x, y, [&](Vec3 p) { box = extend(box, p); });
        } else {
          for (std::uint32_t i = 0; i < 4; ++i) children.push_back(below[(2 * y + i / 2) * 2 * count + 2 * x + i % 2]);
          for (const Sphere& s : children) {
            box = extend(box, Vec3{s.x - s.radius, s.y - s.radius, s.z - s.radius});
            box = extend(box, Vec3{s.x + s.radius, s.y + s.radius, s.z + s.radius});
          }
        }
        const Vec3 c = center(box);
        float radius = children.empty() ? length(extent(box)) / 2 : 0;
        for (const Sphere& s : children) radius = std::max(radius, length(Vec3{s.x, s.y, s.z} - c) + s.radius);
        spheres.push_back({c.x, c.y, c.z, radius});
        sum += radius;
      }
    below = spheres;
    means.insert(means.begin(), sum / (static_cast<double>(count) * count));
  }
  return means;
}

TEST(PyramidSpheres, BothFitsAreSmallerThanThePublishedOnesOnEveryLevel) {
  const GeometryImage image = wavy_ball(7);
  const std::vector<double> published = published_mean_radii(image);
  SpherePyramid fast, tight;
  fast.build(7, image.positions);
  tight.build(7, image.positions, 1, SphereFit::tight);
  for (int level = 0; level <= 7; ++level) {
    EXPECT_LT(mean_radius(fast, level), published[static_cast<std::size_t>(level)]) << level;
    EXPECT_LT(mean_radius(tight, level), 0.97 * published[static_cast<std::size_t>(level)]) << level;
  }
}

TEST(PyramidSpheres, TightOnesAreNearlyTheSmallestThereAre) {
  // Three points of an equilateral triangle and their middle: the box's middle is off, the smallest ball is known.
  const float h = std::sqrt(0.75f);
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0.5f, h, 0}, {0.5f, h / 3, 0}};
  for (const int n : {1, 4}) {
    const GeometryImage image = filled(n, [&](auto x, auto y) { return corners[(x & 1u) + 2 * (y & 1u)]; });
    const SpherePyramid pyramid(image);
    for_each_sphere(pyramid, [&](int, std::uint32_t, std::uint32_t, Sphere s) {
      EXPECT_NEAR(s.radius, 1 / std::sqrt(3.0f), 0.01f);
    });
  }
  const SpherePyramid sphere(image_of_sphere(8));
  EXPECT_NEAR(sphere.root().radius, 1, 0.01f);
}

}  // namespace
}  // namespace lamella
