#include "lamella/detector.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "scenes/scenes.hpp"

namespace {

std::atomic<bool> g_counting{false};
std::atomic<std::size_t> g_allocations{0};
std::atomic<std::int64_t> g_live{0}, g_peak{0};  // bytes, since counting began

void* counted(std::size_t size) {
  void* p = std::malloc(size != 0 ? size : 1);
  if (p == nullptr) throw std::bad_alloc();
  if (g_counting) {
    ++g_allocations;
    const auto bytes = static_cast<std::int64_t>(malloc_usable_size(p));
    const std::int64_t live = g_live += bytes;
    for (std::int64_t peak = g_peak; live > peak && !g_peak.compare_exchange_weak(peak, live);) {
    }
  }
  return p;
}

void released(void* p) {
  if (g_counting && p != nullptr) g_live -= static_cast<std::int64_t>(malloc_usable_size(p));
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { released(p); }
void operator delete[](void* p) noexcept { released(p); }
void operator delete(void* p, std::size_t) noexcept { released(p); }
void operator delete[](void* p, std::size_t) noexcept { released(p); }

namespace lamella {
namespace {

template <class Call>
std::size_t allocations_of(const Call& call) {
  g_allocations = 0;
  g_live = g_peak = 0;
  g_counting = true;
  call();
  g_counting = false;
  return g_allocations;
}

class DetectorThreads : public testing::TestWithParam<unsigned> {};

TEST_P(DetectorThreads, AllocatesNothingOnceWarm) {
  Detector detector({.threads = GetParam()});
  std::vector<Mesh> frames;
  const Mesh serpent = scenes::serpent(60000);
  const Mesh knot = scenes::torus_knot(12000);
  for (int i = 0; i < 4; ++i) {
    frames.push_back(serpent);
    scenes::wobble(serpent.positions, static_cast<float>(i) * 0.25f, 3, frames.back().positions);
  }
  const std::vector<Vec3> points = scenes::random_points(serpent, 10000);
  const auto all_frames = [&] {
    for (const Mesh& frame : frames) {
      (void)detector.intersect(frame, knot);
      (void)detector.self_intersect(frame);
      (void)detector.contains(frame, points);
    }
  };
  // Which worker gets which triangles is up to the scheduler, so each worker's memory may take a while to settle.
  std::size_t allocations = 1;
  for (int round = 0; round < 200 && allocations != 0; ++round) allocations = allocations_of(all_frames);
  EXPECT_EQ(allocations, 0u);
  const auto allocate = [] {
    int* volatile p = new int(1);  // volatile: a pair that nobody looks at may be left out
    delete p;
  };
  EXPECT_EQ(allocations_of(allocate), 1u) << "the counter counts";
}

TEST_P(DetectorThreads, PeakMemoryIsUnder32BytesPerVertexAnd16PerCrossing) {
  const Mesh mesh = scenes::serpent(400000);
  const Aabb box = bounds(mesh);
  for (const std::uint32_t n : {128u, 1024u}) {
    Ldi ldi;
    (void)allocations_of([&] {
      const auto engine = make_engine({.threads = GetParam()});
      engine->build(mesh, {box, *choose_axis(box), n, n}, ldi);
    });
    const double columns = 4.0 * static_cast<double>(ldi.offsets.size());  // the image itself
    const double allowed =
        32.0 * static_cast<double>(mesh.positions.size()) + 16.0 * static_cast<double>(ldi.crossings.size()) + columns;
    EXPECT_LT(static_cast<double>(g_peak), allowed) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, DetectorThreads, testing::Values(1u, 2u));

TEST(Detector, AnswersLikeTheFreeFunctions) {
  Detector detector({.resolution = 64, .threads = 2});
  for (float t = 0; t < 1; t += 0.3f) {
    const auto [hand, phone] = scenes::hand_and_phone(4800, 900, t);
    const Overlap expected = intersect(hand, phone, {.resolution = 64});
    const Overlap& o = detector.intersect(hand, phone);
    EXPECT_EQ(o.spans, expected.spans);
    EXPECT_EQ(o.volume, expected.volume);
    EXPECT_EQ(o.centroid, expected.centroid);
    const SelfOverlap expected_self = self_intersect(hand, {.resolution = 64});
    EXPECT_EQ(detector.self_intersect(hand).spans, expected_self.spans);
  }
}

TEST(Detector, RecoversFromAnError) {
  Detector detector;
  Mesh bad = scenes::sphere(500);
  bad.triangles[3].a = 1'000'000;
  const Mesh good = scenes::sphere(500);
  EXPECT_THROW((void)detector.self_intersect(bad), Error);
  EXPECT_NEAR(detector.intersect(good, good).volume, inspect(good).volume, 0.02);
}

TEST(Detector, AnUnknownEngineFailsAtOnce) { EXPECT_THROW(Detector({.engine = "warp"}), Error); }

TEST(Detector, CanBeMoved) {
  Detector a({.resolution = 32});
  Detector b = std::move(a);
  EXPECT_EQ(b.options().resolution, 32u);
  EXPECT_FALSE(b.self_intersect(scenes::sphere(100)).colliding());
}

}  // namespace
}  // namespace lamella
