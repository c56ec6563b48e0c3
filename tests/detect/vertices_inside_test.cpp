#include <gtest/gtest.h>

#include <limits>

#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/exact_inside.hpp"

namespace lamella {
namespace {

using test::box_mesh;

constexpr float kBeyond = std::numeric_limits<float>::infinity();

std::vector<std::uint32_t> numbers(const VerticesOfOne& found) {
  std::vector<std::uint32_t> out;
  for (const VertexInside& v : found.inside) out.push_back(v.vertex);
  return out;
}

/// Every engine of the library; those that are not available here skip.
class VerticesInsideOf : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (const EngineInfo& info : engines())
      if (info.name == GetParam() && !info.available) GTEST_SKIP() << info.name << " is not available: " << info.why;
  }
  [[nodiscard]] Options options(std::uint32_t resolution) const {
    return {.engine = GetParam(), .resolution = resolution, .threads = 2};
  }
};

TEST_P(VerticesInsideOf, TwoCubesAreTheCornersThatMeet) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f});
  const VerticesInside found = vertices_inside(a, b, options(16));
  EXPECT_EQ(found.engine, GetParam());
  ASSERT_EQ(numbers(found.a_in_b), std::vector<std::uint32_t>{7});
  ASSERT_EQ(numbers(found.b_in_a), std::vector<std::uint32_t>{0});
  // The box of the pair is where both are: 0.5 to 1. B begins at its low face, A ends at its high face.
  EXPECT_EQ(found.a_in_b.grid.box, (Aabb{{0.5f, 0.5f, 0.5f}, {1, 1, 1}}));
  EXPECT_EQ(found.a_in_b.inside[0], (VertexInside{7, 0.5f, kBeyond}));
  EXPECT_EQ(found.b_in_a.inside[0], (VertexInside{0, kBeyond, 0.5f}));
  EXPECT_EQ(found.a_in_b.inside[0].depth(), 0.5f);
  EXPECT_EQ(found.b_in_a.inside[0].depth(), 0.5f);
  EXPECT_EQ(found.a_in_b.looked_up, 1u);
  EXPECT_EQ(found.b_in_a.looked_up, 1u);
  EXPECT_TRUE(found.any());
  EXPECT_TRUE(found.health.ok());
}

TEST_P(VerticesInsideOf, AMeshInsideAnotherHasAllOfItsVerticesThere) {
  const Mesh ball = test::round_sphere(8, 16, 0.4f), room = box_mesh({-1, -1, -1}, {1, 1, 1});
  const VerticesInside found = vertices_inside(ball, room, options(24));
  ASSERT_EQ(found.a_in_b.inside.size(), ball.positions.size());
  EXPECT_TRUE(found.b_in_a.inside.empty());
  const Grid& grid = found.a_in_b.grid;
  for (const VertexInside& v : found.a_in_b.inside) {
    const float at = ball.positions[v.vertex][grid.w()];
    EXPECT_FLOAT_EQ(v.depth(), grid.box.max[grid.w()] == 1 ? 1 - at : 1 + at);
    EXPECT_EQ(v.back == kBeyond, grid.box.max[grid.w()] == 1) << "the room goes on there";
  }
  const VerticesInside swapped = vertices_inside(room, ball, options(24));
  EXPECT_EQ(numbers(swapped.b_in_a), numbers(found.a_in_b));
  EXPECT_TRUE(swapped.a_in_b.inside.empty());
}

TEST_P(VerticesInsideOf, DiffersFromExactOnlyWithinOneCellOfTheSurface) {
  const Mesh a = scenes::make_model("torus_knot", 1200);
  for (const Axis axis : {Axis::x, Axis::z}) {
    const Mesh b = transformed(scenes::make_model("blob", 1200), {{0.3, -0.2, 0.1}, rotation_about({1, 2, 3}, 0.7)});
    Options o = options(48);
    o.axis = axis;
    const VerticesInside found = vertices_inside(a, b, o);
    const auto compare = [](const VerticesOfOne& sampled, const Mesh& of, const Mesh& in) {
      std::vector<bool> inside(of.positions.size());
      for (const VertexInside& v : sampled.inside) inside[v.vertex] = true;
      for (std::size_t i = 0; i < inside.size(); ++i)
        if (inside[i] != (test::winding_number(in, of.positions[i]) > 0.5)) {
          EXPECT_LE(test::distance(in, of.positions[i]), test::cell_diagonal(sampled.grid)) << i;
        }
    };
    compare(found.a_in_b, a, b);
    compare(found.b_in_a, b, a);
    EXPECT_GT(found.a_in_b.inside.size(), 20u);
    EXPECT_GT(found.b_in_a.inside.size(), 20u);
  }
}

TEST_P(VerticesInsideOf, AMeshThatTheEngineKeepsIsAnsweredTheSame) {
  const auto [hand, phone] = scenes::hand_and_phone(2400, 900, 0);
  Detector detector(options(32));
  const VerticesInside given = detector.vertices_inside(hand, phone);
  const ObjectId kept_hand = detector.add(hand), kept_phone = detector.add(phone);
  for (int frame = 0; frame < 2; ++frame) {
    const VerticesInside& kept = detector.vertices_inside(kept_hand, kept_phone);
    EXPECT_EQ(kept.a_in_b.inside, given.a_in_b.inside);
    EXPECT_EQ(kept.b_in_a.inside, given.b_in_a.inside);
    EXPECT_TRUE(kept.any());
    detector.deform(kept_hand, hand.positions);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, VerticesInsideOf,
                         testing::Values("reference", "software", "gl-ordered", "gl-unordered", "gl-lists", "cuda"),
                         [](const auto& engine) {
                           std::string name = engine.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(VerticesInside, MeshesApartShareNoVertexAndAreNotSampled) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Mesh& b : {box_mesh({2, 0, 0}, {3, 1, 1}), box_mesh({1, 0, 0}, {2, 1, 1})}) {
    const VerticesInside found = vertices_inside(a, b);
    EXPECT_FALSE(found.any());
    EXPECT_EQ(found.a_in_b.grid.column_count(), 0u);
    EXPECT_EQ(found.a_in_b.looked_up, 0u);
    EXPECT_TRUE(found.health.ok());
  }
}

TEST(VerticesInside, AVertexOnTheSurfaceIsNotInside) {
  // Their sides lie in the same planes.
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0, 0}, {1.5f, 1, 1});
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const VerticesInside found = vertices_inside(a, b, {.resolution = 16, .axis = axis});
    EXPECT_FALSE(found.any());
    EXPECT_EQ(found.a_in_b.looked_up, 4u);
    EXPECT_EQ(found.b_in_a.looked_up, 4u);
  }
  EXPECT_FALSE(vertices_inside(a, a, {.resolution = 16}).any()) << "the same solid twice";
}

TEST(VerticesInside, LooksUpTheVerticesOfThePairsBoxAndSamplesLikeIntersect) {
  const auto [hand, phone] = scenes::hand_and_phone(4800, 900, 0);
  const Options options{.engine = "software", .resolution = 64};
  const VerticesInside found = vertices_inside(hand, phone, options);
  const Grid& grid = found.a_in_b.grid;
  EXPECT_EQ(grid, intersect(hand, phone, options).grid);
  EXPECT_EQ(found.b_in_a.grid, grid);
  const auto count = [&](const Mesh& mesh) {
    return static_cast<std::uint64_t>(std::count_if(mesh.positions.begin(), mesh.positions.end(),
                                                    [&](Vec3 p) { return extend(grid.box, p) == grid.box; }));
  };
  EXPECT_EQ(found.a_in_b.looked_up, count(hand));
  EXPECT_EQ(found.b_in_a.looked_up, count(phone));
  EXPECT_LT(found.a_in_b.looked_up, hand.positions.size());
  const auto ascending = [](const VertexInside& v, const VertexInside& w) { return v.vertex < w.vertex; };
  EXPECT_TRUE(std::is_sorted(found.a_in_b.inside.begin(), found.a_in_b.inside.end(), ascending));
}

TEST(VerticesInside, TheWayOutEndsWhereTheSolidEndsNotAtASurfaceWithinIt) {
  Mesh twice = box_mesh({0, 0, 0}, {2, 2, 2});
  test::append(twice, box_mesh({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f}));  // covered twice there
  const Mesh small = box_mesh({0.9f, 0.9f, 0.875f}, {1.1f, 1.1f, 1.25f});
  const VerticesInside found = vertices_inside(small, twice, {.resolution = 32, .axis = Axis::z});
  ASSERT_EQ(found.a_in_b.inside.size(), 8u);
  EXPECT_FLOAT_EQ(found.a_in_b.inside[0].depth(), 1.125f);
  EXPECT_FLOAT_EQ(found.a_in_b.inside[7].depth(), 0.75f);
}

TEST(VerticesInside, AnOpenMeshIsNotTrustedAndSaysSo) {
  Mesh open = box_mesh({-1, -1, -1}, {1, 1, 1});
  open.triangles.resize(10);  // no high face along x
  const Mesh ball = test::round_sphere(8, 16, 0.4f);
  const Options along_x{.resolution = 32, .axis = Axis::x, .close_holes = false};
  const VerticesInside found = vertices_inside(ball, open, along_x);
  EXPECT_FALSE(found.health.ok());
  EXPECT_GT(found.health.open_columns, 0u);
  EXPECT_EQ(found.health.untrusted_points, ball.positions.size());
  EXPECT_FALSE(found.any());
  Options strict = along_x;
  strict.strict = true;
  EXPECT_THROW((void)vertices_inside(ball, open, strict), Error);
}

TEST(VerticesInside, BrokenVerticesAreNeverInsideAndTheirTrianglesAreCounted) {
  Mesh ball = test::round_sphere(8, 16, 0.4f);
  ball.positions[5].y = NAN;
  ball.positions[9] = {INFINITY, 0, 0};
  const VerticesInside found = vertices_inside(ball, box_mesh({-1, -1, -1}, {1, 1, 1}), {.resolution = 32});
  EXPECT_EQ(found.a_in_b.inside.size(), ball.positions.size() - 2);
  for (const VertexInside& v : found.a_in_b.inside) EXPECT_TRUE(v.vertex != 5 && v.vertex != 9);
  EXPECT_GT(found.health.skipped_triangles, 0u);
  EXPECT_FALSE(found.health.ok());
}

TEST(VerticesInside, MinThicknessLeavesShallowVerticesOut) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f});
  EXPECT_TRUE(vertices_inside(a, b, {.resolution = 8, .min_thickness = 0.99f}).any());
  EXPECT_FALSE(vertices_inside(a, b, {.resolution = 8, .min_thickness = 1}).any());
  EXPECT_THROW((void)vertices_inside(a, b, {.min_thickness = -1}), Error);
  EXPECT_THROW((void)vertices_inside(a, b, {.resolution = 0}), Error);
}

TEST(VerticesInside, EmptyMeshesAreFine) {
  EXPECT_FALSE(vertices_inside({}, box_mesh({0, 0, 0}, {1, 1, 1})).any());
  EXPECT_FALSE(vertices_inside({}, {}).any());
}

TEST(VerticesInside, SameForEveryThreadCountAndLikeTheReference) {
  const Mesh a = scenes::serpent(30000), b = transformed(a, {{0.1, 0.05, 0}, rotation_about({0, 1, 0}, 0.3)});
  const VerticesInside one = vertices_inside(a, b, {.engine = "software", .threads = 1});
  const VerticesInside four = vertices_inside(a, b, {.engine = "software", .threads = 4});
  EXPECT_EQ(one.a_in_b.inside, four.a_in_b.inside);
  EXPECT_EQ(one.b_in_a.inside, four.b_in_a.inside);
  const Mesh c = scenes::make_model("hand", 1000), d = transformed(c, {{0.1, 0.05, 0}, {}});
  const VerticesInside fast = vertices_inside(c, d, {.engine = "software", .resolution = 64});
  const VerticesInside exact = vertices_inside(c, d, {.engine = "reference", .resolution = 64});
  EXPECT_EQ(numbers(fast.a_in_b), numbers(exact.a_in_b));
  EXPECT_EQ(numbers(fast.b_in_a), numbers(exact.b_in_a));
  ASSERT_FALSE(fast.a_in_b.inside.empty());
  const float depth = fast.a_in_b.grid.depth();
  for (std::size_t i = 0; i < fast.a_in_b.inside.size(); ++i)
    EXPECT_NEAR(fast.a_in_b.inside[i].depth(), exact.a_in_b.inside[i].depth(), 1e-5f * depth);
}

}  // namespace
}  // namespace lamella
