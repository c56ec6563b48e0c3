#include "scenes/crowd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "scenes/check.hpp"

namespace lamella::scenes {
namespace {

constexpr double kTimes[] = {0, 0.016, 1, 17.3, -4.2, 3600};

CrowdOptions few(std::uint32_t objects) { return {.objects = objects, .faces = 400, .density = 0.1}; }

double norm(const Quaternion& q) { return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }

TEST(Crowd, BodiesAreClosedOfTheFacesAskedForAndFillTheirBall) {
  for (const std::string_view model : crowd_models()) {
    SCOPED_TRACE(std::string(model));
    const Mesh body = crowd_body(model, 3000, 0.35);
    EXPECT_EQ(defect(body), "");
    EXPECT_NEAR(static_cast<double>(body.triangles.size()), 3000, 150);
    double farthest = 0;
    for (const Vec3 p : body.positions) farthest = std::max(farthest, length(to_double(p)));
    EXPECT_NEAR(farthest, 0.35, 1e-6);
    const Vec3 middle = center(box_of(body.positions));
    EXPECT_LT(length(to_double(middle)), 1e-6);
  }
}

TEST(Crowd, StaysInItsCubeAtAnyTime) {
  const Crowd crowd(few(40));
  const double half = crowd.side() / 2;
  for (const double t : kTimes) {
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const Transform pose = crowd.pose(i, t);
      EXPECT_NEAR(norm(pose.rotation), 1, 1e-12);
      for (const Vec3 p : crowd.mesh(i).positions) {
        const Vec3d at = apply(pose, to_double(p));
        ASSERT_LE(std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}), half + 1e-6) << i << " at " << t;
      }
    }
  }
}

TEST(Crowd, MovesEveryBodyNoFasterThanAskedAlsoAtTheWalls) {
  CrowdOptions options = few(30);
  options.speed = 3;
  const Crowd crowd(options);
  constexpr double kStep = 1.0 / 60;
  std::size_t turned_back = 0;
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    Vec3d before;
    for (int frame = 0; frame < 600; ++frame) {
      const Vec3d moved = crowd.pose(i, (frame + 1) * kStep).translation - crowd.pose(i, frame * kStep).translation;
      ASSERT_LE(length(moved), options.speed * kStep * (1 + 1e-9));
      if (frame > 0 && moved.x * before.x < 0) ++turned_back;
      before = moved;
    }
    EXPECT_GT(length(crowd.pose(i, 1).translation - crowd.pose(i, 0).translation), 0);
  }
  EXPECT_GT(turned_back, 0u);
}

TEST(Crowd, KeepsItsDensityWhateverItsSize) {
  const auto density = [](const Crowd& crowd) {
    const double ball = 4.0 / 3 * kPi * std::pow(crowd.radius(), 3);
    return static_cast<double>(crowd.size()) * ball / std::pow(crowd.side() - 2 * crowd.radius(), 3);
  };
  EXPECT_NEAR(density(Crowd(few(10))), 0.1, 1e-9);
  EXPECT_NEAR(density(Crowd(few(300))), 0.1, 1e-9);
}

TEST(Crowd, IsTheSameForASeedAndAnotherForAnother) {
  CrowdOptions options = few(12);
  const Crowd once(options), again(options);
  options.seed = 2;
  const Crowd other(options);
  std::size_t same = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once.pose(i, 2.5).translation, again.pose(i, 2.5).translation);
    EXPECT_EQ(once.mesh(i).positions, again.mesh(i).positions);
    same += once.pose(i, 2.5).translation == other.pose(i, 2.5).translation ? 1 : 0;
  }
  EXPECT_EQ(same, 0u);
}

TEST(Crowd, OfNobodyIsEmpty) {
  const Crowd crowd(few(0));
  EXPECT_EQ(crowd.size(), 0u);
  EXPECT_EQ(crowd.face_count(), 0u);
}

}  // namespace
}  // namespace lamella::scenes
