#include "session/simplify.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "lamella/repair.hpp"
#include "scenes/catalogue.hpp"

namespace lamella::session {
namespace {

Mesh model(const char* name, std::size_t faces) { return scenes::find_model(name)->make(faces); }

TEST(Simplifying, LeavesASmallMeshAsItIs) {
  const Mesh box = model("box", 12);
  const Mesh same = simplified(box, 12);
  EXPECT_EQ(same.positions, box.positions);
  EXPECT_EQ(same.triangles, box.triangles);
}

TEST(Simplifying, LeavesNoMoreThanAskedForAndNotMuchLess) {
  const Mesh hand = model("hand", 60'000);
  for (const std::size_t most : {100u, 1'000u, 5'000u, 20'000u, 50'000u}) {
    const Mesh fewer = simplified(hand, most);
    EXPECT_LE(fewer.triangles.size(), most);
    EXPECT_GE(fewer.triangles.size(), most / 3);
  }
}

TEST(Simplifying, KeepsASolidASolidOfAboutTheSameVolume) {
  for (const char* name : {"hand", "knot", "serpent", "terrain"}) {
    const Mesh whole = model(name, 40'000), fewer = simplified(whole, 8'000);
    EXPECT_TRUE(is_closed(fewer)) << name;
    EXPECT_NEAR(signed_volume(fewer), signed_volume(whole), 0.08 * signed_volume(whole)) << name;
    for (const Triangle& t : fewer.triangles) {
      ASSERT_LT(t.a, fewer.positions.size());
      ASSERT_TRUE(t.a != t.b && t.b != t.c && t.c != t.a);
    }
  }
}

TEST(Simplifying, KeepsTheOrigin) {
  Mesh hand = model("hand", 2'000);
  hand.origin = {1e7, 2, 3};
  EXPECT_EQ(simplified(hand, 500).origin, hand.origin);
}

TEST(Simplifying, EndsForMeshesThatCannotBeSimplifiedWell) {
  Mesh fan;  // all triangles between the same few vertices
  fan.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  fan.triangles.assign(10'000, {0, 1, 2});
  EXPECT_LE(simplified(fan, 100).triangles.size(), 100u);
  Mesh point;
  point.positions.assign(3'000, {1, 1, 1});
  for (std::uint32_t i = 0; i < 3'000; i += 3) point.triangles.push_back({i, i + 1, i + 2});
  EXPECT_TRUE(simplified(point, 10).triangles.empty());
  Mesh nowhere;
  nowhere.positions.assign(3'000, {NAN, HUGE_VALF, 1});
  nowhere.triangles = point.triangles;
  EXPECT_TRUE(simplified(nowhere, 10).triangles.empty());
  Mesh far = model("sphere", 4'000);
  for (Vec3& p : far.positions) p = p * 1e37f;
  EXPECT_LE(simplified(far, 500).triangles.size(), 500u);
  far.positions[0].x = NAN;
  EXPECT_LE(simplified(far, 500).triangles.size(), 500u);
}

}  // namespace
}  // namespace lamella::session
