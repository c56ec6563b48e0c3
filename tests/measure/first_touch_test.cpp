#include "measure/first_touch.hpp"

#include <gtest/gtest.h>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

TEST(IsSolid, OfMeshesThatCloseAndLookOutwards) {
  Workers workers(1);
  Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(is_solid(box, workers));
  EXPECT_TRUE(is_solid(transformed(box, {{3, 4, 5}, {}}), workers));
  for (Triangle& t : box.triangles) std::swap(t.b, t.c);
  EXPECT_FALSE(is_solid(box, workers));
  box = box_mesh({0, 0, 0}, {1, 1, 1});
  box.triangles.pop_back();
  EXPECT_FALSE(is_solid(box, workers));
}

TEST(FirstTouch, IsTheSameWhereItIsKnownThatMeshesAreSolid) {
  const Mesh a = scenes::hand(3000), b = transformed(scenes::blob(2000, 4), {{6, 0.2, 0.1}, {}});
  FirstTouch touch;
  for (const unsigned threads : {1u, 2u}) {
    Workers workers(threads);
    const FirstTouch::Motion motion{{1, 0, 0}, 10, {}};
    const auto plain = touch.find(a, b, motion, {.apart = true}, workers);
    const auto known = touch.find(a, b, motion, {.apart = true, .solid_a = true, .solid_b = true}, workers);
    ASSERT_TRUE(plain && known);
    EXPECT_EQ(plain->time, known->time);
    EXPECT_EQ(plain->position, known->position);
    EXPECT_EQ(plain->triangle_a, known->triangle_a);
  }
}

TEST(FirstTouch, TouchesEitherSideOfWhatIsNotSolid) {
  // Out of a box, through its walls from inside: only surfaces that are no solid's are touched there.
  const Mesh inner = box_mesh({-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}), outer = box_mesh({-1, -1, -1}, {1, 1, 1});
  FirstTouch touch;
  Workers workers(1);
  const FirstTouch::Motion motion{{0, 0, 1}, 5, {}};
  EXPECT_FALSE(touch.find(inner, outer, motion, {.apart = true, .solid_a = true, .solid_b = true}, workers));
  const auto hit = touch.find(inner, outer, motion, {.apart = true, .solid_a = true, .solid_b = false}, workers);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time * 5, 0.9, 1e-6);
}

}  // namespace
}  // namespace lamella
