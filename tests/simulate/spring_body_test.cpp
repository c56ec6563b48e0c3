#include "simulate/spring_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::simulate {
namespace {

constexpr double kStep = 1.0 / 240;

void run(SpringBody& body, int steps, Vec3d acceleration = {}) {
  for (int i = 0; i < steps; ++i) {
    body.predict(kStep, acceleration);
    body.finish(kStep);
  }
}

double worst_change(std::span<const Vec3d> before, const SpringBody& body) {
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::size_t k = (i * 37 + 11) % before.size();
    worst =
        std::max(worst, std::abs(length(before[i] - before[k]) - length(body.positions()[i] - body.positions()[k])));
  }
  return worst;
}

TEST(SpringBody, HasPointsInsideThatHoldItTogether) {
  const Mesh rest = scenes::sphere(800, 0.5f);
  const SpringBody body(rest, 2, {.spacing = 0.1});
  EXPECT_GT(body.positions().size(), rest.positions.size() + 300);
  std::vector<Vec3> inside;
  double mass = 0;
  for (std::size_t i = 0; i < body.positions().size(); ++i) {
    mass += body.mass(i);
    if (i >= rest.positions.size()) inside.push_back(to_float(body.positions()[i]));
  }
  EXPECT_NEAR(mass, 2, 1e-12);
  EXPECT_EQ(contains(rest, inside).inside_count, inside.size());
}

TEST(SpringBody, StaysAtRest) {
  SpringBody body(scenes::blob(600), 1, {.spacing = 0.15});
  const std::vector<Vec3d> before(body.positions().begin(), body.positions().end());
  run(body, 50);
  EXPECT_LT(worst_change(before, body), 1e-12);
}

TEST(SpringBody, ComesBackToItsRestShape) {
  SpringBody body(scenes::blob(600), 1, {.spacing = 0.15});
  const std::vector<Vec3d> before(body.positions().begin(), body.positions().end());
  for (Vec3d& p : body.positions()) p = {0.8 * p.x + 0.1 * p.z, 1.15 * p.y, p.z};
  EXPECT_GT(worst_change(before, body), 0.1);
  run(body, 1500);
  EXPECT_LT(worst_change(before, body), 0.01);
}

TEST(SpringBody, KeepsMomentumAndAngularMomentum) {
  SpringBody body(scenes::torus(600), 2, {.spacing = 0.15});
  test::Random random(4);
  for (std::size_t i = 0; i < body.velocities().size(); ++i)
    body.velocities()[i] =
        Vec3d{1, 2, -0.5} + cross({0, 1, 3}, body.positions()[i]) + to_double(random.in({{-1, -1, -1}, {1, 1, 1}}));
  const Vec3d momentum = body.momentum(), spin = body.angular_momentum();
  run(body, 200);
  EXPECT_LT(length(body.momentum() - momentum), 1e-11 * length(momentum));
  // Points are pulled where they are on the way, not where a step ends.
  EXPECT_LT(length(body.angular_momentum() - spin), 0.05 * length(spin));
}

TEST(SpringBody, FallsLikeAnythingElse) {
  SpringBody body(scenes::torus(400), 3, {.spacing = 0.15});
  run(body, 240, {0, 0, -9.81});
  EXPECT_NEAR(body.momentum().z, -3 * 9.81, 1e-9);
}

TEST(SpringBody, HangsOnWhatIsFixed) {
  const Mesh rest = scenes::sphere(400, 0.5f);
  SpringBody body(rest, 1, {.spacing = 0.15, .compliance = 0.001, .skin = 0.001});
  std::vector<std::size_t> fixed;
  for (std::size_t i = 0; i < body.positions().size(); ++i)
    if (body.positions()[i].z > 0.4) fixed.push_back(i);
  const std::vector<Vec3d> before(body.positions().begin(), body.positions().end());
  for (const std::size_t i : fixed) body.fix(i);
  run(body, 300, {0, 0, -9.81});
  for (const std::size_t i : fixed) EXPECT_EQ(body.positions()[i], before[i]);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_GT(body.positions()[i].z, before[i].z - 0.3) << "fell";
  EXPECT_LT(body.kinetic_energy(), 0.05);
}

TEST(SpringBody, RefusesWhatItCannotFill) {
  EXPECT_THROW(SpringBody(scenes::sphere(100), 1, {.spacing = 0}), Error);
  EXPECT_THROW(SpringBody(scenes::sphere(100), 1, {.spacing = 1e-4}), Error);
  EXPECT_THROW(SpringBody(Mesh{}, 1, {}), Error);
}

}  // namespace
}  // namespace lamella::simulate
