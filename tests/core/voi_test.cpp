#include "lamella/voi.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <optional>

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
  for (const Vec3 high : {Vec3{1, 2, 3}, Vec3{1, 3, 2}}) EXPECT_EQ(choose_axis({{0, 0, 0}, high}), Axis::x);
  for (const Vec3 high : {Vec3{2, 1, 3}, Vec3{3, 1, 2}}) EXPECT_EQ(choose_axis({{0, 0, 0}, high}), Axis::y);
  for (const Vec3 high : {Vec3{2, 3, 1}, Vec3{3, 2, 1}}) EXPECT_EQ(choose_axis({{0, 0, 0}, high}), Axis::z);
  // Of equal sides the last.
  EXPECT_EQ(choose_axis({{0, 0, 0}, {1, 1, 2}}), Axis::y);
  EXPECT_EQ(choose_axis({{0, 0, 0}, {1, 2, 1}}), Axis::z);
  EXPECT_EQ(choose_axis({{0, 0, 0}, {2, 1, 1}}), Axis::z);
  EXPECT_EQ(choose_axis({{0, 0, 0}, {1, 1, 1}}), Axis::z);
  EXPECT_FALSE(choose_axis({{0, 0, 0}, {1, 0, 1}}));
  EXPECT_FALSE(choose_axis(Aabb{}));
}

TEST(Voi, SidesUpToTheSmallestExtentEncloseNoVolume) {
  for (int k = 0; k < 3; ++k) {
    Aabb thin = kUnit;
    thin.max[k] = 0x1p-80f;
    EXPECT_FALSE(choose_axis(thin));
    EXPECT_FALSE(choose_pair_voi(kUnit, thin));
    EXPECT_FALSE(choose_pair_voi(thin, kUnit));
    thin.max[k] = std::nextafter(0x1p-80f, 1.0f);
    EXPECT_EQ(choose_axis(thin), static_cast<Axis>(k));
    EXPECT_TRUE(choose_pair_voi(kUnit, thin));
  }
  EXPECT_FALSE(choose_pair_voi({}, kUnit));
}

/// Boxes on a coarse lattice: equal depths and shared faces all the time. Of equally shallow candidates the first wins,
/// in the order of the axes, and with the low face on a's box before b's.
TEST(Voi, IsTheFirstOfTheShallowestCandidates) {
  test::Random random(5);
  int found = 0;
  for (int round = 0; round < 5000; ++round) {
    Aabb boxes[2];
    for (Aabb& box : boxes)
      for (int k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(random.below(5));
        box.max[k] = box.min[k] + static_cast<float>(1 + random.below(4));
      }
    const auto& [a, b] = boxes;
    for (int forced = -1; forced < 3; ++forced) {
      const auto voi = choose_pair_voi(a, b, forced < 0 ? std::nullopt : std::optional(static_cast<Axis>(forced)));
      std::optional<PairVoi> expected;
      bool share = true;
      for (int k = 0; k < 3; ++k) share = share && a.min[k] < b.max[k] && b.min[k] < a.max[k];
      for (int k = 0; share && k < 3; ++k)
        for (const bool a_first : {true, false}) {
          if (forced >= 0 && k != forced) continue;
          PairVoi candidate;
          for (int i = 0; i < 3; ++i) {
            candidate.box.min[i] = std::max(a.min[i], b.min[i]);
            candidate.box.max[i] = std::min(a.max[i], b.max[i]);
          }
          candidate.axis = static_cast<Axis>(k);
          candidate.box.min[k] = a_first ? a.min[k] : b.min[k];
          candidate.box.max[k] = a_first ? b.max[k] : a.max[k];
          candidate.outside_a = a_first ? End::low : End::high;
          candidate.outside_b = a_first ? End::high : End::low;
          const auto depth = [](const PairVoi& v) { return extent(v.box)[static_cast<int>(v.axis)]; };
          if (!expected || depth(candidate) < depth(*expected)) expected = candidate;
        }
      ASSERT_EQ(voi.has_value(), expected.has_value());
      if (!voi) continue;
      ++found;
      ASSERT_EQ(voi->box, expected->box);
      ASSERT_EQ(voi->axis, expected->axis);
      ASSERT_EQ(voi->outside_a, expected->outside_a);
      ASSERT_EQ(voi->outside_b, expected->outside_b);
    }
  }
  EXPECT_GT(found, 1000);
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
