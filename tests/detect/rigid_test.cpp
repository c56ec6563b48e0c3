#include "lamella/rigid.hpp"

#include <gtest/gtest.h>

#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/exact_inside.hpp"

namespace lamella {
namespace {

using test::box_mesh;

const Transform kTurned{{3, -1, 0.5}, rotation_about({1, 2, 3}, 1.1)};

std::vector<Vec3> points_around(const Mesh& mesh, std::size_t count) {
  const Aabb box = bounds(mesh);
  const Vec3 margin = extent(box) * 0.1f;
  test::Random random(31);
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = random.in({box.min - margin, box.max + margin});
  return points;
}

std::vector<Vec3> placed(std::vector<Vec3> points, const Transform& pose) {
  for (Vec3& p : points) p = to_float(apply(pose, to_double(p)));
  return points;
}

/// The software engine, with its builds counted.
class CountingEngine final : public Engine {
 public:
  explicit CountingEngine(int& builds) : builds_(builds) {}
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override { return lamella::bounds(mesh.view); }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override {
    ++builds_;
    inner_->build(mesh.view, grid, out);
  }

 private:
  int& builds_;
  std::unique_ptr<Engine> inner_ = make_engine({.engine = "software"});
};

TEST(Rigid, WhereItWasSampledAnswersLikeContains) {
  const Mesh mesh = scenes::make_model("torus_knot", 3000);
  const auto points = points_around(mesh, 5000);
  const Options options{.engine = "software", .resolution = 64};
  Detector detector(options);
  const ObjectId knot = detector.add_rigid(mesh);
  const Containment expected = contains(mesh, points, options);
  const Containment& c = detector.contains(knot, points);
  EXPECT_EQ(c.inside, expected.inside);
  EXPECT_EQ(c.inside_count, expected.inside_count);
  EXPECT_EQ(c.grid, expected.grid);
  EXPECT_EQ(c.health.occupied_columns, expected.health.occupied_columns);
  EXPECT_EQ(c.engine, "software");
}

TEST(Rigid, APoseMovesTheMeshAndChangesNoSample) {
  const Mesh mesh = scenes::make_model("torus_knot", 3000);
  const auto points = points_around(mesh, 5000);
  Detector detector({.engine = "software", .resolution = 64});
  const ObjectId knot = detector.add_rigid(mesh);
  const std::vector<std::uint8_t> expected = detector.contains(knot, points).inside;
  for (const Transform& pose : {Transform{{4, -8, 2}, {}}, kTurned, Transform{{}, rotation_about({0, 0, 1}, -2.5)}}) {
    detector.move(knot, pose);
    const Containment& c = detector.contains(knot, placed(points, pose));
    EXPECT_EQ(c.grid.box, bounds(mesh)) << "in its own frame";
    int different = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (c.inside[i] != expected[i]) {
        ++different;  // rounding moved the point into another cell, or through the surface
        EXPECT_LE(test::distance(mesh, points[i]), test::cell_diagonal(c.grid));
      }
    EXPECT_LE(different, 5);
  }
  detector.move(knot, {});
  EXPECT_EQ(detector.contains(knot, points).inside, expected);
}

TEST(Rigid, DiffersFromExactOnlyWithinOneCellOfTheSurface) {
  const Mesh mesh = scenes::make_model("hand", 3000), moved = transformed(mesh, kTurned);
  const auto points = points_around(moved, 1500);
  Detector detector({.resolution = 64});
  const ObjectId hand = detector.add_rigid(mesh, kTurned);
  const Containment& c = detector.contains(hand, points);
  EXPECT_GT(c.inside_count, 50u);
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((c.inside[i] != 0) != (test::winding_number(moved, points[i]) > 0.5)) {
      EXPECT_LE(test::distance(moved, points[i]), test::cell_diagonal(c.grid));
    }
}

TEST(Rigid, IsSampledOnceForAnyNumberOfPoses) {
  int builds = 0;
  Detector detector(std::make_unique<CountingEngine>(builds), {.resolution = 32});
  const Mesh ball = test::round_sphere(12, 24);
  const ObjectId a = detector.add_rigid(ball), b = detector.add_rigid(ball);
  EXPECT_EQ(builds, 2);
  EXPECT_GT(detector.rigid(a).ms.ldi, 0);
  for (int i = 0; i < 10; ++i) {
    detector.move(b, {{0.15 * i, 0, 0}, rotation_about({0, 1, 0}, 0.1 * i)});
    const Containment& c = detector.contains(b, ball.positions);
    EXPECT_EQ(c.ms.voi, 0);
    EXPECT_EQ(c.ms.ldi, 0);
    const VerticesInside& found = detector.vertices_inside(a, b);
    EXPECT_EQ(found.ms.voi, 0);
    EXPECT_EQ(found.ms.ldi, 0);
    EXPECT_TRUE(i == 0 || found.any()) << i;
  }
  EXPECT_EQ(builds, 2);
  const ObjectId soft = detector.add(ball);
  (void)detector.vertices_inside(soft, b);
  EXPECT_EQ(builds, 3) << "only the mesh that can deform";
  (void)detector.intersect(a, b);
  EXPECT_EQ(builds, 5) << "a shared volume needs both on one grid";
}

TEST(Rigid, VerticesOfTwoRigidMeshesAreLookedUpInEachOther) {
  const Mesh a = scenes::make_model("torus_knot", 1500), b = scenes::make_model("blob", 1500);
  const Transform pose_a{{1, 2, 3}, rotation_about({3, 1, 0}, 0.4)}, pose_b{{1.3, 1.8, 3.1}, kTurned.rotation};
  const Mesh world_a = transformed(a, pose_a), world_b = transformed(b, pose_b);
  Detector detector({.engine = "software", .resolution = 64});
  const ObjectId ra = detector.add_rigid(a, pose_a), rb = detector.add_rigid(b, pose_b);
  const ObjectId soft_a = detector.add(world_a), soft_b = detector.add(world_b);
  const auto compare = [](const VerticesOfOne& found, const Mesh& of, const Mesh& in) {
    std::vector<bool> inside(of.positions.size());
    for (const VertexInside& v : found.inside) inside[v.vertex] = true;
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (inside[i] != (test::winding_number(in, of.positions[i]) > 0.5)) {
        EXPECT_LE(test::distance(in, of.positions[i]), test::cell_diagonal(found.grid));
      }
    EXPECT_GT(found.inside.size(), 20u);
  };
  for (const auto& [x, y] : {std::pair{ra, rb}, {ra, soft_b}, {soft_a, rb}, {soft_a, soft_b}}) {
    const VerticesInside& found = detector.vertices_inside(x, y);
    compare(found.a_in_b, world_a, world_b);
    compare(found.b_in_a, world_b, world_a);
    EXPECT_TRUE(found.health.ok());
  }
}

TEST(Rigid, DepthsAreAlongTheRaysOfTheRigidMesh) {
  const Mesh room = box_mesh({-2, -2, -1}, {2, 2, 1});  // rays along z
  const Mesh thing = box_mesh({-0.25f, -0.25f, -0.25f}, {0.25f, 0.25f, 0.5f});
  Detector detector({.engine = "software", .resolution = 32});
  // On its side: z of the room is x of the world.
  const ObjectId r = detector.add_rigid(room, {{}, rotation_about({0, 1, 0}, 3.14159265358979 / 2)});
  const ObjectId t = detector.add_rigid(thing);
  const VerticesInside& found = detector.vertices_inside(t, r);
  ASSERT_EQ(found.a_in_b.inside.size(), 8u);
  for (const VertexInside& v : found.a_in_b.inside) {
    const float x = thing.positions[v.vertex].x;
    EXPECT_NEAR(v.back, 1 + x, 1e-6);
    EXPECT_NEAR(v.ahead, 1 - x, 1e-6);
  }
  EXPECT_TRUE(found.b_in_a.inside.empty());
}

TEST(Rigid, OtherQueriesSampleItWhereItStands) {
  const Mesh a = test::round_sphere(16, 32), b = scenes::make_model("torus_knot", 1500);
  const Options options{.engine = "software", .resolution = 64};
  Detector detector(options);
  const ObjectId ra = detector.add_rigid(a, kTurned), rb = detector.add_rigid(b);
  const Transform near{kTurned.translation + Vec3d{0.5, 0, 0}, rotation_about({0, 0, 1}, 1)};
  detector.move(rb, near);
  const Mesh world_a = transformed(a, kTurned), world_b = transformed(b, near);
  EXPECT_EQ(detector.intersect(ra, rb).spans, intersect(world_a, world_b, options).spans);
  EXPECT_TRUE(detector.intersect(ra, rb).colliding());
  EXPECT_EQ(detector.self_intersect(rb).grid, self_intersect(world_b, options).grid);
  detector.move(rb, {{50, 0, 0}, {}});
  EXPECT_FALSE(detector.intersect(ra, rb).colliding());
  EXPECT_FALSE(detector.vertices_inside(ra, rb).any());
  const std::vector<Vec3> center_of_a{to_float(kTurned.translation)};
  const Aabb around{center_of_a[0] - Vec3{0.5f, 0.5f, 0.5f}, center_of_a[0] + Vec3{0.5f, 0.5f, 0.5f}};
  EXPECT_EQ(detector.contains(ra, center_of_a, around).inside_count, 1u);
  EXPECT_EQ(detector.contains(rb, center_of_a, around).inside_count, 0u);
}

TEST(Rigid, RefusesWhatIsNoRigidMotion) {
  Detector detector({.engine = "software", .resolution = 16});
  const Mesh ball = test::round_sphere(8, 16);
  const ObjectId rigid = detector.add_rigid(ball), soft = detector.add(ball);
  EXPECT_THROW(detector.move(rigid, {{NAN, 0, 0}, {}}), Error);
  EXPECT_THROW(detector.move(rigid, {{}, {0, 0, 0, 2}}), Error) << "a scale";
  EXPECT_THROW((void)detector.add_rigid(ball, {{}, {1, 1, 1, 1}}), Error);
  EXPECT_THROW(detector.deform(rigid, ball.positions), Error);
  EXPECT_THROW(detector.move(soft, {}), Error);
  EXPECT_THROW((void)detector.rigid(soft), Error);
  EXPECT_TRUE(detector.contains(rigid, std::vector<Vec3>{{0, 0, 0}}).inside_count == 1);
  // Within the tolerance, the length of a quaternion does not scale.
  detector.move(rigid, {{}, {0, 0, 0, 1.0004}});
  const std::vector<Vec3> far{{0.9995f, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(detector.contains(rigid, far).inside[1], 1);
  detector.remove(rigid);
  EXPECT_THROW(detector.move(rigid, {}), Error);
}

TEST(Rigid, AnOpenMeshSaysSoInEveryAnswer) {
  Mesh open = box_mesh({-1, -1, -1}, {1, 1, 1});
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 2);  // no low face along z
  Detector detector({.engine = "software", .resolution = 16, .axis = Axis::z, .close_holes = false});
  const ObjectId id = detector.add_rigid(open, kTurned);
  EXPECT_FALSE(detector.rigid(id).health.ok());
  const Containment& c = detector.contains(id, placed({{0, 0, 0}, {0.5f, 0.5f, 0}}, kTurned));
  EXPECT_EQ(c.inside_count, 0u);
  EXPECT_EQ(c.health.untrusted_points, 2u);
  EXPECT_EQ(c.health.open_columns, 256u);
  Detector strict({.engine = "software", .resolution = 16, .axis = Axis::z, .strict = true});
  EXPECT_THROW((void)strict.add_rigid(open), Error);
}

TEST(Rigid, AMeshWithoutVolumeContainsNothing) {
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  Detector detector({.engine = "software"});
  const ObjectId a = detector.add_rigid(flat), empty = detector.add_rigid({}),
                 box = detector.add_rigid(box_mesh({0, 0, 0}, {1, 1, 1}));
  const std::vector<Vec3> points{{0.2f, 0.2f, 0}};
  EXPECT_EQ(detector.contains(a, points).inside, std::vector<std::uint8_t>{0});
  EXPECT_EQ(detector.contains(empty, points).inside_count, 0u);
  EXPECT_FALSE(detector.vertices_inside(empty, box).any());
  EXPECT_FALSE(detector.vertices_inside(a, box).any()) << "on its faces";
}

}  // namespace
}  // namespace lamella
