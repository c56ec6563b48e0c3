// Meshes kept on the device answer as those given anew, and what is read back is what the method is known for.

#include "lamella/detector.hpp"
#include "scenes/scenes.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class OpenGlKept : public test::OpenGlTest {
 protected:
  static void expect_same(const Overlap& a, const Overlap& b) {
    EXPECT_EQ(a.grid, b.grid);
    EXPECT_EQ(a.spans, b.spans);
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.bounds, b.bounds);
    EXPECT_EQ(a.health.occupied_columns, b.health.occupied_columns);
    EXPECT_EQ(a.read_back_bytes > 0, b.read_back_bytes > 0);
  }
};

TEST_P(OpenGlKept, AnswersAreThoseOfViewsFrameAfterFrame) {
  Detector kept({.engine = GetParam(), .resolution = 64}), given({.engine = GetParam(), .resolution = 64});
  auto [hand, phone] = scenes::hand_and_phone(2400, 900, 0);
  const std::vector<Vec3> points = scenes::random_points(hand, 1000);
  const ObjectId hand_id = kept.add(hand), phone_id = kept.add(phone);
  for (const float t : {0.0f, 0.2f, 0.5f, 0.9f}) {
    hand = scenes::hand_and_phone(2400, 900, t).a;
    kept.deform(hand_id, hand.positions);
    expect_same(kept.intersect(hand_id, phone_id), given.intersect(hand, phone));
    expect_same(kept.intersect(phone_id, hand_id), given.intersect(phone, hand));
    expect_same(kept.self_intersect(hand_id), given.self_intersect(hand));
    EXPECT_EQ(kept.contains(hand_id, points).inside, given.contains(hand, points).inside);
    EXPECT_EQ(kept.contains(hand_id, points).inside_count, given.contains(hand, points).inside_count);
  }
  expect_same(kept.intersect(hand_id, hand_id), given.intersect(hand, hand));
}

TEST_P(OpenGlKept, KeptMeshesAndViewsMixInOneQuery) {
  const Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 1}), b = test::box_mesh({0.5f, 0, 0}, {2, 1, 1});
  const auto kept_a = engine_->keep(a), kept_b = engine_->keep(b);
  EXPECT_NEAR(intersect(*kept_a, b).volume, 0.5, 1e-6);
  EXPECT_NEAR(intersect(a, *kept_b).volume, 0.5, 1e-6);
  EXPECT_NEAR(intersect(*kept_a, *kept_b).volume, 0.5, 1e-6);
  EXPECT_EQ(engine_->bounds(*kept_b), bounds(b));
  EXPECT_EQ(kept_b->triangle_count(), 12u);
}

TEST_P(OpenGlKept, TheCallersArraysMayGoAfterwards) {
  auto mesh = std::make_unique<Mesh>(test::round_sphere(20, 40));
  const double volume = intersect(*mesh, *mesh).volume;
  const auto kept = engine_->keep(*mesh);
  for (Vec3& p : mesh->positions) p = {kNan, kNan, kNan};
  mesh.reset();
  EXPECT_EQ(intersect(*kept, *kept).volume, volume);
}

TEST_P(OpenGlKept, AMeshOfAnotherEngineIsAnError) {
  const auto other = make({});
  const auto theirs = other->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  EXPECT_THROW((void)self_intersect(*theirs), Error);
  const auto copy = make_engine({.engine = "software"})->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  EXPECT_THROW((void)self_intersect(*copy), Error);
}

TEST_P(OpenGlKept, OneMeshIsRemovedAndTheOthersStay) {
  Detector detector({.engine = GetParam(), .resolution = 16});
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const ObjectId a = detector.add(box), b = detector.add(test::box_mesh({0.5f, 0, 0}, {2, 1, 1}));
  const ObjectId c = detector.add(test::box_mesh({0.25f, 0, 0}, {2, 1, 1}));
  EXPECT_NEAR(detector.intersect(a, b).volume, 0.5, 1e-6);
  detector.remove(b);
  EXPECT_THROW((void)detector.intersect(a, b), Error);
  EXPECT_THROW(detector.deform(b, box.positions), Error);
  EXPECT_THROW(detector.remove(b), Error);
  EXPECT_NEAR(detector.intersect(a, c).volume, 0.75, 1e-6);
  EXPECT_NE(detector.add(box), b) << "an id is never reused";
}

TEST_P(OpenGlKept, AnotherNumberOfVerticesIsAnErrorAndChangesNothing) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const auto kept = engine_->keep(box);
  EXPECT_THROW(kept->deform({}), Error);
  EXPECT_THROW(kept->deform(std::vector<Vec3>(9)), Error);
  EXPECT_NEAR(intersect(*kept, box).volume, 1, 1e-6);
}

TEST_P(OpenGlKept, BrokenVerticesAreHealedByTheNextUpdate) {
  Mesh ball = test::round_sphere(10, 20);
  const Mesh whole = ball;
  const double volume = intersect(whole, whole).volume;
  ball.positions[60].x = kNan;
  const auto kept = engine_->keep(ball);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(self_intersect(*kept).health.skipped_triangles, 6u);
    kept->deform(whole.positions);
    EXPECT_TRUE(self_intersect(*kept).health.ok());
    EXPECT_EQ(intersect(*kept, *kept).volume, volume);
    kept->deform(std::vector<Vec3>(ball.positions.size(), Vec3{kNan, 0, 0}));
    EXPECT_TRUE(engine_->bounds(*kept).empty());
    EXPECT_EQ(self_intersect(*kept).health.skipped_triangles, ball.triangles.size());
    kept->deform(ball.positions);
  }
}

TEST_P(OpenGlKept, LayersMayComeAndGoBetweenFrames) {
  // A stack of plates that is pushed together sideways, and apart again: 1 to 12 layers.
  constexpr std::uint32_t kPlates = 12;
  Mesh stack = test::stacked_plates(kPlates);
  const auto kept = engine_->keep(stack);
  for (const float shift : {0.0f, 1.5f, 0.4f, 0.0f, 3.0f, 0.1f}) {
    Mesh moved = stack;
    for (std::size_t i = 0; i < moved.positions.size(); ++i) moved.positions[i].x += shift * static_cast<float>(i / 8);
    kept->deform(moved.positions);
    const Grid grid{bounds(moved), Axis::z, 40, 3};
    const Ldi ldi = build(*kept, grid), expected = build(moved, grid);
    EXPECT_EQ(ldi.offsets, expected.offsets);
    EXPECT_EQ(ldi.crossings, expected.crossings);
    EXPECT_EQ(validate(ldi).open_columns, 0u);
    EXPECT_EQ(validate(ldi).max_layers, shift >= 1 ? 2u : validate(expected).max_layers);
  }
}

TEST_P(OpenGlKept, EmptyMeshesAreKeptToo) {
  const auto kept = engine_->keep({});
  EXPECT_EQ(kept->triangle_count(), 0u);
  EXPECT_TRUE(engine_->bounds(*kept).empty());
  EXPECT_FALSE(self_intersect(*kept).colliding());
  kept->deform({});
}

TEST_P(OpenGlKept, WhatIsReadBackGrowsWithTheLayersExceptForLists) {
  const Mesh one = test::nested_spheres(1), twenty = test::nested_spheres(20);
  const std::vector<Vec3> points = scenes::random_points(one, 5000);
  const auto few = contains(one, points, {.resolution = 64}).read_back_bytes;
  const auto many = contains(twenty, points, {.resolution = 64}).read_back_bytes;
  if (lists()) {
    EXPECT_EQ(few, many);
    EXPECT_LT(many, 2 * points.size()) << "a byte per point, and the sums";
  } else {
    EXPECT_GE(many, 20 * few / 2);
    EXPECT_GE(few, 2u * 64 * 64 * sizeof(float));
  }
  const auto apart = intersect(one, test::box_mesh({5, 5, 5}, {6, 6, 6})).read_back_bytes;
  EXPECT_EQ(apart, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlKept, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
