#include "simulate/helicopter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lamella/error.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

Vec3d up_of(const Transform& pose) { return apply({{}, pose.rotation}, {0, 0, 1}); }
Vec3d nose_of(const Transform& pose) { return apply({{}, pose.rotation}, {1, 0, 0}); }

/// Made once: cutting and mapping take their time.
std::shared_ptr<const ImageBody> helicopter() {
  static const std::shared_ptr<const ImageBody> body = make_helicopter_body(6, 1);
  return body;
}

TEST(HelicopterTerrain, IsTheSameLandscapeAtEverySize) {
  const auto coarse = make_terrain(5, 3), fine = make_terrain(6, 3);
  const std::size_t side = coarse->images[0].side(), more = fine->images[0].side();
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      ASSERT_EQ(coarse->images[0].positions[y * side + x], fine->images[0].positions[2 * y * more + 2 * x]);
  EXPECT_FLOAT_EQ(fine->images[0].positions.front().x, static_cast<float>(-kTerrainSide / 2));
  EXPECT_FLOAT_EQ(fine->images[0].positions.back().y, static_cast<float>(kTerrainSide / 2));
}

TEST(HelicopterFlight, IsSmoothStaysOverTheTerrainAndTheRightWayUp) {
  const double edge = kTerrainSide / 2 - 1.1;  // from its middle to its tail
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    const HelicopterFlight flight(seed);
    Transform before = flight.pose(0);
    for (std::uint64_t frame = 1; frame < 6000; ++frame) {
      const Transform pose = flight.pose(frame);
      ASSERT_LT(std::abs(pose.translation.x), edge);
      ASSERT_LT(std::abs(pose.translation.y), edge);
      ASSERT_GT(up_of(pose).z, 0.6) << "frame " << frame;
      const Vec3d step = pose.translation - before.translation;
      ASSERT_LT(std::sqrt(dot(step, step)), 0.12) << "frame " << frame;
      ASSERT_GT(dot(nose_of(pose), nose_of(before)), std::cos(0.1)) << "frame " << frame;
      ASSERT_GT(dot(nose_of(pose), step), 0) << "flies backwards in frame " << frame;
      before = pose;
    }
  }
}

TEST(HelicopterFlight, PitchesAndRollsBothWays) {
  const HelicopterFlight flight(1);
  double up = 0, down = 0, left = 0, right = 0;
  for (std::uint64_t frame = 0; frame < 3000; frame += 5) {
    const Transform pose = flight.pose(frame);
    const double pitch = nose_of(pose).z, roll = apply({{}, pose.rotation}, {0, 1, 0}).z;
    up = std::max(up, pitch), down = std::min(down, pitch);
    left = std::min(left, roll), right = std::max(right, roll);
  }
  EXPECT_GT(up, 0.15);
  EXPECT_LT(down, -0.15);
  EXPECT_GT(right, 0.15);
  EXPECT_LT(left, -0.15);
}

TEST(HelicopterFlight, DiffersByNumberAndSeedAndFromNothingElse) {
  EXPECT_EQ(HelicopterFlight(1).pose(77).translation, HelicopterFlight(1).pose(77).translation);
  EXPECT_NE(HelicopterFlight(1).pose(77).translation, HelicopterFlight(2).pose(77).translation);
  EXPECT_NE(HelicopterFlight(1).pose(77).translation, HelicopterFlight(1, 1).pose(77).translation);
}

TEST(HelicopterBody, IsOneClosedImageWithSkidsAndRotor) {
  ASSERT_EQ(helicopter()->images.size(), 1u);
  const Mesh mesh = to_mesh(helicopter()->images[0]);
  EXPECT_TRUE(inspect(mesh).closed);
  const Aabb box = bounds(mesh);
  EXPECT_LT(box.min.z, -0.32f);
  EXPECT_GT(box.max.z, 0.38f);
  EXPECT_GT(box.max.y, 0.4f);
  EXPECT_LT(box.min.x, -0.9f);
}

TEST(HelicopterBody, TouchesTheGroundInSomeFramesAndFliesInMost) {
  const auto ground = make_terrain(8, 1);
  const HelicopterFlight flight(1);
  ImageCollider collider;
  int touching = 0, begun = 0;
  bool before = false;
  for (std::uint64_t frame = 0; frame < 300; ++frame) {
    const bool now = collider.collide(*ground, {}, *helicopter(), flight.pose(frame)).colliding();
    touching += now;
    begun += now && !before;
    before = now;
  }
  EXPECT_GE(begun, 1);
  EXPECT_GT(touching, 10);
  EXPECT_LT(touching, 150);
}

/// Whether a vertex of the helicopter is below the ground: for a flight that comes from above the same as touching it
/// but for what lies between vertices.
bool below(const GeometryImage& ground, const GeometryImage& body, const Transform& pose) {
  const double cells = ground.quads_per_side();
  for (const Vec3 p : body.positions) {
    const Vec3d w = apply(pose, to_double(p));
    const double x = (w.x / kTerrainSide + 0.5) * cells, y = (w.y / kTerrainSide + 0.5) * cells;
    const double u = x - std::floor(x), v = y - std::floor(y);
    const auto low = static_cast<std::size_t>(y) * ground.side() + static_cast<std::size_t>(x);
    const double a = ground.positions[low].z, c = ground.positions[low + ground.side() + 1].z;
    const double b = ground.positions[u > v ? low + 1 : low + ground.side()].z;
    const double height = u > v ? a + u * (b - a) + v * (c - b) : a + v * (b - a) + u * (c - b);
    if (w.z < height - 1e-5) return true;
  }
  return false;
}

TEST(HelicopterBody, IsFoundToTouchWheneverAVertexIsBelowTheGround) {
  const auto ground = make_terrain(9, 1);
  const HelicopterFlight flight(1);
  int sunk = 0, differ = 0;
  for (std::uint64_t frame = 0; frame < 600; frame += 4) {
    const Transform pose = flight.pose(frame);
    const bool touching = collide(*ground, {}, *helicopter(), pose).colliding();
    const bool under = below(ground->images[0], helicopter()->images[0], pose);
    sunk += under;
    EXPECT_TRUE(touching || !under) << "frame " << frame;
    differ += touching != under;
  }
  EXPECT_GT(sunk, 3);
  EXPECT_LE(differ, 4) << "a hilltop between vertices";
}

TEST(Helicopters, HaveFiguresAndChangeColourWhereTheyTouch) {
  Options options;
  options.scene.threads = 1;
  options.scene.resolution = 257;
  options.sampling_given = true;
  const auto simulation = make_helicopter(options);
  bool seen[2] = {};
  Drawing drawing;
  Color colors[2];
  for (int frame = 0; frame < 600; ++frame) {
    simulation->step();
    const Figures figures = simulation->figures();
    ASSERT_TRUE(figures.images);
    ASSERT_EQ(figures.objects, 1u);
    ASSERT_EQ(figures.pairs > 0, figures.points > 0);
    ASSERT_TRUE(figures.pairs == 0 || figures.triangle_tests > 0);
    if (seen[figures.pairs > 0]) continue;
    simulation->draw(drawing);
    seen[figures.pairs > 0] = true;
    colors[figures.pairs > 0] = drawing.solids.back().color;
    EXPECT_EQ(drawing.note, figures.pairs > 0 ? "touching" : "in the air");
  }
  ASSERT_TRUE(seen[0] && seen[1]);
  EXPECT_NE(colors[0].r, colors[1].r);
}

TEST(Helicopters, RefuseTerrainOfOtherSizesAndTooManyOfThem) {
  Options options;
  options.objects = 17;
  EXPECT_THROW((void)make_helicopter(options), Error);
  options.objects = 1;
  options.sampling_given = true;
  options.scene.resolution = 1024;
  EXPECT_THROW((void)make_helicopter(options), Error);
}

}  // namespace
}  // namespace lamella::simulate
