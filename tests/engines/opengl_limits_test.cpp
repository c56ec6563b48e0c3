// At a driver's limits: an Error that names the limit and what to do, and an engine that works afterwards.

#include <gmock/gmock.h>

#include "engines/opengl/gl_engine.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OpenGlLimits : public test::OpenGlTest {
 protected:
  void SetUp() override {
    OpenGlTest::SetUp();
    if (IsSkipped()) return;
    (void)self_intersect(box_, {.resolution = 4});  // starts the context
    true_facts_ = context().facts();
  }
  opengl::Context& context() { return dynamic_cast<opengl::GlEngine&>(*engine_).context(); }

  /// `change` makes the limit; the call must fail within it, and work without it.
  template <class Change, class Call>
  void expect_limit(const Change& change, const Call& call, const testing::Matcher<const char*>& words) {
    opengl::DeviceFacts facts = true_facts_;
    change(facts);
    context().pretend(facts);
    const Error error = test::error_of(call);
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), words);
    EXPECT_NEAR(intersect(box_, box_, {.resolution = 8}).volume, 1, 1e-6) << "what fits works within the limit";
    context().pretend(true_facts_);
    EXPECT_NO_THROW(call());
    EXPECT_NEAR(intersect(box_, box_).volume, 1, 1e-6);
  }

  const Mesh box_ = test::box_mesh({0, 0, 0}, {1, 1, 1});
  opengl::DeviceFacts true_facts_;
};

TEST_P(OpenGlLimits, FactsAreThereAndAreThoseListed) {
  EXPECT_GE(true_facts_.max_image, 16384) << "OpenGL 4.5 demands it";
  EXPECT_GE(true_facts_.max_layers, 2048);
  EXPECT_GE(true_facts_.max_storage_bytes, 1 << 27);
  EXPECT_GE(true_facts_.subpixel_bits, 4);
  for (const EngineInfo& info : engines())
    if (info.name == GetParam()) {
      EXPECT_TRUE(info.gpu);
      EXPECT_EQ(info.devices.at(0), opengl::describe(true_facts_));
    }
}

TEST_P(OpenGlLimits, MoreColumnsThanAnImageMayHave) {
  const auto small_images = [](opengl::DeviceFacts& facts) { facts.max_image = 32; };
  const auto words = AllOf(HasSubstr("33 x 33"), HasSubstr("32 x 32"), HasSubstr("resolution"), HasSubstr(GetParam()));
  expect_limit(
      small_images, [&] { (void)self_intersect(box_, {.resolution = 33}); }, words);
  expect_limit(
      small_images, [&] { (void)intersect(box_, box_, {.resolution = 33}); }, words);
  expect_limit(
      small_images, [&] { (void)contains(box_, box_.positions, {.resolution = 33}); }, words);
}

TEST_P(OpenGlLimits, AMeshLargerThanABufferMayBe) {
  const Mesh ball = test::round_sphere(60, 120);
  expect_limit([](opengl::DeviceFacts& facts) { facts.max_storage_bytes = 100 << 10; },
               [&] { (void)intersect(ball, box_, {.resolution = 8}); },
               AllOf(HasSubstr(std::to_string(ball.triangles.size())), HasSubstr("software")));
}

TEST_P(OpenGlLimits, MoreLayersThanAnArrayMayHaveAreDrawnInRounds) {
  const Mesh stack = test::stacked_plates(9);
  const Grid grid{{{0, 0, 0}, {1, 1, 20}}, Axis::z, 17, 5};
  const Ldi expected = build(stack, grid);
  for (const int layers : {1, 2, 3, 7}) {
    opengl::DeviceFacts facts = true_facts_;
    facts.max_layers = layers;
    context().pretend(facts);
    const Ldi ldi = build(stack, grid);
    EXPECT_EQ(ldi.offsets, expected.offsets) << layers << " layers at a time";
    EXPECT_EQ(ldi.crossings, expected.crossings) << layers << " layers at a time";
  }
}

/// What gl-lists alone asks of a driver.
class OpenGlListLimits : public OpenGlLimits {};

TEST_P(OpenGlListLimits, MoreCrossingsThanABufferMayHave) {
  const Mesh stack = test::stacked_plates(8);  // 160,000 crossings of 8 bytes
  expect_limit([](opengl::DeviceFacts& facts) { facts.max_storage_bytes = 1 << 20; },
               [&] { (void)self_intersect(stack, {.resolution = 100, .axis = Axis::z}); },
               AllOf(HasSubstr("100 x 100"), HasSubstr("160000"), HasSubstr("resolution"), HasSubstr("software")));
}

TEST_P(OpenGlListLimits, MorePointsThanABufferMayHaveAreAnsweredInTurns) {
  test::Random random(3);
  std::vector<Vec3> points(10001);
  for (Vec3& p : points) p = random.in({{-0.5f, -0.5f, -0.5f}, {1.5f, 1.5f, 1.5f}});
  const Containment at_once = contains(box_, points, {.resolution = 8});
  opengl::DeviceFacts facts = true_facts_;
  facts.max_storage_bytes = 64 << 10;
  context().pretend(facts);
  const Containment in_turns = contains(box_, points, {.resolution = 8});
  EXPECT_GT(at_once.inside_count, 0u);
  EXPECT_EQ(in_turns.inside_count, at_once.inside_count);
  EXPECT_EQ(in_turns.inside, at_once.inside);
}

TEST_P(OpenGlListLimits, WhatFitsIsNotRefusedForAGuess) {
  // Room for four crossings per column, which is made to begin with, would not fit; the two that there are do.
  opengl::DeviceFacts facts = true_facts_;
  facts.max_storage_bytes = 1 << 20;
  context().pretend(facts);
  EXPECT_NO_THROW(EXPECT_EQ(self_intersect(box_, {.resolution = 200}).health.occupied_columns, 200u * 200));
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlLimits, test::kOpenGlEngines, test::test_name);
INSTANTIATE_TEST_SUITE_P(All, OpenGlListLimits, testing::Values("gl-lists"), test::test_name);

}  // namespace
}  // namespace lamella
