#include "lamella/math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/host_device.hpp"
#include "lamella/mesh.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

TEST(Math, AnEmptyBoxIsNeutral) {
  const Aabb box{{0, 1, 2}, {3, 4, 5}};
  EXPECT_TRUE(Aabb{}.empty());
  EXPECT_EQ(unite(Aabb{}, box), box);
  EXPECT_EQ(unite(box, Aabb{}), box);
  EXPECT_EQ(extend(Aabb{}, {1, 2, 3}), (Aabb{{1, 2, 3}, {1, 2, 3}}));
}

TEST(Math, TransformRotatesThenTranslates) {
  const double quarter = 3.14159265358979323846 / 2;
  const Transform pose{{10, 0, 0}, rotation_about({0, 0, 2}, quarter)};
  const Vec3d p = apply(pose, {1, 0, 5});
  EXPECT_NEAR(p.x, 10, 1e-12);
  EXPECT_NEAR(p.y, 1, 1e-12);
  EXPECT_NEAR(p.z, 5, 1e-12);
}

TEST(Math, ATransformedMeshKeepsItsVolume) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 2, 3});
  const Mesh moved = transformed(box, {{5, -3, 2}, rotation_about({1, 2, 3}, 0.7)});
  EXPECT_NEAR(inspect(moved).volume, 6, 1e-5);
  EXPECT_TRUE(inspect(moved).closed);
}

TEST(Math, TheSmallerTheLargerAndTheSizeOfNumbers) {
  for (const auto& [a, b] : {std::pair(1.0f, 2.0f), std::pair(2.0f, 1.0f), std::pair(-3.0f, 3.0f)}) {
    EXPECT_EQ(min_of(a, b), std::min(a, b));
    EXPECT_EQ(max_of(a, b), std::max(a, b));
    EXPECT_EQ(abs_of(a), std::abs(a));
  }
}

}  // namespace
}  // namespace lamella
