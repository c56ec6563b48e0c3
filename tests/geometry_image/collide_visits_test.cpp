#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "geometry_image/shapes.hpp"

namespace lamella {
namespace {

using namespace test;

struct Visit {
  VisitedSphere a, b;
};

double gap(const Sphere& a, const Sphere& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z) - a.radius - b.radius;
}

TEST(ImageCollideVisits, AreReportedInTheWorldFromTheRootsDownAndChangeNothing) {
  const ImageBody a = make_body({lumpy_ball(5, 1)}), b = make_body({lumpy_ball(4, 2)});
  const Transform pose_a{{3, 1, 2}, rotation_about({1, 2, 3}, 0.7)}, pose_b{{4.6, 1.4, 2.2}, {}};
  std::vector<Visit> visits;
  ImageCollideOptions options{.all = true};
  const ImageCollision plain = collide(a, pose_a, b, pose_b, options);
  options.visited = [&](const VisitedSphere& x, const VisitedSphere& y) { visits.push_back({x, y}); };
  const ImageCollision reported = collide(a, pose_a, b, pose_b, options);
  EXPECT_EQ(reported.verdict, plain.verdict);
  EXPECT_EQ(reported.pairs, plain.pairs);
  EXPECT_EQ(reported.sphere_test_count, plain.sphere_test_count);
  EXPECT_EQ(reported.level, plain.level);

  ASSERT_GT(visits.size(), 10u);
  EXPECT_EQ(visits.front().a.level, 0);
  EXPECT_EQ(visits.front().b.level, 0);
  int deepest = 0;
  for (const Visit& v : visits) {
    EXPECT_LT(gap(v.a.sphere, v.b.sphere), 1e-4);
    deepest = std::max(deepest, std::min(v.a.level, v.b.level));
    const Sphere& own = b.pyramids[0].at(v.b.level, v.b.x, v.b.y);
    const Vec3d there = apply(pose_b, {own.x, own.y, own.z});
    EXPECT_NEAR(there.x, v.b.sphere.x, 1e-4);
    EXPECT_NEAR(there.y, v.b.sphere.y, 1e-4);
    EXPECT_NEAR(there.z, v.b.sphere.z, 1e-4);
    EXPECT_EQ(own.radius, v.b.sphere.radius);
  }
  EXPECT_EQ(deepest, plain.level);
}

TEST(ImageCollideVisits, AreNoneWhereTheRootsAreApart) {
  const ImageBody a = make_body({lumpy_ball(3, 1)});
  int visits = 0;
  const ImageCollideOptions options{.visited = [&](const VisitedSphere&, const VisitedSphere&) { ++visits; }};
  EXPECT_EQ(collide(a, {}, a, {{10, 0, 0}, {}}, options).verdict, Verdict::clear);
  EXPECT_EQ(visits, 0);
}

}  // namespace
}  // namespace lamella
