#include "simulate/shape_matching.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::simulate {
namespace {

constexpr double kStep = 1.0 / 240;

Vec3d random_vector(test::Random& random, float size) {
  return to_double(random.in({{-size, -size, -size}, {size, size, size}}));
}
Quaternion random_turn(test::Random& random) {
  return rotation_about(random_vector(random, 1), static_cast<double>(random.uniform(0.1f, 3)));
}
Matrix3 matrix_of(const Quaternion& q) {
  const Vec3d x = apply({{}, q}, {1, 0, 0}), y = apply({{}, q}, {0, 1, 0}), z = apply({{}, q}, {0, 0, 1});
  return {Vec3d{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}
Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
/// How well a rotation fits: the sum of all products of elements.
double fit(const Quaternion& q, const Matrix3& m) {
  const Matrix3 r = matrix_of(q);
  return dot(r[0], m[0]) + dot(r[1], m[1]) + dot(r[2], m[2]);
}

TEST(RotationOf, FindsTheTurnOfWhatIsTurnedAndStretched) {
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Quaternion turn = random_turn(random);
    const Matrix3 axes = matrix_of(random_turn(random));
    Matrix3 stretched = axes;  // axes * diagonal * transposed axes
    Matrix3 transposed{};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) transposed[r][c] = axes[c][r];
    const Vec3d sizes{1, static_cast<double>(random.uniform(0.3f, 1)), static_cast<double>(random.uniform(1, 2))};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) stretched[r][c] *= sizes[c];
    const Matrix3 m = product(matrix_of(turn), product(stretched, transposed));
    const Quaternion found = rotation_of(m, {}, 500);
    const double same = found.x * turn.x + found.y * turn.y + found.z * turn.z + found.w * turn.w;
    EXPECT_NEAR(std::abs(same), 1, 1e-9) << i;
  }
}

TEST(RotationOf, IsTheBestOneEvenForWhatIsInsideOut) {
  test::Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Matrix3 m{random_vector(random, 1), random_vector(random, 1), random_vector(random, 1)};
    const Quaternion found = rotation_of(m, random_turn(random), 2000);
    for (int k = 0; k < 200; ++k) EXPECT_GE(fit(found, m), fit(random_turn(random), m) - 1e-6);
  }
}

TEST(RotationOf, KeepsTheGuessWhenThereIsNothingToFit) {
  const Quaternion guess = rotation_about({1, 2, 3}, 1);
  EXPECT_EQ(rotation_of(Matrix3{}, guess).w, guess.w);
}

struct Kind {
  const char* name;
  SoftBodyOptions options;
};
class SoftBodies : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SoftBodies,
                         testing::Values(Kind{"rigid", {.deformation = 0, .quadratic = false}},
                                         Kind{"linear", {.deformation = 0.8, .quadratic = false}},
                                         Kind{"quadratic", {.deformation = 0.8}},
                                         Kind{"clusters", {.deformation = 0.6, .clusters = 6}}),
                         [](const auto& p) { return std::string(p.param.name); });

/// Largest change of a distance between two points, in parts of the body's size.
double distortion(const Mesh& rest, const SoftBody& body) {
  double worst = 0;
  for (std::size_t i = 0; i < rest.positions.size(); ++i) {
    const std::size_t k = (i * 37 + 11) % rest.positions.size();
    const double now = length(body.positions()[i] - body.positions()[k]);
    worst = std::max(worst, std::abs(now - static_cast<double>(length(rest.positions[i] - rest.positions[k]))));
  }
  return worst / static_cast<double>(length(extent(bounds(rest))));
}
double distortion_after(const Mesh& rest, SoftBody& body, int steps) {
  for (int i = 0; i < steps; ++i) body.step(kStep, {});
  return distortion(rest, body);
}
Mesh mesh_of(const Mesh& rest, const SoftBody& body) {
  Mesh mesh = rest;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) mesh.positions[i] = to_float(body.positions()[i]);
  return mesh;
}

TEST_P(SoftBodies, ComeBackToTheirRestShape) {
  const Mesh rest = scenes::blob(600);
  SoftBody body(rest, 1, GetParam().options);
  test::Random random(3);
  for (Vec3d& p : body.positions()) p = Vec3d{0.6 * p.x + 0.3 * p.z, 1.3 * p.y, p.z} + random_vector(random, 0.05f);
  EXPECT_GT(distortion(rest, body), 0.05);
  EXPECT_LT(distortion_after(rest, body, 1500), 1e-3);
}

TEST_P(SoftBodies, KeepMomentumAndAngularMomentum) {
  const Mesh rest = scenes::blob(600);
  SoftBody body(rest, 2, GetParam().options);
  test::Random random(4);
  for (Vec3d& v : body.velocities()) v = random_vector(random, 1) + Vec3d{1, 2, -0.5};
  for (std::size_t i = 0; i < body.velocities().size(); ++i)
    body.velocities()[i] = body.velocities()[i] + cross({0, 1, 3}, body.positions()[i]);
  const Vec3d momentum = body.momentum(), angular = body.angular_momentum();
  for (int i = 0; i < 200; ++i) body.step(kStep, {});
  EXPECT_LT(length(body.momentum() - momentum), 1e-10 * length(momentum));
  // The rotation is found by iteration, and the goal is only as free of torque as it is exact.
  EXPECT_LT(length(body.angular_momentum() - angular), 1e-5 * length(angular));
}

TEST_P(SoftBodies, FallLikeAnythingElse) {
  SoftBody body(scenes::torus(400), 3, GetParam().options);
  for (int i = 0; i < 240; ++i) body.step(kStep, {0, 0, -9.81});
  EXPECT_NEAR(body.momentum().z, -3 * 9.81, 1e-9);
  EXPECT_LT(length(body.angular_momentum()), 1e-5);
}

TEST_P(SoftBodies, SurviveBeingTurnedInsideOutFlattenedAndShrunkToAPoint) {
  const Mesh rest = scenes::blob(600);
  for (const Vec3d scale : {Vec3d{-1, 1, 1}, {1, 1, -0.3}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}, {-1, -1, -1}}) {
    SoftBody body(rest, 1, GetParam().options);
    for (Vec3d& p : body.positions()) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
    EXPECT_LT(distortion_after(rest, body, 2500), 2e-3) << scale.x << ' ' << scale.y << ' ' << scale.z;
    EXPECT_GT(inspect(mesh_of(rest, body)).volume, 0.9 * inspect(rest).volume);
  }
}

TEST(SoftBody, EachPointIsInACluster) {
  const Mesh rest = scenes::torus(800);
  const SoftBody body(rest, 1, {.clusters = 8});
  std::vector<int> count(rest.positions.size(), 0);
  for (std::size_t c = 0; c < body.cluster_count(); ++c)
    for (const std::uint32_t i : body.cluster(c)) ++count[i];
  EXPECT_EQ(body.cluster_count(), 8u);
  EXPECT_GE(*std::min_element(count.begin(), count.end()), 1);
  EXPECT_LT(*std::max_element(count.begin(), count.end()), 8);
}

TEST(SoftBody, RefusesWhatHasNoSurface) { EXPECT_THROW(SoftBody(Mesh{}, 1), Error); }

}  // namespace
}  // namespace lamella::simulate
