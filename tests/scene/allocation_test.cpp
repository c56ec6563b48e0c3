// A warm scene takes no memory.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

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
  void reserve(const SceneSize& size) { scene_.reserve(size); }
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

/// Six pairs of balls that sink into one another slowly: every frame has deeper contacts, more points and more spans
/// than the last. Two large balls far away stay as they are. Their group is the largest, so that the engine, which
/// samples one group after the other, has all the memory it needs. Returns in how many of the frames after the first
/// few memory was taken.
int growing_frames(const SceneOptions& options, double first_apart, const std::optional<SceneSize>& size) {
  constexpr std::uint32_t kBalls = 12;
  constexpr int kFrames = 80, kFirst = 4;
  Scene scene(options);
  if (size) scene.reserve(*size);
  const Mesh ball = scenes::sphere(500);
  for (std::uint32_t i = 0; i < kBalls; ++i) (void)scene.add(ball);
  for (const double x : {60.0, 61.0}) (void)scene.add(test::scaled(ball, 3), {{x, 0, 0}, {}});
  int frames = 0;
  std::size_t spans = 0, first_spans = 0;
  for (int f = 0; f < kFrames; ++f) {
    for (std::uint32_t i = 0; i < kBalls; ++i) {
      const double apart = first_apart - 0.0015 * f - 0.01 * (i / 2);
      scene.move({i}, {{4.0 * (i / 2), apart * (i % 2), 0.3 * (i % 2)}, {}});
    }
    const SceneResult* result = nullptr;
    const std::size_t allocations = allocations_of([&] { result = &scene.collide(); });
    if (f >= kFirst && allocations != 0) ++frames;
    spans = 0;
    for (const ScenePair& p : result->pairs) spans += p.b.number < kBalls ? p.span_count : 0;
    if (f == kFirst) first_spans = spans;
  }
  EXPECT_GT(spans, first_spans + first_spans / 4);
  return frames;
}

TEST(SceneAllocations, ContactsThatGrowALittleTakeNone) {
  for (const unsigned views : {1u, 3u})
    EXPECT_EQ(growing_frames({.cell = 0.05f, .views = views, .threads = 1}, 1.7, std::nullopt), 0) << views;
}

TEST(SceneAllocations, ContactsThatGrowFromNothingTakeNoneWithReserve) {
  const SceneSize size{
      .objects = 14, .pairs = 30, .points = 20000, .groups = 36, .group_objects = 12, .group_spans = 20000};
  for (const unsigned views : {1u, 3u}) {
    const SceneOptions options{.cell = 0.05f, .views = views, .threads = 1};
    EXPECT_EQ(growing_frames(options, 1.97, size), 0) << views;
    EXPECT_GT(growing_frames(options, 1.97, std::nullopt), 0) << "too little growth to show anything: " << views;
  }
}

TEST(SceneAllocations, ReserveChangesNoResult) {
  Dance plain({.resolution = 48, .threads = 1}), roomy({.resolution = 48, .threads = 1});
  roomy.reserve({.objects = 25, .pairs = 300, .points = 100, .groups = 5, .group_objects = 3, .group_spans = 7});
  plain.once();
  roomy.once();
  EXPECT_EQ(plain.pairs_, roomy.pairs_);
  EXPECT_EQ(plain.points_, roomy.points_);
  EXPECT_EQ(plain.contacts_, roomy.contacts_);
}

TEST(SceneAllocations, AWarmSceneMakesNoneOnTwoThreads) {
  Dance dance({.resolution = 64, .threads = 2});
  EXPECT_EQ(warm_allocations(dance), 0u);
}

}  // namespace
}  // namespace lamella
