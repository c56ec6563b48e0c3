#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include "lamella/distance.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

TEST(DistanceFinder, AllocatesNothingOnceWarm) {
  const Mesh mesh = scenes::blob(20'000);
  Mesh other = scenes::torus_knot(20'000);
  for (Vec3& p : other.positions) p.x += 4;
  DistanceFinder finder(1);
  const auto query = [&] {
    (void)finder.closest(mesh, std::span<const Vec3>(other.positions));
    (void)finder.distance(mesh, other);
  };
  query();
  query();
  EXPECT_EQ(test::allocations_of(query), 0u);
}

}  // namespace
}  // namespace lamella
