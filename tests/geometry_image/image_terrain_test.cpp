// Terrains made of heights: every vertex, by formulas of their own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lamella/error.hpp"
#include "lamella/heights.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

Heights random_heights(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
  test::Random random(seed);
  Heights heights{width, height, 200, {}};
  for (std::uint32_t i = 0; i < width * height; ++i) heights.values.push_back(random.uniform(0, 200));
  return heights;
}

/// The bilinear surface of `values` at (u, v), both from 0 to 1, as a sum over all values: each counts by how near it
/// is.
double surface_at(const std::vector<float>& values, std::size_t width, std::size_t height, double u, double v) {
  double sum = 0;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const double near_x = 1 - std::abs(u * static_cast<double>(width - 1) - static_cast<double>(x));
      const double near_y = 1 - std::abs(v * static_cast<double>(height - 1) - static_cast<double>(y));
      sum += std::max(0.0, near_x) * std::max(0.0, near_y) * values[y * width + x];
    }
  return sum;
}

TEST(TerrainImage, OfAPictureOfItsOwnSizeHasThePicturesTopRowLast) {
  const Heights heights{3, 3, 8, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  const GeometryImage image = image_of_terrain(heights, 1, {2, 4, 16});
  EXPECT_EQ(image.n, 1);
  const std::vector<Vec3> expected{{0, 0, 12}, {1, 0, 14}, {2, 0, 16}, {0, 2, 6}, {1, 2, 8},
                                   {2, 2, 10}, {0, 4, 0},  {1, 4, 2},  {2, 4, 4}};
  EXPECT_EQ(image.positions, expected);
}

TEST(TerrainImage, OfFourHeightsIsBilinearBetweenThem) {
  const Heights heights{2, 2, 20, {0, 4, 8, 20}};
  const GeometryImage image = image_of_terrain(heights, 1, {1, 1, 20});
  const std::vector<Vec3> expected{{0, 0, 8},     {0.5f, 0, 14}, {1, 0, 20},   {0, 0.5f, 4}, {0.5f, 0.5f, 8},
                                   {1, 0.5f, 12}, {0, 1, 0},     {0.5f, 1, 2}, {1, 1, 4}};
  EXPECT_EQ(image.positions, expected);
}

TEST(TerrainImage, OfAnySizeFollowsTheBilinearSurface) {
  struct Size {
    std::uint32_t width, height;
    int n;
  };
  // Coarser and finer than the image, and with one side that is the image's own.
  for (const Size size : {Size{7, 5, 3}, Size{2, 9, 2}, Size{5, 4, 2}, Size{4, 5, 2}, Size{20, 30, 3}, Size{3, 2, 4}}) {
    SCOPED_TRACE(testing::Message() << size.width << " x " << size.height << ", n = " << size.n);
    const Heights heights = random_heights(size.width, size.height, size.width);
    const GeometryImage image = image_of_terrain(heights, size.n, {3, 5, 7});
    const std::uint32_t last = image.quads_per_side();
    for (std::uint32_t y = 0; y <= last; ++y)
      for (std::uint32_t x = 0; x <= last; ++x) {
        const double u = double(x) / last, v = double(y) / last;
        const Vec3 p = image.positions[y * (last + 1) + x];
        EXPECT_NEAR(p.x, 3 * u, 1e-6);
        EXPECT_NEAR(p.y, 5 * v, 1e-6);
        EXPECT_NEAR(p.z, 7 * surface_at(heights.values, size.width, size.height, u, 1 - v) / 200, 1e-5);
      }
  }
}

TEST(TerrainImage, RefusesWhatIsNoTerrain) {
  const Heights good = random_heights(3, 3, 1);
  const Vec3 size{1, 1, 1};
  const auto refusal = [&](auto change) {
    Heights heights = good;
    change(heights);
    const std::string made = message_of([&] { (void)image_of_terrain(heights, 1, size); });
    EXPECT_EQ(message_of([&] { (void)resampling_error(heights, 1); }), made);
    return made;
  };
  EXPECT_EQ(refusal([](Heights& h) {
              h.width = 1;
              h.values.resize(3);
            }),
            "a terrain needs 2 x 2 heights at least; there are 1 x 3");
  EXPECT_EQ(refusal([](Heights& h) {
              h.height = 1;
              h.values.resize(3);
            }),
            "a terrain needs 2 x 2 heights at least; there are 3 x 1");
  EXPECT_NE(refusal([](Heights& h) { h.values.pop_back(); }), "no error");
  EXPECT_NE(refusal([](Heights& h) { h.most = 0; }), "no error");
  EXPECT_NE(refusal([](Heights& h) { h.most = std::numeric_limits<float>::quiet_NaN(); }), "no error");
  EXPECT_EQ(refusal([](Heights&) {}), "no error");
  for (const int n : {0, 14}) {
    const std::string expected =
        "n is " + std::to_string(n) + ", but an image has 2^n + 1 vertices a side with n from 1 to 13";
    EXPECT_EQ(message_of([&] { (void)image_of_terrain(good, n, size); }), expected);
    EXPECT_EQ(message_of([&] { (void)resampling_error(good, n); }), expected);
  }
  for (int axis = 0; axis < 3; ++axis)
    for (const float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
      Vec3 none = size;
      none[axis] = bad;
      EXPECT_NE(message_of([&] { (void)image_of_terrain(good, 1, none); }), "no error") << axis << ": " << bad;
    }
  EXPECT_EQ(message_of([&] {
              (void)image_of_terrain(good, 1, {1, 0, 2.5f});
            }),
            "a terrain of size 1 x 0 x 2.5: all three must be above 0");
}

TEST(TerrainPart, IsTheMiddle) {
  Heights heights{5, 4, 19, {}};
  for (int i = 0; i < 20; ++i) heights.values.push_back(static_cast<float>(i));
  const Heights part = middle_part(heights, 2, 1);  // one column is left over on the right, one row at the bottom
  EXPECT_EQ(part.width, 2u);
  EXPECT_EQ(part.height, 1u);
  EXPECT_EQ(part.most, 19);
  EXPECT_EQ(part.values, (std::vector<float>{6, 7}));
  EXPECT_EQ(middle_part(heights, 3, 2).values, (std::vector<float>{6, 7, 8, 11, 12, 13}));
  EXPECT_EQ(middle_part(heights, 5, 4).values, heights.values);
  EXPECT_EQ(message_of([&] { (void)middle_part(heights, 6, 4); }), "6 x 4 heights cannot be cut out of 5 x 4");
  EXPECT_EQ(message_of([&] { (void)middle_part(heights, 5, 5); }), "5 x 5 heights cannot be cut out of 5 x 4");
}

TEST(TerrainError, IsTheLargestDifferenceAtAPointOfThePicture) {
  // Sampled at 0, 1.5 and 3, the middle is 3; between, the surface is at 2 and 2, where the picture is at 0 and 6.
  EXPECT_NEAR(resampling_error({4, 3, 6, {0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0}}, 1), 4, 1e-6);
  EXPECT_NEAR(resampling_error({4, 3, 6, {6, 6, 6, 6, 6, 0, 6, 6, 6, 6, 6, 6}}, 1), 4, 1e-6) << "above the picture";
  EXPECT_NEAR(resampling_error({3, 4, 6, {0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0}}, 1), 4, 1e-6) << "along y";
  EXPECT_EQ(resampling_error({3, 3, 6, {0, 6, 0, 6, 0, 6, 0, 6, 0}}, 1), 0) << "nothing is resampled";
  EXPECT_NEAR(resampling_error({3, 2, 6, {0, 6, 0, 6, 0, 6}}, 1), 0, 1e-6) << "every point is a vertex";
}

TEST(TerrainError, IsThatOfTheImage) {
  const Heights heights = random_heights(13, 11, 3);
  const GeometryImage image = image_of_terrain(heights, 2, {1, 1, 200});
  std::vector<float> values;  // top row first again
  for (std::uint32_t y = 0; y < 5; ++y)
    for (std::uint32_t x = 0; x < 5; ++x) values.push_back(image.positions[(4 - y) * 5 + x].z);
  double most = 0;
  for (std::uint32_t y = 0; y < 11; ++y)
    for (std::uint32_t x = 0; x < 13; ++x)
      most = std::max(most, std::abs(surface_at(values, 5, 5, x / 12.0, y / 10.0) - heights.values[y * 13 + x]));
  EXPECT_GT(most, 50);
  EXPECT_NEAR(resampling_error(heights, 2), most, 1e-3);
}

}  // namespace
}  // namespace lamella
