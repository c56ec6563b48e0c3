// The spheres of GI-COLLIDE to the letter: SphereFit::published and SphereFit::published_enclosing.

#include <gtest/gtest.h>

#include <cstring>

#include "geometry_image/pyramid_support.hpp"

namespace lamella {
namespace {

using namespace test;

SpherePyramid built(const GeometryImage& image, SphereFit fit, unsigned threads = 1) {
  SpherePyramid pyramid;
  pyramid.build(image.n, image.positions, threads, fit);
  return pyramid;
}

/// Four quads with these heights at the corners of the first, all others at 0.
GeometryImage sheet_with(float h00, float h10, float h11, float h01) {
  GeometryImage image = filled(1, [](auto x, auto y) { return Vec3{static_cast<float>(x), static_cast<float>(y), 0}; });
  image.positions[0].z = h00;
  image.positions[1].z = h10;
  image.positions[4].z = h11;
  image.positions[3].z = h01;
  return image;
}

TEST(PyramidPublished, AQuadsRadiusIsHalfOfItsLongerDiagonal) {
  const SpherePyramid pyramid = built(sheet_with(0, 1, 0, 0), SphereFit::published);
  const Sphere s = pyramid.at(1, 0, 0);
  EXPECT_EQ(s.x, 0.5f);
  EXPECT_EQ(s.y, 0.5f);
  EXPECT_EQ(s.z, 0.5f) << "the middle of the box";
  EXPECT_NEAR(s.radius, std::sqrt(3.0f) / 2, 1e-6f) << "from (1, 0, 1) to (0, 1, 0)";
  EXPECT_GE(s.radius, std::sqrt(3.0f) / 2);
}

TEST(PyramidPublished, ASaddleIsNotEnclosedAndCounted) {
  const GeometryImage saddle = sheet_with(0, 1, 0, 1);
  const SpherePyramid as_written = built(saddle, SphereFit::published);
  const Sphere s = as_written.at(1, 0, 0);
  EXPECT_NEAR(s.radius, std::sqrt(2.0f) / 2, 1e-6f) << "both diagonals are level";
  EXPECT_GT(most_outside(saddle, 1, 0, 0, s), 0.2) << "its vertices are 0.87 away";
  EXPECT_GE(as_written.open_quad_count(), 1u);

  const SpherePyramid enlarged = built(saddle, SphereFit::published_enclosing);
  EXPECT_EQ(enlarged.open_quad_count(), 0u);
  EXPECT_NEAR(enlarged.at(1, 0, 0).radius, std::sqrt(3.0f) / 2, 1e-6f);
  EXPECT_EQ(enlarged.at(1, 1, 1).radius, as_written.at(1, 1, 1).radius) << "a flat quad is enclosed as written";
}

TEST(PyramidPublished, CountsTheQuadsThatLeaveAVertexOutside) {
  for (const int n : {1, 4, 6})
    for (const NamedImage& hard : hard_images(n, 3)) {
      const SpherePyramid pyramid = built(hard.image, SphereFit::published);
      std::uint64_t open = 0;
      for (std::uint32_t y = 0; y < (1u << n); ++y)
        for (std::uint32_t x = 0; x < (1u << n); ++x)
          open += most_outside(hard.image, n, x, y, pyramid.at(n, x, y)) > 0 ? 1 : 0;
      // Where double's roundings leave it open, a quad counts as open.
      EXPECT_GE(pyramid.open_quad_count(), open) << hard.name << ", n = " << n;
      EXPECT_LE(pyramid.open_quad_count(), open + open / 500) << hard.name << ", n = " << n;
    }
  EXPECT_EQ(built(filled(5,
                         [](auto x, auto y) {
                           return Vec3{0.1f * static_cast<float>(x), 0.3f * static_cast<float>(y), 1e3f};
                         }),
                  SphereFit::published)
                .open_quad_count(),
            0u)
      << "rectangles, whatever their coordinates are rounded to";
}

TEST(PyramidPublished, EnlargedOnesEncloseAllVerticesUnderThem) {
  for (int n = 1; n <= 6; ++n)
    for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(40 + n))) {
      const SpherePyramid pyramid = built(hard.image, SphereFit::published_enclosing);
      std::size_t failures = 0;
      for_each_sphere(pyramid, [&](int level, std::uint32_t x, std::uint32_t y, Sphere s) {
        if (most_outside(hard.image, level, x, y, s) > 0) ++failures;
      });
      EXPECT_EQ(failures, 0u) << hard.name << ", n = " << n;
    }
}

TEST(PyramidPublished, EverySphereAboveEnclosesFourSpheres) {
  const SpherePyramid pyramid = built(wavy_ball(5), SphereFit::published);
  for (int level = 0; level < 5; ++level)
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x) {
        const Sphere s = pyramid.at(level, x, y);
        for (unsigned i = 0; i < 4; ++i) {
          const Sphere child = pyramid.at(level + 1, 2 * x + (i & 1u), 2 * y + (i >> 1));
          const double dx = double{s.x} - child.x, dy = double{s.y} - child.y, dz = double{s.z} - child.z;
          EXPECT_LE(std::sqrt(dx * dx + dy * dy + dz * dz) + child.radius, s.radius);
        }
      }
}

TEST(PyramidPublished, HasTheSameBitsForAnyNumberOfThreads) {
  const GeometryImage image = wavy_ball(7);
  const SpherePyramid one = built(image, SphereFit::published, 1), all = built(image, SphereFit::published, 0);
  EXPECT_EQ(one.open_quad_count(), all.open_quad_count());
  EXPECT_GT(one.open_quad_count(), 0u);
  EXPECT_EQ(std::memcmp(one.pixels().data(), all.pixels().data(), one.pixels().size_bytes()), 0);
}

TEST(PyramidPublished, RefittingForgetsTheCount) {
  const GeometryImage image = sheet_with(0, 1, 0, 1);
  SpherePyramid pyramid = built(image, SphereFit::published);
  pyramid.build(image.n, image.positions);
  EXPECT_EQ(pyramid.open_quad_count(), 0u);
}

}  // namespace
}  // namespace lamella
