// What happens to particles that hit a plane, against formulas for it; exact values of the report.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/particles.hpp"
#include "scenes/random.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using Particles = std::vector<Vec3>;
using scenes::Random;
constexpr float kStep = 1.0f / 64;

void expect_near(Vec3 a, Vec3d b, double tolerance, const char* what) {
  EXPECT_LT(length(to_double(a) - b), tolerance)
      << what << ": " << a.x << ' ' << a.y << ' ' << a.z << " instead of " << b.x << ' ' << b.y << ' ' << b.z;
}

/// One particle just below the top of a box that moves, in the axes of the box.
struct Hit {
  Vec3d place;     ///< on the top
  double depth;    ///< below it
  Vec3d relative;  ///< velocity, as seen from the box; z is up
};

struct Answer {
  Vec3d place, relative;
};

/// The normal speed comes back times the restitution; friction takes at most its coefficient times the change of it.
Answer answer_of(const Hit& hit, const PushOutOptions& options, double seconds) {
  Answer answer{hit.place, hit.relative};
  if (hit.relative.z < 0) {
    const double across = std::hypot(hit.relative.x, hit.relative.y);
    const double change = -(1.0 + options.restitution) * hit.relative.z;
    const double left = across > 0 ? std::max(0.0, 1 - options.friction * change / across) : 0;
    answer.relative = {hit.relative.x * left, hit.relative.y * left, -options.restitution * hit.relative.z};
    // It has gone too far by what friction took from its velocity.
    answer.place.x -= hit.relative.x * (1 - left) * seconds;
    answer.place.y -= hit.relative.y * (1 - left) * seconds;
  }
  answer.place.z += options.clearance;
  return answer;
}

TEST(ParticleImpact, FollowsTheFormulasForAnyOptionsAndAnyMotionOfTheBody) {
  Random random(21);
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 0});
  int sliding = 0, held = 0, leaving = 0;
  for (int n = 0; n < 200; ++n) {
    const PushOutOptions options{.resolution = 16,
                                 .threads = 1,
                                 .restitution = n % 4 == 0 ? 0.0f : static_cast<float>(random.uniform()),
                                 .friction = n % 5 == 0 ? 0.0f : static_cast<float>(random.uniform(0, 1.5)),
                                 .clearance = n % 2 == 0 ? 0.0f : static_cast<float>(random.uniform(0, 0.05))};
    const bool timed = n % 3 != 0, moves = n % 7 != 0;
    const Transform pose{random.direction() * 2.0, rotation_about(random.direction(), random.uniform(0, 3))};
    const Vec3d body_velocity = moves ? random.direction() * random.uniform(0, 2) : Vec3d{};
    std::vector<Vec3> now, before;
    for (const Vec3 p : box.positions) {
      now.push_back(to_float(apply(pose, to_double(p))));
      before.push_back(to_float(apply(pose, to_double(p)) - body_velocity * double{kStep}));
    }
    // Without a time the body counts as still.
    const Vec3d surface_velocity = timed ? body_velocity : Vec3d{};
    std::vector<Hit> hits;
    Particles p, v;
    for (int i = 0; i < 8; ++i) {
      const double up = i % 4 == 0 ? random.uniform(0, 0.3) : -random.uniform(0.5, 5);
      const Hit hit{{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0},
                    random.uniform(0.001, 0.03),
                    {random.uniform(-3, 3), random.uniform(-3, 3), up}};
      hits.push_back(hit);
      p.push_back(to_float(apply(pose, hit.place - Vec3d{0, 0, hit.depth})));
      v.push_back(to_float(rotate(pose.rotation, hit.relative) + surface_velocity));
    }
    ParticlePushOut out(box.triangles, box.positions.size(), options);
    const BodyMotion motion{now, moves ? std::span<const Vec3>(before) : std::span<const Vec3>(), timed ? kStep : 0};
    const PushOutReport& report = out.push_out(motion, p, v);
    ASSERT_EQ(report.pushes.size(), hits.size()) << "case " << n;
    EXPECT_EQ(report.turned_back_count, 0u);
    EXPECT_NEAR(report.motion, length(body_velocity) * kStep, 1e-6);
    EXPECT_TRUE(report.health.ok());
    double deepest = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "case " << n << ", particle " << i);
      const Hit& hit = hits[i];
      const Answer wanted = answer_of(hit, options, timed ? kStep : 0.0);
      expect_near(p[i], apply(pose, wanted.place), 2e-6, "position");
      expect_near(v[i], rotate(pose.rotation, wanted.relative) + surface_velocity, 5e-5, "velocity");
      const ParticlePush& push = report.pushes[i];
      EXPECT_EQ(push.particle, i);
      EXPECT_NEAR(push.depth, hit.depth, 2e-6);
      expect_near(push.normal, rotate(pose.rotation, {0, 0, 1}), 1e-6, "normal");
      const Triangle t = box.triangles[push.triangle];
      expect_near(now[t.a] * push.weights.x + now[t.b] * push.weights.y + now[t.c] * push.weights.z,
                  apply(pose, hit.place), 2e-6, "place on the triangle");
      deepest = std::max(deepest, double{push.depth});
      leaving += hit.relative.z > 0;
      held += wanted.relative.x == 0;
      sliding += wanted.relative.x != 0 && wanted.relative.x != hit.relative.x;
    }
    EXPECT_EQ(report.deepest, static_cast<float>(deepest));
  }
  EXPECT_GT(sliding, 200);
  EXPECT_GT(held, 200);
  EXPECT_GT(leaving, 200);
}

TEST(ParticleImpact, WithoutVelocitiesSetsParticlesAboveTheSurfaceByTheClearance) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  ParticlePushOut out(box.triangles, 8, {.resolution = 16, .clearance = 0.125f});
  Particles p{{0.25f, 0.5f, 0.75f}, {-0.875f, 0.25f, 0.5f}, {0.25f, -0.75f, 0.5f}};
  out.push_out({box.positions, box.positions, kStep}, p, {});
  expect_near(p[0], {0.25, 0.5, 1.125}, 1e-6, "above the top");
  expect_near(p[1], {-1.125, 0.25, 0.5}, 1e-6, "beside the left");
  expect_near(p[2], {0.25, -1.125, 0.5}, 1e-6, "before the front");
}

TEST(ParticleImpact, LeavesAParticleOnTheSurfaceWhereItIs) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  ParticlePushOut out(box.triangles, 8, {.resolution = 16, .clearance = 0.5f});
  Particles p, v;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0f, 1.0f})
      for (const float aside : {-0.5f, 0.0f, 0.25f, 1.0f}) {
        Vec3 q{aside, aside / 2, aside / 4};
        q[axis] = side;
        p.push_back(q);
        v.push_back({1, 2, 3});
      }
  const Particles before = p, velocities = v;
  EXPECT_TRUE(out.push_out({box.positions, {}, kStep}, p, v).pushes.empty());
  EXPECT_EQ(p, before);
  EXPECT_EQ(v, velocities);
  EXPECT_EQ(out.report().deepest, 0);
}

TEST(ParticleImpact, FindsHowEverShallowAParticleBelowASlope) {
  // A slope that no axis sees straight: the rays beside a particle cross it above and below the particle.
  Mesh mesh = test::box_mesh({-4, -4, -4}, {4, 4, 0});
  const Vec3d normal = Vec3d{0.4, 0.3, 1} * (1 / std::sqrt(1.25));
  for (Vec3& q : mesh.positions)
    if (q.z == 0) q.z = -0.4f * q.x - 0.3f * q.y;
  ParticlePushOut out(mesh.triangles, 8, {.resolution = 16});
  Random random(22);
  Particles p;
  for (int i = 0; i < 500; ++i) {
    const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
    p.push_back(to_float(Vec3d{x, y, -0.4 * x - 0.3 * y} - normal * (0.001 + 0.0006 * i)));
  }
  const PushOutReport& report = out.push_out({mesh.positions}, p, {});
  ASSERT_EQ(report.pushes.size(), p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_EQ(report.pushes[i].particle, i);
    EXPECT_NEAR(report.pushes[i].depth, 0.001 + 0.0006 * static_cast<double>(i), 1e-5);
    expect_near(report.pushes[i].normal, normal, 1e-6, "normal");
  }
}

/// A slab with its top at z = 0 and a tower on the left half of it, whose right wall is at x = 0. One cell is 1/16.
Mesh slab_with_tower() {
  const std::vector<std::pair<float, float>> outline = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
  Mesh mesh;
  for (const float y : {-1.0f, 1.0f})
    for (const auto& [x, z] : outline) mesh.positions.push_back({x, y, z});
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const Triangle t : {Triangle{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    mesh.triangles.push_back(t);
    mesh.triangles.push_back({t.c + 6, t.b + 6, t.a + 6});
  }
  // Outwards: the sides above were made for an outline that goes round the other way.
  for (std::size_t i = 0; i < 12; ++i) std::swap(mesh.triangles[i].b, mesh.triangles[i].c);
  return mesh;
}

constexpr double kCell = 1.0 / 16;

/// Of a particle at `place`, in cells, that came there by `way`, while the body moved by `body_way`.
PushOutReport turned_back(Vec3d place, Vec3d way, Vec3d body_way = {}) {
  Mesh mesh = slab_with_tower();
  std::vector<Vec3> before = mesh.positions;
  for (Vec3& p : before) p = p - to_float(body_way * kCell);
  ParticlePushOut out(mesh.triangles, mesh.positions.size(), {.resolution = 32, .friction = 0});
  Particles p{to_float(place * kCell)}, v{to_float((way + body_way) * (kCell / kStep))};
  const PushOutReport report = out.push_out({mesh.positions, before, kStep}, p, v);
  EXPECT_EQ(report.cell, static_cast<float>(kCell));
  EXPECT_EQ(report.pushes.size(), 1u);
  return report;
}

TEST(ParticleImpact, AParticleThatWasInsideByHalfACellMayHaveComeThroughThere) {
  // Nearest to the top of the slab, and to its right side. It came from below the top.
  for (const Vec3d body_way : {Vec3d{}, Vec3d{0.5, 0.25, -3}}) {
    const PushOutReport through_top = turned_back({15.65, 0.3, -0.3}, {0, 0, 0.15}, body_way);
    EXPECT_EQ(through_top.turned_back_count, 0u);
    EXPECT_EQ(through_top.pushes[0].normal, (Vec3{0, 0, 1}));
    const PushOutReport through_side = turned_back({15.65, 0.3, -0.3}, {0, 0, 0.25}, body_way);
    EXPECT_EQ(through_side.turned_back_count, 1u);
    EXPECT_EQ(through_side.pushes[0].normal, (Vec3{1, 0, 0}));
    EXPECT_NEAR(through_side.pushes[0].depth, 0.35 * kCell, 1e-5);
    // It was not outside the side either: the nearest way out.
    const PushOutReport through_neither = turned_back({15.65, 0.3, -0.3}, {0.2, 0, 0.25}, body_way);
    EXPECT_EQ(through_neither.turned_back_count, 0u);
    EXPECT_EQ(through_neither.pushes[0].normal, (Vec3{0, 0, 1}));
  }
}

TEST(ParticleImpact, LooksForWhatAParticleCameThroughAsFarAsItMovedAndTwoCells) {
  // It rose towards the top of the slab. It was always before the tower's wall; the nearest ray that crosses the wall
  // does so 2.11 cells away, half a cell above the top.
  for (const Vec3d body_way : {Vec3d{}, Vec3d{-2, 0.5, 1}, Vec3d{3, 0, 0}}) {
    const Vec3d place{1.8, 0.5, -0.6};
    const PushOutReport far = turned_back(place, {0, 0, 0.05}, body_way);
    EXPECT_EQ(far.turned_back_count, 0u);
    EXPECT_EQ(far.pushes[0].normal, (Vec3{0, 0, 1}));
    EXPECT_NEAR(far.pushes[0].depth, 0.6 * kCell, 1e-5);
    const PushOutReport near = turned_back(place, {0, 0, 0.15}, body_way);
    EXPECT_EQ(near.turned_back_count, 1u);
    EXPECT_EQ(near.pushes[0].normal, (Vec3{1, 0, 0}));
    EXPECT_NEAR(near.pushes[0].depth, std::hypot(1.8, 0.6) * kCell, 1e-5);
  }
}

TEST(ParticleReport, CountsTheColumnsOfAllThreeViews) {
  const Mesh box = test::box_mesh({0, 0, 0}, {2, 1, 0.5f});
  // Along x, y and z.
  constexpr std::uint32_t kColumns = 4 * 2 + 2 * 8 + 8 * 4;
  Particles p{{0.5f, 0.5f, 0.375f}, {1.5f, 0.5f, 0.125f}, {3, 3, 3}};
  ParticlePushOut out(box.triangles, 8, {.resolution = 8});
  {
    const PushOutReport& report = out.push_out({box.positions}, p, {});
    EXPECT_EQ(report.cell, 0.25f);
    EXPECT_EQ(report.health.occupied_columns, kColumns);
    EXPECT_EQ(report.health.open_columns, 0u);
    EXPECT_EQ(report.health.inside_out_columns, 0u);
    EXPECT_EQ(report.health.untrusted_volume, 0);
    EXPECT_EQ(report.health.untrusted_points, 0u);
    EXPECT_EQ(report.pushes.size(), 2u);
    EXPECT_EQ(report.deepest, 0.125f);
  }
  Mesh open = box;  // without its side at z = 0.5
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return open.positions[t.a].z + open.positions[t.b].z + open.positions[t.c].z > 1.4f;
  });
  ASSERT_EQ(open.triangles.size(), 10u);
  p = {{0.5f, 0.5f, 0.375f}, {1.5f, 0.5f, 0.125f}, {3, 3, 3}};
  ParticlePushOut open_out(open.triangles, 8, {.resolution = 8});
  const PushOutReport& report = open_out.push_out({open.positions}, p, {});
  EXPECT_EQ(report.health.occupied_columns, kColumns);
  EXPECT_EQ(report.health.open_columns, 32u);
  EXPECT_EQ(report.health.inside_out_columns, 0u);
  EXPECT_DOUBLE_EQ(report.health.untrusted_volume, 1);
  EXPECT_EQ(report.health.untrusted_points, 2u);
  EXPECT_TRUE(report.pushes.empty());

  Mesh inside_out = box;
  for (Triangle& t : inside_out.triangles) std::swap(t.a, t.b);
  ParticlePushOut inside_out_out(inside_out.triangles, 8, {.resolution = 8});
  const Health health = inside_out_out.push_out({inside_out.positions}, p, {}).health;
  EXPECT_EQ(health.occupied_columns, kColumns);
  EXPECT_EQ(health.inside_out_columns, kColumns);
  EXPECT_EQ(health.open_columns, 0u);
  EXPECT_TRUE(inside_out_out.report().pushes.empty());
}

TEST(ParticleReport, TheCellIsTheLongestSideDividedByTheResolution) {
  // 2.6 / (2 / 10) = 13 cells along z, 1.1 / 0.26 = 4.2 along y: those are smaller.
  const Mesh box = test::box_mesh({0, 0, 0}, {1.1f, 0.3f, 2.6f});
  ParticlePushOut out(box.triangles, 8, {.resolution = 10});
  const PushOutReport& report = out.push_out({box.positions}, {}, {});
  EXPECT_EQ(report.cell, 0.26f);
  EXPECT_EQ(report.health.occupied_columns, 2u * 10 + 10 * 5 + 5 * 2);
}

TEST(ParticleReport, CountsEverySkippedTriangleOnceAndForgetsTheLastStep) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  std::vector<Vec3> broken = box.positions;
  broken[3].y = nan;
  const auto touching = static_cast<std::uint32_t>(std::count_if(
      box.triangles.begin(), box.triangles.end(), [](const Triangle& t) { return t.a == 3 || t.b == 3 || t.c == 3; }));
  ParticlePushOut out(box.triangles, 8, {.resolution = 8});
  Particles p{{0.5f, 0.5f, 0.9f}}, v{{0, 0, -20}};
  std::vector<Vec3> lower = box.positions;
  for (Vec3& q : lower) q.z -= 0.25f;
  out.push_out({box.positions, lower, kStep}, p, v);
  EXPECT_EQ(out.report().motion, 0.25f);
  EXPECT_GT(out.report().deepest, 0);
  EXPECT_EQ(out.push_out({broken}, p, {}).health.skipped_triangles, touching);
  EXPECT_EQ(out.report().motion, 0);
  EXPECT_EQ(out.report().deepest, 0);
  EXPECT_TRUE(out.report().pushes.empty());

  std::vector<Vec3> flat = box.positions;  // without volume, nothing is sampled
  for (Vec3& q : flat) q.z = 0;
  flat[3].x = nan;
  EXPECT_EQ(out.push_out({flat}, p, {}).health.skipped_triangles, touching);
  EXPECT_EQ(out.report().cell, 0);
  EXPECT_EQ(out.report().health.occupied_columns, 0u);
  ParticlePushOut strict(box.triangles, 8, {.resolution = 8, .strict = true});
  EXPECT_THROW(strict.push_out({flat}, p, {}), Error);
  flat[3].x = 0;
  EXPECT_NO_THROW(strict.push_out({flat}, p, {}));
}

TEST(ParticleReport, ItsTimesAddUpToNoMoreThanItTook) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  ParticlePushOut out(box.triangles, 8, {.resolution = 32});
  Particles p(100, {0.5f, 0.5f, 0.5f});
  const auto start = std::chrono::steady_clock::now();
  const Timings& ms = out.push_out({box.positions}, p, {}).ms;
  const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LE(ms.total(), took);
  for (const double stage : {ms.voi, ms.ldi, ms.query}) EXPECT_GT(stage, 0);
}

TEST(ParticleReport, ListsThePushesOfManyParticlesInOrder) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  test::Random random(23);
  Particles p(5000);
  for (Vec3& q : p) q = random.in({{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}});
  std::vector<std::uint32_t> inside;
  float deepest = 0;
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    const float most = std::max({std::abs(p[i].x), std::abs(p[i].y), std::abs(p[i].z)});
    if (most < 1) inside.push_back(i), deepest = std::max(deepest, 1 - most);
  }
  ParticlePushOut out(box.triangles, 8, {.resolution = 32, .threads = 2});
  const PushOutReport& report = out.push_out({box.positions}, p, {});
  std::vector<std::uint32_t> pushed;
  for (const ParticlePush& push : report.pushes) pushed.push_back(push.particle);
  EXPECT_EQ(pushed, inside);
  EXPECT_NEAR(report.deepest, deepest, 1e-6f);

  // The same for those turned back, and those in open columns.
  const Mesh plate = test::box_mesh({-1, -1, -0.1f}, {1, 1, 0.1f});
  p.assign(3000, {0.01f, 0.02f, -0.05f});
  Particles v(3000, {0, 0, -10});
  ParticlePushOut plate_out(plate.triangles, 8, {.resolution = 64});
  EXPECT_EQ(plate_out.push_out({plate.positions, {}, kStep}, p, v).turned_back_count, 3000u);
  Mesh open = plate;
  open.triangles.erase(open.triangles.begin() + 2, open.triangles.begin() + 4);
  p.assign(3000, {0.01f, 0.02f, -0.05f});
  ParticlePushOut open_out(open.triangles, 8, {.resolution = 64});
  EXPECT_EQ(open_out.push_out({open.positions}, p, {}).health.untrusted_points, 3000u);
}

TEST(ParticleOptions, AreAcceptedUpToTheirLimitsAndNamedBeyondThem) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const float nan = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::max();
  const auto make = [&](const PushOutOptions& options) { ParticlePushOut(box.triangles, 8, options); };
  const auto refused = [&](const PushOutOptions& options, const char* name) {
    const std::string message = test::error_of([&] { make(options); }).what();
    EXPECT_NE(message.find(name), std::string::npos) << message;
  };
  EXPECT_NO_THROW(make({.resolution = 1, .restitution = 0, .friction = 0, .clearance = 0}));
  EXPECT_NO_THROW(make({.resolution = 16384, .restitution = 1, .friction = most, .clearance = 1}));
  refused({.resolution = 16385}, "resolution");
  for (const float bad : {-0.001f, 1.001f, nan}) refused({.restitution = bad}, "restitution");
  refused({.friction = -0.001f}, "friction");
  refused({.clearance = -0.001f}, "clearance");
  refused({.clearance = most}, "clearance");
  const std::string message = test::error_of([&] { ParticlePushOut(box.triangles, 7); }).what();
  EXPECT_NE(message.find("vertex 7, but the body has only 7"), std::string::npos) << message;

  ParticlePushOut out(box.triangles, 8);
  EXPECT_EQ(out.options().resolution, 128u);
  Particles p(2), v(3);
  const std::string counts = test::error_of([&] { out.push_out({box.positions}, p, v); }).what();
  EXPECT_NE(counts.find("3 velocities for 2 particles"), std::string::npos) << counts;
  for (const bool before : {false, true}) {
    const std::span<const Vec3> some = std::span(box.positions).first(7), all = box.positions;
    const std::string vertices = test::error_of([&] {
                                   out.push_out({before ? all : some, before ? some : all, kStep}, p, {});
                                 }).what();
    EXPECT_NE(vertices.find("7 positions for a mesh of 8 vertices"), std::string::npos) << vertices;
  }
}

}  // namespace
}  // namespace lamella
