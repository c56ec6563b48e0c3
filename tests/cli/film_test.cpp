// The frames of a simulation in a page.

#include "cli/simulate/film.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "cli/program.hpp"
#include "scenes/models.hpp"

namespace lamella::test {
namespace {

using cli::Film;
using cli::rigid_motion;
using session::Json;

std::vector<Vec3> placed(const std::vector<Vec3>& points, const Transform& pose) {
  std::vector<Vec3> out;
  for (const Vec3 p : points) out.push_back(to_float(apply(pose, to_double(p))));
  return out;
}

TEST(RigidMotion, OfPointsThatStayIsNone) {
  const Mesh ball = scenes::sphere(200);
  const auto motion = rigid_motion(ball.positions, ball.positions);
  ASSERT_TRUE(motion);
  EXPECT_EQ(motion->translation, Vec3d{});
  EXPECT_EQ(motion->rotation.w, 1);
}

TEST(RigidMotion, IsFoundForEveryRotation) {
  const Mesh box = make_box({0, 0, 0}, {1, 2, 3});
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{1, -2, 0.5}}) {
    for (double turn = -1; turn <= 1; turn += 0.125) {
      const Transform pose{{3, -1, 0.25}, rotation_about(axis, turn * std::numbers::pi)};
      const auto to = placed(box.positions, pose);
      const auto motion = rigid_motion(box.positions, to);
      ASSERT_TRUE(motion) << turn;
      for (std::size_t i = 0; i < to.size(); ++i)
        EXPECT_LT(length(apply(*motion, to_double(box.positions[i])) - to_double(to[i])), 1e-5);
    }
  }
}

TEST(RigidMotion, OfWhatDeformsIsNone) {
  const Mesh box = make_box({0, 0, 0}, {1, 2, 3});
  std::vector<Vec3> bent = box.positions;
  bent[5].x += 0.001f;
  EXPECT_FALSE(rigid_motion(box.positions, bent));
  std::vector<Vec3> mirrored = box.positions;
  for (Vec3& p : mirrored) p.x = -p.x;
  EXPECT_FALSE(rigid_motion(box.positions, mirrored));
  const std::vector<Vec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, other{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  EXPECT_FALSE(rigid_motion(line, other)) << "which way it turned about itself is not known";
}

/// A body that moves, one that deforms, and some dots.
class TestFilm : public testing::Test {
 protected:
  void add(Film& film, int frame) {
    moved_ = placed(body_.positions, {{0, 0, frame * 0.5}, rotation_about({0, 1, 0}, frame * 0.1)});
    bent_ = body_.positions;
    for (Vec3& p : bent_) p.z *= 1 + static_cast<float>(frame) * 0.1f;
    simulate::Drawing drawing;
    drawing.solids = {{{moved_, body_.triangles}, {10, 20, 30}, 1}, {{bent_, body_.triangles}, {1, 2, 3}, 0.5f}};
    if (frame == 2) drawing.solids[0].color = {255, 0, 0};
    drawing.dots = {{std::vector<Vec3>(static_cast<std::size_t>(frame) + 1, Vec3{0, 0, 1}), {9, 9, 9}, 0.25f}};
    drawing.view = {{-1, -1, -1}, {1, 1, 1}};
    drawing.note = "n";
    film.add(drawing, {{"frame", frame}});
  }
  const Mesh body_ = scenes::sphere(400);
  std::vector<Vec3> moved_, bent_;
};

TEST_F(TestFilm, KeepsRigidBodiesOnceAndOthersAnew) {
  Film film(30);
  for (int i = 0; i < 4; ++i) add(film, i);
  session::PacketWriter packet;
  const Json frames = film.finish(packet);
  ASSERT_EQ(frames["steps"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(frames["steps"][i]["positions"][0].is_null(), i != 0);
    EXPECT_FALSE(frames["steps"][i]["positions"][1].is_null());
    EXPECT_EQ(frames["steps"][i].contains("colors"), i == 2);
    EXPECT_EQ(frames["steps"][i]["dots"][0]["count"], 3 * (i + 1));
    EXPECT_EQ(frames["steps"][i]["figures"]["frame"], i);
  }
  EXPECT_EQ(frames["rate"], 30);
  EXPECT_EQ(frames["solids"][1]["opacity"], 0.5);
  EXPECT_TRUE(film.notes().empty());

  session::Bytes bytes;
  packet.finish(frames, bytes);
  const session::Packet read = session::read_packet(bytes);
  const auto poses = session::read_array<float>(read, frames["steps"][3]["poses"], "poses");
  ASSERT_EQ(poses.size(), 14u);
  EXPECT_NEAR(poses[2], 1.5, 1e-5);
  EXPECT_NEAR(poses[4], std::sin(0.15), 1e-5);
  EXPECT_EQ(poses[7 + 6], 1) << "the other is where its positions are";
}

TEST_F(TestFilm, LeavesStepsOutWhenThereAreTooMany) {
  Film film(60, {.places = 4 * body_.positions.size()});
  for (int i = 0; i < 64; ++i) add(film, i);
  session::PacketWriter packet;
  const Json frames = film.finish(packet);
  EXPECT_LT(frames["steps"].size(), 5u);
  EXPECT_GE(frames["steps"].size(), 2u);
  const double rate = frames["rate"];
  for (std::size_t i = 0; i < frames["steps"].size(); ++i) {
    EXPECT_EQ(frames["steps"][i]["figures"]["frame"], static_cast<double>(i) * 60 / rate) << "evenly";
    EXPECT_EQ(frames["steps"][i]["positions"][0].is_null(), i != 0);
  }
  ASSERT_EQ(film.notes().size(), 1u);
  EXPECT_THAT(film.notes()[0], testing::HasSubstr("of 64 recorded frames"));
}

TEST_F(TestFilm, DrawsLargeBodiesWithFewerTriangles) {
  Film film(60, {.vertices = 100});
  add(film, 0);
  add(film, 1);
  session::PacketWriter packet;
  const Json frames = film.finish(packet);
  EXPECT_LE(frames["steps"][0]["positions"][0]["count"].get<std::size_t>(), 150u) << "3 numbers each";
  EXPECT_LT(frames["solids"][0]["triangles"]["count"].get<std::size_t>(), 3 * 400u);
  EXPECT_GT(frames["solids"][0]["triangles"]["count"].get<std::size_t>(), 3 * 20u);
  EXPECT_TRUE(frames["steps"][1]["positions"][0].is_null()) << "still rigid";
  EXPECT_THAT(film.notes().at(0), testing::HasSubstr("triangles"));
}

TEST_F(TestFilm, DrawsSomeOfManyDots) {
  Film film(60, {.dots = 10});
  for (int i = 0; i < 25; ++i) add(film, i);
  session::PacketWriter packet;
  const Json frames = film.finish(packet);
  EXPECT_EQ(frames["steps"][9]["dots"][0]["count"], 30);
  EXPECT_EQ(frames["steps"][24]["dots"][0]["count"], 3 * 9) << "each third of 25";
  EXPECT_THAT(film.notes().at(0), testing::HasSubstr("1 in 3"));
}

}  // namespace
}  // namespace lamella::test
