#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/organ.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

Options options(unsigned threads = 1, std::uint64_t seed = 1, std::uint32_t faces = 4000) {
  Options o;
  o.scene.threads = threads;
  o.seed = seed;
  o.faces = faces;
  return o;
}

TEST(Organ, IsOneClosedSolidThatDoesNotOverlapItself) {
  for (const std::size_t faces : {1000, 4000, 20000}) {
    const Mesh organ = scenes::organ(faces);
    const MeshReport report = inspect(organ);
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.components, 1u);
    EXPECT_NEAR(static_cast<double>(report.triangles), static_cast<double>(faces), 0.02 * static_cast<double>(faces));
    EXPECT_GT(report.volume, 0.05);
    EXPECT_FALSE(self_intersect(organ).colliding());
  }
  const Mesh probe = scenes::probe(600, 0.05, 0.5);
  EXPECT_TRUE(inspect(probe).closed);
  EXPECT_NEAR(bounds(probe).min.z, 0, 0.002);
}

TEST(Surgery, TheOrganGivesWayAndComesBack) {
  const auto surgery = make_surgery(options());
  Drawing d;
  surgery->draw(d);
  const double volume = inspect(d.solids[0].mesh).volume;
  const std::vector<Vec3> rest(d.solids[0].mesh.positions.begin(), d.solids[0].mesh.positions.end());
  double shared = 0, self = 0, force = 0, energy = 0;
  float pressed = 0;
  for (int frame = 1; frame <= 276; ++frame) {
    surgery->step();
    const Figures f = surgery->figures();
    force = std::max(force, f.force);
    energy = std::max(energy, f.kinetic_energy);
    if (frame % 6 != 0) continue;
    surgery->draw(d);
    const MeshView organ = d.solids[0].mesh;
    ASSERT_GE(bounds(organ).min.z, -0.01f) << "through the table";
    shared = std::max(shared, intersect(organ, d.solids[1].mesh, {.resolution = 128}).volume);
    self = std::max(self, self_intersect(organ, {.resolution = 200}).volume);
    for (std::size_t i = 0; i < rest.size(); ++i) pressed = std::max(pressed, length(organ.positions[i] - rest[i]));
  }
  EXPECT_LT(shared, 1e-3 * volume);
  EXPECT_LT(self, 1e-3 * volume);
  EXPECT_GT(pressed, 0.08f) << "not pressed";
  EXPECT_GT(force, 1);
  EXPECT_LT(energy, 20) << "blew up";
  EXPECT_NEAR(inspect(d.solids[0].mesh).volume, volume, 0.1 * volume);
}

std::vector<Vec3> after(const Options& o, int frames) {
  const auto surgery = make_surgery(o);
  for (int i = 0; i < frames; ++i) surgery->step();
  Drawing d;
  surgery->draw(d);
  return {d.solids[0].mesh.positions.begin(), d.solids[0].mesh.positions.end()};
}

TEST(Surgery, IsTheSameToTheBitInEveryRunAndForAnyNumberOfThreads) {
  const std::vector<Vec3> first = after(options(), 60);
  EXPECT_EQ(after(options(), 60), first);
  EXPECT_EQ(after(options(2), 60), first);
  EXPECT_NE(after(options(1, 2), 60), first) << "the seed does nothing";
}

TEST(Surgery, HasAToolAndAnOrgan) {
  Options three = options();
  three.objects = 3;
  EXPECT_THROW(make_surgery(three), Error);
  EXPECT_EQ(make_surgery(options())->figures().objects, 2u);
}

}  // namespace
}  // namespace lamella::simulate
