// Same bits for every thread count and every instruction set.

#include <gtest/gtest.h>

#include <cstring>

#include "engines/software/engines.hpp"
#include "lamella/engine.hpp"
#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

/// FNV-1a over everything an LDI holds.
std::uint64_t hash(const Ldi& ldi) {
  std::uint64_t h = 14695981039346656037ull;
  const auto add = [&](std::uint32_t word) { h = (h ^ word) * 1099511628211ull; };
  for (const std::uint32_t offset : ldi.offsets) add(offset);
  for (const Crossing c : ldi.crossings) add(c.key);
  return h;
}

/// Small, large and outside triangles on every axis.
std::vector<std::uint64_t> hashes(unsigned threads) {
  const auto engine = make_engine({.engine = "software", .threads = threads});
  std::vector<std::uint64_t> result;
  Ldi ldi;
  const Mesh sphere = test::round_sphere(300, 400);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    for (const std::uint32_t n : {64u, 500u})
      for (const float half : {1.0f, 0.3f}) {
        engine->build(sphere, {{{-half, -half, -half}, {half, half, half}}, axis, n, n}, ldi);
        result.push_back(hash(ldi));
      }
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    test::Random random(seed);
    const Grid grid = test::random_grid(random);
    engine->build(test::random_closed_mesh(random, grid), grid, ldi);
    result.push_back(hash(ldi));
  }
  return result;
}

TEST(Determinism, SameBitsForEveryThreadCount) {
  const auto expected = hashes(1);
  for (const unsigned threads : {2u, 3u, 8u, 0u}) EXPECT_EQ(hashes(threads), expected) << threads << " threads";
}

TEST(Determinism, SameBitsForEveryInstructionSet) {
  const auto expected = hashes(1);
  const int tried =
      test::for_each_instruction_set([&] { EXPECT_EQ(hashes(1), expected) << software::instruction_set(); });
  EXPECT_GE(tried, 2) << "nothing was compared";
}

TEST(Determinism, SameFlagsForEveryInstructionSet) {
  const Mesh mesh = test::round_sphere(60, 90);
  test::Random random(8);
  std::vector<Vec3> points(5003);  // not a multiple of any vector
  for (Vec3& p : points) p = random.in({{-1.2f, -1.2f, -1.2f}, {1.2f, 1.2f, 1.2f}});
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const auto expected = contains(mesh, points, {.axis = axis, .threads = 1}).inside;
    test::for_each_instruction_set([&] {
      EXPECT_EQ(contains(mesh, points, {.axis = axis, .threads = 1}).inside, expected) << software::instruction_set();
    });
  }
}

/// The figure itself, so that a change of numerics on another compiler or machine is noticed, and is a decision.
TEST(Determinism, GoldenHash) {
  std::uint64_t all = 0;
  for (const std::uint64_t h : hashes(2)) all = all * 31 + h;
  EXPECT_EQ(all, 12074005711095598785u);
}

}  // namespace
}  // namespace lamella
