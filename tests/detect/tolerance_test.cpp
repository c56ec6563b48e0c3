// Error bars of whole queries, and asking for an accuracy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

TEST(Tolerance, TheBarHoldsTheLensOfTwoSpheres) {
  const Mesh a = scenes::sphere(80000), b = transformed(scenes::sphere(80000), {{0.7, 0.1, 0.2}, {}});
  const double finest = intersect(a, b, {.resolution = 2048, .keep_spans = false}).volume;
  int within = 0, all = 0;
  for (const std::uint32_t resolution : {48u, 64u, 100u, 128u, 200u, 256u})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      const Overlap o = intersect(a, b, {.resolution = resolution, .axis = axis});
      EXPECT_GT(o.volume_error, 0);
      EXPECT_LT(o.volume_error, 0.05 * o.volume);
      within += std::abs(o.volume - finest) <= o.volume_error ? 1 : 0;
      ++all;
    }
  EXPECT_GE(within, all - 2);
}

TEST(Tolerance, IsMet) {
  const Mesh a = scenes::sphere(80000), b = transformed(scenes::sphere(80000), {{0.7, 0.1, 0.2}, {}});
  const double finest = intersect(a, b, {.resolution = 4096, .keep_spans = false}).volume;
  std::uint32_t columns = 0;
  for (const double relative : {1e-2, 1e-3, 1e-4}) {
    const Overlap o = intersect(a, b, {.tolerance = Tolerance{.relative = relative}});
    EXPECT_TRUE(o.tolerance_met);
    EXPECT_LE(o.volume_error, relative * o.volume);
    EXPECT_NEAR(o.volume, finest, relative * finest);
    EXPECT_GE(o.grid.columns, columns);
    columns = o.grid.columns;
    EXPECT_EQ(o.spans.size(), o.span_count);
  }
  EXPECT_GT(columns, 64u);
}

TEST(Tolerance, MayBeAVolume) {
  const Mesh a = scenes::sphere(20000), b = transformed(scenes::sphere(20000), {{1.2, 0, 0}, {}});
  const Overlap o = intersect(a, b, {.tolerance = Tolerance{.absolute = 1e-5}});
  EXPECT_TRUE(o.tolerance_met);
  EXPECT_LE(o.volume_error, 1e-5);
}

TEST(Tolerance, HoldsOnceForEveryEngineThatSamples) {
  const Mesh a = scenes::sphere(5000), b = transformed(scenes::sphere(5000), {{0.7, 0.1, 0.2}, {}});
  const Tolerance tolerance{.relative = 0.005};
  const Overlap software = intersect(a, b, {.engine = "software", .tolerance = tolerance});
  const Overlap reference = intersect(a, b, {.engine = "reference", .tolerance = tolerance});
  EXPECT_TRUE(software.tolerance_met);
  EXPECT_EQ(reference.grid, software.grid);
  EXPECT_NEAR(reference.volume, software.volume, 1e-6 * software.volume);
  Detector detector({.tolerance = tolerance});
  EXPECT_EQ(detector.intersect(a, b).volume, software.volume);
  Batch batch({.engine = "software", .tolerance = tolerance});
  const BatchPair pair{batch.add(a), batch.add(b), {}, {}};
  EXPECT_EQ(batch.intersect({&pair, 1})[0].volume, software.volume);
}

// A thin slice of a ball's top: seen face on it is smooth, seen from the side it is a sliver.
TEST(Tolerance, TakesTheAxisThatErrsLeast) {
  const Mesh ball = scenes::sphere(80000);
  const Mesh plate = transformed(scenes::box(12, {2, 2, 1}), {{0, 0, 1.98}, {}});  // from z = 0.98 on
  const auto error_along = [&](Axis axis) {
    return intersect(ball, plate, {.resolution = 64, .axis = axis}).volume_error;
  };
  const Overlap o = intersect(ball, plate, {.tolerance = Tolerance{.relative = 1e-4}});
  EXPECT_TRUE(o.tolerance_met);
  const double best = std::min({error_along(Axis::x), error_along(Axis::y), error_along(Axis::z)});
  EXPECT_EQ(error_along(o.grid.axis), best);
}

TEST(Tolerance, SaysWhenItIsNotMet) {
  const Mesh a = scenes::sphere(20000), b = transformed(scenes::sphere(20000), {{0.7, 0.1, 0.2}, {}});
  const Options impossible{.keep_spans = false, .tolerance = Tolerance{.relative = 1e-12}};
  const Overlap o = intersect(a, b, impossible);
  EXPECT_FALSE(o.tolerance_met);
  EXPECT_GT(o.volume_error, 1e-12 * o.volume);
  Options strict = impossible;
  strict.strict = true;
  EXPECT_THROW((void)intersect(a, b, strict), Error);
}

TEST(Tolerance, OfNothingIsNothing) {
  const Mesh a = scenes::sphere(1280), b = transformed(scenes::sphere(1280), {{5, 0, 0}, {}});
  const Overlap apart = intersect(a, b, {.tolerance = Tolerance{.relative = 1e-3}});
  EXPECT_EQ(apart.verdict, Verdict::clear);
  EXPECT_TRUE(apart.tolerance_met);
  const Mesh c = transformed(scenes::sphere(1280), {{1.25, 1.25, 1.25}, {}});  // the boxes share a corner
  const Overlap beside = intersect(a, c, {.tolerance = Tolerance{.relative = 1e-3}});
  EXPECT_EQ(beside.verdict, Verdict::clear);
  EXPECT_TRUE(beside.tolerance_met);
  EXPECT_EQ(beside.grid.columns, Options{}.resolution);
}

TEST(Tolerance, OfSelfOverlap) {
  Mesh two = scenes::sphere(20000);
  const auto count = static_cast<std::uint32_t>(two.positions.size());
  const Mesh one = two;
  for (const Vec3 p : one.positions) two.positions.push_back({p.x + 0.7f, p.y + 0.1f, p.z + 0.2f});
  for (const Triangle& t : one.triangles) two.triangles.push_back({t.a + count, t.b + count, t.c + count});
  const SelfOverlap o = self_intersect(two, {.tolerance = Tolerance{.relative = 1e-3}});
  const Mesh moved{{two.positions.begin() + count, two.positions.end()}, one.triangles};
  const Overlap pair = intersect(one, moved, {.tolerance = Tolerance{.relative = 1e-4}});
  EXPECT_TRUE(o.tolerance_met);
  EXPECT_NEAR(o.volume, pair.volume, 1.2e-3 * pair.volume);
}

TEST(Tolerance, MustBeAboveNothing) {
  const Mesh a = scenes::sphere(320);
  for (const Tolerance bad :
       {Tolerance{}, Tolerance{-1, 1}, Tolerance{1, -2}, Tolerance{NAN, 1}, Tolerance{INFINITY, 0}})
    EXPECT_THROW((void)intersect(a, a, {.tolerance = bad}), Error);
}

}  // namespace
}  // namespace lamella
