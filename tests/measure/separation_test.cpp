#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/separation.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;
using test::round_sphere;

Mesh moved(const Mesh& mesh, Vec3d by) { return transformed(mesh, {by, {}}); }

TEST(Separation, OfTwoBoxesIsTheLeastOfSixWays) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0.25f, -0.7f}, {3, 3, 3});
  const Separation s = separation(a, b);
  EXPECT_EQ(s.before, Verdict::colliding);
  EXPECT_EQ(s.after, Verdict::clear);
  EXPECT_TRUE(s.certificate.certain);
  EXPECT_NEAR(s.length, 0.5, 1e-5);
  EXPECT_LT(s.margin, 1e-4);
  EXPECT_NEAR(s.direction.x, -1, 1e-3);
  EXPECT_LT(length(s.translation - s.direction * (s.length + s.margin)), 1e-15);
}

TEST(Separation, OfAClearPairIsNothing) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Mesh& b : {moved(a, {3, 0, 0}), moved(a, {1, 0, 0})}) {
    const Separation s = separation(a, b);
    EXPECT_EQ(s.before, Verdict::clear);
    EXPECT_EQ(s.after, Verdict::clear);
    EXPECT_TRUE(s.certificate.certain);
    EXPECT_EQ(s.translation, Vec3d{});
    EXPECT_EQ(s.directions, 0u);
  }
}

}  // namespace
}  // namespace lamella
