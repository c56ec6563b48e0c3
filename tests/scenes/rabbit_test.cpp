#include <gtest/gtest.h>

#include <string>

#include "scenes/check.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

/// Vertices - edges + faces: 2 - 2 * genus for one closed surface.
long euler_characteristic(const Mesh& mesh) {
  const auto faces = static_cast<long>(mesh.triangles.size());
  return static_cast<long>(mesh.positions.size()) - faces * 3 / 2 + faces;
}

class OneImageModel : public testing::TestWithParam<std::string> {};

TEST_P(OneImageModel, IsOneSurfaceWithoutHandlesAtEveryCount) {
  for (const std::size_t faces : {100, 500, 1000, 2500, 8000, 20000, 75000}) {
    const Mesh mesh = make_model(GetParam(), faces);
    EXPECT_EQ(defect(mesh), "") << faces;
    EXPECT_EQ(components(mesh), 1u) << faces;
    EXPECT_EQ(euler_characteristic(mesh), 2) << faces;
  }
}

TEST_P(OneImageModel, DoesNotOverlapItself) {
  const Mesh mesh = make_model(GetParam(), 9000);
  EXPECT_LT(sample(mesh).twice, 1e-6 * volume(mesh));
}

TEST_P(OneImageModel, HasTheSameFormAtEveryCount) {
  const double coarse = volume(make_model(GetParam(), 8000)), fine = volume(make_model(GetParam(), 75000));
  EXPECT_NEAR(coarse, fine, 0.025 * fine);
}

INSTANTIATE_TEST_SUITE_P(Models, OneImageModel, testing::Values("rabbit", "helicopter"),
                         [](const auto& tested) { return tested.param; });

TEST(Rabbit, ReachesHighestWithTwoEars) {
  const Mesh mesh = rabbit(8000);
  double left = -9, right = -9, between = -9;
  for (const Vec3 p : mesh.positions) {
    double& highest = p.x > 0.02f ? left : p.x < -0.02f ? right : between;
    highest = std::max(highest, static_cast<double>(p.y));
  }
  EXPECT_GT(left, between + 0.3);
  EXPECT_NEAR(left, right, 0.02);
}

TEST(Helicopter, StandsOnTwoSkidsUnderAWideRotor) {
  const Mesh mesh = helicopter(20000);
  double lowest = 9, in_the_middle = 9, wide = 0;
  for (const Vec3 p : mesh.positions) {
    lowest = std::min(lowest, static_cast<double>(p.z));
    if (std::abs(p.y) < 0.1f) in_the_middle = std::min(in_the_middle, static_cast<double>(p.z));
    if (p.z > 0.3f) wide = std::max(wide, static_cast<double>(std::abs(p.y)));
  }
  EXPECT_LT(lowest, in_the_middle - 0.1);
  EXPECT_GT(wide, 0.4);
}

}  // namespace
}  // namespace lamella::scenes
