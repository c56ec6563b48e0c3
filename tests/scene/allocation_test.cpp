// A warm scene takes no memory.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"
#include "scenes/motions.hpp"
#include "support/allocations.hpp"

namespace lamella {
namespace {

using test::allocations_of;

struct Case {
  unsigned threads = 1;
  SceneOptions options;
};

/// Bodies that go round one another, so that groups join and part, and one that deforms; a period of kFrames frames.
class Dance {
 public:
  static constexpr int kFrames = 12;

  explicit Dance(SceneOptions options) : scene_(std::move(options)) {
    const auto& meshes = test::small_bodies();
    for (std::size_t i = 0; i < 24; ++i) (void)scene_.add(meshes[i % meshes.size()]);
    const Mesh hand = scenes::hand(400);
    hand_ = scene_.add(hand);
    for (int f = 0; f < kFrames; ++f) {
      shapes_.push_back(hand.positions);
      scenes::wobble(hand.positions, static_cast<float>(f) / kFrames, 3, shapes_.back());
    }
  }
  void frame(int f) {
    const double phase = 2 * std::numbers::pi * f / kFrames;
    for (std::uint32_t i = 0; i < 24; ++i) {
      const double angle = phase * (i % 3 == 0 ? 1 : -1) + 0.7 * i, ring = 1 + 0.25 * i;
      scene_.move({i},
                  {{ring * std::cos(angle), ring * std::sin(angle), 0.1 * i}, rotation_about({1, 0.5 * i, 2}, phase)});
    }
    scene_.deform(hand_, shapes_[static_cast<std::size_t>(f)]);
    const SceneResult& r = scene_.collide();
    pairs_ += r.pairs.size();
    groups_ += r.groups.size();
    points_ += r.points.size();
    contacts_ += r.contacts.size();
  }
  void once() {
    for (int f = 0; f < kFrames; ++f) frame(f);
  }

  std::size_t pairs_ = 0, groups_ = 0, points_ = 0, contacts_ = 0;

 private:
  Scene scene_;
  ObjectId hand_;
  std::vector<std::vector<Vec3>> shapes_;
};

std::size_t warm_allocations(Dance& dance) {
  // Which worker gets which triangles is up to the scheduler, so each worker's memory may take a while to settle.
  std::size_t allocations = 1;
  for (int round = 0; round < 200 && allocations != 0; ++round) allocations = allocations_of([&] { dance.once(); });
  return allocations;
}

TEST(SceneAllocations, AWarmSceneMakesNoneOnOneThread) {
  SceneOptions one_view{.views = 1, .threads = 1}, cells{.cell = 0.05f, .threads = 1, .self_overlap = true};
  SceneOptions neighbours{.resolution = 48, .threads = 1, .normals = Normals::neighbours};
  SceneOptions seen{.screen = Screen{{20, 0, 0}, 0.002}, .threads = 1};
  for (const SceneOptions& options :
       {SceneOptions{.resolution = 64, .threads = 1}, one_view, cells, neighbours, seen}) {
    Dance dance(options);
    for (int round = 0; round < 3; ++round) dance.once();
    EXPECT_EQ(allocations_of([&] { dance.once(); }), 0u);
    EXPECT_GT(dance.pairs_, 400u);
    EXPECT_GT(dance.groups_, 48u);
    EXPECT_GT(dance.contacts_, 1000u);
  }
  const auto allocate = [] {
    int* volatile p = new int(1);  // volatile: a pair that nobody looks at may be left out
    delete p;
  };
  EXPECT_EQ(allocations_of(allocate), 1u) << "the counter counts";
}

TEST(SceneAllocations, AWarmSceneMakesNoneOnTwoThreads) {
  Dance dance({.resolution = 64, .threads = 2});
  EXPECT_EQ(warm_allocations(dance), 0u);
}

}  // namespace
}  // namespace lamella
