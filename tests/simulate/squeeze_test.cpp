#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

Options options(unsigned threads = 1, std::uint64_t seed = 1) {
  Options o;
  o.scene.threads = threads;
  o.seed = seed;
  return o;
}

TEST(Squeeze, HasItsTwoBodiesBeforeTheFirstStep) { EXPECT_EQ(make_squeeze(options())->figures().objects, 2u); }

TEST(Squeeze, BodiesStayApartSquashAndRecoverAndAtRestShareATenThousandthAtMost) {
  const auto squeeze = make_squeeze(options());
  Drawing d;
  squeeze->draw(d);
  const double ball = inspect(d.solids[1].mesh).volume, ring = inspect(d.solids[0].mesh).volume;
  const float height = extent(bounds(d.solids[1].mesh)).z, width = extent(bounds(d.solids[0].mesh)).x;
  double shared = 0, at_rest = 0;
  float lowest = height, widest = width;
  std::uint32_t contacts = 0;
  for (int frame = 1; frame <= 270; ++frame) {
    squeeze->step();
    if (frame % 5 != 0) continue;
    squeeze->draw(d);
    const double now = intersect(d.solids[0].mesh, d.solids[1].mesh, {.resolution = 200}).volume;
    shared = std::max(shared, now);
    if (frame >= 140 && frame <= 150) at_rest = std::max(at_rest, now);  // the plate is down and waits
    const Aabb box = unite(bounds(d.solids[0].mesh), bounds(d.solids[1].mesh));
    ASSERT_GE(box.min.z, 0) << "through the floor";
    ASSERT_LE(box.max.z, bounds(d.solids[3].mesh).min.z + 1e-6f) << "through the plate";
    lowest = std::min(lowest, extent(bounds(d.solids[1].mesh)).z);
    widest = std::max(widest, extent(bounds(d.solids[0].mesh)).x);
    contacts = std::max(contacts, squeeze->figures().contacts);
  }
  EXPECT_LT(shared, 3e-4 * ball);
  EXPECT_LT(at_rest, 1e-4 * ball);
  EXPECT_LT(lowest, 0.6f * height) << "not pressed";
  EXPECT_GT(widest, 1.04f * width) << "the ring did not give way";
  EXPECT_GT(contacts, 100u);
  EXPECT_NEAR(extent(bounds(d.solids[1].mesh)).z, height, 0.03f * height);
  EXPECT_NEAR(extent(bounds(d.solids[0].mesh)).x, width, 0.04f * width);
  EXPECT_NEAR(inspect(d.solids[1].mesh).volume, ball, 0.04 * ball);
  EXPECT_NEAR(inspect(d.solids[0].mesh).volume, ring, 0.08 * ring);
}

TEST(Squeeze, HasTwoBodies) {
  Options three = options();
  three.objects = 3;
  EXPECT_THROW(make_squeeze(three), Error);
}

std::vector<Vec3> after(const Options& o, int frames) {
  const auto squeeze = make_squeeze(o);
  for (int i = 0; i < frames; ++i) squeeze->step();
  Drawing d;
  squeeze->draw(d);
  std::vector<Vec3> all;
  for (const auto& solid : d.solids) all.insert(all.end(), solid.mesh.positions.begin(), solid.mesh.positions.end());
  return all;
}

TEST(Squeeze, IsTheSameToTheBitInEveryRunAndForAnyNumberOfThreads) {
  const std::vector<Vec3> first = after(options(), 40);
  EXPECT_EQ(after(options(), 40), first);
  EXPECT_EQ(after(options(2), 40), first);
  EXPECT_NE(after(options(1, 2), 40), first) << "the seed does nothing";
}

}  // namespace
}  // namespace lamella::simulate
