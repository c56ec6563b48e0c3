// How a triangle is to be sampled, and the division of rows, on the host: the same lines as in the kernels.

#include "engines/cuda/triangle.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/rows.hpp"

namespace lamella::cuda {
namespace {

constexpr Grid kGrid{{{0, 0, 0}, {100, 100, 100}}, Axis::z, 100, 100};

Method method_of(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 corners[3] = {a, b, c};
  SmallTriangle out;
  return set_up(corners, make_target(kGrid, whole(kGrid)), out);
}

TEST(CudaTriangle, SmallOnesWithinTheImageAreSmall) {
  EXPECT_EQ(method_of({10, 10, 5}, {20, 10, 5}, {10, 20, 5}), Method::small);
}

TEST(CudaTriangle, LargeOnesAndThoseThatReachOutAreByRows) {
  EXPECT_EQ(method_of({10, 10, 5}, {90, 10, 5}, {10, 90, 5}), Method::rows);
  EXPECT_EQ(method_of({-10, 10, 5}, {5, 10, 5}, {5, 20, 5}), Method::rows);
}

TEST(CudaTriangle, NoSampleInTheBoxIsNothing) {
  EXPECT_EQ(method_of({10.1f, 10.1f, 5}, {10.3f, 10.1f, 5}, {10.1f, 10.3f, 5}), Method::none);
}

TEST(CudaTriangle, ALongSliverWithoutAreaIsNothing) {
  EXPECT_EQ(method_of({10, 5, 5}, {50, 45, 6}, {90, 85, 7}), Method::none);
  EXPECT_EQ(method_of({10, 10, 5}, {12, 12, 6}, {14, 14, 7}), Method::none);
}

TEST(CudaTriangle, NumbersOfMoreThan64BitsAreRoundedOnce) {
  const auto wide = [](std::int64_t high, std::uint64_t low) { return (static_cast<Wide>(high) << 64) + low; };
  EXPECT_EQ(to_double(wide(0, 5)), 5.0);
  EXPECT_EQ(to_double(wide(1, 0)), 0x1p64);
  EXPECT_EQ(to_double(-wide(1, 0)), -0x1p64);
  // Half way between two doubles: to even, unless anything follows.
  EXPECT_EQ(to_double(wide(1, 1u << 11)), 0x1p64);
  EXPECT_EQ(to_double(wide(1, (1u << 11) + 1)), 0x1.0000000000001p64);
}

}  // namespace
}  // namespace lamella::cuda
