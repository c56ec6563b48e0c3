#include <gtest/gtest.h>

#include <limits>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "scenes/models.hpp"
#include "support/allocations.hpp"
#include "support/holes.hpp"

namespace lamella::test {
namespace {

/// Every triangle with vertices of its own.
Mesh soup_of(const Mesh& mesh) {
  Mesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(mesh.positions[t[k]]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  return soup;
}

/// Round, from z = -1 to 1, with or without caps; turned so that its axis is `axis`.
Mesh tube(int sectors, float radius, int axis) {
  Mesh mesh;
  const auto put = [&](float x, float y, float z) {
    Vec3 p;
    p[(axis + 1) % 3] = x, p[(axis + 2) % 3] = y, p[axis] = z;
    mesh.positions.push_back(p);
  };
  for (int i = 0; i < sectors; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(sectors);
    put(radius * std::cos(angle), radius * std::sin(angle), -1);
    put(radius * std::cos(angle), radius * std::sin(angle), 1);
  }
  for (int i = 0; i < sectors; ++i) {
    const auto a = static_cast<std::uint32_t>(2 * i), b = static_cast<std::uint32_t>(2 * ((i + 1) % sectors));
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
  }
  return mesh;
}

Mesh shrunk_soup(const Mesh& mesh, float factor) {
  Mesh soup = soup_of(mesh);
  for (const Triangle& t : soup.triangles) {
    const Vec3 middle = (soup.positions[t.a] + soup.positions[t.b] + soup.positions[t.c]) * (1.0f / 3);
    for (int k = 0; k < 3; ++k) soup.positions[t[k]] = middle + (soup.positions[t[k]] - middle) * factor;
  }
  return soup;
}

TEST(Closure, OfAClosedMeshIsEmpty) {
  for (const Mesh& mesh : {Mesh{}, box_mesh({0, 0, 0}, {1, 2, 3}), soup_of(box_mesh({0, 0, 0}, {1, 2, 3}))}) {
    EXPECT_TRUE(is_closed(mesh));
    const Closure closure = find_closure(mesh);
    EXPECT_TRUE(closure.empty());
    EXPECT_EQ(closed(mesh, closure).triangles, mesh.triangles);
  }
}

TEST(Closure, AMissingTriangleIsPutBack) {
  const Mesh whole = tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  for (std::size_t i = 0; i < 4; ++i) {
    const Holed holed = without(whole, [&](std::size_t n) { return n == i; });
    EXPECT_FALSE(is_closed(holed.open));
    const Closure closure = find_closure(holed.open);
    EXPECT_EQ(closure.edge_count, 3u);
    EXPECT_EQ(closure.point_count, 0u);
    const Mesh mended = closed(holed.open, closure);
    EXPECT_TRUE(is_closed(mended));
    EXPECT_NEAR(signed_volume(mended), 1.0 / 6, 1e-7);
  }
}

TEST(Closure, AFanHasItsPointInTheMiddleOfTheRimByLength) {
  Mesh box = box_mesh({0, 0, 0}, {2, 4, 6});
  box.triangles.erase(box.triangles.begin() + 2, box.triangles.begin() + 4);  // the face at z = 6
  const Closure closure = find_closure(box);
  ASSERT_EQ(closure.rims.size(), 1u);
  EXPECT_EQ(closure.rims[0].edges(), 4u);
  Vec3 point;
  closure.place_points(box.positions, &point);
  EXPECT_EQ(point, (Vec3{1, 2, 6}));
  const ClosureFacts facts = closure_facts(closure, box.positions);
  EXPECT_EQ(facts.edges, 4u);
  EXPECT_DOUBLE_EQ(facts.fan_area, 8);
  EXPECT_DOUBLE_EQ(facts.rim_box_volume, 2 * 4 * 2);
  const std::vector<Aabb> boxes = rim_boxes(closure, box.positions);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0], (Aabb{{0, 0, 5}, {2, 4, 7}}));
  EXPECT_DOUBLE_EQ(signed_volume(closed(box, closure)), 48);
}

TEST(Closure, FollowsADeformationWithoutAllocating) {
  const Mesh whole = scenes::sphere(2000);
  Mesh open = without_cap(whole, {0, 0, 1}, 0.5f).open;
  const Closure closure = find_closure(open);
  ASSERT_EQ(closure.point_count, 1u);
  for (Vec3& p : open.positions) p = {p.x + 5, p.y * 2, p.z};
  Vec3 point;
  EXPECT_EQ(allocations_of([&] { closure.place_points(open.positions, &point); }), 0u);
  EXPECT_NEAR(point.x, 5, 0.05);
  EXPECT_TRUE(is_closed(closed(open, closure)));
}

TEST(Closure, AnEdgeThatIsUnmatchedTwiceIsClosedTwice) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  std::swap(mesh.triangles[0].b, mesh.triangles[0].c);  // its three edges run twice the same way
  const Closure closure = find_closure(mesh);
  EXPECT_EQ(closure.edge_count, 6u);
  EXPECT_EQ(closure.rims.size(), 2u);
  const Mesh mended = closed(mesh, closure);
  EXPECT_TRUE(is_closed(mended));
  EXPECT_NEAR(signed_volume(mended), 1, 1e-6) << "the turned triangle counts -1, and the two that close it +2";
}

TEST(Closure, HolesThatTouchInAVertexAreClosedApart) {
  Mesh open = scenes::sphere(800);
  const std::uint32_t center = open.triangles[400].a;
  std::vector<std::size_t> around;
  for (std::size_t i = 0; i < open.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (open.triangles[i][k] == center) around.push_back(i);
  ASSERT_GE(around.size(), 4u);
  const auto shares_edge = [&](std::size_t i, std::size_t j) {
    int shared = 0;
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 3; ++y) shared += open.triangles[i][x] == open.triangles[j][y] ? 1 : 0;
    return shared > 1;
  };
  std::size_t other = 1;
  while (shares_edge(around[0], around[other])) ++other;
  const Closure closure =
      find_closure(without(open, [&](std::size_t i) { return i == around[0] || i == around[other]; }).open);
  EXPECT_EQ(closure.rims.size(), 2u);
  EXPECT_EQ(closure.point_count, 0u) << "two loops of three edges, not one of six";
}

TEST(Closure, LeavesOutTrianglesThatQueriesSkip) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0x1p120f}) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    mesh.positions[7].y = bad;
    EXPECT_FALSE(is_closed(mesh));
    const Closure closure = find_closure(mesh);
    EXPECT_FALSE(closure.empty());
    for (const Triangle& t : closure.fans)
      for (int k = 0; k < 3; ++k) EXPECT_NE(t[k], 7u);
    EXPECT_TRUE(is_closed(closed(mesh, closure)));
  }
}

TEST(Closure, OfDoublesIsThatOfFloatsAndKeepsFarAwayPositions) {
  const Mesh open = without_cap(scenes::sphere(500), {0, 0, 1}, 0.5f).open;
  std::vector<Vec3d> wide;
  for (const Vec3 p : open.positions) wide.push_back(to_double(p) + Vec3d{1e9, -1e9, 1e9});
  const MeshView view = make_view(&wide[0].x, wide.size(), &open.triangles[0].a, open.triangles.size());
  const Closure closure = find_closure(view);
  EXPECT_EQ(closure.fans.size(), find_closure(open).fans.size());
  const Mesh mended = closed(view, closure);
  EXPECT_TRUE(is_closed(mended));
  EXPECT_NEAR(signed_volume(mended), signed_volume(closed(open, find_closure(open))), 1e-4);
  EXPECT_NEAR(mended.positions[0].x + mended.origin.x, wide[0].x, 1e-6);
}

TEST(Closure, ClosesWhateverTheTrianglesAre) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 9; ++i)
      mesh.positions.push_back({static_cast<float>(random.below(3)), static_cast<float>(random.below(2)),
                                round % 7 == 0 && i == 3 ? std::numeric_limits<float>::quiet_NaN() : -0.0f});
    for (std::uint32_t n = random.below(20); n > 0; --n)
      mesh.triangles.push_back({random.below(9), random.below(9), random.below(9)});
    const Closure closure = find_closure(mesh);
    ASSERT_TRUE(is_closed(closed(mesh, closure))) << round;
    ASSERT_EQ(closure.empty(), is_closed(mesh)) << round;
    std::size_t edges = 0, triangles = 0;
    for (const Closure::Rim& rim : closure.rims) edges += rim.edges(), triangles += rim.triangles;
    ASSERT_EQ(edges, closure.edge_count);
    ASSERT_EQ(triangles, closure.fans.size());
  }
}

TEST(Closure, RefusesAnIndexOutOfRange) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.triangles[3].b = 8;
  EXPECT_THROW((void)find_closure(mesh), Error);
  EXPECT_THROW((void)repair(mesh), Error);
}

TEST(Closure, ATubeWithoutCapsHoldsTheBallInsideItAlongEveryAxis) {
  const Mesh ball = scenes::sphere(20000, 0.3f);
  for (int axis = 0; axis < 3; ++axis) {
    const Mesh open = tube(64, 0.5f, axis);
    const Mesh mended = closed(open, find_closure(open));
    EXPECT_EQ(find_closure(open).edge_count, 128u);
    for (const Axis rays : {Axis::x, Axis::y, Axis::z}) {
      Options options{.engine = "software", .resolution = 256, .axis = rays};
      EXPECT_NEAR(intersect(mended, ball, options).volume, 0.1131, 0.0011);
    }
  }
}

TEST(Closure, TrianglesThatMeetNobodyEncloseNothing) {
  const Mesh soup = shrunk_soup(scenes::sphere(500), 0.9f);
  const Closure closure = find_closure(soup);
  EXPECT_EQ(closure.rims.size(), soup.triangles.size());
  EXPECT_NEAR(signed_volume(closed(soup, closure)), 0, 1e-9);
}

TEST(WindingNumbers, AreOneInsideAndZeroOutside) {
  const Mesh ball = scenes::sphere(3000);
  Random random(3);
  const std::vector<Vec3> points = random_points(ball, 200, random);
  const std::vector<double> numbers = winding_numbers(ball, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = length(points[i]);
    if (r >= 0.95 && r <= 1) continue;
    EXPECT_NEAR(numbers[i], r < 1 ? 1 : 0, 1e-9);
  }
  const Mesh half = without_cap(ball, {0, 0, 1}, 0).open;
  EXPECT_NEAR(winding_number(half, {0, 0, -0.001f}), 0.5, 0.05);
}

}  // namespace
}  // namespace lamella::test
