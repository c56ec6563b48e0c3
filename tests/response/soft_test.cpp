#include "lamella/soft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using testing::HasSubstr;

Mesh placed(const Mesh& mesh, Vec3d at, const Quaternion& turn = {}) { return in_world(transformed(mesh, {at, turn})); }
Mesh cube(Vec3d at = {}, const Quaternion& turn = {}) {
  return placed(scenes::box(1200, {0.5f, 0.5f, 0.5f}), at, turn);
}
/// Smaller, so that no walls coincide: it stands on the cube's top, sunk in by `depth`.
constexpr double kTop = 0.49;  ///< area of the contact
Mesh small_cube(double depth, const Quaternion& turn = {}) {
  return placed(scenes::box(1200, {0.35f, 0.35f, 0.35f}), rotate(turn, {0.02, 0.01, 0.85 - depth}), turn);
}
Mesh ball(Vec3d at, std::size_t faces = 4000) { return placed(scenes::sphere(faces, 0.5f), at); }

VolumeContactOptions options(double cell = 0.01) { return {.cell = cell, .threads = 1, .stiffness = 100}; }

Vec3d sum(const std::vector<Vec3d>& all) {
  Vec3d s;
  for (const Vec3d& v : all) s += v;
  return s;
}
double size(const std::vector<Vec3d>& all) {
  double s = 0;
  for (const Vec3d& v : all) s += length(v);
  return s;
}

/// Forces of a pair.
struct Forces {
  std::vector<Vec3d> a, b;
  ContactReport report;

  Forces(const Mesh& mesh_a, const Mesh& mesh_b, const VolumeContactOptions& o = options())
      : a(mesh_a.positions.size()), b(mesh_b.positions.size()) {
    VolumeContact contact(o);
    report = contact.add_forces(mesh_a, mesh_b, a, b);
  }
};

Vec3d torque(const Mesh& mesh, const std::vector<Vec3d>& forces) {
  Vec3d s;
  for (std::size_t i = 0; i < forces.size(); ++i) s += cross(to_double(mesh.positions[i]), forces[i]);
  return s;
}

/// A body of equal masses.
struct Body {
  Mesh mesh;
  std::vector<Vec3d> positions, before;
  std::vector<double> ease;

  explicit Body(const Mesh& m, double mass = 1) : mesh(m) {
    for (const Vec3 p : m.positions) positions.push_back(to_double(p));
    before = positions;
    ease.assign(positions.size(), static_cast<double>(positions.size()) / mass);
  }
  [[nodiscard]] SoftMesh soft() { return {mesh.triangles, positions, ease, before}; }
  [[nodiscard]] SoftMesh fixed() { return {mesh.triangles, positions, {}, before}; }
  [[nodiscard]] Mesh now() const {
    Mesh m = mesh;
    for (std::size_t i = 0; i < positions.size(); ++i) m.positions[i] = to_float(positions[i]);
    return m;
  }
  [[nodiscard]] Vec3d way() const {
    Vec3d s;
    for (std::size_t i = 0; i < positions.size(); ++i) s += (positions[i] - before[i]) * (1 / ease[i]);
    return s;
  }
};

TEST(VolumeContact, LeavesWhatIsApartAlone) {
  const Forces f(cube(), cube({2, 0, 0}));
  EXPECT_EQ(size(f.a) + size(f.b), 0);
  EXPECT_EQ(f.report.verdict, Verdict::clear);
  EXPECT_EQ(f.report.volume, 0);
  const Forces touching(cube(), cube({1, 0, 0}));
  EXPECT_EQ(size(touching.a), 0) << "touching is not overlapping";
}

TEST(VolumeContact, OfTwoCubesIsALayerOfSprings) {
  const double depth = 0.05, stiffness = 100;
  const Mesh a = cube(), b = small_cube(depth);
  const Forces f(a, b);
  EXPECT_EQ(f.report.verdict, Verdict::colliding);
  EXPECT_NEAR(f.report.volume, depth * kTop, 0.03 * depth * kTop);
  EXPECT_NEAR(f.report.deepest, depth, 1e-5);
  // The slab's rims count as well, as wide as the slab is thick; spans between two of them once.
  EXPECT_NEAR(f.report.area, kTop + 2 * 0.7 * depth, 0.05 * kTop);
  EXPECT_NEAR(sum(f.a).z, -stiffness * depth * kTop, 0.03 * stiffness * depth * kTop);
  EXPECT_NEAR(f.report.push.z, sum(f.a).z, 1e-12);
  EXPECT_LT(std::hypot(sum(f.a).x, sum(f.a).y), 1e-9);
  EXPECT_NEAR(f.report.energy, stiffness / 2 * depth * depth * f.report.area, 0.03 * f.report.energy);
}

TEST(VolumeContact, IsTheSameForTurnedBodies) {
  const double depth = 0.01;  // along the rims, as wide as this, it is not
  for (const Vec3d axis : {Vec3d{1, -1, 0}, {1, 0.3, 0.2}, {0.1, 1, -0.4}}) {
    for (const double angle : {0.3, 0.955, 1.3}) {
      const Quaternion turn = rotation_about(axis, angle);
      const Forces f(cube({}, turn), small_cube(depth, turn), options(0.005));
      const Vec3d expected = rotate(turn, {0, 0, -100 * depth * kTop});
      EXPECT_LT(length(sum(f.a) - expected), 0.06 * length(expected)) << angle;
    }
  }
}

TEST(VolumeContact, ForceIsMinusTheGradientOfTheEnergy) {
  const auto energy = [](double z) { return Forces(ball({}), ball({0.2, 0.1, z}), options(0.004)).report.energy; };
  for (const double z : {0.85, 0.9, 0.94}) {
    const double h = 0.004;
    const double slope = (energy(z + h) - energy(z - h)) / (2 * h);
    const Forces f(ball({}), ball({0.2, 0.1, z}), options(0.004));
    EXPECT_NEAR(sum(f.b).z, -slope, 0.12 * std::abs(slope)) << z;
    EXPECT_GT(sum(f.b).z, 0);
  }
}

TEST(VolumeContact, KeepsMomentumToRoundingAndAngularMomentumButForTheLattice) {
  test::Random random(5);
  for (int i = 0; i < 12; ++i) {
    const auto seed = static_cast<std::uint32_t>(i);
    const Quaternion turn = rotation_about(to_double(random.in({{-1, -1, -1}, {1, 1, 1}})), 1.0 + i);
    const Mesh a = scenes::blob(1500, seed);
    const Mesh b = placed(scenes::serpent(3000, seed), to_double(random.in({{-1, -1, -1}, {1, 1, 1}})), turn);
    const Forces f(a, b, {.resolution = 64, .threads = 1});
    if (f.report.verdict != Verdict::colliding) continue;
    const double all = size(f.a) + size(f.b);
    EXPECT_GT(all, 0);
    EXPECT_LT(length(sum(f.a) + sum(f.b)), 1e-13 * all);
    EXPECT_LT(length(torque(a, f.a) + torque(b, f.b)), 2e-4 * all * f.report.cell * 64);
  }
}

TEST(VolumeContact, PlacesOfContactDoNotChangeEachOthersStrength) {
  const Mesh a = cube(), b = small_cube(0.05);
  Mesh more_a = a, more_b = b;
  test::append(more_a, cube({3, 0, 0}));
  test::append(more_b, cube({3, 0, 0.6}));
  const Forces alone(a, b, options(0.004)), both(more_a, more_b, options(0.004));
  Vec3d part;
  for (std::size_t i = 0; i < a.positions.size(); ++i) part += both.a[i];
  EXPECT_LT(length(part - sum(alone.a)), 0.02 * length(sum(alone.a)));
}

TEST(VolumeContact, AMeshOfTwoPartsPushesItselfAsTwoMeshesDo) {
  const Mesh a = ball({}), b = ball({0.3, 0.2, 0.8});
  Mesh one = a;
  test::append(one, b);
  const Forces pair(a, b, options(0.005));
  std::vector<Vec3d> forces(one.positions.size());
  VolumeContact contact(options(0.005));
  const ContactReport& report = contact.add_self_forces(one, forces);
  EXPECT_EQ(report.verdict, Verdict::colliding);
  EXPECT_NEAR(report.volume, pair.report.volume, 0.02 * pair.report.volume);
  EXPECT_LT(length(sum(forces)), 1e-12 * size(forces));
  Vec3d of_a;
  for (std::size_t i = 0; i < a.positions.size(); ++i) of_a += forces[i];
  EXPECT_LT(length(of_a - sum(pair.a)), 0.03 * length(of_a));
}

TEST(VolumeContact, DampsOnlyWhatApproaches) {
  const Mesh a = cube(), b = small_cube(0.05);
  const auto push = [&](double speed) {
    std::vector<Vec3d> fa(a.positions.size()), fb(b.positions.size());
    const std::vector<Vec3d> va(a.positions.size()), vb(b.positions.size(), Vec3d{0, 0, speed});
    VolumeContactOptions o = options();
    o.damping = 7;
    VolumeContact contact(o);
    contact.add_forces(a, b, fa, fb, va, vb);
    EXPECT_LT(length(sum(fa) + sum(fb)), 1e-13 * (1 + size(fa)));
    return sum(fb).z;
  };
  EXPECT_NEAR(push(-0.3) - push(0), 7 * 0.3 * kTop, 0.02);
  EXPECT_NEAR(push(0.3) - push(0), -7 * 0.3 * kTop, 0.02);
  EXPECT_EQ(push(10), 0) << "pulls";
}

TEST(VolumeContact, ProjectionEndsTheOverlap) {
  Body a(ball({})), b(ball({0.3, 0.2, 0.8}), 3);
  const double shared = intersect(a.mesh, b.mesh).volume;
  VolumeContact contact(options());
  const ContactReport report = contact.project(a.soft(), b.soft());
  EXPECT_NEAR(report.volume, shared, 0.02 * shared);
  EXPECT_LT(report.left, 1e-3 * shared);
  EXPECT_LT(intersect(a.now(), b.now(), {.resolution = 256}).volume, 1e-3 * shared);
  EXPECT_LT(length(a.way() + b.way()), 1e-13) << "momentum";
  EXPECT_LT(length(report.push - a.way()), 1e-12);
  EXPECT_GT(length(a.way()), 1e-3);
  double most_a = 0, most_b = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) most_a = std::max(most_a, length(a.positions[i] - a.before[i]));
  for (std::size_t i = 0; i < b.positions.size(); ++i) most_b = std::max(most_b, length(b.positions[i] - b.before[i]));
  EXPECT_GT(most_a, 2 * most_b) << "the lighter one gives way";
}

TEST(VolumeContact, ProjectionMovesNoFurtherThanNeeded) {
  Body a(ball({})), b(ball({0, 0, 0.96}));
  VolumeContact contact(options());
  contact.project(a.soft(), b.soft());
  double top = 0, bottom = 1;
  for (const Vec3d& p : a.positions) top = std::max(top, p.z);
  for (const Vec3d& p : b.positions) bottom = std::min(bottom, p.z);
  EXPECT_NEAR(top, 0.48, 0.003);
  EXPECT_NEAR(bottom, 0.48, 0.003);
}

TEST(VolumeContact, ProjectionLeavesFixedBodiesAlone) {
  Body a(ball({})), b(ball({0, 0, 0.95}));
  VolumeContact contact(options());
  const ContactReport report = contact.project(a.soft(), b.fixed());
  EXPECT_EQ(b.positions, b.before);
  EXPECT_LT(report.left, 1e-3 * report.volume);
  EXPECT_LT(a.way().z, 0);
  Body c(ball({})), d(ball({0, 0, 0.95}));
  const ContactReport none = contact.project(c.fixed(), d.fixed());
  EXPECT_EQ(c.positions, c.before);
  EXPECT_NEAR(none.left, none.volume, 1e-12);
}

TEST(VolumeContact, RelaxationRemovesAPart) {
  Body a(cube()), b(small_cube(0.05));
  VolumeContactOptions o = options();
  o.passes = 1;
  o.relaxation = 0.25;
  VolumeContact contact(o);
  const ContactReport report = contact.project(a.soft(), b.soft());
  EXPECT_NEAR(report.left / report.volume, 0.75, 0.06);
  EXPECT_NEAR(intersect(a.now(), b.now(), {.resolution = 256}).volume / report.volume, 0.75, 0.1);
}

TEST(VolumeContact, ProjectionOfDeepOverlapsCanBeSlow) {
  Body a(cube()), b(small_cube(0.2));
  VolumeContactOptions o = options();
  o.passes = 1;
  o.max_way = 0.01;
  VolumeContact contact(o);
  const ContactReport report = contact.project(a.soft(), b.soft());
  for (std::size_t i = 0; i < b.positions.size(); ++i) EXPECT_LT(length(b.positions[i] - b.before[i]), 0.03);
  EXPECT_NEAR(report.left / report.volume, 0.95, 0.02);
}

TEST(VolumeContact, ProjectionOfOneMeshUntanglesIt) {
  Body knot(scenes::torus_knot(6000, 0.6f));
  const double shared = self_intersect(knot.mesh).volume;
  ASSERT_GT(shared, 0.01);
  VolumeContact contact({.cell = 0.03, .threads = 1});
  for (int i = 0; i < 6; ++i) contact.project_self(knot.soft());
  EXPECT_LT(self_intersect(knot.now(), {.resolution = 256}).volume, 0.02 * shared);
  EXPECT_LT(length(knot.way()), 1e-12);
}

/// How far a cube that slid over another by 0.02 in this step is held back.
double held(double friction) {
  Body a(cube()), b(small_cube(0.01));
  for (Vec3d& p : b.before) p.x -= 0.02;
  VolumeContactOptions o = options();
  o.friction = friction;
  VolumeContact contact(o);
  const Vec3d start = b.way();
  contact.project(a.soft(), b.soft());
  EXPECT_LT(length(a.way() + b.way() - start), 1e-12) << "momentum";
  return start.x - b.way().x;
}

TEST(VolumeContact, FrictionHoldsWhatPressureCan) {
  const double none = held(0), some = held(0.3), more = held(0.6);
  EXPECT_NEAR(none, 0, 1e-4);
  EXPECT_GT(some, 1e-5);
  EXPECT_NEAR(more / some, 2, 0.1) << "in proportion while they slide";
  EXPECT_NEAR(held(1e6), held(1e9), 1e-9) << "no more than all of it";
}

TEST(VolumeContact, IsTheSameForAnyNumberOfThreads) {
  const auto after = [](unsigned threads) {
    Body a(ball({})), b(ball({0.3, 0.2, 0.8}));
    VolumeContact contact({.cell = 0.004, .threads = threads, .friction = 0.3});
    contact.project(a.soft(), b.soft());
    a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
    return a.positions;
  };
  EXPECT_EQ(after(1), after(2));
  EXPECT_EQ(after(1), after(7));
}

TEST(VolumeContact, FarAwayIsAsGoodAsNear) {
  Mesh a = cube(), b = cube({0.1, 0.05, 0.95});
  const Forces near(a, b);
  a.origin = b.origin = {1e7, -2e7, 3e7};
  const Forces with_origin(a, b);
  EXPECT_EQ(with_origin.a, near.a);
  std::vector<Vec3d> wide_a, wide_b, fa(a.positions.size()), fb(b.positions.size());
  for (const Vec3 p : a.positions) wide_a.push_back(to_double(p) + a.origin);
  for (const Vec3 p : b.positions) wide_b.push_back(to_double(p) + b.origin);
  VolumeContact contact(options());
  contact.add_forces({.positions = {}, .triangles = a.triangles, .wide = wide_a},
                     {.positions = {}, .triangles = b.triangles, .wide = wide_b}, fa, fb);
  EXPECT_LT(length(sum(fa) - sum(near.a)), 1e-3 * length(sum(near.a)));
}

TEST(VolumeContact, SurvivesMeshesThatAreNone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Mesh broken = cube({0, 0, 0.9});
  broken.positions[7] = {nan, 0, 0};
  Mesh open = cube({0, 0, 0.9});
  open.triangles.resize(open.triangles.size() / 2);
  const Mesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5f}}, {{0, 1, 2}}, {}};
  const Mesh huge = placed(scenes::sphere(100, 1e30f), {});
  for (const Mesh& mesh : {Mesh{}, triangle, broken, open, huge}) {
    const Forces f(cube(), mesh);
    EXPECT_LT(length(sum(f.a) + sum(f.b)), 1e-9 * (1 + size(f.a)));
    std::vector<Vec3d> forces(mesh.positions.size());
    VolumeContact contact(options(0));
    contact.add_self_forces(mesh, forces);
    Body a(cube()), b(mesh);
    contact.project(a.soft(), b.soft());
    contact.project_self(b.soft());
    for (const Vec3d& p : a.positions) EXPECT_TRUE(std::isfinite(dot(p, p)));
  }
  EXPECT_GT(Forces(cube(), broken).report.health.skipped_triangles, 0u);
  EXPECT_GT(Forces(cube(), open).report.health.open_columns, 0u);
  VolumeContactOptions strict = options();
  strict.strict = true;
  EXPECT_THROW(Forces(cube(), open, strict), Error);
}

void expect_refused(const VolumeContactOptions& o, const char* words) {
  try {
    const VolumeContact contact(o);
    ADD_FAILURE() << words;
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr(words));
  }
}

TEST(VolumeContact, RefusesOptionsOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused({.resolution = 0}, "resolution");
  expect_refused({.cell = -1}, "cell is -1");
  expect_refused({.stiffness = -1}, "stiffness is -1");
  expect_refused({.damping = nan}, "damping is nan");
  expect_refused({.passes = 0}, "passes is 0");
  expect_refused({.iterations = 0}, "iterations is 0");
  expect_refused({.relaxation = 0}, "relaxation is 0");
  expect_refused({.relaxation = 1.5}, "relaxation is 1.5");
  expect_refused({.max_way = 0}, "max_way is 0");
  expect_refused({.friction = -0.5}, "friction is -0.5");
}

TEST(VolumeContact, RefusesArraysOfOtherSizes) {
  const Mesh a = cube();
  std::vector<Vec3d> few(3), right(a.positions.size());
  VolumeContact contact;
  EXPECT_THROW(contact.add_forces(a, a, few, right), Error);
  EXPECT_THROW(contact.add_forces(a, a, right, few), Error);
  EXPECT_THROW(contact.add_forces(a, a, right, right, few), Error);
  EXPECT_THROW(contact.add_self_forces(a, few), Error);
  Body body(a);
  body.ease.resize(3);
  EXPECT_THROW(contact.project_self(body.soft()), Error);
  Body light(a);
  light.ease[0] = -1;
  EXPECT_THROW(contact.project_self(light.soft()), Error);
  Body wrong(a);
  wrong.mesh.triangles[0].a = 1u << 30;
  EXPECT_THROW(contact.project_self(wrong.soft()), Error);
}

}  // namespace
}  // namespace lamella
