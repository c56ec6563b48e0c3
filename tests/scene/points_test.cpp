// Collision points: on both surfaces, facing as they say, and all of those that brute force finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "lamella/engine.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

using test::Bodies;

Vec3d corner(const Mesh& mesh, std::uint32_t face, int k) { return to_double(mesh.positions[mesh.triangles[face][k]]); }

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d ab = b - a;
  const double t = dot(ab, ab) > 0 ? std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0) : 0.0;
  return length(p - a - ab * t);
}

/// Of a point from a triangle of a mesh.
double distance_to_face(const Mesh& mesh, std::uint32_t face, Vec3d p) {
  const Vec3d a = corner(mesh, face, 0), b = corner(mesh, face, 1), c = corner(mesh, face, 2);
  const Vec3d n = cross(b - a, c - a);
  const double area = length(n);
  if (area > 0 && dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 &&
      dot(cross(a - c, p - c), n) >= 0)
    return std::abs(dot(p - a, n)) / area;
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

/// Component along the rays of a face's normal.
double facing(const Mesh& mesh, std::uint32_t face, Axis axis) {
  const Vec3d a = corner(mesh, face, 0);
  const Vec3d n = cross(corner(mesh, face, 1) - a, corner(mesh, face, 2) - a);
  const double l = length(n);
  return l > 0 ? n[static_cast<int>(axis)] / l : 0;
}

SceneOptions options_of(std::uint32_t seed) {
  SceneOptions o{.resolution = 24 + seed % 5 * 12, .views = seed % 2 == 0 ? 1u : 3u, .threads = 1};
  o.threshold = std::array{0.25f, 1.0f, 3.0f}[seed % 3];
  if (seed % 4 == 1) o.axis = static_cast<Axis>(seed / 4 % 3);
  return o;
}

double largest_cell(const Grid& grid) { return std::max(grid.cell_u(), grid.cell_v()); }

TEST(CollisionPoints, LieOnBothSurfacesAndFaceAsTheySay) {
  std::size_t kinds[2][2] = {};
  std::size_t steep = 0;
  double farthest = 0;
  for (std::uint32_t seed = 0; seed < 84; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    Scene scene(options_of(seed));
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    for (const CollisionPoint& p : r.points) {
      const ScenePair& pair = r.pairs[p.pair];
      const Grid& grid = r.groups[pair.group].grid;
      const Mesh &a = meshes[pair.a.number], &b = meshes[pair.b.number];
      ASSERT_LT(p.triangle_a, a.triangles.size());
      ASSERT_LT(p.triangle_b, b.triangles.size());
      farthest = std::max(
          farthest, std::max(distance_to_face(a, p.triangle_a, p.on_a), distance_to_face(b, p.triangle_b, p.on_b)) /
                        largest_cell(grid));
      EXPECT_EQ(p.on_a[grid.u()], p.on_b[grid.u()]);
      EXPECT_EQ(p.on_a[grid.v()], p.on_b[grid.v()]);
      EXPECT_LE(std::abs(p.on_a[grid.w()] - p.on_b[grid.w()]),
                scene.options().threshold * largest_cell(grid) + 1e-6 * (1 + std::abs(p.on_a[grid.w()])));
      for (const auto& [front, slope] : {std::pair(p.front_a, facing(a, p.triangle_a, grid.axis)),
                                         std::pair(p.front_b, facing(b, p.triangle_b, grid.axis))}) {
        // A face seen edge on can be turned over by its corners' move to the lattice.
        if (std::abs(slope) < 0.01)
          ++steep;
        else
          EXPECT_EQ(front, slope < 0) << seed;
      }
      ++kinds[p.front_a ? 1 : 0][p.front_b ? 1 : 0];
    }
  }
  for (const auto& of_b : kinds)
    for (const std::size_t count : of_b) EXPECT_GT(count, 500u);
  RecordProperty("farthest from its face, in thousandths of a cell", std::to_string(1000 * farthest));
  // Corners move by up to half a lattice point along each image axis; and there is the rounding of positions.
  EXPECT_LT(farthest, 0.75 / 1024 + 2e-4);
  EXPECT_LT(steep, 2000u);
}

/// Depths where a ray enters and leaves a mesh for good.
std::vector<std::array<float, 2>> stretches(std::span<const Crossing> column) {
  std::vector<std::array<float, 2>> out;
  int winding = 0;
  for (const Crossing c : column) {
    if (winding == 0 && c.sign() > 0) {
      if (out.empty() || out.back()[1] != c.depth()) out.push_back({c.depth(), c.depth()});
    } else if (winding == 1 && c.sign() < 0) {
      out.back()[1] = c.depth();
    }
    winding += c.sign();
  }
  return out;
}

/// A point by its column, its facings and its depths.
struct RayPoint {
  std::size_t column = 0;
  bool front_a = false, front_b = false;
  double a = 0, b = 0;
  friend bool operator<(const RayPoint& x, const RayPoint& y) {
    return std::tie(x.column, x.front_a, x.front_b, x.a, x.b) < std::tie(y.column, y.front_a, y.front_b, y.a, y.b);
  }
};

/// All combinations of an end of an interval inside a with an end of an overlapping interval inside b; those very near
/// the threshold are left out, because depths are rounded.
std::vector<RayPoint> brute_force(const Ldi& a, const Ldi& b, float thickness, double threshold, double doubt) {
  std::vector<RayPoint> points;
  for (std::size_t i = 0; i < a.grid.column_count(); ++i)
    for (const auto& in_a : stretches(a.column(i)))
      for (const auto& in_b : stretches(b.column(i))) {
        if (std::min(in_a[1], in_b[1]) - std::max(in_a[0], in_b[0]) <= thickness) continue;
        for (const int end_a : {0, 1})
          for (const int end_b : {0, 1}) {
            const double x = in_a[static_cast<std::size_t>(end_a)], y = in_b[static_cast<std::size_t>(end_b)];
            if (std::abs(x - y) < threshold - doubt) points.push_back({i, end_a == 0, end_b == 0, x, y});
          }
      }
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<RayPoint> told(const SceneResult& r, const ScenePair& pair, double threshold, double doubt) {
  const Grid& grid = r.groups[pair.group].grid;
  std::vector<RayPoint> points;
  for (CollisionPoint p : r.points_of(pair)) {
    p.on_a -= r.groups[pair.group].origin;
    p.on_b -= r.groups[pair.group].origin;
    const int u = grid.u(), v = grid.v(), w = grid.w();
    const auto column = static_cast<std::size_t>((p.on_a[u] - grid.box.min[u]) / grid.cell_u());
    const auto row = static_cast<std::size_t>((p.on_a[v] - grid.box.min[v]) / grid.cell_v());
    const double a = p.on_a[w] - static_cast<double>(grid.box.min[w]),
                 b = p.on_b[w] - static_cast<double>(grid.box.min[w]);
    if (std::abs(a - b) < threshold - doubt)
      points.push_back({row * grid.columns + column, p.front_a, p.front_b, a, b});
  }
  std::sort(points.begin(), points.end());
  return points;
}

TEST(CollisionPoints, AreThoseThatBruteForceFinds) {
  std::size_t points = 0;
  const auto engine = make_engine({.engine = "software", .threads = 1});
  for (std::uint32_t seed = 100; seed < 142; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    Scene scene(options_of(seed));
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    for (const ScenePair& pair : r.pairs) {
      SCOPED_TRACE(testing::Message() << "scene " << seed << ", objects " << pair.a.number << " and " << pair.b.number);
      const Grid& grid = r.groups[pair.group].grid;
      const double threshold = scene.options().threshold * largest_cell(grid), doubt = 4e-6 * grid.depth();
      Ldi a, b;
      const Vec3d origin = r.groups[pair.group].origin;
      const Mesh mesh_a = test::placed(bodies[pair.a.number], origin),
                 mesh_b = test::placed(bodies[pair.b.number], origin);
      engine->build(mesh_a, grid, a);
      engine->build(mesh_b, grid, b);
      const auto shared = test::near_pairs({mesh_a, mesh_b}).at(0).shared;
      const float least = scene.options().min_thickness * extent(shared)[grid.w()];
      const auto expected = brute_force(a, b, std::max(least, 0x1p-22f * grid.depth()), threshold, doubt);
      const auto got = told(r, pair, threshold, doubt);
      points += got.size();
      // Depths in doubt may change places, so they are compared one by one in order of column and facing alone.
      EXPECT_NEAR(static_cast<double>(got.size()), static_cast<double>(expected.size()), 2);
      if (got.size() != expected.size()) continue;
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].column, expected[i].column);
        EXPECT_NEAR(got[i].a, expected[i].a, doubt);
        EXPECT_NEAR(got[i].b, expected[i].b, doubt);
      }
    }
  }
  EXPECT_GT(points, 20000u);
  RecordProperty("points", static_cast<int>(points));
}

TEST(CollisionPoints, SurroundWhereTwoSurfacesIntersect) {
  Scene scene({.resolution = 96, .max_contacts = 0});
  (void)scene.add(scenes::sphere(5000));
  (void)scene.add(scenes::sphere(5000), {{1, 0, 0}, {}});
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  const double circle = std::sqrt(0.75);
  double angles[8] = {};
  for (const CollisionPoint& p : r.points) {
    const Vec3d middle = (p.on_a + p.on_b) * 0.5;
    const double radius = std::hypot(middle.y, middle.z);
    EXPECT_NEAR(middle.x, 0.5, 0.06);
    EXPECT_NEAR(radius, circle, 0.06);
    const double turn = std::atan2(middle.y, middle.z) / 6.283185307 + 0.5;
    ++angles[std::min(7, static_cast<int>(turn * 8))];
  }
  for (const double count : angles) EXPECT_GT(count, 5) << "all the way round";
}

}  // namespace
}  // namespace lamella
