#include "lamella/voi.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

constexpr Aabb kUnit{{0, 0, 0}, {1, 1, 1}};

TEST(Voi, OverlappingCornersGiveTheIntersection) {
  const auto voi = choose_pair_voi(kUnit, {{0.5f, 0.6f, 0.9f}, {2, 2, 2}});
  ASSERT_TRUE(voi);
  EXPECT_EQ(voi->box, (Aabb{{0.5f, 0.6f, 0.9f}, {1, 1, 1}}));
  EXPECT_EQ(voi->axis, Axis::z) << "the shallowest";
  EXPECT_EQ(voi->outside_b, End::low) << "b's own low face bounds it there";
  EXPECT_EQ(voi->outside_a, End::high);
}

TEST(Voi, OneBoxWithinTheOtherIsExtendedToItsNearerFace) {
  const Aabb inner{{0.4f, 0.4f, 0.7f}, {0.6f, 0.6f, 0.8f}};
  const auto voi = choose_pair_voi(inner, kUnit);
  ASSERT_TRUE(voi);
  EXPECT_EQ(voi->axis, Axis::z);
  EXPECT_EQ(voi->box, (Aabb{{0.4f, 0.4f, 0.7f}, {0.6f, 0.6f, 1}})) << "from the inner box's low face out to z = 1";
  EXPECT_EQ(voi->outside_a, End::low);
  EXPECT_EQ(voi->outside_b, End::high);
}

TEST(Voi, AForcedAxisIsKept) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) EXPECT_EQ(choose_pair_voi(kUnit, kUnit, axis)->axis, axis);
}

TEST(Voi, TouchingAndDisjointBoxesHaveNone) {
  EXPECT_FALSE(choose_pair_voi(kUnit, {{1, 0, 0}, {2, 1, 1}}));
  EXPECT_FALSE(choose_pair_voi(kUnit, {{3, 3, 3}, {4, 4, 4}}));
  EXPECT_FALSE(choose_pair_voi(kUnit, Aabb{}));
  EXPECT_FALSE(choose_pair_voi(kUnit, {{0, 0, 0.5f}, {1, 1, 0.5f}})) << "flat";
}

TEST(Voi, ChoosesTheShallowestAxisOfOneBox) {
  EXPECT_EQ(choose_axis({{0, 0, 0}, {1, 2, 3}}), Axis::x);
  EXPECT_EQ(choose_axis({{0, 0, 0}, {3, 1, 2}}), Axis::y);
  EXPECT_EQ(choose_axis({{0, 0, 0}, {3, 2, 1}}), Axis::z);
  EXPECT_FALSE(choose_axis({{0, 0, 0}, {1, 0, 1}}));
  EXPECT_FALSE(choose_axis(Aabb{}));
}

/// What makes a volume of interest right, independently of how it was found.
TEST(Voi, HoldsTheSharedVolumeAndEachObjectsOutsideFaceLiesOutsideIt) {
  ASSERT_TRUE(rc::check("random boxes", [](std::uint32_t seed) {
    test::Random random(seed);
    const auto random_box = [&] {
      const Vec3 p = random.in({{-1, -1, -1}, {1, 1, 1}}), q = random.in({{-1, -1, -1}, {1, 1, 1}});
      return extend(extend(Aabb{}, p), q);
    };
    const Aabb a = random_box(), b = random_box();
    Aabb shared;
    for (int k = 0; k < 3; ++k) {
      shared.min[k] = std::max(a.min[k], b.min[k]);
      shared.max[k] = std::min(a.max[k], b.max[k]);
    }
    const auto voi = choose_pair_voi(a, b);
    RC_ASSERT(voi.has_value() ==
              (shared.min.x < shared.max.x && shared.min.y < shared.max.y && shared.min.z < shared.max.z));
    if (!voi) return;
    RC_ASSERT(unite(voi->box, shared) == voi->box);
    RC_ASSERT(voi->outside_a != voi->outside_b);
    const int w = static_cast<int>(voi->axis);
    const auto outside = [&](const Aabb& box, End end) {
      return end == End::low ? voi->box.min[w] <= box.min[w] : voi->box.max[w] >= box.max[w];
    };
    RC_ASSERT(outside(a, voi->outside_a));
    RC_ASSERT(outside(b, voi->outside_b));
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      const auto forced = choose_pair_voi(a, b, axis);
      const int k = static_cast<int>(axis);
      RC_ASSERT(extent(voi->box)[w] <= extent(forced->box)[k]);
    }
  }));
}

}  // namespace
}  // namespace lamella
