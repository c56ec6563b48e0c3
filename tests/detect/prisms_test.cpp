#include <gtest/gtest.h>

#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

TEST(Prisms, AreAClosedMeshWithTheOverlapsVolume) {
  const Mesh a = test::round_sphere(20, 40), b = test::round_sphere(20, 40, 1, {0.7f, 0.2f, 0.4f});
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Overlap o = intersect(a, b, {.resolution = 48, .axis = axis});
    const Mesh mesh = prisms(o.grid, o.spans);
    const MeshReport r = inspect(mesh);
    EXPECT_TRUE(r.closed);
    EXPECT_EQ(r.components, o.spans.size());
    EXPECT_NEAR(r.volume, o.volume, 1e-5 * o.volume);
    for (int k = 0; k < 3; ++k) {
      EXPECT_FLOAT_EQ(r.bounds.min[k], o.bounds.min[k]);
      EXPECT_FLOAT_EQ(r.bounds.max[k], o.bounds.max[k]);
    }
  }
}

TEST(Prisms, OfNothingAreNothing) { EXPECT_TRUE(prisms({}, {}).triangles.empty()); }

}  // namespace
}  // namespace lamella
