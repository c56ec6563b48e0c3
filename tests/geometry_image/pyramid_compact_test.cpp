// Images and spheres in 16-bit numbers.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "geometry_image/pyramid_support.hpp"
#include "lamella/compact_image.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;

std::size_t open_spheres(const CompactImage& compact, SphereFit fit) {
  const GeometryImage image = expanded(compact);
  CompactPyramid pyramid;
  pyramid.build(compact, fit);
  std::size_t open = 0;
  for (int level = 0; level <= image.n; ++level)
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x)
        open += most_outside(image, level, x, y, pyramid.at(level, x, y)) > 0 ? 1 : 0;
  return open;
}

TEST(CompactImage, IsNoFurtherThanHalfAStepAndStaysSo) {
  const GeometryImage image = wavy_ball(4, {3, -2, 100});
  const CompactImage codes = compacted(image);
  const GeometryImage back = expanded(codes);
  ASSERT_EQ(back.positions.size(), image.positions.size());
  EXPECT_TRUE(back.normals.empty());
  for (std::size_t i = 0; i < image.positions.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double extent = double{codes.box.max[k]} - codes.box.min[k];
      EXPECT_NEAR(back.positions[i][k], image.positions[i][k], extent / 131070 + 1e-5);
    }
  const CompactImage again = compacted(back);
  EXPECT_EQ(again.positions, codes.positions) << "what was rounded is not rounded again";
  EXPECT_EQ(again.box, codes.box);
}

TEST(CompactImage, KeepsNormalsWhereThereAreSome) {
  GeometryImage image = image_of_sphere(3);
  compute_normals(image);
  const GeometryImage back = expanded(compacted(image));
  ASSERT_EQ(back.normals.size(), image.normals.size());
  for (std::size_t i = 0; i < image.normals.size(); ++i)
    EXPECT_LT(length(back.normals[i] - image.normals[i]), 1e-4f) << i;
}

TEST(CompactImage, RefusesSizesAndBoxesThatCannotBe) {
  const CompactImage good = compacted(image_of_sphere(2));
  EXPECT_NO_THROW(check(good));
  CompactImage bad = good;
  bad.positions.pop_back();
  EXPECT_THROW(check(bad), Error);
  bad = good;
  bad.n = 14;
  EXPECT_THROW(check(bad), Error);
  bad = good;
  bad.box.max.y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW((void)expanded(bad), Error);
  bad = good;
  std::swap(bad.box.min, bad.box.max);
  CompactPyramid pyramid;
  EXPECT_THROW(pyramid.build(bad), Error);
  bad = good;
  bad.normals.assign(3, 0);
  EXPECT_THROW(check(bad), Error);
}

std::string refusal(const CompactImage& image) {
  try {
    check(image);
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(CompactImage, IsRefusedWithTheReason) {
  const CompactImage good = compacted(image_of_sphere(2));
  for (const int n : {0, 14}) {
    CompactImage bad = good;
    bad.n = n;
    EXPECT_EQ(refusal(bad), "compact image: n is " + std::to_string(n) + "; it must be from 1 to 13");
  }
  CompactImage bad = good;
  bad.positions.pop_back();
  EXPECT_EQ(refusal(bad),
            "compact image: 74 codes of positions and 0 of normals for n = 2; there must be 3 x 5 x 5 = 75 of each, or "
            "no normals");
  bad = good;
  bad.normals.assign(74, 0);
  EXPECT_NE(refusal(bad), "not refused");
  bad.normals.assign(75, 0);
  EXPECT_EQ(refusal(bad), "not refused");
  for (int axis = 0; axis < 3; ++axis) {
    const auto with = [&](float low, float high) {
      CompactImage image = good;
      image.box.min[axis] = low;
      image.box.max[axis] = high;
      return refusal(image);
    };
    EXPECT_EQ(with(5, 5), "not refused");
    EXPECT_EQ(with(-1e18f, 1e18f), "not refused");
    EXPECT_EQ(with(5, 4), std::string("compact image: its box goes from 5 to 4 on axis ") + "xyz"[axis] +
                              "; it must be finite, within 1e+18, and not inverted");
    EXPECT_NE(with(0, 1.1e18f), "not refused");
    EXPECT_NE(with(-1.1e18f, 0), "not refused");
    EXPECT_NE(with(std::numeric_limits<float>::quiet_NaN(), 0), "not refused");
  }
}

TEST(CompactImage, HasTheCodesOfItsBox) {
  GeometryImage image = filled(1, [](auto x, auto y) {
    return Vec3{static_cast<float>(x), 10 - static_cast<float>(y) * 2, x == 1 && y == 1 ? 3.0f : 0.0f};
  });
  image.normals.assign(9, Vec3{0, -1, 0});
  image.normals[4] = {};
  const CompactImage codes = compacted(image);
  EXPECT_EQ(codes.n, 1);
  EXPECT_EQ(codes.box, (Aabb{{0, 6, 0}, {2, 10, 3}}));
  EXPECT_EQ(codes.side(), 3u);
  EXPECT_EQ(codes.triangle_count(), 8u);
  const std::vector<std::uint16_t> expected{0, 65535, 0, 32768, 65535, 0,     65535, 65535, 0,
                                            0, 32768, 0, 32768, 32768, 65535, 65535, 32768, 0,
                                            0, 0,     0, 32768, 0,     0,     65535, 0,     0};
  EXPECT_EQ(codes.positions, expected);
  for (std::size_t i = 0; i < 27; ++i) EXPECT_EQ(codes.normals[i], i % 3 == 1 && i != 13 ? 0 : 32767) << i;
}

TEST(CompactPyramid, TakesTwelveBytesAQuadAndHasTheLayoutOfTheFloats) {
  const CompactImage image = compacted(wavy_ball(5));
  CompactPyramid codes;
  codes.build(image);
  const SpherePyramid floats(expanded(image));
  EXPECT_EQ(codes.pixels().size_bytes(), 12u * 32 * 32);
  EXPECT_EQ(image.positions.size() * sizeof(std::uint16_t), 6u * 33 * 33);
  EXPECT_EQ(codes.width(), floats.width());
  for (int level = 0; level <= 5; ++level) {
    const auto i = static_cast<std::size_t>(level);
    EXPECT_EQ(codes.offsets()[i], floats.offsets()[i]);
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x) {
        const Sphere a = codes.at(level, x, y), b = floats.at(level, x, y);
        EXPECT_GE(a.radius, b.radius);
        EXPECT_LE(a.radius, b.radius * 1.01f + 1e-4f);
        EXPECT_NEAR(a.x, b.x, 1e-4);
      }
  }
}

TEST(CompactPyramid, EverySphereEnclosesAllVerticesUnderIt) {
  for (int n = 1; n <= 6; ++n)
    for (const NamedImage& hard : hard_images(n, static_cast<std::uint32_t>(90 + n)))
      for (const SphereFit fit : {SphereFit::fast, SphereFit::tight, SphereFit::published_enclosing})
        EXPECT_EQ(open_spheres(compacted(hard.image), fit), 0u) << hard.name << ", n = " << n;
}

TEST(CompactPyramid, SpheresAboveThePartsEncloseAsWell) {
  for (const SphereFit fit : {SphereFit::fast, SphereFit::published_enclosing})
    EXPECT_EQ(open_spheres(compacted(wavy_ball(10)), fit), 0u);
}

TEST(CompactPyramid, HasTheSameBitsForAnyNumberOfThreads) {
  const CompactImage image = compacted(wavy_ball(10));
  CompactPyramid one, all;
  one.build(image, SphereFit::fast, 1);
  all.build(image, SphereFit::fast, 0);
  EXPECT_EQ(std::memcmp(one.pixels().data(), all.pixels().data(), one.pixels().size_bytes()), 0);
}

TEST(CompactPyramid, CountsTheQuadsThatPublishedSpheresLeaveOpen) {
  const CompactImage image = compacted(wavy_ball(9));
  CompactPyramid codes;
  codes.build(image, SphereFit::published);
  const SpherePyramid floats(expanded(image), SphereFit::published);
  EXPECT_GT(codes.open_quad_count(), 0u);
  EXPECT_EQ(codes.open_quad_count(), floats.open_quad_count());
}

}  // namespace
}  // namespace lamella
