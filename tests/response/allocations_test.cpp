#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "response/worlds.hpp"

namespace {

std::atomic<bool> g_counting{false};
std::atomic<std::size_t> g_allocations{0};

void* counted(std::size_t size) {
  if (g_counting) ++g_allocations;
  void* p = std::malloc(size != 0 ? size : 1);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
// These too: AddressSanitizer has its own, which do not fit the deletes below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return counted(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace lamella {
namespace {

TEST(RigidWorld, AllocatesNothingOnceWarm) {
  RigidWorld world(coarse());
  add_ground(world, 0.2, 0.5);
  for (int i = 0; i < 4; ++i)
    world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0.02 * i, 0, 0.5 + 1.01 * i), material(0.2, 0.5));
  const ObjectId ball = world.add(scenes::sphere(500, 0.4f), at(2, 0, 0.41), material(0.2, 0.5));
  world.body(ball).velocity = {0, 0.3, 0};
  run(world, 2);
  // The ball rolls on, and the scene's buffers grow until they have seen its worst placement.
  std::size_t allocations = 1;
  for (int second = 0; second < 10 && allocations != 0; ++second) {
    g_allocations = 0;
    g_counting = true;
    for (int i = 0; i < 60; ++i) world.step(kFrame);
    g_counting = false;
    allocations = g_allocations;
  }
  EXPECT_EQ(allocations, 0u);
  EXPECT_GT(world.report().impulse_count, 0u);
}

}  // namespace
}  // namespace lamella
