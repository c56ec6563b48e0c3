// What there is nothing to draw of, what is cut by the box, and what is broken.

#include <gmock/gmock.h>

#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kAxes;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

class OpenGlEdgeCases : public test::OpenGlTest {
 protected:
  void expect_nothing(const Overlap& o) {
    EXPECT_EQ(o.grid, Grid{}) << "nothing was sampled";
    EXPECT_FALSE(o.colliding());
    EXPECT_EQ(o.volume, 0);
    EXPECT_TRUE(o.bounds.empty());
    EXPECT_TRUE(o.health.ok());
    EXPECT_EQ(o.engine, GetParam());
  }
};

TEST_P(OpenGlEdgeCases, MeshesWithoutTrianglesOrVertices) {
  const Mesh none, points_alone{{{0, 0, 0}, {1, 1, 1}}, {}}, box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(engine_->bounds({}).empty());
  expect_nothing(intersect(none, box));
  expect_nothing(intersect(box, none));
  expect_nothing(self_intersect(none));
  EXPECT_EQ(contains(none, box.positions).inside_count, 0u);
  EXPECT_EQ(contains(none, box.positions).inside, std::vector<std::uint8_t>(8, 0));
  for (const Overlap& o : {intersect(points_alone, box), intersect(box, points_alone)}) {
    EXPECT_FALSE(o.colliding());
    EXPECT_TRUE(o.health.ok());
    EXPECT_EQ(o.grid.columns, 128u) << "their box encloses a volume";
  }
  const Ldi ldi = build(points_alone, {{{0, 0, 0}, {1, 1, 1}}, Axis::x, 4, 3});
  EXPECT_EQ(ldi.offsets, std::vector<std::uint32_t>(13, 0));
  EXPECT_TRUE(validate(ldi).well_formed);
  EXPECT_NEAR(intersect(box, box).volume, 1, 1e-6) << "it works afterwards";
}

TEST_P(OpenGlEdgeCases, BoxesThatAreApartOrTouchShareNothing) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  expect_nothing(intersect(box, box_mesh({2, 0, 0}, {3, 1, 1})));
  expect_nothing(intersect(box, box_mesh({1, 0, 0}, {2, 1, 1})));
  expect_nothing(intersect(box, box_mesh({1, 1, 1}, {2, 2, 2})));
  expect_nothing(self_intersect(box_mesh({0, 0, 0}, {1, 1, 0})));
}

TEST_P(OpenGlEdgeCases, NoPointsAndAFewPoints) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Containment none = contains(box, {});
  EXPECT_TRUE(none.inside.empty());
  EXPECT_EQ(none.inside_count, 0u);
  EXPECT_TRUE(none.health.ok());
  for (std::size_t n = 1; n < 10; ++n) {
    const std::vector<Vec3> points(n, Vec3{0.5f, 0.5f, 0.5f});
    EXPECT_EQ(contains(box, points).inside, std::vector<std::uint8_t>(n, 1));
  }
  const std::vector<Vec3> mixed{
      {0.5f, 0.5f, 0.5f}, {2, 0.5f, 0.5f}, {kNan, 0, 0}, {0.1f, 0.9f, 0.1f}, {0, 0, kInfinity}};
  EXPECT_EQ(contains(box, mixed).inside, (std::vector<std::uint8_t>{1, 0, 0, 1, 0}));
}

TEST_P(OpenGlEdgeCases, OneWithinTheOtherCollidesWithItsWholeVolume) {
  const Mesh outer = box_mesh({0, 0, 0}, {4, 4, 4}), inner = box_mesh({1, 1.5f, 2}, {2, 3.5f, 3});
  for (const Axis axis : kAxes) {
    EXPECT_NEAR(intersect(outer, inner, {.axis = axis}).volume, 2, 1e-5);
    EXPECT_NEAR(intersect(inner, outer, {.axis = axis}).volume, 2, 1e-5);
    EXPECT_EQ(intersect(inner, outer, {.axis = axis}).bounds, bounds(inner));
  }
  EXPECT_NEAR(intersect(outer, outer).volume, 64, 1e-4) << "the same mesh twice";
}

TEST_P(OpenGlEdgeCases, ABoxThatCutsBothMeshesFromEitherEnd) {
  // Seen along each axis the one's outside face is the low one, and then the other's.
  const Mesh ball = test::round_sphere(40, 80);
  for (const Axis axis : kAxes)
    for (const float side : {-1.0f, 1.0f}) {
      Vec3 move{0.2f, -0.3f, 0.1f};
      move[static_cast<int>(axis)] = 0.9f * side;
      const Mesh moved = test::round_sphere(30, 60, 1.2f, move);
      for (const auto& [a, b] : {std::pair(&ball, &moved), std::pair(&moved, &ball)}) {
        const Overlap o = intersect(*a, *b, {.axis = axis});
        const Overlap expected = lamella::intersect(*a, *b, {.engine = "software", .axis = axis});
        EXPECT_TRUE(o.health.ok());
        EXPECT_NEAR(o.volume, expected.volume, 0.002 * expected.volume);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(o.centroid[k], expected.centroid[k], 0.002);
      }
    }
}

TEST_P(OpenGlEdgeCases, TrianglesThatCannotBePlacedAreSkippedAndCounted) {
  Mesh mesh = test::round_sphere(10, 20);
  mesh.positions[5].y = kNan;
  mesh.positions[60].x = kInfinity;
  mesh.positions[100].z = -1e38f;
  test::append(mesh, {{{kNan, kNan, kNan}, {kNan, 0, 0}, {kInfinity, kInfinity, 0}}, {{0, 1, 2}}});
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 33, 33};
  Ldi expected;
  make_engine({.engine = "software"})->build(mesh, grid, expected);
  const Ldi ldi = build(mesh, grid);
  EXPECT_EQ(ldi.skipped_triangles, 5u + 6 + 6 + 1);
  EXPECT_EQ(ldi.skipped_triangles, expected.skipped_triangles);
  EXPECT_NEAR(validate(ldi).open_columns, validate(expected).open_columns, 3);
  mesh.positions[100].z = 0;
  EXPECT_EQ(self_intersect(mesh).health.skipped_triangles, 5u + 6 + 1);
  EXPECT_EQ(intersect(mesh, mesh).health.skipped_triangles, 2 * (5u + 6 + 1));
  EXPECT_EQ(contains(mesh, {}).health.skipped_triangles, 5u + 6 + 1);
  EXPECT_THROW((void)self_intersect(mesh, {.strict = true}), Error);
}

TEST_P(OpenGlEdgeCases, SkippedTrianglesCountAsInTheSoftwareEngineWhereNothingIsSampled) {
  Mesh broken = box_mesh({0, 0, 0}, {1, 1, 1}), all_broken = broken;
  broken.positions[7].x = kNan;
  for (Vec3& p : all_broken.positions) p.x = kNan;
  const Mesh apart = box_mesh({5, 5, 5}, {6, 6, 6});
  for (const Mesh* mesh : {&broken, &all_broken}) {
    const auto skipped = lamella::intersect(*mesh, apart, {.engine = "software"}).health.skipped_triangles;
    EXPECT_EQ(intersect(*mesh, apart).health.skipped_triangles, skipped);
  }
  EXPECT_EQ(self_intersect(all_broken).health.skipped_triangles, 12u);
  EXPECT_EQ(contains(all_broken, apart.positions).health.skipped_triangles, 12u);
}

TEST_P(OpenGlEdgeCases, AnIndexOutOfRangeIsAnErrorAndItWorksAfterwards) {
  Mesh mesh = test::round_sphere(40, 80);
  for (const std::uint32_t bad : {static_cast<std::uint32_t>(mesh.positions.size()), 0xffffffffu}) {
    Mesh wrong = mesh;
    wrong.triangles[4321].b = bad;
    EXPECT_EQ(test::error_of([&] { (void)self_intersect(wrong); }).kind(), Error::Kind::input);
    EXPECT_THROW((void)intersect(mesh, wrong), Error);
    EXPECT_THROW((void)intersect(wrong, mesh), Error);
    EXPECT_THROW((void)contains(wrong, mesh.positions), Error);
    EXPECT_THROW((void)build(wrong, {{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 8, 8}), Error);
    EXPECT_THROW((void)engine_->keep(wrong), Error);
    EXPECT_TRUE(self_intersect(mesh).health.ok());
  }
  const Mesh no_vertices{{}, std::vector<Triangle>(100)};
  EXPECT_THROW((void)build(no_vertices, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4}), Error);
  EXPECT_THROW((void)engine_->keep(no_vertices), Error);
}

TEST_P(OpenGlEdgeCases, ResolutionsOutsideTheAllowedAreErrors) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const std::uint32_t n : {0u, kMaxResolution + 1}) {
    EXPECT_THROW((void)intersect(box, box, {.resolution = n}), Error);
    EXPECT_THROW((void)self_intersect(box, {.resolution = n}), Error);
    EXPECT_THROW((void)contains(box, box.positions, {.resolution = n}), Error);
  }
}

TEST_P(OpenGlEdgeCases, GridsOfChangingSizeAfterOneAnother) {
  const Mesh ball = test::round_sphere(30, 60);
  const double volume = lamella::intersect(ball, ball, {.engine = "software", .resolution = 64}).volume;
  for (const std::uint32_t n : {64u, 3u, 200u, 64u, 1u, 64u}) {
    const Overlap o = intersect(ball, ball, {.resolution = n});
    EXPECT_EQ(o.grid.columns, n);
    if (n != 64) continue;
    EXPECT_NEAR(o.volume, volume, 0.002 * volume);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlEdgeCases, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
