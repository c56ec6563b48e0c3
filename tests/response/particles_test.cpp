#include "lamella/particles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "response/closest.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"
#include "support/allocations.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using Particles = std::vector<Vec3>;
constexpr float kStep = 1.0f / 60;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
constexpr Vec3 kGravity{0, 0, -9.81f};

ParticlePushOut make(const Mesh& mesh, const PushOutOptions& options) {
  return ParticlePushOut(mesh.triangles, mesh.positions.size(), options);
}

Particles random_points(const Aabb& box, std::size_t count, std::uint32_t seed) {
  test::Random random(seed);
  Particles points(count);
  for (Vec3& p : points) p = random.in(box);
  return points;
}

bool is_finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void expect_near(Vec3 a, Vec3 b, float tolerance) {
  EXPECT_LT(length(a - b), tolerance) << a.x << ' ' << a.y << ' ' << a.z;
}

TEST(ParticlePushOut, SetsAParticleInABoxOntoItsNearestSide) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  ParticlePushOut out = make(box, {.resolution = 16});
  Particles particles{{0.1f, 0.2f, 0.7f}, {-0.9f, 0.2f, 0.3f}, {0, 0, 1.5f}};
  const PushOutReport& report = out.push_out({box.positions}, particles, {});
  ASSERT_EQ(report.pushes.size(), 2u);
  expect_near(particles[0], {0.1f, 0.2f, 1}, 1e-6f);
  expect_near(particles[1], {-1, 0.2f, 0.3f}, 1e-6f);
  EXPECT_EQ(particles[2], (Vec3{0, 0, 1.5f}));
  EXPECT_NEAR(report.pushes[0].depth, 0.3f, 1e-6f);
  expect_near(report.pushes[0].normal, {0, 0, 1}, 1e-6f);
  EXPECT_TRUE(report.health.ok());
}

class AgainstBruteForce : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, AgainstBruteForce,
                         testing::Values("sphere", "blob", "torus_knot", "hand", "seated_figure", "phone"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(AgainstBruteForce, FindsWhatIsInsideAndTheNearestSurface) {
  const Mesh mesh = scenes::make_model(GetParam(), 3000);
  ParticlePushOut out = make(mesh, {.resolution = 64});
  const Particles before = random_points(bounds(mesh), 1000, 7);
  Particles after = before;
  const PushOutReport& report = out.push_out({mesh.positions}, after, {});
  const double cell = report.cell;
  ASSERT_TRUE(report.health.ok());
  std::vector<bool> pushed(before.size(), false);
  for (const ParticlePush& p : report.pushes) pushed[p.particle] = true;
  std::size_t shallow = 0, exact = 0;
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const test::Closest truth = test::closest_by_brute_force(mesh, before[i]);
    if (!pushed[i]) {
      EXPECT_EQ(before[i], after[i]);
      EXPECT_FALSE(truth.inside && truth.distance > 0.71 * cell) << i << ' ' << truth.distance / cell;
      continue;
    }
    EXPECT_TRUE(truth.inside || truth.distance < 1e-5) << i << " was outside by " << truth.distance;
    EXPECT_LT(test::distance_by_brute_force(mesh, after[i]), 1e-5) << "is not on the surface";
    const double excess = static_cast<double>(length(after[i] - before[i])) - truth.distance;
    worst = std::max(worst, excess);
    if (truth.distance > 2 * cell) continue;
    ++shallow;
    if (excess <= 0.02 * cell) ++exact;
  }
  ASSERT_GT(report.pushes.size(), 50u);
  EXPECT_LE(worst, 0.25 * cell);
  EXPECT_GE(static_cast<double>(exact), 0.9 * static_cast<double>(shallow)) << exact << " of " << shallow;
}

TEST_P(AgainstBruteForce, LeavesNobodyInsideByMoreThanTheBoundWhileItWobbles) {
  const Mesh rest = scenes::make_model(GetParam(), 2000);
  ParticlePushOut out = make(rest, {.resolution = 48});
  Particles particles = random_points(bounds(rest), 500, 3), velocities(particles.size());
  Mesh now = rest;
  std::vector<Vec3> before = rest.positions;
  double deepest = 0;
  for (int frame = 0; frame < 12; ++frame) {
    scenes::wobble(rest.positions, static_cast<float>(frame) / 60, 1, now.positions);
    for (std::size_t i = 0; i < particles.size(); ++i) {
      velocities[i] = velocities[i] + kGravity * kStep;
      particles[i] = particles[i] + velocities[i] * kStep;
    }
    out.push_out({now.positions, before, kStep}, particles, velocities);
    before = now.positions;
    if (frame % 4 != 3) continue;
    for (const Vec3 p : particles) {
      const test::Closest truth = test::closest_by_brute_force(now, p);
      if (truth.inside) deepest = std::max(deepest, truth.distance);
    }
  }
  EXPECT_LT(deepest, 0.71 * static_cast<double>(out.report().cell));
}

TEST(ParticlePushOut, ReflectsTheNormalPartByTheRestitutionRelativeToTheSurface) {
  const Mesh now = test::box_mesh({-1, -1, -1}, {1, 1, 0});
  std::vector<Vec3> before = now.positions;
  for (Vec3& p : before) p.z -= 2 * kStep;  // rises by 2 m/s
  ParticlePushOut out = make(now, {.resolution = 16, .restitution = 0.5f, .friction = 0});
  Particles particles{{0.1f, 0.1f, -0.02f}}, velocities{{1, 0, -3}};
  out.push_out({now.positions, before, kStep}, particles, velocities);
  expect_near(velocities[0], {1, 0, 2 + 0.5f * 5}, 1e-4f);
  expect_near(particles[0], {0.1f, 0.1f, 0}, 1e-6f);
}

TEST(ParticlePushOut, TakesNoMoreOfTheTangentialPartThanCoulombAllows) {
  const Mesh slab = test::box_mesh({-1, -1, -1}, {1, 1, 0});
  ParticlePushOut out = make(slab, {.resolution = 16, .friction = 0.25f});
  Particles particles{{0, 0.1f, -0.01f}, {0, -0.1f, -0.01f}}, velocities{{3, 0, -2}, {0, 0.4f, -2}};
  out.push_out({slab.positions, {}, kStep}, particles, velocities);
  expect_near(velocities[0], {3 - 0.25f * 2, 0, 0}, 1e-5f);
  expect_near(velocities[1], {0, 0, 0}, 1e-5f);
}

TEST(ParticlePushOut, LeavesTheVelocityOfParticlesThatLeaveAnyway) {
  const Mesh slab = test::box_mesh({-1, -1, -1}, {1, 1, 0});
  ParticlePushOut out = make(slab, {.resolution = 16});
  Particles particles{{0, 0.1f, -0.01f}}, velocities{{3, 0, 2}};
  out.push_out({slab.positions, {}, kStep}, particles, velocities);
  EXPECT_EQ(velocities[0], (Vec3{3, 0, 2}));
}

/// A slab whose top falls by `slope` along x.
Mesh ramp(float slope) {
  Mesh mesh = test::box_mesh({-4, -1, -4}, {4, 1, 0});
  for (Vec3& p : mesh.positions)
    if (p.z == 0) p.z = -slope * p.x;
  return mesh;
}

struct Slid {
  Vec3 position, velocity;
  double most_energy = 0;  ///< above that of the start, per mass
};
Slid slide(float slope, float friction, int frames) {
  const Mesh mesh = ramp(slope);
  ParticlePushOut out = make(mesh, {.resolution = 64, .friction = friction});
  Particles p{{-2, 0.13f, 2 * slope}}, v{{0, 0, 0}};
  const auto energy = [&] { return 0.5 * static_cast<double>(dot(v[0], v[0])) + 9.81 * static_cast<double>(p[0].z); };
  Slid slid;
  const double start = energy();
  for (int i = 0; i < frames; ++i) {
    v[0] = v[0] + kGravity * kStep;
    p[0] = p[0] + v[0] * kStep;
    out.push_out({mesh.positions, {}, kStep}, p, v);
    slid.most_energy = std::max(slid.most_energy, energy() - start);
  }
  slid.position = p[0] - Vec3{-2, 0.13f, 2 * slope};
  slid.velocity = v[0];
  return slid;
}

TEST(ParticlePushOut, ParticlesAtRestStayAndGainNoEnergyForAMinute) {
  const Slid slid = slide(0.4f, 0.5f, 3600);
  EXPECT_LT(length(slid.position), 0.01f);
  EXPECT_LT(length(slid.velocity), 1e-4f);
  EXPECT_LT(slid.most_energy, 0.01);
}

TEST(ParticlePushOut, ParticlesSlideDownWhatIsSteeperThanTheirFriction) {
  const float slope = 0.5f, friction = 0.3f, seconds = 0.75f;
  const Slid slid = slide(slope, friction, 45);
  const float along = 9.81f * (slope - friction) / std::sqrt(1 + slope * slope) * seconds;
  EXPECT_NEAR(length(slid.velocity), along, 0.02f * along);
  EXPECT_NEAR(length(slid.position), 0.5f * along * seconds, 0.05f * along * seconds);
  EXPECT_LT(slid.most_energy, 0.01);
}

TEST(ParticlePushOut, AParticleRidesOnASurfaceThatCarriesItAlong) {
  Mesh now = test::box_mesh({-1, -1, -1}, {1, 1, 0});
  ParticlePushOut out = make(now, {.resolution = 32, .friction = 1});
  Particles p{{0, 0, 0.001f}}, v{{0, 0, 0}};
  for (int i = 0; i < 60; ++i) {
    const std::vector<Vec3> before = now.positions;
    for (Vec3& q : now.positions) q.x += 0.5f * kStep;
    v[0] = v[0] + kGravity * kStep;
    p[0] = p[0] + v[0] * kStep;
    out.push_out({now.positions, before, kStep}, p, v);
  }
  expect_near(v[0], {0.5f, 0, 0}, 1e-3f);
  expect_near(p[0], {0.5f, 0, 0}, 0.02f);
}

TEST(ParticlePushOut, AFastSurfaceTakesParticlesOnTheSideTheyCameFrom) {
  // A plate of 0.2 sweeps over still particles by 0.19: all but the first tenth are nearer its far side then.
  const float thickness = 0.2f, way = 0.19f;
  for (const float direction : {1.0f, -1.0f}) {
    Mesh now = test::box_mesh({-1, -1, -thickness / 2}, {1, 1, thickness / 2});
    std::vector<Vec3> before = now.positions;
    for (Vec3& p : now.positions) p.z += direction * way;
    ParticlePushOut out = make(now, {.resolution = 128});
    Particles p, v;
    for (int i = 1; i < 40; ++i) {
      p.push_back({0.02f * static_cast<float>(i) - 0.4f, 0.03f,
                   direction * (thickness / 2 + way * static_cast<float>(i) / 40)});
      v.push_back({0, 0, 0});
    }
    const PushOutReport& report = out.push_out({now.positions, before, kStep}, p, v);
    EXPECT_EQ(report.pushes.size(), p.size());
    EXPECT_GT(report.turned_back_count, 10u);
    EXPECT_NEAR(report.motion, way, 1e-6f);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_NEAR(p[i].z, direction * (thickness / 2 + way), 1e-5f) << i;
      EXPECT_NEAR(v[i].z, direction * way / kStep, 1e-3f);
    }
  }
}

TEST(ParticlePushOut, AFastParticleComesBackOutOfWhatItFlewInto) {
  const Mesh plate = test::box_mesh({-1, -1, -0.1f}, {1, 1, 0.1f});
  ParticlePushOut out = make(plate, {.resolution = 128, .friction = 0});
  Particles p{{0, 0, -0.05f}}, v{{0, 0, -10}};  // came from 0.117 above
  EXPECT_EQ(out.push_out({plate.positions, {}, kStep}, p, v).turned_back_count, 1u);
  expect_near(p[0], {0, 0, 0.1f}, 1e-5f);
}

TEST(ParticlePushOut, LeavesParticlesInOpenColumnsAloneAndCountsThem) {
  Mesh box = scenes::box(1200);
  std::erase_if(box.triangles, [&](const Triangle& t) {
    return box.positions[t.a].z > 0.99f && box.positions[t.b].z > 0.99f && box.positions[t.c].z > 0.99f &&
           std::abs(box.positions[t.a].x) < 0.4f && std::abs(box.positions[t.a].y) < 0.4f;
  });
  ParticlePushOut out = make(box, {.resolution = 64});
  Particles p{{0, 0, 0.9f}, {0.9f, 0.8f, 0.3f}};
  const PushOutReport& report = out.push_out({box.positions}, p, {});
  EXPECT_EQ(p[0], (Vec3{0, 0, 0.9f}));
  EXPECT_EQ(report.health.untrusted_points, 1u);
  EXPECT_GT(report.health.open_columns, 0u);
  ASSERT_EQ(report.pushes.size(), 1u);
  expect_near(p[1], {1, 0.8f, 0.3f}, 1e-5f);
  ParticlePushOut strict = make(box, {.resolution = 64, .strict = true});
  p[1] = {0.9f, 0.8f, 0.3f};
  EXPECT_THROW(strict.push_out({box.positions}, p, {}), Error);
  EXPECT_EQ(p[1], (Vec3{0.9f, 0.8f, 0.3f})) << "moved all the same";
}

TEST(ParticlePushOut, GivesTheSameBitsForAnyNumberOfThreads) {
  const Mesh mesh = scenes::seated_figure(6000);
  Mesh now = mesh;
  scenes::wobble(mesh.positions, 0.03f, 1, now.positions);
  const Particles start = random_points(bounds(mesh), 20000, 5);
  const Particles start_v = random_points({{-1, -1, -3}, {1, 1, 1}}, 20000, 6);
  Particles first, first_v;
  for (const unsigned threads : {1u, 2u, 3u}) {
    ParticlePushOut out = make(mesh, {.resolution = 64, .threads = threads, .restitution = 0.2f});
    Particles p = start, v = start_v;
    const PushOutReport& report = out.push_out({now.positions, mesh.positions, kStep}, p, v);
    EXPECT_GT(report.pushes.size(), 500u);
    if (threads == 1) first = p, first_v = v;
    EXPECT_EQ(p, first);
    EXPECT_EQ(v, first_v);
  }
}

TEST(ParticlePushOut, AllocatesNothingOnceWarm) {
  const Mesh mesh = scenes::blob(3000);
  Mesh now = mesh;
  ParticlePushOut out = make(mesh, {.resolution = 64, .threads = 1});
  const Particles start = random_points(bounds(mesh), 4000, 5);
  Particles p = start, v(p.size());
  const auto frames = [&] {
    for (int i = 0; i < 5; ++i) {
      scenes::wobble(mesh.positions, static_cast<float>(i) / 60, 1, now.positions);
      std::copy(start.begin(), start.end(), p.begin());
      out.push_out({now.positions, mesh.positions, kStep}, p, v);
    }
  };
  frames();
  EXPECT_GT(out.report().pushes.size(), 100u);
  EXPECT_EQ(test::allocations_of(frames), 0u);
}

TEST(ParticlePushOut, SaysWhatIsWrongWithItsInput) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const auto with = [&](const PushOutOptions& options) { return ParticlePushOut(box.triangles, 8, options); };
  EXPECT_THROW(ParticlePushOut(box.triangles, 7), Error);
  EXPECT_THROW(with({.resolution = 0}), Error);
  EXPECT_THROW(with({.restitution = 1.5f}), Error);
  for (const float bad : {-1.0f, kNan, kInfinity}) {
    EXPECT_THROW(with({.friction = bad}), Error) << bad;
    EXPECT_THROW(with({.clearance = bad}), Error) << bad;
  }
  ParticlePushOut out = with({});
  Particles p(3), v(2);
  EXPECT_THROW(out.push_out({std::span(box.positions).first(5)}, p, {}), Error);
  EXPECT_THROW(out.push_out({box.positions}, p, v), Error);
}

TEST(ParticlePushOut, RefusesATimeThatIsNotOne) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  ParticlePushOut out = make(box, {.resolution = 16});
  const Particles inside{{0.5f, 0.5f, 0.9f}}, slanted{{1, 0, -1}};
  for (const float seconds : {kInfinity, -kInfinity, kNan, -1.0f}) {
    Particles p = inside, v = slanted;
    EXPECT_THROW(out.push_out({box.positions, box.positions, seconds}, p, v), Error) << seconds;
    EXPECT_EQ(p, inside);
    EXPECT_EQ(v, slanted);
  }
  for (const float seconds : {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()}) {
    Particles p = inside, v = slanted;
    EXPECT_EQ(out.push_out({box.positions, box.positions, seconds}, p, v).pushes.size(), 1u) << seconds;
    EXPECT_TRUE(is_finite(p[0]) && is_finite(v[0])) << seconds;
  }
}

TEST(ParticlePushOut, BrokenParticlesAndVerticesAreLeftOut) {
  const float nan = kNan, inf = kInfinity;
  Mesh mesh = scenes::sphere(2000);
  mesh.positions[17].x = nan;
  ParticlePushOut out = make(mesh, {.resolution = 32});
  Particles p{{nan, 0, 0}, {0, 0, 0.5f}, {0.5f, 0.2f, 0.1f}, {0.3f, 0.6f, 0.1f}}, v{{}, {nan, 0, 0}, {inf, 0, 0}, {}};
  const PushOutReport& report = out.push_out({mesh.positions, {}, kStep}, p, v);
  EXPECT_GT(report.health.skipped_triangles, 0u);
  EXPECT_EQ(p[1], (Vec3{0, 0, 0.5f}));
  EXPECT_EQ(p[2], (Vec3{0.5f, 0.2f, 0.1f}));
  EXPECT_TRUE(std::isfinite(p[3].x) && std::isfinite(v[3].x));

  const Mesh whole = scenes::sphere(2000);
  p = {{0.5f, 0.2f, 0.1f}};
  v = {{1, 0, 0}};
  const std::vector<Vec3> unknown(whole.positions.size(), Vec3{nan, nan, nan});
  EXPECT_EQ(make(whole, {}).push_out({whole.positions, unknown, kStep}, p, v).pushes.size(), 1u);
  EXPECT_TRUE(std::isfinite(p[0].x) && std::isfinite(v[0].x)) << "where the body was is not known";
}

TEST(ParticlePushOut, AVertexAtInfinityMovesNoParticleThere) {
  const Mesh whole = scenes::sphere(500);
  for (std::size_t broken = 0; broken < whole.positions.size(); broken += 7) {
    Mesh mesh = whole;
    mesh.positions[broken].x = broken % 2 == 0 ? kInfinity : -kInfinity;
    Particles p, v;
    for (const Triangle& t : whole.triangles)  // below the middle of every triangle, and below every edge
      for (const Vec3 weights : {Vec3{1, 1, 1} * (1 / 3.0f), Vec3{0.5f, 0.5f, 0}})
        p.push_back(
            (whole.positions[t.a] * weights.x + whole.positions[t.b] * weights.y + whole.positions[t.c] * weights.z) *
            0.97f);
    v.assign(p.size(), {1, -2, 0.5f});
    (void)make(mesh, {.resolution = 32}).push_out({mesh.positions, mesh.positions, kStep}, p, v);
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_TRUE(is_finite(p[i]) && is_finite(v[i])) << broken << ' ' << i;
  }
}

TEST(ParticlePushOut, ABodyWithoutVolumeAndAnEmptyOnePushNobody) {
  Mesh flat = test::box_mesh({0, 0, 0}, {1, 1, 0});
  Particles p{{0.5f, 0.5f, 0}};
  EXPECT_TRUE(make(flat, {}).push_out({flat.positions}, p, {}).pushes.empty());
  EXPECT_TRUE(make({}, {}).push_out({}, p, {}).pushes.empty());
}

}  // namespace
}  // namespace lamella
