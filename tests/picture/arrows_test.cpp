#include "picture/arrows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace lamella::picture {
namespace {

TEST(Rod, IsAClosedBar) {
  const Mesh bar = rod({1, 2, 3}, {1, 2, 7}, 0.5f);
  EXPECT_EQ(inspect(bar).open_edges, 0u);
  EXPECT_NEAR(signed_volume(bar), std::numbers::pi * 0.25 * 4, 0.05) << "faces outwards";
  const Aabb box = bounds(bar);
  EXPECT_NEAR(box.min.z, 3, 1e-6);
  EXPECT_NEAR(box.max.z, 7, 1e-6);
  EXPECT_NEAR(box.max.x, 1.5, 0.01);
}

TEST(Arrow, EndsInItsTipWhereverItPoints) {
  const Vec3 from{1, 2, 3};
  for (const Vec3 along : {Vec3{4, 0, 0}, Vec3{0, -4, 0}, Vec3{0, 0, 4}, Vec3{1, 2, -3}, Vec3{-2, 2, 2}}) {
    const Mesh mesh = arrow(from, from + along, 0.1f);
    EXPECT_EQ(inspect(mesh).open_edges, 0u);
    EXPECT_GT(signed_volume(mesh), 0);
    float first = 1, last = 0;  // along the arrow
    for (const Vec3 p : mesh.positions) {
      const float t = dot(p - from, along) / dot(along, along);
      first = std::min(first, t);
      last = std::max(last, t);
    }
    EXPECT_NEAR(first, 0, 1e-5);
    EXPECT_NEAR(last, 1, 1e-5);
  }
}

TEST(Arrow, ThatIsShortKeepsABar) {
  const Mesh mesh = arrow({}, {0, 0, 1}, 1);
  bool bar = false;
  for (const Vec3 p : mesh.positions) bar |= p.z > 0.39f && p.z < 0.41f;
  EXPECT_TRUE(bar) << "the head takes 60 % of it";
}

TEST(Arrow, WithoutADirectionIsEmpty) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(arrow({1, 1, 1}, {1, 1, 1}, 0.1f).triangles.empty());
  EXPECT_TRUE(rod({}, {inf, 0, 0}, 0.1f).triangles.empty());
  EXPECT_TRUE(rod({}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}, 0.1f).triangles.empty());
  EXPECT_TRUE(disk({}, {}, 1).triangles.empty());
}

TEST(Disk, IsFlatAndRound) {
  const Mesh mesh = disk({1, 1, 1}, {0, 2, 0}, 3);
  EXPECT_NEAR(inspect(mesh).area, std::numbers::pi * 9, 0.4);
  for (const Vec3 p : mesh.positions) EXPECT_NEAR(p.y, 1, 1e-5);
}

TEST(Append, KeepsBothMeshes) {
  Mesh both = rod({}, {0, 0, 1}, 0.1f);
  const double one = signed_volume(both);
  append(both, rod({1, 0, 0}, {1, 0, 2}, 0.1f));
  EXPECT_NEAR(signed_volume(both), 3 * one, 1e-4);
}

}  // namespace
}  // namespace lamella::picture
