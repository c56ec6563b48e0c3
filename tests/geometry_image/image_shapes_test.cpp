#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "lamella/error.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {
namespace {

using ::testing::HasSubstr;

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(ImageFromPositions, TakesTheSmallestImage) {
  const GeometryImage image = image_from_positions(std::vector<Vec3>(9));
  EXPECT_EQ(image.n, 1);
  EXPECT_EQ(image.side(), 3u);
  EXPECT_EQ(image.triangle_count(), 8u);
}

TEST(ImageFromPositions, RefusesOtherSizesAndSaysWhichThereAre) {
  for (const std::size_t size : {0u, 4u, 8u, 16u, 36u, 1024u}) {
    const std::string message = message_of([&] { (void)image_from_positions(std::vector<Vec3>(size)); });
    EXPECT_THAT(message, HasSubstr(std::to_string(size) + " positions"));
    EXPECT_THAT(message, HasSubstr("9, 25, 81"));
  }
}

TEST(ImageFromPositions, NamesThePlaceOfTheFirstCoordinateThatIsNotFinite) {
  std::vector<Vec3> positions(25);
  positions[3 * 5 + 2].z = std::numeric_limits<float>::infinity();
  positions[4 * 5 + 1].x = NAN;
  const std::string message = message_of([&] { (void)image_from_positions(positions); });
  EXPECT_THAT(message, HasSubstr("(2, 3)"));
  EXPECT_THAT(message, HasSubstr("inf"));
}

TEST(ImageFromHeights, SpansTheRectangleExactlyAndFacesUp) {
  std::vector<float> heights(25);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = static_cast<float>(i);
  GeometryImage image = image_from_heights(heights, {-1, 0.1f, 99}, {3, 0.7f, 99});
  EXPECT_EQ(image.positions.front(), (Vec3{-1, 0.1f, 0}));
  EXPECT_EQ(image.positions.back(), (Vec3{3, 0.7f, 24}));
  EXPECT_EQ(image.positions[7], (Vec3{1, 0.1f + 0.15f, 7}));
  image = image_from_heights(std::vector<float>(25, 2.0f), {0, 0, 0}, {1, 1, 0});
  compute_normals(image);
  for (const Vec3 n : image.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
}

TEST(ImageFromHeights, RefusesBadSizesHeightsAndRectangles) {
  const std::vector<float> heights(9);
  EXPECT_THAT(message_of([&] {
                (void)image_from_heights(std::vector<float>(10), {}, {1, 1, 1});
              }),
              HasSubstr("10 heights"));
  EXPECT_THAT(message_of([&] { (void)image_from_heights(heights, {1, 0, 0}, {0, 1, 0}); }), HasSubstr("empty"));
  EXPECT_THAT(message_of([&] { (void)image_from_heights(heights, {0, NAN, 0}, {0, 1, 0}); }), HasSubstr("empty"));
  std::vector<float> broken = heights;
  broken[5] = NAN;
  EXPECT_THAT(message_of([&] { (void)image_from_heights(broken, {0, 0, 0}, {1, 1, 0}); }), HasSubstr("(2, 1)"));
}

TEST(CheckImage, NamesWhatIsWrong) {
  GeometryImage image = image_of_sphere(3);
  EXPECT_NO_THROW(check(image));
  image.normals.resize(80);
  EXPECT_THAT(message_of([&] { check(image); }), HasSubstr("80 normals for n = 3"));
  image.normals.assign(81, Vec3{});
  image.normals[10].y = NAN;
  EXPECT_THAT(message_of([&] { check(image); }), HasSubstr("normal of vertex (1, 1)"));
  image.normals.clear();
  image.positions.pop_back();
  EXPECT_THAT(message_of([&] { check(image); }), HasSubstr("80 positions"));
  image.n = 0;
  EXPECT_THAT(message_of([&] { check(image); }), HasSubstr("n is 0"));
  image.n = kMaxImageLevels + 1;
  EXPECT_THAT(message_of([&] { check(image); }), HasSubstr("n is 14"));
}

TEST(ImageOfSphere, MatesOnTheBorderAreEqualBitForBit) {
  for (const Vec3 center : {Vec3{}, Vec3{-0.3f, 1e3f, 7}}) {
    const GeometryImage image = image_of_sphere(5, center, 0.77f);
    const std::uint32_t last = image.side() - 1;
    const auto bits = [&](std::uint32_t x, std::uint32_t y) {
      return std::bit_cast<std::array<std::uint32_t, 3>>(image.positions[std::size_t{y} * image.side() + x]);
    };
    for (std::uint32_t i = 0; i <= last; ++i) {
      EXPECT_EQ(bits(i, 0), bits(last - i, 0));
      EXPECT_EQ(bits(i, last), bits(last - i, last));
      EXPECT_EQ(bits(0, i), bits(0, last - i));
      EXPECT_EQ(bits(last, i), bits(last, last - i));
    }
    EXPECT_EQ(bits(0, 0), bits(last, last));
    EXPECT_EQ(bits(0, 0), bits(0, last));
  }
}

TEST(ImageOfSphere, EveryVertexIsOnTheSphereToRounding) {
  const Vec3 center{2, -3, 0.5f};
  for (int n = 1; n <= 7; ++n)
    for (const Vec3 p : image_of_sphere(n, center, 0.9f).positions) {
      const Vec3d d = to_double(p) - to_double(center);
      EXPECT_NEAR(std::sqrt(dot(d, d)), 0.9f, 2.2e-7);  // coordinates up to 3.9 are rounded to 2^-23
    }
}

TEST(ImageOfSphere, TrianglesAreOfComparableSizeAndShapeWhateverN) {
  for (const int n : {3, 5, 8}) {
    const GeometryImage image = image_of_sphere(n);
    double least = 1e9, most = 0, worst_shape = 1;
    for (std::uint32_t i = 0; i < image.triangle_count(); ++i) {
      const Triangle t = image_triangle(n, i);
      const Vec3d a = to_double(image.positions[t.a]), b = to_double(image.positions[t.b]),
                  c = to_double(image.positions[t.c]);
      const Vec3d normal = cross(b - a, c - a);
      EXPECT_GT(dot(normal, a), 0) << "turned over";
      const double area = std::sqrt(dot(normal, normal)) / 2;
      const double edge2 = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
      least = std::min(least, area);
      most = std::max(most, area);
      worst_shape = std::min(worst_shape, area / edge2);
    }
    const double mean = 4 * std::numbers::pi / static_cast<double>(image.triangle_count());
    EXPECT_LT(most, 1.7 * mean) << n;
    EXPECT_GT(least, 0.12 * mean) << n;
    EXPECT_GT(worst_shape, 0.045) << n;  // 0.43 when equilateral
  }
}

TEST(ImageOfSphere, RefusesWhatIsNoSphere) {
  EXPECT_THAT(message_of([] { (void)image_of_sphere(0); }), HasSubstr("n is 0"));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {}, -1); }), HasSubstr("radius -1"));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {NAN, 0, 0}); }), HasSubstr("centre (nan"));
}

}  // namespace
}  // namespace lamella
