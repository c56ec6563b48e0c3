// Several threads at the same time, each with a scene of its own, see detect/threads_test.cpp.

#include <gtest/gtest.h>

#include <vector>

#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"
#include "scene/result_bits.hpp"
#include "support/side_by_side.hpp"

namespace lamella {
namespace {

using test::one_by_one;
using test::ResultBits;
using test::side_by_side;

constexpr unsigned kThreads = 4;

/// Random bodies that come, go, move and deform; what each frame finds.
std::vector<ResultBits> frames_of_a_scene(unsigned seed) {
  test::Random random(seed);
  const Aabb where{{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}};
  Scene scene({.resolution = 48, .threads = 2, .self_overlap = true});
  struct Kept {
    ObjectId id;
    Mesh mesh;
  };
  std::vector<Kept> kept;
  std::vector<ResultBits> frames;
  for (int frame = 0; frame < 8; ++frame) {
    for (int i = 0; i < 3; ++i) {
      const test::Body body = test::random_body(random, where);
      kept.push_back({scene.add(body.mesh, body.pose), body.mesh});
    }
    const auto some = [&] { return random.below(static_cast<std::uint32_t>(kept.size())); };
    const std::uint32_t gone = some();
    scene.remove(kept[gone].id);
    kept.erase(kept.begin() + gone);
    scene.move(kept[some()].id, {to_double(random.in(where)), test::random_rotation(random)});
    Kept& deformed = kept[some()];
    deformed.mesh = test::scaled(deformed.mesh, 0.9f);
    scene.deform(deformed.id, deformed.mesh.positions);
    frames.emplace_back(scene.collide());
  }
  return frames;
}

TEST(SceneThreads, ScenesSideBySideFindWhatOneAloneFinds) {
  const auto together = side_by_side(kThreads, frames_of_a_scene);
  EXPECT_EQ(together, one_by_one(kThreads, frames_of_a_scene));
  EXPECT_NE(together[0], together[1]) << "each did the same work";
}

TEST(SceneThreads, ContactsHaveTheSameBitsAndIdsOnAnyNumberOfThreads) {
  // Bodies that turn in place, so that contacts last, come and go.
  const auto frames = [](unsigned threads, unsigned views) {
    test::Random random(5);
    test::Bodies bodies;
    test::strew(bodies, random, 40);
    Scene scene({.resolution = 48, .views = views, .threads = threads});
    test::add_all(scene, bodies);
    std::vector<ResultBits> found;
    std::size_t pairs = 0, contacts = 0;
    for (int frame = 0; frame < 6; ++frame) {
      for (std::uint32_t i = 0; i < bodies.size(); i += 2) {
        bodies[i].pose.rotation = bodies[i].pose.rotation * rotation_about({1, 2, 3}, 0.05);
        scene.move({i}, bodies[i].pose);
      }
      const SceneResult& r = scene.collide();
      pairs += r.pairs.size();
      contacts += r.contacts.size();
      found.emplace_back(r);
    }
    EXPECT_GT(pairs, 100u);
    EXPECT_GT(contacts, 400u);
    return found;
  };
  for (const unsigned views : {1u, 3u}) {
    const auto alone = frames(1, views);
    for (const unsigned threads : {2u, 3u, 0u}) EXPECT_EQ(frames(threads, views), alone) << threads;
  }
}

TEST(SceneThreads, ASceneMovesFromThreadToThread) {
  const test::Bodies bodies = test::random_scene(1);
  Scene scene({.resolution = 48, .threads = 2}), alone({.resolution = 48, .threads = 2});
  test::add_all(scene, bodies);
  test::add_all(alone, bodies);
  for (int frame = 0; frame < 4; ++frame) {
    const auto there = side_by_side(1, [&](unsigned) { return std::vector{ResultBits(scene.collide())}; });
    EXPECT_EQ(there[0][0], ResultBits(alone.collide())) << frame;
  }
}

}  // namespace
}  // namespace lamella
