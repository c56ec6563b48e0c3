#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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

TEST(ImageFromHeights, PutsEveryVertexAtItsPartOfTheRectangle) {
  std::vector<float> heights(81);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = static_cast<float>(i * i);
  const GeometryImage image = image_from_heights(heights, {-3, 10, 0}, {5, 26, 0});
  EXPECT_EQ(image.n, 3);
  for (std::size_t i = 0; i < 81; ++i)
    EXPECT_EQ(image.positions[i],
              (Vec3{static_cast<float>(i % 9) - 3, 10 + 2 * static_cast<float>(i / 9), static_cast<float>(i * i)}));
}

TEST(ImageFromHeights, RefusesARectangleWithoutWidthOrDepth) {
  const std::vector<float> heights(9);
  const auto message = [&](Vec3 low, Vec3 high) {
    return message_of([&] { (void)image_from_heights(heights, low, high); });
  };
  EXPECT_EQ(message({1, 2, 7}, {1, 4, 8}),
            "height field: the rectangle from (1, 2) to (1, 4) is empty; low must be below high");
  EXPECT_EQ(message({1, 4, 7}, {3, 4, 8}),
            "height field: the rectangle from (1, 4) to (3, 4) is empty; low must be below high");
  EXPECT_EQ(message({1, 4, 7}, {3, 5, 6}), "no error") << "z is not used";
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

TEST(CheckImage, AcceptsCoordinatesUpToTheLimitOnEveryAxis) {
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {1.0f, -1.0f}) {
      GeometryImage image = image_of_sphere(2);
      image.normals = image.positions;
      image.positions[7][axis] = image.normals[7][axis] = sign * 1e18f;
      EXPECT_NO_THROW(check(image));
      const float beyond = std::nextafter(sign * 1e18f, sign * 2e18f);
      GeometryImage far = image;
      far.positions[7][axis] = beyond;
      EXPECT_THAT(message_of([&] { check(far); }), HasSubstr("the position of vertex (2, 1)"));
      far = image;
      far.normals[7][axis] = beyond;
      EXPECT_THAT(message_of([&] { check(far); }), HasSubstr("the normal of vertex (2, 1)"));
    }
  GeometryImage image = image_of_sphere(2);
  image.positions[13] = {1, NAN, 3};
  EXPECT_EQ(message_of([&] { check(image); }),
            "geometry image: the position of vertex (3, 2) is (1, nan, 3); every coordinate must be a finite number, "
            "and no larger than 1e+18");
  EXPECT_EQ(message_of([&] { (void)image_from_positions(std::vector<Vec3>(10)); }),
            "a geometry image cannot have 10 positions: it needs (2^n + 1)^2, with n from 1 to 13: 9, 25, 81, 289, and "
            "so on; resample to one of these sizes");
}

/// The direction of a vertex by the map's own formula, in the eighth where 0 <= y <= x, from the square's middle.
std::array<double, 3> direction(double x, double y) {
  const bool above = x + y <= 1;
  const double to_side = std::abs(1 - x - y), to_other = 1 - x + y;
  if (to_side == 1) return {0, 0, above ? 1.0 : -1.0};
  const double p = std::numbers::pi / 2 * to_side, q = std::numbers::pi / 2 * to_other;
  const double corner = 1 - std::pow(std::cos(p) * std::cos(q), 2);
  const double scale = corner > 0 ? std::pow(corner, -0.25) : 0;
  // Along the equator's two nearest sides, and up.
  const double along = std::cos(p * scale), across = std::cos(q * scale);
  const double up = std::sin(p * scale) * std::sin(q * scale) * (above ? 1 : -1), root = std::sqrt(0.5);
  const double size = std::sqrt(along * along + across * across + up * up);
  return {(along + across) * root / size, (along - across) * root / size, up / size};
}

TEST(ImageOfSphere, EveryVertexIsWhereTheMapPutsIt) {
  for (const int n : {1, 2, 3, 5}) {
    const GeometryImage image = image_of_sphere(n, {10, 20, 30}, 3);
    const int half = 1 << (n - 1);
    for (int y = -half; y <= half; ++y)
      for (int x = -half; x <= half; ++x) {
        const bool fold = n > 1 && ((x == 0 && std::abs(y) == half) || (y == 0 && std::abs(x) == half));
        if (fold) continue;
        const double u = std::abs(x) / double(half), v = std::abs(y) / double(half);
        std::array<double, 3> d = direction(std::max(u, v), std::min(u, v));
        if (v > u) std::swap(d[0], d[1]);
        const Vec3 p = image.positions[static_cast<std::size_t>((y + half) * (2 * half + 1) + x + half)];
        ASSERT_NEAR(p.x, 10 + 3 * d[0] * (x < 0 ? -1 : 1), 4e-6) << n << ": " << x << ", " << y;
        ASSERT_NEAR(p.y, 20 + 3 * d[1] * (y < 0 ? -1 : 1), 4e-6) << n << ": " << x << ", " << y;
        ASSERT_NEAR(p.z, 30 + 3 * d[2], 4e-6) << n << ": " << x << ", " << y;
      }
  }
}

TEST(ImageOfSphere, TheMiddleOfASideIsAmongItsThreeNeighbours) {
  for (const int n : {2, 4}) {
    const Vec3 center{1, -2, 3};
    const GeometryImage image = image_of_sphere(n, center, 2);
    const std::uint32_t last = image.quads_per_side(), half = last / 2;
    const auto at = [&](std::uint32_t x, std::uint32_t y) {
      return to_double(image.positions[std::size_t{y} * image.side() + x]) - to_double(center);
    };
    const auto expect_middle = [](Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
      const Vec3d sum = a + b + c, middle = sum * (2 / length(sum));
      EXPECT_LT(length(p - middle), 1e-6);
    };
    expect_middle(at(half, 0), at(half + 1, 0), at(half, 1), at(half + 1, 1));
    expect_middle(at(0, half), at(0, half + 1), at(1, half), at(1, half + 1));
    expect_middle(at(half, last), at(half - 1, last), at(half, last - 1), at(half - 1, last - 1));
    expect_middle(at(last, half), at(last, half - 1), at(last - 1, half), at(last - 1, half - 1));
  }
}

TEST(ImageOfSphere, FarFromTheOriginMayShrinkToOnePoint) {
  const GeometryImage image = image_of_sphere(3, {1e15f, 1e15f, 1e15f}, 1);
  for (const Vec3 p : image.positions) EXPECT_EQ(p, (Vec3{1e15f, 1e15f, 1e15f}));
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
  EXPECT_THAT(message_of([] { (void)image_of_sphere(14); }), HasSubstr("n is 14; it must be from 1 to 13"));
  EXPECT_EQ(message_of([] {
              (void)image_of_sphere(3, {1, 2, 3}, 0);
            }),
            "sphere: centre (1, 2, 3) and radius 0; the centre must be finite, the radius finite and above 0");
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {}, INFINITY); }), HasSubstr("sphere: "));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {}, NAN); }), HasSubstr("sphere: "));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {0, 0, 2e18f}, 1); }), HasSubstr("sphere: "));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {}, -1); }), HasSubstr("radius -1"));
  EXPECT_THAT(message_of([] { (void)image_of_sphere(3, {NAN, 0, 0}); }), HasSubstr("centre (nan"));
}

}  // namespace
}  // namespace lamella
