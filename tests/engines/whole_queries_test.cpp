// The whole queries that all engines share, in cases whose answers are known.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "noting_engine.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::WholeQueries;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

/// Shallow boxes with their exact answers, so that not only the parts are compared.
TEST_F(WholeQueries, TwoBoxesHaveTheirExactNumbers) {
  const Mesh a = box_mesh({0, 0, 0}, {4, 4, 4}), b = box_mesh({2, 1, 3}, {6, 3, 7});
  Overlap out;
  engine().intersect(a, b, {.resolution = 8}, out);
  EXPECT_EQ(out.grid, (Grid{{{2, 1, 3}, {4, 3, 4}}, Axis::z, 8, 8}));
  EXPECT_EQ(out.volume, 2 * 2 * 1.0);
  EXPECT_EQ(out.centroid, (Vec3d{3, 2, 3.5}));
  VerticesInside found;
  engine().vertices_inside(a, b, {.resolution = 8}, found);
  EXPECT_TRUE(found.a_in_b.inside.empty());
  ASSERT_EQ(found.b_in_a.inside.size(), 2u);
  EXPECT_EQ(found.b_in_a.inside[0], (VertexInside{0, kInfinity, 1}));
  EXPECT_EQ(found.b_in_a.inside[1], (VertexInside{2, kInfinity, 1}));
  engine().vertices_inside(b, a, {.resolution = 8}, found);
  EXPECT_TRUE(found.b_in_a.inside.empty());
  EXPECT_EQ(found.a_in_b.inside.size(), 2u);
}

/// A quaternion may be off by a little. It is normalised, so that it only rotates.
TEST_F(WholeQueries, APoseOfNearlyUnitLengthDoesNotScale) {
  const Mesh room = box_mesh({-8, -8, -8}, {8, 8, 8}), cube = box_mesh({-1, -1, -1}, {1, 1, 1});
  RigidMesh rigid_room, rigid_cube;
  engine().sample_rigid(room, {.resolution = 4}, rigid_room);
  engine().sample_rigid(cube, {.resolution = 4}, rigid_cube);
  const double off = 0.5 * 1.0004;
  const Transform pose{{1, 2, 3}, {off, off, off, off}};
  const auto expect_ways = [](const VerticesOfOne& of, double ahead_low, double ahead_high) {
    ASSERT_EQ(of.inside.size(), 8u);
    for (const VertexInside& v : of.inside) {
      const double ahead = v.ahead < 1e9 ? v.ahead : 16 - v.back;
      EXPECT_NEAR(std::min(std::abs(ahead - ahead_low), std::abs(ahead - ahead_high)), 0, 1e-5) << ahead;
    }
  };
  VerticesInside found;
  engine().vertices_inside(room, rigid_cube, pose, {.resolution = 4, .axis = Axis::z}, found);
  expect_ways(found.b_in_a, 4, 6);  // from z = 4 and 2 to 8
  engine().vertices_inside(rigid_room, {}, rigid_cube, pose, {}, found);
  const int w = rigid_room.ldi.grid.w();
  expect_ways(found.b_in_a, 7 - pose.translation[w], 9 - pose.translation[w]);
  engine().vertices_inside(rigid_cube, pose, rigid_room, {}, {}, found);
  expect_ways(found.a_in_b, 7 - pose.translation[w], 9 - pose.translation[w]);
  // The other way round: the room's frame is turned, the cube's vertices are seen from there.
  engine().vertices_inside(cube, rigid_room, {{}, pose.rotation}, {}, found);
  expect_ways(found.a_in_b, 7, 9);
  engine().vertices_inside(rigid_cube, {}, rigid_room, {{}, pose.rotation}, {}, found);
  expect_ways(found.a_in_b, 7, 9);
  const std::vector<Vec3> corner{{7.9985f, 7.9985f, 7.9985f}, {8.0015f, 0, 0}};
  Containment in;
  engine().contains(rigid_room, {{}, pose.rotation}, corner, {}, in);
  EXPECT_EQ(in.inside, (std::vector<std::uint8_t>{1, 0}));
}

TEST_F(WholeQueries, MeshesOnADeviceAreReadBackAndAnsweredTheSame) {
  const Mesh a = test::round_sphere(6, 9), b = box_mesh({0, 0, 0}, {1, 2, 3});
  Mesh broken = b;
  broken.positions[1].x = kNan;
  const auto on_a = engine_.keep_on_device(a), on_b = engine_.keep_on_device(b),
             on_broken = engine_.keep_on_device(broken);
  const QueryOptions options{.resolution = 10};
  VerticesInside views, kept;
  engine().vertices_inside(a, b, options, views);
  engine().vertices_inside(*on_a, *on_b, options, kept);
  EXPECT_GT(kept.a_in_b.inside.size(), 2u);
  EXPECT_EQ(kept.b_in_a.inside.size(), 1u);
  expect_found(kept.a_in_b, views.a_in_b);
  expect_found(kept.b_in_a, views.b_in_a);
  RigidMesh rigid, rigid_kept;
  engine().sample_rigid(b, options, rigid);
  engine().sample_rigid(*on_b, options, rigid_kept);
  EXPECT_EQ(rigid_kept.vertices, rigid.vertices);
  engine().vertices_inside(a, rigid, {}, options, views);
  engine().vertices_inside(*on_a, rigid_kept, {}, options, kept);
  expect_found(kept.a_in_b, views.a_in_b);
  expect_found(kept.b_in_a, views.b_in_a);
  // Broken triangles count where nothing is sampled.
  const Mesh far = box_mesh({50, 50, 50}, {51, 51, 51});
  Overlap out;
  engine().intersect(*on_broken, far, options, out);
  EXPECT_EQ(out.health.skipped_triangles, count_broken(broken));
  engine().intersect(far, *on_broken, options, out);
  EXPECT_EQ(out.health.skipped_triangles, count_broken(broken));
}

TEST_F(WholeQueries, AnAssumptionAboutEitherMeshIsReported) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 1, 1}, {3, 3, 3});
  for (int which = 0; which < 4; ++which) {
    engine_.alternating[0] = which % 2 == 1;
    engine_.alternating[1] = which >= 2;
    VerticesInside found;
    engine().vertices_inside(a, b, {.resolution = 2}, found);
    EXPECT_EQ(found.alternating, which != 0);
    RigidMesh rigid_a, rigid_b;
    engine().sample_rigid(a, {.resolution = 2}, rigid_a);
    engine_.sample_rigid(b, {.resolution = 2}, rigid_b);
    EXPECT_EQ(rigid_a.ldi.alternating, which % 2 == 1);
    EXPECT_EQ(rigid_b.ldi.alternating, which >= 2);
    engine().vertices_inside(rigid_a, {}, rigid_b, {}, {}, found);
    EXPECT_EQ(found.alternating, which != 0);
    engine().vertices_inside(a, rigid_b, {}, {.resolution = 2}, found);  // its only build is an even one
    EXPECT_EQ(found.alternating, which != 0);
    Containment in;
    engine().contains(a, std::vector<Vec3>{{1, 1, 1}}, Aabb{{0, 0, 0}, {1, 1, 1}}, {.resolution = 2}, in);
    EXPECT_EQ(in.alternating, which % 2 == 1);
    engine().contains(rigid_b, {}, std::vector<Vec3>{{1, 1, 1}}, {}, in);
    EXPECT_EQ(in.alternating, which >= 2);
  }
}

/// A rigid mesh's answers carry the name of the engine that sampled it.
TEST_F(WholeQueries, RigidMeshesAreNamedAfterTheirOwnEngine) {
  RigidMesh rigid, other;
  engine().sample_rigid(box_mesh({0, 0, 0}, {1, 1, 1}), {.resolution = 2}, rigid);
  const auto software = make_engine({.engine = "software"});
  software->sample_rigid(box_mesh({0, 0, 0}, {1, 1, 1}), {.resolution = 2}, other);
  Containment in;
  software->contains(rigid, {}, std::vector<Vec3>{{0.5f, 0.5f, 0.5f}}, {}, in);
  EXPECT_EQ(in.engine, "noting");
  VerticesInside found;
  software->vertices_inside(rigid, {}, other, {}, {}, found);
  EXPECT_EQ(found.engine, "noting");
  software->vertices_inside(other, {}, rigid, {}, {}, found);
  EXPECT_EQ(found.engine, "software");
}

/// A point on any face of the box counts as looked at, one beyond it does not.
TEST(PointsInABox, AreLookedAtAlsoOnItsFaces) {
  const auto engine = make_engine({.engine = "software"});
  const Mesh mesh = box_mesh({-9, -9, -9}, {9, 9, 9});
  const Aabb box{{1, 2, 3}, {4, 6, 8}};
  const Vec3 middle = center(box);
  std::vector<Vec3> points;
  std::vector<std::uint8_t> expected;
  for (int k = 0; k < 3; ++k)
    for (const bool high : {false, true}) {
      const float face = high ? box.max[k] : box.min[k];
      for (const float beyond : {-0.25f, 0.0f, 0.25f}) {
        Vec3 p = middle;
        p[k] = face + beyond;
        points.push_back(p);
        expected.push_back(beyond == 0 || (beyond < 0) == high ? 1 : 0);
      }
    }
  Containment in;
  engine->contains(mesh, points, box, {.resolution = 8}, in);
  EXPECT_EQ(in.inside, expected);
  EXPECT_EQ(in.inside_count, 12u);
  EXPECT_EQ(in.not_looked_at, 6u);
}

TEST(KeptCopies, HaveTheFactsOfTheirMeshAndFollowItsDeformation) {
  const auto engine = make_engine({.engine = "reference"});
  Mesh mesh = test::round_sphere(4, 6);
  const auto kept = engine->keep(mesh);
  EXPECT_TRUE(kept->belongs_to(*engine));
  EXPECT_EQ(kept->triangle_count(), mesh.triangles.size());
  EXPECT_EQ(kept->broken_triangles(), 0u);
  mesh.positions[0].x = kNan;  // of six triangles
  std::vector<Vec3> read{{7, 7, 7}};
  kept->read_positions(read);
  EXPECT_EQ(read.size(), mesh.positions.size());
  EXPECT_EQ(read[0], (Vec3{0, 0, 1}));
  kept->deform(mesh.positions);
  EXPECT_EQ(kept->broken_triangles(), 6u);
  EXPECT_TRUE(std::isnan(kept->view().positions[0].x));
  for (const int change : {-1, 1}) {
    std::vector<Vec3> other(mesh.positions.size() + static_cast<std::size_t>(change));
    EXPECT_THROW(kept->deform(other), Error);
  }
  Overlap out;
  const Mesh box = box_mesh({50, 50, 50}, {51, 51, 51});
  engine->intersect(*kept, box, {.resolution = 2}, out);
  EXPECT_EQ(out.health.skipped_triangles, 6u);
}

TEST(LayersOfAnEngine, AreItsCrossingsByDepthUnlessItSaysOtherwise) {
  const auto engine = make_engine({.engine = "software"});
  Mesh mesh = box_mesh({0, 0, 1}, {1, 1, 2});
  test::append(mesh, box_mesh({0, 0, 3}, {1, 1, 4}));
  const auto layers = engine->layers(mesh, {{{0, 0, 0}, {1, 1, 5}}, Axis::z, 1, 1});
  ASSERT_EQ(layers.size(), 4u);
  const float depths[] = {1, 3, 2, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(layers[i].entry, i < 2);
    EXPECT_EQ(layers[i].depth, std::vector<float>{depths[i]});
  }
}

/// What a build leaves in an LDI that held something else.
TEST(Builds, SetEveryFieldOfAUsedImage) {
  Mesh broken = box_mesh({0, 0, 0}, {1, 1, 1});
  broken.positions.push_back({kNan, 0, 0});
  broken.triangles.push_back({0, 1, 8});
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::x, 3, 2};
  for (const std::string name : {"reference", "software", "software-wscg"}) {
    SCOPED_TRACE(name);
    const auto engine = make_engine({.engine = name});
    for (const bool cut : {false, true}) {
      Ldi ldi;
      engine->build(broken, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 5, 5}, ldi);
      EXPECT_EQ(ldi.skipped_triangles, 1u);
      ldi.outside = End::high;
      ldi.dropped_crossings = 9;
      ldi.alternating = true;
      if (cut)
        engine->build_cut(mesh, grid, End::high, ldi);
      else
        engine->build(mesh, grid, ldi);
      EXPECT_EQ(ldi.grid, grid);
      EXPECT_EQ(ldi.outside, End::both);
      EXPECT_EQ(ldi.skipped_triangles, 0u);
      EXPECT_EQ(ldi.dropped_crossings, 0u);
      EXPECT_FALSE(ldi.alternating);
      EXPECT_EQ(ldi.offsets, (std::vector<std::uint32_t>{0, 2, 4, 6, 8, 10, 12}));
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(ldi.column(i)[0], Crossing::make(0, true));
        EXPECT_EQ(ldi.column(i)[1], Crossing::make(1, false));
      }
    }
  }
}

}  // namespace
}  // namespace lamella
