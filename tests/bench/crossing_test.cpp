#include "bench/peers/crossing.hpp"

#include <gtest/gtest.h>

#include "lamella/triangles_meet.hpp"
#include "scenes/random.hpp"

namespace lamella::bench::peers {
namespace {

bool cross_of(const Vec3 (&s)[3], const Vec3 (&t)[3]) { return cross({&s[0], &s[1], &s[2]}, {&t[0], &t[1], &t[2]}); }

TEST(Crossing, AnEdgeThroughTheOtherTriangle) {
  const Vec3 flat[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Vec3 through[3] = {{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}, above[3] = {{1, 1, 1}, {1, 1, 2}, {9, 9, 1}},
             beside[3] = {{5, 5, -1}, {5, 5, 1}, {9, 9, 1}}, same_plane[3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
  EXPECT_TRUE(cross_of(flat, through));
  EXPECT_TRUE(cross_of(through, flat));
  EXPECT_FALSE(cross_of(flat, above));
  EXPECT_FALSE(cross_of(flat, beside));
  EXPECT_FALSE(cross_of(flat, same_plane));
}

TEST(Crossing, IsTheExactAnswerOfRandomTriangles) {
  scenes::Random random(5);
  const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
  int crossing = 0;
  constexpr int kPairs = 20'000;
  for (int i = 0; i < kPairs; ++i) {
    Vec3 s[3], t[3];
    for (int k = 0; k < 3; ++k) {
      s[k] = {any(), any(), any()};
      t[k] = {any(), any(), any()};
    }
    EXPECT_EQ(cross_of(s, t), triangles_meet(s, t)) << i;
    crossing += cross_of(s, t) ? 1 : 0;
  }
  EXPECT_GT(crossing, kPairs / 20);
  EXPECT_LT(crossing, kPairs / 2);
}

}  // namespace
}  // namespace lamella::bench::peers
