#include <gtest/gtest.h>

#include "geometry_image/shapes.hpp"
#include "lamella/image_scene.hpp"
#include "support/allocations.hpp"

namespace lamella {
namespace {

using namespace test;

TEST(ImageAllocations, AWarmSearchForTheFirstPairHasNone) {
  const ImageBody a = make_body({lumpy_ball(5, 1)}), b = make_body({hills(5, 2)});
  std::mt19937 random(1);
  ImageCollider collider;
  (void)collider.collide(a, {}, a, {{0.1, 0, 0}, {}});
  for (int i = 0; i < 20; ++i) {
    const Transform pose = random_pose(random, 1);
    EXPECT_EQ(allocations_of([&] { (void)collider.collide(a, {}, b, pose); }), 0u);
  }
}

TEST(ImageAllocations, RefittingHasNone) {
  ImageBody a = make_body({lumpy_ball(7, 1)});
  for (Vec3& p : a.images[0].positions) p.x *= 2;
  EXPECT_EQ(allocations_of([&] { refit(a); }), 0u);
}

TEST(ImageAllocations, AWarmSceneHasNone) {
  const auto body = std::make_shared<ImageBody>(make_body({lumpy_ball(4, 1)}));
  std::mt19937 random(2);
  ImageScene scene({.threads = 1});
  std::vector<Transform> poses;
  for (int i = 0; i < 40; ++i) {
    poses.push_back(random_pose(random, 3));
    scene.add(body, poses.back());
  }
  const auto frame = [&](double shift) {
    for (std::uint32_t i = 0; i < poses.size(); ++i) {
      Transform pose = poses[i];
      pose.translation.x += shift * (i % 3);
      scene.move({i}, pose);
    }
    EXPECT_GT(scene.collide().colliding_count, 10u);
  };
  for (int i = 0; i < 40; ++i) frame(0.02 * (i % 20));
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 20; ++i) frame(0.02 * i);
            }),
            0u);
}

}  // namespace
}  // namespace lamella
