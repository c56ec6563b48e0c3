// gl-tr395: where what TR 395 assumes holds, its answers are the reference engine's; where it does not, what happens,
// and what the result says about it.

#include <gmock/gmock.h>

#include "engines/opengl/gl_engine.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/on_grid.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kAxes;
using test::stacked_plates;
using testing::HasSubstr;

class OpenGlTr395 : public test::OpenGlTest {
 protected:
  Ldi build_cut(MeshRef mesh, const Grid& grid, End outside) {
    Ldi out;
    engine_->build_cut(mesh, grid, outside, out);
    return out;
  }
  /// Depths within a step or two of the depth buffer.
  static void expect_columns(const Ldi& ldi, const std::vector<std::pair<float, bool>>& expected) {
    const LdiReport report = validate(ldi);
    ASSERT_TRUE(report.well_formed) << report.problem;
    EXPECT_TRUE(ldi.alternating);
    EXPECT_EQ(ldi.dropped_crossings, 0u);
    for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
      const auto column = ldi.column(i);
      ASSERT_EQ(column.size(), expected.size()) << "column " << i;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(column[k].depth(), expected[k].first, ldi.grid.depth() * 4 * 0x1p-24) << "column " << i;
        EXPECT_EQ(column[k].entry(), expected[k].second) << "crossing " << k << " of column " << i;
      }
    }
  }
  static Grid stack_grid(std::uint32_t plates) {
    return {{{0, 0, 0}, {1, 1, static_cast<float>(2 * plates + 2)}}, Axis::z, 3, 2};
  }
  void expect_pair_like_reference(const Mesh& a, const Mesh& b, std::uint32_t resolution = 64) {
    for (const Axis axis : kAxes) {
      const Overlap o = intersect(a, b, {.resolution = resolution, .axis = axis});
      const auto voi = choose_pair_voi(bounds(a), bounds(b), axis);
      ASSERT_TRUE(voi);
      EXPECT_EQ(o.grid, square_grid(voi->box, axis, resolution));
      const Overlap expected = test::overlap_on(o.grid, a, b, "reference");
      EXPECT_TRUE(o.colliding() && expected.colliding());
      EXPECT_TRUE(o.health.ok());
      EXPECT_TRUE(o.alternating);
      EXPECT_NEAR(o.volume, expected.volume, 0.005 * expected.volume) << "axis " << static_cast<int>(axis);
    }
  }
};

TEST_P(OpenGlTr395, ABoxHasOneEntryAndOneExitInEveryColumn) {
  for (const Axis axis : kAxes) {
    const Grid grid{{{0, 0, 0}, {1, 2, 3}}, axis, 8, 5};
    expect_columns(build(box_mesh({0, 0, 0}, {1, 2, 3}), grid), {{0.0f, true}, {grid.depth(), false}});
  }
}

TEST_P(OpenGlTr395, FacesOnTheNearAndFarPlaneAreNotClippedWhateverTheBoxsDepth) {
  test::Random random(11);
  for (int i = 0; i < 40; ++i) {
    const float low = random.uniform(-3, 3), high = low + random.uniform(0.01f, 5);
    const Grid grid{{{0, 0, low}, {1, 1, high}}, Axis::z, 3, 3};
    const Mesh box = box_mesh({0, 0, low}, {1, 1, high});
    expect_columns(build(box, grid), {{0.0f, true}, {grid.depth(), false}});
    for (const End outside : {End::low, End::high})
      expect_columns(build_cut(box, grid, outside), {{0.0f, true}, {grid.depth(), false}});
  }
}

TEST_P(OpenGlTr395, EachObjectOfAPairIsSeenFromItsOwnOutsideFace) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
  const Ldi low = build_cut(box_mesh({0, 0, 0.25f}, {1, 1, 5}), grid, End::low);
  expect_columns(low, {{0.25f, true}});
  EXPECT_EQ(low.outside, End::low);
  const Ldi high = build_cut(box_mesh({0, 0, -5}, {1, 1, 0.75f}), grid, End::high);
  expect_columns(high, {{0.75f, false}});  // the first one met from the high end is where a ray along +z leaves
  EXPECT_EQ(high.outside, End::high);
  // Three crossings, of which the box cuts the fourth.
  Mesh two = box_mesh({0, 0, -5}, {1, 1, 0.25f});
  test::append(two, box_mesh({0, 0, 0.5f}, {1, 1, 0.75f}));
  expect_columns(build_cut(two, grid, End::high), {{0.25f, false}, {0.5f, true}, {0.75f, false}});
}

TEST_P(OpenGlTr395, DepthAndStencilOfEveryLayerAreReadBackOnceInWordsOf32Bits) {
  const Overlap o =
      intersect(box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({0.5f, 0, 0}, {3, 1, 1}), {.resolution = 16, .axis = Axis::x});
  EXPECT_EQ(o.read_back_bytes, 2u * 16 * 16 * 4) << "one layer each within the box";
  const Containment c =
      contains(stacked_plates(3), std::vector<Vec3>{{0.5f, 0.5f, 1.5f}}, {.resolution = 16, .axis = Axis::z});
  EXPECT_EQ(c.read_back_bytes, 6u * 16 * 16 * 4) << "six crossings in every column";
}

TEST_P(OpenGlTr395, StacksComeOutSortedAndInTurn) {
  for (const std::uint32_t plates : {1u, 2u, 12u, 13u, 100u, 127u}) {
    std::vector<std::pair<float, bool>> expected;
    for (std::uint32_t k = 0; k < 2 * plates; ++k) expected.emplace_back(static_cast<float>(k + 1), k % 2 == 0);
    ASSERT_NO_FATAL_FAILURE(expect_columns(build(stacked_plates(plates), stack_grid(plates)), expected)) << plates;
  }
}

TEST_P(OpenGlTr395, TheStencilCountsTo255AndMoreIsAnErrorThatSaysWhatToUse) {
  Mesh mesh = stacked_plates(127);
  const Mesh lone{{{-2, -2, 255}, {4, -2, 255}, {-2, 4, 255}}, {{0, 1, 2}}};
  test::append(mesh, lone);
  EXPECT_EQ(build(mesh, stack_grid(127)).column(0).size(), 255u);
  const Error error = test::error_of([&] { (void)build(stacked_plates(128), stack_grid(128)); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("255"), HasSubstr("gl-lists")));
  EXPECT_EQ(build(stacked_plates(10), stack_grid(10)).column(0).size(), 20u) << "it works afterwards";
}

TEST_P(OpenGlTr395, LayersThatDoNotFitTheTargetAreDrawnInTurns) {
  const Mesh stack = stacked_plates(9);
  const Grid grid{{{0, 0, 0}, {1, 1, 20}}, Axis::z, 17, 5};
  const Ldi expected = build(stack, grid);
  opengl::Context& context = dynamic_cast<opengl::GlEngine&>(*engine_).context();
  opengl::DeviceFacts facts = context.facts();
  for (const int size : {17, 34, 40, 60}) {
    facts.max_image = size;
    context.pretend(facts);
    const Ldi ldi = build(stack, grid);
    EXPECT_EQ(ldi.offsets, expected.offsets) << size;
    EXPECT_EQ(ldi.crossings, expected.crossings) << size;
  }
}

TEST_P(OpenGlTr395, LayersAreThoseOfTheDrawingWithoutFacing) {
  const Mesh stack = stacked_plates(4);
  const auto layers = engine_->layers(stack, stack_grid(4));
  ASSERT_EQ(layers.size(), 8u);
  std::vector<float> depths;
  for (const DepthLayer& layer : layers) {
    EXPECT_TRUE(layer.mixed);
    depths.push_back(layer.depth[0]);
  }
  EXPECT_FALSE(std::is_sorted(depths.begin(), depths.end())) << "the triangles come in a shuffled order";
  std::sort(depths.begin(), depths.end());
  for (std::size_t k = 0; k < depths.size(); ++k) EXPECT_NEAR(depths[k], static_cast<float>(k + 1), 1e-5);
}

// ---- where its assumptions hold

TEST_P(OpenGlTr395, BoxesInGeneralPositionHaveTheirExactVolume) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 1, 1}, {3, 3, 3});
  for (const Axis axis : kAxes) {
    const Overlap o = intersect(a, b, {.resolution = 33, .axis = axis});
    EXPECT_NEAR(o.volume, 1, 1e-6);
    EXPECT_TRUE(o.health.ok());
  }
}

TEST_P(OpenGlTr395, ABoxWithinAnother) {
  const Mesh inner = box_mesh({0.3f, 0.4f, 0.35f}, {0.6f, 0.7f, 0.55f}), outer = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Axis axis : kAxes) {
    EXPECT_NEAR(intersect(inner, outer, {.axis = axis}).volume, 0.3 * 0.3 * 0.2, 1e-7);
    EXPECT_NEAR(intersect(outer, inner, {.axis = axis}).volume, 0.3 * 0.3 * 0.2, 1e-7);
  }
}

TEST_P(OpenGlTr395, PairsHaveTheReferenceEnginesVolume) {
  const scenes::Pair knot = scenes::overlapping("torus_knot", 6000, "serpent", 6000, true);
  expect_pair_like_reference(knot.a, knot.b);
  const scenes::Pair blob = scenes::overlapping("blob", 8000, "torus", 4000, false);
  expect_pair_like_reference(blob.a, blob.b);
}

TEST_P(OpenGlTr395, PointsAreInsideWhereTheReferenceEngineHasThem) {
  const Mesh mesh = scenes::serpent(6000);
  const std::vector<Vec3> points = scenes::random_points(mesh, 5001);
  const Containment c = contains(mesh, points, {.resolution = 128});
  const Containment expected = lamella::contains(mesh, points, {.engine = "reference", .resolution = 128});
  EXPECT_TRUE(c.health.ok());
  EXPECT_TRUE(c.alternating);
  EXPECT_NEAR(static_cast<double>(c.inside_count), static_cast<double>(expected.inside_count),
              0.005 * static_cast<double>(expected.inside_count));
}

/// How an LDI differs from another where both have as many crossings.
struct Depths {
  std::size_t other_counts = 0;  ///< columns with another number of crossings
  double mean = 0, largest = 0;  ///< difference of depth, in parts of the box's
};

Depths compare_depths(const Ldi& ldi, const Ldi& expected) {
  Depths d;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    const auto a = ldi.column(i), b = expected.column(i);
    d.other_counts += a.size() != b.size() ? 1 : 0;
    for (std::size_t k = 0; a.size() == b.size() && k < a.size(); ++k, ++compared) {
      const double off = std::abs(static_cast<double>(a[k].depth()) - b[k].depth()) / ldi.grid.depth();
      d.mean += off;
      d.largest = std::max(d.largest, off);
    }
  }
  d.mean /= static_cast<double>(std::max<std::size_t>(compared, 1));
  return d;
}

TEST_P(OpenGlTr395, ColumnsAreTheReferencesButForEdgesAndDepthsForTheDriversLattice) {
  const Mesh mesh = scenes::make_model("torus_knot", 6000);
  for (const Axis axis : kAxes) {
    const Grid grid{bounds(mesh), axis, 100, 100};
    const Ldi ldi = build(mesh, grid);
    Ldi expected;
    make_engine({.engine = "software"})->build(mesh, grid, expected);
    EXPECT_EQ(ldi.dropped_crossings, 0u) << "every pass drew the same fragments";
    EXPECT_EQ(validate(ldi).open_columns, 0u);
    // Vertices move by up to 1/512 of a cell, and depths with them, by that times the slope.
    const Depths d = compare_depths(ldi, expected);
    EXPECT_LE(d.other_counts, grid.column_count() / 200);
    EXPECT_LT(d.mean, 5e-5) << "measured: 2e-5";
    EXPECT_LT(d.largest, 0.02) << "measured: 0.006, on a steep face";
  }
}

TEST_P(OpenGlTr395, PassesInAllRegionsSeeTheSameFragments) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    const Grid grid = test::random_grid(random);
    Mesh mesh = test::random_closed_mesh(random, grid);
    const Vec3 reach = extent(grid.box) * 3.0f;
    for (Vec3& p : mesh.positions)
      for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], grid.box.min[k] - reach[k], grid.box.max[k] + reach[k]);
    const Ldi ldi = build(mesh, grid);
    const LdiReport report = validate(ldi);
    ASSERT_TRUE(report.well_formed) << report.problem;
    EXPECT_EQ(ldi.dropped_crossings, 0u) << "seed " << seed;
    EXPECT_EQ(report.open_columns, 0u) << "seed " << seed;
  }
}

TEST_P(OpenGlTr395, AtAContourEdgeFrontAndBackAreBothCounted) {
  // A tetrahedron whose silhouette runs through samples: what the depth test of peeling would merge is counted here.
  const Mesh mesh = test::tetrahedron({0.5f, 0.5f, 0.2f}, {3.5f, 0.5f, 0.2f}, {0.5f, 3.5f, 0.2f}, {0.5f, 0.5f, 0.9f});
  const Ldi ldi = build(mesh, {{{0, 0, 0}, {4, 4, 1}}, Axis::z, 4, 4});
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    EXPECT_EQ(ldi.column(i).size() % 2, 0u) << "column " << i;
  }
  // Boxes that share a face: exit and entry at one depth.
  Mesh boxes = box_mesh({0, 0, 0}, {1, 1, 0.5f});
  test::append(boxes, box_mesh({0, 0, 0.5f}, {1, 1, 1}));
  expect_columns(build(boxes, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 5, 5}),
                 {{0, true}, {0.5f, false}, {0.5f, true}, {1, false}});
}

// ---- where they do not hold

TEST_P(OpenGlTr395, SelfOverlapIsRefusedByTheEngineAndByTheQueryOnItsImages) {
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const Error error = test::error_of([&] { (void)self_intersect(mesh); });
  EXPECT_EQ(error.kind(), Error::Kind::input);
  EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("gl-tr395"), HasSubstr("software"), HasSubstr("gl-unordered")));
  const Ldi ldi = build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4});
  SelfOverlap out;
  EXPECT_THROW(lamella::self_intersect(ldi, 0, out), Error);
  for (const EngineInfo& info : engines()) EXPECT_EQ(info.self_overlap, info.name != "gl-tr395");
}

TEST_P(OpenGlTr395, WhereAMeshOverlapsItselfItIsTakenForAGapAndOnlyTheAssumptionIsReported) {
  // Two boxes of one mesh that overlap: the ray enters twice, then leaves twice.
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 2});
  test::append(mesh, box_mesh({0, 0, 1}, {1, 1, 3}));
  expect_columns(build(mesh, {{{0, 0, 0}, {1, 1, 3}}, Axis::z, 4, 4}), {{0, true}, {1, false}, {2, true}, {3, false}});
  const Mesh probe = box_mesh({0.1f, 0.1f, 0.5f}, {0.9f, 0.9f, 2.5f});
  const Overlap right = lamella::intersect(mesh, probe, {.engine = "reference", .axis = Axis::z});
  EXPECT_NEAR(right.volume, 0.8 * 0.8 * 2, 1e-5);
  EXPECT_FALSE(right.alternating);
  const Overlap wrong = intersect(mesh, probe, {.axis = Axis::z});
  EXPECT_NEAR(wrong.volume, 0.8 * 0.8 * 1, 1e-5) << "the overlap of the mesh with itself is missing";
  EXPECT_TRUE(wrong.health.ok()) << "nothing that was measured contradicts the assumption";
  EXPECT_TRUE(wrong.alternating) << "so the result says that it was made";
  EXPECT_EQ(contains(mesh, std::vector<Vec3>{{0.5f, 0.5f, 1.5f}}, {.axis = Axis::z}).inside_count, 0u);
}

TEST_P(OpenGlTr395, AMeshTurnedInsideOutLooksAsIfItWereNot) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_NEAR(intersect(test::inside_out(box), box_mesh({0.5f, 0, 0}, {2, 1, 1})).volume, 0.5, 1e-6);
}

TEST_P(OpenGlTr395, AnOddColumnIsOpenWhereTheBoxDoesNotCutTheMesh) {
  Mesh cup = box_mesh({0, 0, 0}, {1, 1, 1});
  cup.triangles.erase(cup.triangles.begin() + 2, cup.triangles.begin() + 4);  // without its high face
  const Containment c = contains(cup, std::vector<Vec3>{{0.5f, 0.5f, 0.5f}}, {.resolution = 8, .axis = Axis::z});
  EXPECT_EQ(c.health.open_columns, 64u);
  EXPECT_EQ(c.health.untrusted_points, 1u);
  EXPECT_FALSE(c.health.ok());
  // In a pair whose box reaches around the cup, too; where the box cuts it, nobody can know.
  const Mesh around = box_mesh({-1, -1, -1}, {2, 2, 2}), beside = box_mesh({0, 0, -0.5f}, {1, 1, 0.5f});
  const Overlap whole = intersect(cup, around, {.resolution = 8, .axis = Axis::z});
  EXPECT_EQ(whole.health.open_columns, 64u);
  EXPECT_GT(whole.health.untrusted_volume, 0);
  const Overlap cut = intersect(cup, beside, {.resolution = 8, .axis = Axis::z});
  EXPECT_TRUE(cut.health.ok());
  EXPECT_NEAR(cut.volume, 0.5, 1e-6) << "right here, since the hole is beyond";
}

TEST_P(OpenGlTr395, SurfacesWithinAStepOf24BitsMerge) {
  constexpr float kStep = 0x1p-24f;
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 2, 2};
  const auto thickness = [&](float plate) {
    Mesh mesh = box_mesh({0, 0, 0.1f}, {1, 1, 0.1f + plate});
    test::append(mesh, box_mesh({0, 0, 0.9f}, {1, 1, 1}));
    const Ldi ldi = build(mesh, grid);
    EXPECT_EQ(ldi.column(0).size(), 4u) << "none is lost: there is no depth test";
    return ldi.column(0)[1].depth() - ldi.column(0)[0].depth();
  };
  EXPECT_NEAR(thickness(64 * kStep), 64 * kStep, 2 * kStep);
  const float thin = thickness(kStep / 4 * 3);  // floats near 0.1 are that fine
  EXPECT_TRUE(thin == 0 || thin >= 0.99f * kStep) << "a whole number of steps";
}

TEST_P(OpenGlTr395, AnEmptyMeshHasNoLayers) {
  EXPECT_TRUE(build(Mesh{}, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4}).crossings.empty());
  EXPECT_TRUE(engine_->layers(Mesh{}, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4}).empty());
}

TEST_P(OpenGlTr395, MoreCrossingsThanAllowedAreAnErrorAndItWorksAfterwards) {
  engine_ = make({.max_crossings = 1000});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const Error error = test::error_of([&] { (void)build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::y, 23, 23}); });
  EXPECT_THAT(error.what(), HasSubstr("max_crossings"));
  EXPECT_EQ(build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::y, 20, 25}).crossings.size(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlTr395, testing::Values("gl-tr395"), test::test_name);

}  // namespace
}  // namespace lamella
