#include "lamella/solid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "lamella/lamella.hpp"
#include "scenes/hard_meshes.hpp"
#include "scenes/models.hpp"
#include "support/bits.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;

constexpr double kPi = 3.14159265358979323846;

/// What holds of every solid.
void expect_sound(const OverlapSolid& s) {
  ASSERT_EQ(s.normals.size(), s.mesh.triangles.size() * 3);
  ASSERT_EQ(s.side.size(), s.mesh.triangles.size());
  for (const Vec3& n : s.normals) ASSERT_NEAR(length(n), 1, 1e-5);
  for (const Vec3& p : s.mesh.positions)
    for (int i = 0; i < 3; ++i) {
      ASSERT_GE(p[i], s.box.min[i]);
      ASSERT_LE(p[i], s.box.max[i]);
    }
  if (s.empty()) return;
  const MeshReport report = inspect(s.mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.open_edges, 0u);
  EXPECT_GT(signed_volume(s.mesh), 0);
}

double least_distance(const Mesh& mesh, Vec3d to) {
  double least = HUGE_VAL;
  for (const Vec3& p : mesh.positions) least = std::min(least, length(to_double(p) + mesh.origin - to));
  return least;
}

TEST(OverlapSolid, OfTwoBoxesIsABoxWithSharpCorners) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.3f, 0.45f, -0.5f}, {2, 2, 0.7f});
  for (const std::uint32_t resolution : {1u, 2u, 5u, 32u, 63u}) {
    const OverlapSolid s = overlap_solid(a, b, {.resolution = resolution});
    expect_sound(s);
    for (const double x : {0.3, 1.0})
      for (const double y : {0.45, 1.0})
        for (const double z : {0.0, 0.7}) EXPECT_LT(least_distance(s.mesh, {x, y, z}), 1e-5) << resolution;
    EXPECT_NEAR(signed_volume(s.mesh), 0.7 * 0.55 * 0.7, 1e-5) << resolution;
    EXPECT_EQ(s.missed_volume, 0);
    EXPECT_EQ(s.filled_volume, 0);
    EXPECT_TRUE(s.health.ok());
    EXPECT_EQ(s.points[0], resolution + 2);
  }
}

TEST(OverlapSolid, KnowsWhoseSurfaceATriangleIs) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.3f, 0.45f, -0.5f}, {2, 2, 0.7f});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 24});
  int of[2] = {0, 0};
  for (std::size_t i = 0; i < s.mesh.triangles.size(); ++i) {
    const Triangle t = s.mesh.triangles[i];
    const Vec3 p = s.mesh.positions[t.a], q = s.mesh.positions[t.b], r = s.mesh.positions[t.c];
    const Vec3 n = cross(q - p, r - p);
    if (length(n) < 1e-7f) continue;
    const Vec3 unit = normalize(n);
    ++of[s.side[i]];
    // The faces at x = 1, y = 1 and z = 0 are those of a.
    EXPECT_EQ(s.side[i], unit.x > 0.9f || unit.y > 0.9f || unit.z < -0.9f ? 0 : 1);
    for (int k = 0; k < 3; ++k) EXPECT_GT(dot(s.normals[i * 3 + static_cast<std::size_t>(k)], unit), 0.999f);
  }
  EXPECT_GT(of[0], 100);
  EXPECT_GT(of[1], 100);
}

TEST(OverlapSolid, OfATurnedBoxHasEdgesWithinACell) {
  const Mesh a = box_mesh({-1, -1, -1}, {1, 1, 1});
  const Mesh b = transformed(box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}),
                             {{0.1, 0.2, -0.1}, rotation_about({1, 2, 3}, 0.7)});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 40});
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), 1, 1e-3);
  const Vec3 size = extent(s.box);
  const double half_cell = std::max({size.x, size.y, size.z}) / 42.0 / 2;
  int sharp = 0;
  for (const Vec3& corner : b.positions) {
    const double away = least_distance(s.mesh, to_double(corner));
    EXPECT_LT(away, half_cell);
    sharp += away < 1e-3 ? 1 : 0;
  }
  EXPECT_GE(sharp, 4);  // where the corner's cell has seen all three faces
  EXPECT_THAT(s.side, testing::Each(1));
}

TEST(OverlapSolid, OfTwoSpheresIsALens) {
  const Mesh a = scenes::sphere(80000);
  const Vec3d to{1.0, 0.3, 0.2};
  const Mesh b = transformed(a, {to, {}});
  const double d = length(to), lens = kPi * (4 + d) * (2 - d) * (2 - d) / 12;
  const OverlapSolid s = overlap_solid(a, b);
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), lens, 1e-3 * lens);
  EXPECT_NEAR(s.volume, lens, 1e-3 * lens);
  EXPECT_EQ(inspect(s.mesh).components, 1u);

  // Vertices lie on the spheres, and normals are theirs: those of a triangle are all of its own sphere.
  double worst_place = 0, worst_normal = 1;
  for (std::size_t i = 0; i < s.mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vec3d p = to_double(s.mesh.positions[s.mesh.triangles[i][k]]);
      const Vec3d out = s.side[i] == 0 ? p : p - to;
      worst_place = std::max(worst_place, std::abs(length(out) - 1));
      worst_normal =
          std::min(worst_normal, dot(to_double(s.normals[i * 3 + static_cast<std::size_t>(k)]), out) / length(out));
    }
  EXPECT_LT(worst_place, 0.01);
  EXPECT_GT(worst_normal, std::cos(2.0 * kPi / 180));
}

TEST(OverlapSolid, AgreesWithIntersectOnModels) {
  const Mesh hand = scenes::hand(20000), phone = scenes::phone(4000);
  const OverlapSolid s = overlap_solid(hand, phone);
  const Overlap o = intersect(hand, phone, {.resolution = 512});
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), o.volume, 0.01 * o.volume);
  EXPECT_NEAR(s.volume, o.volume, 0.01 * o.volume);
}

TEST(OverlapSolid, OfAMeshInsideAnotherIsThatMesh) {
  const Mesh inner = scenes::torus(20000, 0.4f, 0.1f), outer = scenes::sphere(5000);
  const OverlapSolid s = overlap_solid(outer, inner);
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), signed_volume(inner), 0.01 * signed_volume(inner));
  EXPECT_THAT(s.side, testing::Each(1));
}

TEST(OverlapSolid, OfASmallOverlapHasItsOwnCells) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.999f, 0.99f, 0.25f}, {2, 2, 0.75f});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 16});
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), 0.001 * 0.01 * 0.5, 1e-3 * 0.001 * 0.01 * 0.5);
}

TEST(OverlapSolid, OfATinyOverlapBetweenLargeMeshesIsFoundAndSharp) {
  // A spike of 0.02 through a plate: less than a cell of the first look.
  const Mesh plate = box_mesh({-1, -1, -1}, {1, 1, 1}), spike = box_mesh({0.3f, 0.4f, 0.99f}, {0.32f, 0.42f, 9});
  Mesh large = spike;
  test::append(large, box_mesh({-1, -1, 5}, {1, 1, 9}));  // makes the common box that of the plate
  const OverlapSolid s = overlap_solid(plate, large);
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), 0.02 * 0.02 * 0.01, 2e-3 * 0.02 * 0.02 * 0.01);
}

TEST(OverlapSolid, ReportsWhatIsThinnerThanACell) {
  // A block, and a plate of 0.001 beside it, which makes the overlap's box larger.
  Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(a, box_mesh({2, 0, 0.5f}, {3, 1, 0.501f}));
  const Mesh b = box_mesh({-1, -1, -1}, {4, 4, 4});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 20});
  expect_sound(s);
  EXPECT_NEAR(s.missed_volume, 0.001, 1e-4);
  EXPECT_NEAR(signed_volume(s.mesh), 1, 1e-4);
  EXPECT_NEAR(s.volume, 1.001, 0.06);

  Mesh gap = box_mesh({0, 0, 0}, {1, 1, 0.5f});
  test::append(gap, box_mesh({0, 0, 0.501f}, {1, 1, 1}));
  const OverlapSolid filled = overlap_solid(gap, b, {.resolution = 20});
  expect_sound(filled);
  EXPECT_NEAR(filled.filled_volume, 0.001, 1e-4);
  EXPECT_EQ(filled.missed_volume, 0);
}

TEST(OverlapSolid, OfNothingIsEmpty) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Mesh& b : {box_mesh({2, 0, 0}, {3, 1, 1}), box_mesh({1, 0, 0}, {2, 1, 1}), Mesh{}}) {
    const OverlapSolid s = overlap_solid(a, b);
    EXPECT_TRUE(s.empty());
    EXPECT_TRUE(s.mesh.positions.empty());
    EXPECT_EQ(s.volume, 0);
    EXPECT_EQ(s.missed_volume, 0);
    EXPECT_TRUE(drawn(s).triangles.empty());
  }
  EXPECT_TRUE(self_overlap_solid(a).empty());
  EXPECT_TRUE(self_overlap_solid(Mesh{}).empty());
  // Boxes that meet, but not the meshes in them.
  const Mesh ball = scenes::sphere(2000);
  EXPECT_TRUE(overlap_solid(ball, transformed(ball, {{1.5, 1.5, 1.5}, {}})).empty());
}

TEST(SelfOverlapSolid, OfTwoBoxesInOneMeshIsWhatTheyShare) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box_mesh({0.5f, 0.25f, 0.125f}, {2, 2, 2}));
  const OverlapSolid s = self_overlap_solid(mesh, {.resolution = 20});
  expect_sound(s);
  EXPECT_NEAR(signed_volume(s.mesh), 0.5 * 0.75 * 0.875, 1e-5);
  EXPECT_THAT(s.side, testing::Each(0));
  EXPECT_LT(least_distance(s.mesh, {0.5, 0.25, 0.125}), 1e-5);
}

TEST(SelfOverlapSolid, AgreesWithSelfIntersectOnAFist) {
  const Mesh fist = scenes::hand(20000, 1);
  const OverlapSolid s = self_overlap_solid(fist);
  expect_sound(s);
  const double volume = self_intersect(fist, {.resolution = 512}).volume;
  EXPECT_NEAR(signed_volume(s.mesh), volume, 0.02 * volume);
}

TEST(OverlapSolid, FarFromTheOriginIsTheSame) {
  const Mesh a = scenes::sphere(8000), b = scenes::torus(8000);
  const OverlapSolid here = overlap_solid(a, b, {.resolution = 32});
  const Vec3d far{1e7, -3e7, 5e6};
  const Mesh a_far = transformed(a, {far, {}}), b_far = transformed(b, {far, {}});
  const OverlapSolid there = overlap_solid(a_far, b_far, {.resolution = 32});
  expect_sound(there);
  EXPECT_NEAR(signed_volume(there.mesh), signed_volume(here.mesh), 1e-3 * signed_volume(here.mesh));
  const Vec3d middle = to_double(center(there.box)) + there.mesh.origin;
  EXPECT_LT(length(middle - far), 1);

  // As doubles.
  std::vector<Vec3d> wide_a, wide_b;
  for (const Vec3& p : a.positions) wide_a.push_back(to_double(p) + far);
  for (const Vec3& p : b.positions) wide_b.push_back(to_double(p) + far);
  const OverlapSolid wide =
      overlap_solid({.positions = {}, .triangles = a.triangles, .wide = wide_a},
                    {.positions = {}, .triangles = b.triangles, .wide = wide_b}, {.resolution = 32});
  expect_sound(wide);
  EXPECT_NEAR(signed_volume(wide.mesh), signed_volume(here.mesh), 1e-3 * signed_volume(here.mesh));
}

TEST(OverlapSolid, OfASmallOverlapFarFromTheMeshesOriginHasAnOriginOfItsOwn) {
  const Mesh a = box_mesh({100, 100, 100}, {101, 101, 101}), b = box_mesh({100.99f, 100.99f, 100.99f}, {102, 102, 102});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 16});
  expect_sound(s);
  EXPECT_NE(s.mesh.origin, Vec3d{});
  EXPECT_LT(least_distance(s.mesh, {101, 101, 101}), 1e-6);
}

/// All that a solid says, but for times.
test::Bits bits_of(const OverlapSolid& s) {
  test::Bits bits;
  for (const Vec3& p : s.mesh.positions) bits.put(p);
  for (const Triangle& t : s.mesh.triangles) bits.put(t.a, t.b, t.c);
  for (const Vec3& n : s.normals) bits.put(n);
  for (const std::uint8_t side : s.side) bits.put(side);
  bits.put(s.mesh.origin, s.box.min, s.box.max, s.volume, s.missed_volume, s.filled_volume);
  return bits;
}

TEST(OverlapSolid, HasTheSameBitsForAnyNumberOfThreads) {
  const Mesh a = scenes::serpent(20000), b = scenes::blob(10000);
  const auto one = bits_of(overlap_solid(a, b, {.resolution = 48, .threads = 1}));
  for (const unsigned threads : {2u, 5u}) {
    EXPECT_EQ(bits_of(overlap_solid(a, b, {.resolution = 48, .threads = threads})), one);
  }
}

TEST(OverlapSolid, OfOpenMeshesSaysSoAndIsClosed) {
  Mesh open = scenes::sphere(2000);
  open.triangles.resize(open.triangles.size() - 100);
  const Mesh b = transformed(scenes::sphere(2000), {{0.5, 0.2, 0.1}, {}});
  const OverlapSolid closed = overlap_solid(open, b, {.resolution = 32});
  expect_sound(closed);
  EXPECT_GT(closed.health.closed_edges, 0u);
  EXPECT_FALSE(closed.health.ok());
  const OverlapSolid left_open = overlap_solid(open, b, {.resolution = 32, .close_holes = false});
  expect_sound(left_open);
  EXPECT_GT(left_open.health.open_columns, 0u);
  EXPECT_GT(left_open.health.untrusted_volume, 0);
}

TEST(OverlapSolid, OfBrokenVerticesLeavesTheirTrianglesOut) {
  Mesh a = scenes::sphere(2000);
  a.positions[17].y = std::numeric_limits<float>::quiet_NaN();
  const OverlapSolid s = overlap_solid(a, scenes::sphere(2000, 0.8f), {.resolution = 24});
  expect_sound(s);
  EXPECT_GT(s.health.skipped_triangles, 0u);
}

TEST(OverlapSolid, OfHardMeshesIsSound) {
  for (const scenes::HardMesh& hard : scenes::hard_meshes()) {
    SCOPED_TRACE(hard.name);
    const Mesh mesh = hard.make(1);
    const Aabb box = bounds(mesh);
    const Vec3d by = to_double(extent(box)) * 0.13;
    expect_sound(overlap_solid(mesh, transformed(mesh, {by, rotation_about({1, 1, 0}, 0.2)}), {.resolution = 24}));
    expect_sound(self_overlap_solid(mesh, {.resolution = 24}));
    expect_sound(overlap_solid(mesh, mesh, {.resolution = 24}));
  }
}

TEST(OverlapSolid, RandomPosesAgreeWithIntersect) {
  const std::vector<Mesh> meshes{scenes::box(12), scenes::sphere(3000), scenes::torus(3000), scenes::blob(3000),
                                 scenes::torus_knot(4000, 0.6f)};
  int met = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const auto some = [&] { return meshes[random.below(static_cast<std::uint32_t>(meshes.size()))]; };
    const auto number = [&](float most) { return static_cast<double>(random.uniform(-most, most)); };
    const Mesh a = some(), b = transformed(some(), {{number(1.5f), number(1.5f), number(1.5f)},
                                                    rotation_about({number(1), number(1), 1.5}, number(3))});
    const OverlapSolid s = overlap_solid(a, b, {.resolution = 16 + random.below(40)});
    const Overlap o = intersect(a, b, {.resolution = 128});
    expect_sound(s);
    const double losses = 2 * s.missed_volume + s.filled_volume + 0.03 * o.volume;
    EXPECT_NEAR(signed_volume(s.mesh), o.volume, o.volume_error + losses);
    met += s.empty() ? 0 : 1;
  }
  EXPECT_GT(met, 60);
}

TEST(DrawnSolid, HasANormalForEachVertexAndIsTheSameSurface) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.3f, 0.45f, -0.5f}, {2, 2, 0.7f});
  const OverlapSolid s = overlap_solid(a, b, {.resolution = 8});
  const DrawnSolid d = drawn(s);
  ASSERT_EQ(d.triangles.size(), s.mesh.triangles.size());
  ASSERT_EQ(d.positions.size(), d.normals.size());
  ASSERT_EQ(d.positions.size(), d.side.size());
  EXPECT_EQ(d.origin, s.mesh.origin);
  for (std::size_t i = 0; i < d.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = s.mesh.triangles[i][k], to = d.triangles[i][k];
      EXPECT_EQ(d.positions[to], s.mesh.positions[from]);
      EXPECT_EQ(d.normals[to], s.normals[i * 3 + static_cast<std::size_t>(k)]);
      EXPECT_EQ(d.side[to], s.side[i]);
    }
  // Flat faces share their vertices; those of edges are there twice, of corners three times.
  EXPECT_GT(d.positions.size(), s.mesh.positions.size());
  EXPECT_LT(d.positions.size(), s.mesh.positions.size() * 2);
  std::set<std::tuple<float, float, float>> normals;
  for (const Vec3& n : d.normals) normals.insert({n.x, n.y, n.z});
  EXPECT_EQ(normals.size(), 6u);
}

TEST(OverlapSolid, RefusesWhatIsOutOfRange) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_STREQ(test::error_of([&] { (void)overlap_solid(a, a, {.resolution = 0}); }).what(),
               "resolution 0 is outside 1 to 1024, those of a solid");
  EXPECT_THROW((void)self_overlap_solid(a, {.resolution = 1025}), Error);
  Mesh bad = a;
  bad.triangles[3].b = 99;
  EXPECT_THROW((void)overlap_solid(a, bad), Error);
  EXPECT_THROW((void)overlap_solid(a, bad, {.close_holes = false}), Error);
  EXPECT_THROW((void)overlap_solid(a, a, {.max_crossings = 10}), Error);
}

}  // namespace
}  // namespace lamella
