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
