// Contacts from frame to frame: the same ones, as long as they last.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "lamella/scene.hpp"
#include "scene/contact_shapes.hpp"

namespace lamella {
namespace {

/// What became of contacts over the frames of a motion.
struct Stay {
  double contacts = 0;   ///< a frame
  double new_ids = 0;    ///< a frame, after the first
  double farthest = 0;   ///< that a contact with one id went on its body within a frame, in cells
  double mean_move = 0;  ///< of these, in cells
  bool one_each = true;  ///< no id twice in a frame
};

using Motion = std::function<Transform(int frame)>;

/// A point that is carried along by a body from one frame to the next.
Vec3d carried(Vec3d position, const Transform& from, const Transform& to) {
  const Quaternion q = from.rotation;
  return apply(to, apply({{}, {-q.x, -q.y, -q.z, q.w}}, position - from.translation));
}

Stay follow(const Mesh& a, const Motion& motion, const Mesh& b, const SceneOptions& options) {
  constexpr int kFrames = 100;
  Scene scene(options);
  const ObjectId moving = scene.add(a, motion(0));
  (void)scene.add(b);
  Stay stay;
  std::map<std::uint32_t, Vec3d> last;
  int moves = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    scene.move(moving, motion(frame));
    const SceneResult& r = scene.collide();
    EXPECT_EQ(r.pairs.size(), 1u);
    if (r.pairs.empty()) return stay;
    const Grid& grid = r.groups[r.pairs[0].group].grid;
    const double cell = std::max(grid.cell_u(), grid.cell_v());
    std::map<std::uint32_t, Vec3d> now;
    for (const Contact& c : r.contacts_of(r.pairs[0])) {
      stay.contacts += 1.0 / kFrames;
      stay.one_each = now.emplace(c.id, c.position).second && stay.one_each;
      const auto old = last.find(c.id);
      if (frame > 0 && old == last.end()) stay.new_ids += 1.0 / (kFrames - 1);
      if (old == last.end()) continue;
      const Vec3d off = c.position - carried(old->second, motion(frame - 1), motion(frame));
      const double move = std::sqrt(dot(off, off)) / cell;
      stay.farthest = std::max(stay.farthest, move);
      stay.mean_move += move;
      ++moves;
    }
    last = std::move(now);
  }
  stay.mean_move /= std::max(moves, 1);
  return stay;
}

class Manifolds : public testing::TestWithParam<float> {
 protected:
  [[nodiscard]] static SceneOptions options() { return {.cell = GetParam(), .points = false}; }  // 0: by resolution
  static void expect(const Stay& stay, double new_ids, double farthest) {
    EXPECT_TRUE(stay.one_each);
    EXPECT_LE(stay.new_ids, new_ids);
    EXPECT_LE(stay.farthest, farthest);
    EXPECT_LE(stay.mean_move, 1);
  }
};

TEST_P(Manifolds, OfABoxAtRestStayForEver) {
  const Stay stay = follow(
      test::cube(),
      [](int) {
        return Transform{{0, 0, 0.49}, {}};
      },
      test::slab(), options());
  expect(stay, 0, 1e-6);
  EXPECT_GE(stay.contacts, 3.99);
}

TEST_P(Manifolds, OfABoxThatSlidesStay) {
  for (const double turn : {0.0, 0.4}) {
    const Motion slide = [&](int f) {
      return Transform{{0.003 * f, 0.001 * f, 0.49}, rotation_about({0, 0, 1}, turn)};
    };
    const Stay stay = follow(test::cube(), slide, test::slab(), options());
    expect(stay, 0.05, 3);
    EXPECT_GE(stay.contacts, 3.99);
  }
}

TEST_P(Manifolds, OfABoxThatSinksStay) {
  const Motion sink = [](int f) { return Transform{{0, 0, 0.499 - 0.0002 * f}, {}}; };
  expect(follow(test::cube(), sink, test::slab(), options()), 0.05, 3);
}

TEST_P(Manifolds, OfABoxThatSpinsStayMostly) {
  const Motion spin = [](int f) { return Transform{{0, 0, 0.49}, rotation_about({0, 0, 1}, 0.01 * f)}; };
  const Stay stay = follow(test::cube(), spin, test::slab(), options());
  expect(stay, 0.3, 4);
  EXPECT_GE(stay.contacts, 3.99);
}

TEST_P(Manifolds, OfABoxThatRocksStayMostly) {
  const Motion rock = [](int f) {
    return Transform{{0, 0, 0.485}, rotation_about({1, 0, 0}, 0.01 * std::sin(0.2 * f))};
  };
  expect(follow(test::cube(), rock, test::slab(), options()), 0.3, 4);
}

TEST_P(Manifolds, OfABallThatRollsStayMostly) {
  const Motion roll = [](int f) { return Transform{{0.003 * f, 0, 0.49}, rotation_about({0, 1, 0}, 0.006 * f)}; };
  expect(follow(scenes::sphere(2000, 0.5f), roll, test::slab(), options()), 0.5, 4);
}

TEST_P(Manifolds, OfARingThatTurnsOnASlabStayMostly) {
  const Motion turn = [](int f) { return Transform{{0.003 * f, 0, 0.19}, rotation_about({0, 0, 1}, 0.005 * f)}; };
  expect(follow(scenes::torus(2000, 0.6f, 0.2f), turn, test::slab(), options()), 1, 4);
}

TEST_P(Manifolds, OfKnotsThatCreepStayMostly) {
  const Motion creep = [](int f) { return Transform{{0.3 + 0.001 * f, 0.2, 0.2}, rotation_about({1, 1, 0}, 0.5)}; };
  expect(follow(scenes::torus_knot(3000), creep, scenes::torus_knot(3000), options()), 1, 4);
}

INSTANTIATE_TEST_SUITE_P(Cells, Manifolds, testing::Values(0.0f, 0.02f), [](const testing::TestParamInfo<float>& cell) {
  return cell.param > 0 ? "OfGivenSize" : "ByResolution";
});

/// A new contact never takes the id of another that was, until the two part.
TEST(ManifoldIds, AreNeverUsedAgain) {
  Scene scene({.points = false});
  const ObjectId box = scene.add(test::cube(), {{0, 0, 0.49}, {}});
  (void)scene.add(test::slab());
  std::set<std::uint32_t> gone, here;
  for (int f = 0; f < 60; ++f) {
    scene.move(box, {{0, 0, 0.49}, rotation_about({0, 0, 1}, 0.07 * f)});
    std::set<std::uint32_t> now;
    for (const Contact& c : scene.collide().contacts) {
      EXPECT_NE(c.id, 0u);
      EXPECT_FALSE(gone.contains(c.id)) << "frame " << f;
      now.insert(c.id);
    }
    for (const std::uint32_t id : here)
      if (!now.contains(id)) gone.insert(id);
    here = std::move(now);
  }
}

TEST(ManifoldSize, IsNoMoreThanAskedFor) {
  const Mesh knot = scenes::torus_knot(3000);
  for (const std::uint32_t most : {1u, 2u, 5u, 8u, 16u}) {
    Scene scene({.resolution = 64, .max_contacts = most});
    const ObjectId a = scene.add(knot);
    (void)scene.add(knot, {{0.3, 0.2, 0.2}, rotation_about({1, 1, 0}, 0.5)});
    for (int f = 0; f < 10; ++f) {
      scene.move(a, {{0.01 * f, 0, 0}, {}});
      EXPECT_LE(scene.collide().contacts.size(), most);
      EXPECT_GE(scene.collide().contacts.size(), std::min(most, 5u));
    }
  }
}

TEST(Contacts, AreSaidToBeMoreThanTheyMayBe) {
  // Four balls as feet, each in contact at one small spot.
  Mesh feet;
  for (const Vec3 place : {Vec3{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}) {
    const Mesh ball = scenes::sphere(400, 0.2f);
    const auto first = static_cast<std::uint32_t>(feet.positions.size());
    for (const Vec3 p : ball.positions) feet.positions.push_back(p + place);
    for (const Triangle t : ball.triangles) feet.triangles.push_back({t.a + first, t.b + first, t.c + first});
  }
  for (const std::uint32_t most : {1u, 3u, 4u, kMaxContacts}) {
    Scene scene({.max_contacts = most});
    (void)scene.add(feet, {{0, 0, 0.19}, {}});
    (void)scene.add(test::slab());
    for (int frame = 0; frame < 2; ++frame) {
      const SceneResult& r = scene.collide();
      ASSERT_EQ(r.pairs.size(), 1u);
      EXPECT_EQ(r.pairs[0].contact_count, std::min(most, 4u)) << frame;
      EXPECT_EQ(r.pairs[0].more_contacts, most < 4) << most << " in frame " << frame;
    }
  }
}

}  // namespace
}  // namespace lamella
