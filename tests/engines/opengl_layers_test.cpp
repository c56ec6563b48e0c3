// Many crossings in one column: where each method's way of keeping them apart, or its memory, comes to an end.

#include <gmock/gmock.h>

#include "lamella/query.hpp"
#include "support/health.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::stacked_plates;
using testing::HasSubstr;

class OpenGlLayers : public test::OpenGlTest {
 protected:
  /// Entries at depths 1, 3, 5 and so on, exits one further; `extra` more exits of a lone triangle behind them all.
  void expect_stack(const Ldi& ldi, std::uint32_t plates, std::uint32_t extra = 0) {
    const double tolerance = lists() ? 0 : ldi.grid.depth() * 8 * 0x1p-24;
    for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
      const auto column = ldi.column(i);
      ASSERT_EQ(column.size(), 2 * plates + extra) << "column " << i;
      for (std::uint32_t k = 0; k < column.size(); ++k) {
        ASSERT_NEAR(column[k].depth(), static_cast<float>(k + 1), tolerance) << "crossing " << k << " of column " << i;
        ASSERT_EQ(column[k].entry(), k % 2 == 0 && k < 2 * plates) << "crossing " << k << " of column " << i;
      }
    }
    EXPECT_EQ(ldi.dropped_crossings, 0u);
  }

  static Grid grid(std::uint32_t plates, std::uint32_t columns = 3, std::uint32_t rows = 2) {
    return {{{0, 0, 0}, {1, 1, static_cast<float>(2 * plates + 2)}}, Axis::z, columns, rows};
  }
};

TEST_P(OpenGlLayers, StacksOfEverySizeComeOutSorted) {
  // gl-lists sorts up to 32 crossings one way and more another way.
  for (const std::uint32_t plates : {1u, 2u, 7u, 15u, 16u, 17u, 32u, 33u, 64u, 100u})
    ASSERT_NO_FATAL_FAILURE(expect_stack(build(stacked_plates(plates), grid(plates)), plates)) << plates << " plates";
}

TEST_P(OpenGlLayers, AnOddNumberOfCrossingsComesOutSortedToo) {
  for (const std::uint32_t plates : {15u, 16u, 31u, 32u}) {
    Mesh mesh = stacked_plates(plates);
    const auto z = static_cast<float>(2 * plates + 1);
    mesh.triangles.insert(mesh.triangles.begin(), {0, 0, 0});  // of no area
    test::append(mesh, {{{-2, -2, z}, {4, -2, z}, {-2, 4, z}}, {{0, 1, 2}}});
    std::swap(mesh.triangles[mesh.triangles.size() / 2], mesh.triangles.back());
    ASSERT_NO_FATAL_FAILURE(expect_stack(build(mesh, grid(plates)), plates, 1)) << plates << " plates";
  }
}

TEST_P(OpenGlLayers, TwoHundredAndFiftyFiveLayersOfOneFacing) {
  expect_stack(build(stacked_plates(255), grid(255)), 255);
}

TEST_P(OpenGlLayers, BeyondThatTheStencilCannotCountAndSaysWhatCan) {
  const Mesh mesh = stacked_plates(256);
  if (GetParam() != "gl-unordered") {
    expect_stack(build(mesh, grid(256)), 256);
    return;
  }
  const Error error = test::error_of([&] { (void)build(mesh, grid(256)); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), HasSubstr("255"));
  EXPECT_THAT(error.what(), HasSubstr("gl-lists"));
  EXPECT_THROW((void)self_intersect(mesh, {.resolution = 4, .axis = Axis::z}), Error);
  // One layer too many of the other facing, in one column alone.
  Mesh lopsided = stacked_plates(255);
  test::append(lopsided, {{{-0.1f, -0.1f, 511}, {0.6f, -0.1f, 511}, {-0.1f, 0.6f, 511}}, {{0, 1, 2}}});
  EXPECT_THROW((void)build(lopsided, grid(255)), Error);
  expect_stack(build(stacked_plates(10), grid(10)), 10);  // it works afterwards
}

TEST_P(OpenGlLayers, AThousandAndMoreCrossingsInAColumn) {
  const std::uint32_t plates = lists() ? 700 : GetParam() == "gl-ordered" ? 520 : 255;  // or as many as there can be
  expect_stack(build(stacked_plates(plates), grid(plates, 2, 2)), plates);
}

// Memory of gl-lists is made for four crossings per column, and for 4096 spans: a first frame that needs more is
// repeated. Each query is the first of its engine here.

TEST_P(OpenGlLayers, ManyMoreCrossingsThanExpectedInAFirstBuild) {
  expect_stack(build(stacked_plates(20), grid(20, 90, 80)), 20);
}

TEST_P(OpenGlLayers, ManyMoreCrossingsAndSpansThanExpectedInAFirstPair) {
  const Mesh block = test::box_mesh({0, 0, 10.5f}, {1, 1, 30.5f});
  const Overlap o = intersect(stacked_plates(20), block, {.axis = Axis::z});
  EXPECT_NEAR(o.volume, 10, 1e-5);
  EXPECT_EQ(o.spans.size(), 10u * 128 * 128);
  EXPECT_TRUE(o.health.ok());
}

TEST_P(OpenGlLayers, ManyMoreCrossingsAndSpansThanExpectedInAFirstSelfOverlap) {
  Mesh mesh = stacked_plates(20);
  test::append(mesh, test::box_mesh({0, 0, 10.5f}, {1, 1, 30.5f}));
  test::append(mesh, test::inside_out(test::box_mesh({0, 0, 50}, {1, 1, 60})));
  const SelfOverlap o = self_intersect(mesh, {.axis = Axis::z});
  EXPECT_NEAR(o.volume, 10, 1e-5);
  EXPECT_EQ(o.spans.size(), 10u * 128 * 128);
  EXPECT_NEAR(o.inside_out_volume, 10, 1e-5);
  EXPECT_EQ(o.inside_out.size(), 128u * 128);
  EXPECT_EQ(o.health.inside_out_columns, 128u * 128);
  EXPECT_TRUE(test::all_close(o.health));
}

TEST_P(OpenGlLayers, ManyMoreCrossingsThanExpectedInAFirstContainment) {
  std::vector<Vec3> points;
  for (int i = 0; i < 400; ++i) points.push_back({0.3f, 0.6f, 0.1f * static_cast<float>(i) + 0.05f});
  const Containment c = contains(stacked_plates(20), points, {.axis = Axis::z});
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(c.inside[i], static_cast<int>(points[i].z) % 2) << "z " << points[i].z;
}

TEST_P(OpenGlLayers, MoreCrossingsThanAllowedAreAnErrorAndItWorksAfterwards) {
  engine_ = make({.max_crossings = 1000});
  const Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_NEAR(self_intersect(mesh, {.resolution = 22}).health.occupied_columns, 484, 0);
  for (int round = 0; round < 2; ++round) {
    const Error error = test::error_of([&] { (void)self_intersect(mesh, {.resolution = 23}); });
    EXPECT_THAT(error.what(), HasSubstr("max_crossings"));
    EXPECT_THROW((void)build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::y, 64, 64}), Error);
    EXPECT_TRUE(self_intersect(mesh, {.resolution = 20}).health.ok());
    EXPECT_EQ(build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::y, 20, 25}).crossings.size(), 1000u);
  }
}

TEST_P(OpenGlLayers, EachMeshOfAPairMayHaveAsManyCrossingsAsAllowed) {
  engine_ = make({.max_crossings = 1000});
  const Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 1}), b = test::box_mesh({0, 0, 0.5f}, {1, 1, 2});
  const Options options{.resolution = 20, .axis = Axis::z, .max_crossings = 1000};
  EXPECT_NEAR(lamella::intersect(a, b, options).volume, 0.5, 1e-6);
  EXPECT_NEAR(intersect(a, b, options.for_query()).volume, 0.5, 1e-6) << "as the software engine: 800 crossings each";
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlLayers, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
