#include "simulate/bunnies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "lamella/error.hpp"
#include "lamella/image_scene.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

double distance(const Transform& a, const Transform& b) {
  const Vec3d d = a.translation - b.translation;
  return std::sqrt(dot(d, d));
}

/// Pairs of which the balls of this radius overlap: a detector that needs no geometry images.
std::vector<BunnyPair> overlapping_balls(const BunnyWorld& world, double radius) {
  std::vector<BunnyPair> pairs;
  for (std::uint32_t i = 0; i < world.size(); ++i) {
    for (std::uint32_t j = i + 1; j < world.size(); ++j)
      if (distance(world.poses()[i], world.poses()[j]) < 2 * radius) pairs.push_back({i, j});
  }
  return pairs;
}

TEST(BunnyWorld, OfOneStartsInTheMiddleAndMoves) {
  BunnyWorld world({.objects = 1});
  ASSERT_EQ(world.size(), 1u);
  const Transform start = world.poses()[0];
  EXPECT_EQ(start.translation, Vec3d{});
  world.step({});
  EXPECT_GT(distance(world.poses()[0], start), 0.25 * 2 / 60 - 1e-12);
  EXPECT_LT(distance(world.poses()[0], start), 2.0 / 60 + 1e-12);
  EXPECT_NE(world.poses()[0].rotation.w, start.rotation.w) << "it turns";
}

TEST(BunnyWorld, StartsWithAllBallsApart) {
  for (std::uint32_t objects = 2; objects <= 512; objects += objects < 70 ? 1 : 13) {
    const BunnyWorld world({.objects = objects});
    EXPECT_EQ(overlapping_balls(world, BunnyOptions{}.radius).size(), 0u) << objects;
  }
}

TEST(BunnyWorld, KeepsEveryBallInsideTheCubeAndTheEnergy) {
  const BunnyOptions options{.objects = 40};
  BunnyWorld world(options);
  const double limit = world.side() / 2 - options.radius + 1e-12, energy = world.energy();
  for (int frame = 0; frame < 1200; ++frame) {
    world.step(overlapping_balls(world, 0.5 * options.radius));
    for (const Transform& pose : world.poses()) {
      for (int axis = 0; axis < 3; ++axis) ASSERT_LE(std::abs(pose.translation[axis]), limit);
      const Quaternion& q = pose.rotation;
      ASSERT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-12);
    }
  }
  EXPECT_NEAR(world.energy(), energy, 1e-9 * energy);
}

TEST(BunnyWorld, TwoThatCollideSeparate) {
  int met = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    BunnyWorld world({.objects = 2, .seed = seed});
    int lasting = 0;
    for (int frame = 0; frame < 300; ++frame) {
      const auto pairs = overlapping_balls(world, 0.5 * BunnyOptions{}.radius);
      lasting = pairs.empty() ? 0 : lasting + 1;
      met += lasting == 1;
      ASSERT_LT(lasting, 8) << "a wall may throw one back, but not for long";
      world.step(pairs);
    }
  }
  EXPECT_GT(met, 20);
}

TEST(BunnyWorld, DoesNotPullTogetherWhatSeparates) {
  BunnyWorld world({.objects = 2});
  for (int frame = 0; frame < 600; ++frame) {
    const double before = distance(world.poses()[0], world.poses()[1]);
    world.step({});
    const double free = distance(world.poses()[0], world.poses()[1]);
    if (free <= before) continue;
    const std::vector<BunnyPair> pair{{0, 1}};
    world.step(pair);
    world.step(pair);
    EXPECT_GT(distance(world.poses()[0], world.poses()[1]), free - 1e-9) << "frame " << frame;
    return;
  }
  FAIL() << "they never separate";
}

TEST(BunnyWorld, MovesTheSameForTheSamePairsOnly) {
  const auto after = [](std::uint32_t seed, double radius) {
    BunnyWorld world({.objects = 12, .seed = seed});
    for (int frame = 0; frame < 200; ++frame) world.step(overlapping_balls(world, radius));
    std::vector<Vec3d> places;
    for (const Transform& pose : world.poses()) places.push_back(pose.translation);
    return places;
  };
  EXPECT_EQ(after(1, 0.2), after(1, 0.2));
  EXPECT_NE(after(1, 0.2), after(2, 0.2));
  EXPECT_NE(after(1, 0.2), after(1, 0.15));
}

// ---- with rabbits

/// Made once: cutting and mapping take their time.
std::shared_ptr<const ImageBody> bunny() {
  static const std::shared_ptr<const ImageBody> body = make_bunny(5, BunnyOptions{}.radius, 1);
  return body;
}

TEST(Bunny, IsOneClosedImageThatFitsItsBall) {
  ASSERT_EQ(bunny()->images.size(), 1u);
  const Mesh mesh = to_mesh(bunny()->images[0]);
  const MeshReport report = inspect(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_GT(report.volume, 0.1 * std::pow(BunnyOptions{}.radius, 3));
  for (const Vec3 p : mesh.positions) EXPECT_LE(length(p), 1.0001f * static_cast<float>(BunnyOptions{}.radius));
}

TEST(Bunnies, CollideAndComeFreeAgain) {
  BunnyWorld world({.objects = 24});
  ImageScene scene({.collide = {}, .threads = 1});
  for (const Transform& pose : world.poses()) scene.add(bunny(), pose);
  std::map<BunnyPair, int> lasting;
  int begun = 0, longest = 0;
  for (int frame = 0; frame < 240; ++frame) {
    std::vector<BunnyPair> pairs;
    for (const ImageScenePair& pair : scene.collide().candidates)
      if (pair.verdict == Verdict::colliding) pairs.push_back({pair.a.number, pair.b.number});
    EXPECT_TRUE(frame > 0 || pairs.empty()) << "they start apart";
    std::map<BunnyPair, int> now;
    for (const BunnyPair& pair : pairs) {
      const auto before = lasting.find(pair);
      now[pair] = before == lasting.end() ? 1 : before->second + 1;
      begun += now[pair] == 1;
      longest = std::max(longest, now[pair]);
    }
    lasting.swap(now);
    world.step(pairs);
    for (std::uint32_t i = 0; i < world.size(); ++i) scene.move({i}, world.poses()[i]);
  }
  EXPECT_GT(begun, 20);
  EXPECT_LT(longest, 60) << "stuck for a second";
}

/// Whether any two triangles of two placed rabbits meet; b is brought into a's frame as the library says it does.
bool meet_by_brute_force(const GeometryImage& image, const Transform& pose_a, const Transform& pose_b) {
  const Quaternion& q = pose_a.rotation;
  const Transform back{{}, {-q.x, -q.y, -q.z, q.w}};
  std::vector<Vec3> b;
  for (const Vec3 p : image.positions)
    b.push_back(to_float(apply(back, apply(pose_b, to_double(p)) - pose_a.translation)));
  const auto count = static_cast<std::uint32_t>(image.triangle_count());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Triangle s = image_triangle(image.n, i);
    const Vec3 one[3] = {image.positions[s.a], image.positions[s.b], image.positions[s.c]};
    Aabb box;
    for (const Vec3 p : one) box = extend(box, p);
    for (std::uint32_t j = 0; j < count; ++j) {
      const Triangle t = image_triangle(image.n, j);
      const Vec3 two[3] = {b[t.a], b[t.b], b[t.c]};
      Aabb other;
      for (const Vec3 p : two) other = extend(other, p);
      bool apart = false;
      for (int axis = 0; axis < 3; ++axis)
        apart = apart || box.max[axis] < other.min[axis] || other.max[axis] < box.min[axis];
      if (!apart && triangles_meet(one, two)) return true;
    }
  }
  return false;
}

TEST(Bunnies, AreFoundToCollideWhereBruteForceSaysSo) {
  BunnyWorld world({.objects = 6});
  ImageScene scene({.collide = {}, .threads = 1});
  for (const Transform& pose : world.poses()) scene.add(bunny(), pose);
  int colliding = 0, apart = 0;
  for (int frame = 0; frame < 200; ++frame) {
    std::vector<BunnyPair> pairs;
    for (const ImageScenePair& pair : scene.collide().candidates) {
      const bool found = pair.verdict == Verdict::colliding;
      if (found) pairs.push_back({pair.a.number, pair.b.number});
      if ((found ? colliding : apart) >= 6 || frame % 3 != 0) continue;
      ++(found ? colliding : apart);
      EXPECT_EQ(meet_by_brute_force(bunny()->images[0], world.poses()[pair.a.number], world.poses()[pair.b.number]),
                found);
    }
    world.step(pairs);
    for (std::uint32_t i = 0; i < world.size(); ++i) scene.move({i}, world.poses()[i]);
  }
  EXPECT_EQ(colliding, 6);
  EXPECT_EQ(apart, 6);
}

Options small(unsigned threads, std::uint64_t seed = 1) {
  Options options;
  options.scene.threads = threads;
  options.scene.resolution = 33;
  options.sampling_given = true;
  options.objects = 8;
  options.seed = seed;
  return options;
}

TEST(Bunnies, AreTheSameToTheBitForAnyNumberOfThreads) {
  const auto after = [](const Options& options) {
    const auto bunnies = make_bunnies(options);
    std::uint32_t pairs = 0;
    for (int frame = 0; frame < 90; ++frame) {
      bunnies->step();
      pairs += bunnies->figures().pairs;
    }
    EXPECT_GT(pairs, 0u);
    Drawing drawing;
    bunnies->draw(drawing);
    std::vector<Vec3> all;
    for (const auto& solid : drawing.solids)
      all.insert(all.end(), solid.mesh.positions.begin(), solid.mesh.positions.end());
    return all;
  };
  const std::vector<Vec3> once = after(small(1));
  EXPECT_EQ(after(small(2)), once);
}

TEST(Bunnies, RefuseImagesOfOtherSizes) {
  Options options = small(1);
  for (const std::uint32_t side : {0u, 9u, 64u, 128u, 513u}) {
    options.scene.resolution = side;
    EXPECT_THROW((void)make_bunnies(options), Error) << side;
  }
}

}  // namespace
}  // namespace lamella::simulate
