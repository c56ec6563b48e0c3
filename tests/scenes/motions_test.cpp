#include "scenes/motions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "scenes/check.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

constexpr float kTimes[] = {0, 0.1f, 0.25f, 0.5f, 0.77f, 1, 3.3f, -0.4f, -1e6f, 1e9f};

float diagonal(const Mesh& mesh) {
  Aabb box;
  for (const Vec3 p : mesh.positions) box = extend(box, p);
  return length(extent(box));
}

template <class Motion>
Mesh moved(const Mesh& rest, Motion motion) {
  Mesh out{std::vector<Vec3>(rest.positions.size()), rest.triangles};
  motion(std::span<const Vec3>(rest.positions), std::span<Vec3>(out.positions));
  return out;
}

Mesh rigid_at(const Mesh& m, float t, std::uint32_t seed = 1) {
  return moved(m, [&](auto rest, auto out) { rigid(rest, t, seed, out); });
}
Mesh wobble_at(const Mesh& m, float t, std::uint32_t seed = 1) {
  return moved(m, [&](auto rest, auto out) { wobble(rest, t, seed, out); });
}
Mesh twist_at(const Mesh& m, float t, float turns) {
  return moved(m, [&](auto rest, auto out) { twist(rest, t, turns, out); });
}
Mesh close_at(const Mesh& m, float t) {
  return moved(m, [&](auto rest, auto out) { close_hand(rest, t, out); });
}

float largest_move(const Mesh& a, const Mesh& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) most = std::max(most, length(a.positions[i] - b.positions[i]));
  return most;
}

TEST(Motions, KeepSolidsClosedAtAnyTime) {
  for (const std::string_view name : model_names()) {
    const Mesh rest = make_model(name, 600);
    for (const float t : kTimes) {
      SCOPED_TRACE(std::string(name) + " at " + std::to_string(t));
      EXPECT_EQ(defect(rigid_at(rest, t)), "");
      EXPECT_EQ(defect(wobble_at(rest, t)), "");
      EXPECT_EQ(defect(twist_at(rest, t, 0.5f)), "");
    }
  }
}

TEST(Motions, StayFiniteForTimesThatAreNot) {
  const Mesh rest = sphere(100);
  for (const float t : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                        std::numeric_limits<float>::max()}) {
    EXPECT_EQ(defect(rigid_at(rest, t)), "");
    EXPECT_EQ(defect(wobble_at(rest, t)), "");
    EXPECT_EQ(defect(twist_at(rest, t, 1)), "");
    EXPECT_EQ(defect(close_at(rest, t)), "");
  }
}

TEST(Motions, AcceptNoVertices) {
  EXPECT_NO_THROW({
    rigid({}, 0.3f, 1, {});
    wobble({}, 0.3f, 1, {});
    twist({}, 0.3f, 1, {});
    close_hand({}, 0.3f, {});
  });
}

TEST(Motions, RepeatAfterOnePeriod) {
  const Mesh rest = blob(500);
  EXPECT_EQ(rigid_at(rest, 0.25f).positions, rigid_at(rest, 1.25f).positions);
  EXPECT_EQ(wobble_at(rest, 0.25f).positions, wobble_at(rest, -3.75f).positions);
  EXPECT_EQ(twist_at(rest, 0.25f, 1).positions, twist_at(rest, 7.25f, 1).positions);
}

TEST(Motions, VaryWithTheSeed) {
  const Mesh rest = sphere(100);
  EXPECT_NE(rigid_at(rest, 0.3f, 1).positions, rigid_at(rest, 0.3f, 2).positions);
  EXPECT_NE(wobble_at(rest, 0.3f, 1).positions, wobble_at(rest, 0.3f, 2).positions);
}

RC_GTEST_PROP(Rigid, KeepsTheLengthOfEveryEdge, ()) {
  const float t = float(*rc::gen::inRange(-2000, 2000)) / 1000;
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Mesh rest = torus(400), now = rigid_at(rest, t, seed);
  for (const Triangle& e : rest.triangles) {
    const float before = length(rest.positions[e.a] - rest.positions[e.b]);
    const float after = length(now.positions[e.a] - now.positions[e.b]);
    RC_ASSERT(std::abs(before - after) < 2e-6f);
  }
}

TEST(Rigid, MovesTheMesh) { EXPECT_GT(largest_move(sphere(100), rigid_at(sphere(100), 0.3f)), 0.5f); }

RC_GTEST_PROP(Wobble, MovesEveryVertexALittle, ()) {
  const float t = float(*rc::gen::inRange(-2000, 2000)) / 1000;
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Mesh rest = serpent(600);
  const float most = largest_move(rest, wobble_at(rest, t, seed)) / diagonal(rest);
  RC_ASSERT(most < 0.025f);
  RC_ASSERT(most > 0.008f);
}

TEST(Twist, IsNothingAtTheStart) {
  const Mesh rest = phone(500);
  EXPECT_EQ(twist_at(rest, 0, 3).positions, rest.positions);
}

TEST(Twist, TurnsTheEndsOfTheLongestAxisByTheTurnsAskedFor) {
  const Mesh rest = box(12, {1, 1, 4});
  const Mesh half = twist_at(rest, 0.5f, 0.5f);  // half a turn: x and y change sign
  for (std::size_t i = 0; i < rest.positions.size(); ++i) {
    EXPECT_NEAR(half.positions[i].x, -rest.positions[i].x, 1e-6);
    EXPECT_NEAR(half.positions[i].y, -rest.positions[i].y, 1e-6);
    EXPECT_EQ(half.positions[i].z, rest.positions[i].z);
  }
}

TEST(CloseHand, GoesFromTheOpenHandToTheFistAndBack) {
  const Mesh rest = hand(2000);
  EXPECT_EQ(close_at(rest, 0).positions, rest.positions);
  EXPECT_EQ(close_at(rest, 0.5f).positions, hand(2000, 1).positions);
  EXPECT_EQ(close_at(rest, 1).positions, rest.positions);
}

TEST(CloseHand, IsSmoothInTime) {
  const Mesh rest = hand(2000);
  Mesh last = close_at(rest, 0);
  for (int i = 1; i <= 100; ++i) {
    Mesh now = close_at(rest, float(i) / 100);
    EXPECT_LT(largest_move(last, now), 0.05f) << i;
    EXPECT_EQ(defect(now), "") << i;
    last = std::move(now);
  }
}

TEST(CloseHand, LeavesTheWristWhereItIs) {
  const Mesh rest = hand(2000), fist = close_at(rest, 0.5f);
  for (std::size_t i = 0; i < rest.positions.size(); ++i) {
    if (rest.positions[i].y < -0.4f) {
      EXPECT_LT(length(rest.positions[i] - fist.positions[i]), 1e-6f);
    }
  }
}

}  // namespace
}  // namespace lamella::scenes
