#include <gtest/gtest.h>

#include <cstring>

#include "geometry_image/pyramid_support.hpp"
#include "hwy/targets.h"

namespace lamella {
namespace {

using namespace test;

bool same_bits(const SpherePyramid& a, const SpherePyramid& b) {
  return a.pixels().size() == b.pixels().size() &&
         std::memcmp(a.pixels().data(), b.pixels().data(), a.pixels().size_bytes()) == 0;
}

TEST(PyramidLayout, LevelsLieSideBySideAndTheRestIsZero) {
  for (int n = 1; n <= 7; ++n) {
    const SpherePyramid pyramid(wavy_ball(n, {9, 9, 9}));
    ASSERT_EQ(pyramid.n(), n);
    ASSERT_EQ(pyramid.pixels().size(), std::size_t{pyramid.width()} * pyramid.height());
    std::vector<int> covered(pyramid.pixels().size());
    for_each_sphere(pyramid, [&](int, std::uint32_t, std::uint32_t, const Sphere& s) {
      ++covered[static_cast<std::size_t>(&s - pyramid.pixels().data())];
      EXPECT_GT(s.radius, 0);
    });
    for (std::size_t i = 0; i < covered.size(); ++i) {
      EXPECT_LE(covered[i], 1) << "levels overlap at " << i;
      const Sphere s = pyramid.pixels()[i];
      EXPECT_TRUE(covered[i] == 1 || (s.x == 0 && s.y == 0 && s.z == 0 && s.radius == 0)) << i;
    }
  }
}

TEST(PyramidLayout, TakesTwentyFourBytesAQuad) {
  const SpherePyramid pyramid(image_of_sphere(5));
  EXPECT_EQ(pyramid.pixels().size_bytes(), std::size_t{24} << 10);
}

TEST(PyramidLayout, RefittingIsInPlaceAndGivesWhatAFreshBuildGives) {
  for (const int n : {3, 6, 7}) {
    const GeometryImage before = random_image(n, 3, 5), after = wavy_ball(n);
    for (const SphereFit fit : {SphereFit::fast, SphereFit::tight}) {
      SpherePyramid refitted(before), fresh;
      const Sphere* const memory = refitted.pixels().data();
      refitted.build(n, after.positions, 1, fit);
      fresh.build(n, after.positions, 1, fit);
      EXPECT_EQ(refitted.pixels().data(), memory);
      EXPECT_TRUE(same_bits(refitted, fresh)) << n;
    }
  }
}

TEST(PyramidLayout, AnotherSizeLeavesNothingOfTheFormer) {
  const GeometryImage small = wavy_ball(4);
  SpherePyramid pyramid(random_image(6, 1, 1)), fresh;
  pyramid.build(4, small.positions);
  fresh.build(4, small.positions);
  EXPECT_TRUE(same_bits(pyramid, fresh));
}

TEST(PyramidLayout, TheSameBitsForAnyNumberOfThreads) {
  const GeometryImage image = wavy_ball(9);
  for (const SphereFit fit : {SphereFit::fast, SphereFit::tight}) {
    SpherePyramid one;
    one.build(9, image.positions, 1, fit);
    for (const unsigned threads : {2u, 5u, 0u}) {
      SpherePyramid many;
      many.build(9, image.positions, threads, fit);
      EXPECT_TRUE(same_bits(one, many)) << threads;
    }
  }
}

TEST(PyramidLayout, TheSameBitsForAnyInstructionSet) {
  for (const int n : {5, 6, 7})
    for (const NamedImage& hard : hard_images(n, 9))
      for (const SphereFit fit : {SphereFit::fast, SphereFit::tight}) {
        SpherePyramid chosen;
        chosen.build(n, hard.image.positions, 1, fit);
        for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
          hwy::SetSupportedTargetsForTest(target);
          hwy::GetChosenTarget().DeInit();
          SpherePyramid other;
          other.build(n, hard.image.positions, 1, fit);
          EXPECT_TRUE(same_bits(chosen, other)) << hard.name << ", n = " << n << ", " << hwy::TargetName(target);
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
      }
}

}  // namespace
}  // namespace lamella
