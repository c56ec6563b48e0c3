#include "scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scenes/check.hpp"

namespace lamella::scenes {
namespace {

double shared_volume(const Pair& pair) { return sample(joined(pair.a, pair.b)).twice; }
double smaller_volume(const Pair& pair) { return std::min(volume(pair.a), volume(pair.b)); }

TEST(HandAndPhone, GripsDeeperAsTheHandCloses) {
  const Pair open = hand_and_phone(3000, 1000, 0), closed = hand_and_phone(3000, 1000, 0.5f);
  EXPECT_EQ(defect(open.a) + defect(open.b) + defect(closed.a), "");
  EXPECT_EQ(open.b.positions, closed.b.positions);
  // A fist also overlaps itself; that part is not the phone's.
  const double gripped = shared_volume(closed) - sample(closed.a).twice;
  EXPECT_LT(shared_volume(open), 0.1 * volume(open.b));
  EXPECT_GT(gripped, 2 * shared_volume(open));
  EXPECT_GT(gripped, 0.02 * volume(open.b));
}

TEST(HatAndMouse, OverlapAtEveryTime) {
  for (const float t : {0.0f, 0.2f, 0.4f, 0.6f, 0.8f, -7.3f}) {
    const Pair pair = hat_and_mouse(1500, 4000, t);
    EXPECT_EQ(defect(pair.a) + defect(pair.b), "");
    EXPECT_GT(shared_volume(pair), 0.02 * volume(pair.a)) << t;
    EXPECT_LT(shared_volume(pair), 0.9 * volume(pair.a)) << t;
  }
}

TEST(HatAndMouse, TheHatSways) {
  EXPECT_NE(hat_and_mouse(300, 300, 0).a.positions, hat_and_mouse(300, 300, 0.3f).a.positions);
}

TEST(Overlapping, IsALittleOrMuchForEveryPairOfModels) {
  for (const std::string_view a : {"sphere", "box", "torus", "torus_knot", "blob", "serpent", "phone", "hat"}) {
    for (const std::string_view b : {"sphere", "torus_knot", "blob", "serpent", "hat", "phone"}) {
      SCOPED_TRACE(std::string(a) + " and " + std::string(b));
      const Pair shallow = overlapping(a, 1200, b, 1200, false), deep = overlapping(a, 1200, b, 1200, true);
      EXPECT_EQ(defect(shallow.a) + defect(shallow.b) + defect(deep.b), "");
      EXPECT_GT(sample(joined(shallow.a, shallow.b), 500).twice, 0);
      EXPECT_LT(shared_volume(shallow), 0.04 * smaller_volume(shallow));
      EXPECT_GT(shared_volume(deep), 0.03 * smaller_volume(deep));
    }
  }
}

TEST(RandomPoints, LieInTheBoxAndFillIt) {
  const Mesh mesh = box(12, {1, 2, 3});
  const std::vector<Vec3> points = random_points(mesh, 20000, 3);
  ASSERT_EQ(points.size(), 20000u);
  Vec3d mean;
  Aabb filled;
  for (const Vec3 p : points) {
    EXPECT_LE(std::abs(p.x), 1);
    EXPECT_LE(std::abs(p.y), 2);
    EXPECT_LE(std::abs(p.z), 3);
    mean = mean + to_double(p) * (1.0 / 20000);
    filled = extend(filled, p);
  }
  EXPECT_LT(std::sqrt(dot(mean, mean)), 0.05);
  EXPECT_GT(extent(filled).x, 1.99f);
  EXPECT_GT(extent(filled).z, 5.97f);
}

TEST(RandomPoints, InsideASphereAreItsShareOfTheBox) {
  const Mesh mesh = sphere(20000);
  const std::vector<Vec3> points = random_points(mesh, 50000);
  const auto inside = std::count_if(points.begin(), points.end(), [](Vec3 p) { return dot(p, p) < 1; });
  EXPECT_NEAR(double(inside) / 50000, 0.5236, 0.01);
}

TEST(RandomPoints, DependOnTheSeedAlone) {
  const Mesh mesh = sphere(100);
  EXPECT_EQ(random_points(mesh, 100, 4), random_points(mesh, 100, 4));
  EXPECT_NE(random_points(mesh, 100, 4), random_points(mesh, 100, 5));
  EXPECT_TRUE(random_points({}, 10).empty());
}

}  // namespace
}  // namespace lamella::scenes
