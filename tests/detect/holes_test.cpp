// Meshes with holes: closed before they are sampled, and reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lamella/lamella.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;

constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};

/// A square tube along an axis, 2 long and 1 wide, without caps.
Mesh tube(Axis axis) {
  Mesh mesh = box_mesh({-0.5f, -0.5f, -1}, {0.5f, 0.5f, 1});
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const float a = mesh.positions[t.a].z;
    return a == mesh.positions[t.b].z && a == mesh.positions[t.c].z;
  });
  const int shift = (static_cast<int>(axis) + 1) % 3;
  for (Vec3& p : mesh.positions) p = shift == 0 ? p : shift == 1 ? Vec3{p.z, p.x, p.y} : Vec3{p.y, p.z, p.x};
  return mesh;
}

bool doubts_holes(const Overlap& o, int mesh) {
  return std::any_of(o.doubts.begin(), o.doubts.end(),
                     [&](const Doubt& d) { return d.cause == Doubt::Cause::closed_holes && d.mesh == mesh; });
}

TEST(Holes, ATubeWithoutCapsHoldsABallAlongEveryAxis) {
  const Mesh ball = scenes::sphere(3000, 0.3f);
  const double volume = signed_volume(ball);
  for (const Axis of_tube : kAxes)
    for (const Axis of_rays : kAxes) {
      const Mesh open = tube(of_tube);
      const Options options{.engine = "software", .axis = of_rays};
      const Overlap o = intersect(open, ball, options);
      EXPECT_EQ(o.verdict, Verdict::colliding);
      EXPECT_NEAR(o.volume, volume, 0.01 * volume);
      EXPECT_FALSE(o.health.ok());
      EXPECT_EQ(o.health.closed_edges, 8u);
      EXPECT_NEAR(o.health.fan_area, 2, 1e-6);
      EXPECT_EQ(o.health.open_columns, 0u);
      EXPECT_TRUE(doubts_holes(o, 0));
      EXPECT_EQ(o.health.closed_edges, inspect(open).open_edges) << "as info says";

      Detector detector(options);
      const ObjectId kept = detector.add(open), other = detector.add(ball);
      EXPECT_EQ(detector.intersect(kept, other).volume, o.volume);
      EXPECT_EQ(detector.intersect(other, kept).health.closed_edges, 8u);
      EXPECT_TRUE(doubts_holes(detector.intersect(other, kept), 1));

      Batch batch(options);
      const ObjectId a = batch.add(open), b = batch.add(ball);
      const BatchPair pair{a, b, {}, {}};
      EXPECT_EQ(batch.intersect({&pair, 1})[0].volume, o.volume);
      EXPECT_EQ(batch.intersect({&pair, 1})[0].health.closed_edges, 8u);
    }
}

TEST(Holes, ViewsOfADetectorAreClosedOnlyWhenAsked) {
  const Mesh ball = scenes::sphere(3000, 0.3f), open = tube(Axis::z);
  Detector as_given({.engine = "software", .axis = Axis::z}),
      closing({.engine = "software", .axis = Axis::z, .close_views = true});
  EXPECT_EQ(as_given.intersect(open, ball).health.closed_edges, 0u);
  EXPECT_EQ(closing.intersect(open, ball).verdict, Verdict::colliding);
  EXPECT_EQ(closing.intersect(open, ball).health.closed_edges, 8u);
  const std::vector<Vec3> points{{0, 0, 0}, {0, 0, 2}};
  EXPECT_THAT(closing.contains(open, points).inside, ::testing::ElementsAre(kPointInside, kPointOutside));
}

TEST(Holes, FanPointsMoveWithTheirRim) {
  Mesh open = tube(Axis::z);
  const Mesh ball = scenes::sphere(3000, 0.3f);
  Detector detector({.engine = "software", .axis = Axis::z});
  const ObjectId kept = detector.add(open), other = detector.add(ball);
  ASSERT_EQ(detector.intersect(kept, other).verdict, Verdict::colliding);
  for (Vec3& p : open.positions) p.x += 3;
  detector.deform(kept, open.positions);
  EXPECT_EQ(detector.intersect(kept, other).verdict, Verdict::clear);
  detector.deform(kept, tube(Axis::z).positions);
  EXPECT_EQ(detector.intersect(kept, other).verdict, Verdict::colliding);
  EXPECT_THROW(detector.deform(kept, std::vector<Vec3>(open.positions.size() + 2)), Error)
      << "fan points are not the caller's";
}

TEST(Holes, BrokenVerticesThatAreMendedLeaveNoFans) {
  const Mesh ball = scenes::sphere(500);
  Mesh broken = ball;
  broken.positions[7].y = std::numeric_limits<float>::quiet_NaN();
  Detector detector({.engine = "software"});
  const ObjectId kept = detector.add(broken);
  EXPECT_GT(detector.self_intersect(kept).health.closed_edges, 0u);
  EXPECT_GT(detector.self_intersect(kept).health.skipped_triangles, 0u);
  detector.deform(kept, ball.positions);
  EXPECT_TRUE(detector.self_intersect(kept).health.ok());
}

TEST(Holes, AnOverlapThatOnlyTheFanMayMakeIsUndecided) {
  // A small box halfway through the plane of a cap: the true cap may be anywhere near.
  const Mesh in_rim = box_mesh({-0.1f, -0.1f, 0.9f}, {0.1f, 0.1f, 1.1f});
  const Overlap o = intersect(tube(Axis::z), in_rim, {.engine = "software"});
  EXPECT_EQ(o.verdict, Verdict::undecided);
  EXPECT_TRUE(doubts_holes(o, 0));
  EXPECT_GT(o.volume, 0) << "as closed";
}

TEST(Holes, WithoutOverlapItMattersWhetherTheOtherComesToAHole) {
  const Mesh open = tube(Axis::z);
  const Mesh above = box_mesh({-0.1f, -0.1f, 1.05f}, {0.1f, 0.1f, 1.2f});
  EXPECT_EQ(intersect(open, above, {.engine = "software"}).verdict, Verdict::undecided)
      << "a cap that bulges would meet it";
  const Mesh beside = box_mesh({0.55f, -0.1f, -0.1f}, {0.7f, 0.1f, 0.1f});
  EXPECT_EQ(intersect(open, beside, {.engine = "software"}).verdict, Verdict::clear);
}

TEST(Holes, StrictRefusesThemAndNamesTheMesh) {
  const std::string message =
      test::error_of([] {
        (void)intersect(scenes::sphere(500, 0.3f), tube(Axis::z), {.engine = "software", .strict = true});
      }).what();
  EXPECT_THAT(message, ::testing::HasSubstr("the second mesh: holes of 8 edges were closed"));
  Detector strict({.engine = "software", .strict = true});
  const ObjectId open = strict.add(tube(Axis::z)), ball = strict.add(scenes::sphere(500, 0.3f));
  EXPECT_THROW((void)strict.intersect(open, ball), Error);
}

TEST(Holes, VerticesOfFansAreNotReported) {
  const Mesh open = tube(Axis::z), around = box_mesh({-3, -3, -3}, {3, 3, 3});
  const VerticesInside found = vertices_inside(open, around, {.engine = "software"});
  EXPECT_EQ(found.a_in_b.inside.size(), open.positions.size());
  for (const VertexInside& v : found.a_in_b.inside) EXPECT_LT(v.vertex, open.positions.size());
}

TEST(Holes, MeshesThatShareNoVerticesButPlacesAreClosed) {
  const Mesh ball = scenes::sphere(1000);
  Mesh soup;
  for (const Triangle& t : ball.triangles) {
    const auto base = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(ball.positions[t[k]]);
    soup.triangles.push_back({base, base + 1, base + 2});
  }
  const Overlap o = intersect(soup, scenes::box(12, {2, 2, 2}), {.engine = "software"});
  EXPECT_TRUE(o.health.ok());
  EXPECT_NEAR(o.volume, signed_volume(ball), 0.01 * o.volume);
}

TEST(Holes, CornersThatDifferInTheLastDigitsOfDoublesAloneAreOne) {
  const auto with_noise = [](const Mesh& box) {
    std::pair<std::vector<Vec3d>, std::vector<Triangle>> soup;
    for (const Triangle& t : box.triangles) {
      const auto n = static_cast<std::uint32_t>(soup.first.size());
      for (int i = 0; i < 3; ++i) soup.first.push_back(to_double(box.positions[t[i]]) + Vec3d{1, 1, 1} * (n * 1e-14));
      soup.second.push_back({n, n + 1, n + 2});
    }
    return soup;
  };
  const auto a = with_noise(box_mesh({0.1f, 0.1f, 0.1f}, {1.1f, 1.1f, 1.1f}));
  const auto b = with_noise(box_mesh({0.6f, 0.1f, 0.1f}, {1.6f, 1.1f, 1.1f}));
  const Overlap o = intersect(MeshView{.positions = {}, .triangles = a.second, .wide = a.first},
                              MeshView{.positions = {}, .triangles = b.second, .wide = b.first});
  EXPECT_EQ(o.verdict, Verdict::colliding);
  EXPECT_NEAR(o.volume, 0.5, 1e-5);
  EXPECT_TRUE(o.health.ok());
  EXPECT_TRUE(o.doubts.empty());
}

}  // namespace
}  // namespace lamella
