#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "response/closest.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

Options options(std::uint32_t count, unsigned threads = 1, std::uint64_t seed = 1) {
  Options o;
  o.scene.threads = threads;
  o.objects = count;
  o.seed = seed;
  return o;
}

TEST(Particles, AreCountedBeforeTheFirstStep) { EXPECT_EQ(make_particles(options(9))->figures().objects, 9u); }

TEST(Particles, AreTwentyThousandOnAFigureOfTenThousandFaces) {
  const auto particles = make_particles(options(0));
  particles->step();
  EXPECT_EQ(particles->figures().objects, 20000u);
  Drawing d;
  particles->draw(d);
  EXPECT_NEAR(static_cast<double>(d.solids[0].mesh.triangles.size()), 10000, 500);
  EXPECT_EQ(d.dots[0].positions.size() + d.dots[1].positions.size(), 20000u);
}

TEST(Particles, FallComeToRestAndNeverSinkInByMoreThanTheBound) {
  const auto particles = make_particles(options(3000));
  Drawing d;
  std::vector<Vec3> figure;
  double deepest = 0;
  for (int frame = 1; frame <= 240; ++frame) {
    particles->step();
    if (frame % 60 != 0) continue;
    particles->draw(d);
    if (frame > 60) {
      EXPECT_FALSE(std::equal(figure.begin(), figure.end(), d.solids[0].mesh.positions.begin())) << "does not deform";
    }
    figure.assign(d.solids[0].mesh.positions.begin(), d.solids[0].mesh.positions.end());
    for (const auto& dots : d.dots) {
      for (std::size_t i = 0; i < dots.positions.size(); i += 16) {
        const Vec3 p = dots.positions[i];
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
        EXPECT_GE(p.z, d.view.min.z) << "should have started again";
        const test::Closest closest = test::closest_by_brute_force(d.solids[0].mesh, p);
        if (closest.inside) deepest = std::max(deepest, closest.distance);
      }
    }
  }
  constexpr double kCell = 1.3 / 64;
  EXPECT_LT(deepest, 0.71 * kCell);
  EXPECT_GT(particles->figures().contacts, 600u) << "nothing comes to rest";
  EXPECT_LT(particles->figures().contacts, 2900u) << "nothing falls any more";
}

TEST(Particles, ThatTouchNowOrTouchedJustBeforeAreRed) {
  const auto particles = make_particles(options(2000));
  Drawing d;
  particles->draw(d);
  EXPECT_TRUE(d.dots[1].positions.empty()) << "all fall at first";
  std::uint32_t more = 0;
  for (int frame = 1; frame <= 90; ++frame) {
    particles->step();
    particles->draw(d);
    const auto red = static_cast<std::uint32_t>(d.dots[1].positions.size());
    ASSERT_GE(red, particles->figures().contacts) << frame;
    more += red > particles->figures().contacts ? 1 : 0;
  }
  EXPECT_GT(more, 0u) << "those that bounced off a moment ago";
  EXPECT_GT(d.dots[1].color.r, 200);
  EXPECT_LT(d.dots[1].color.g, 60);
}

std::vector<Vec3> after(const Options& o, int frames) {
  const auto particles = make_particles(o);
  for (int i = 0; i < frames; ++i) particles->step();
  Drawing d;
  particles->draw(d);
  std::vector<Vec3> all = d.dots[0].positions;
  all.insert(all.end(), d.dots[1].positions.begin(), d.dots[1].positions.end());
  return all;
}

TEST(Particles, AreTheSameToTheBitInEveryRunAndForAnyNumberOfThreads) {
  const std::vector<Vec3> first = after(options(8000), 60);
  EXPECT_EQ(after(options(8000), 60), first);
  EXPECT_EQ(after(options(8000, 2), 60), first);
  EXPECT_NE(after(options(8000, 1, 2), 60), first) << "the seed does nothing";
}

}  // namespace
}  // namespace lamella::simulate
