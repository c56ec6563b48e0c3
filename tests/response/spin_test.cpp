#include "response/spin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "response/algebra.hpp"
#include "scenes/random.hpp"

namespace lamella::response {
namespace {

const Matrix3 kInertia{Vec3d{1, 0.1, 0}, {0.1, 2, -0.2}, {0, -0.2, 3}};

Vec3d momentum(const Spin& s) {
  return rotate(s.rotation, kInertia * rotate(conjugate(s.rotation), s.angular_velocity));
}
double energy(const Spin& s) { return dot(s.angular_velocity, momentum(s)) / 2; }

TEST(Spin, KeepsMomentumAndEnergyToRounding) {
  scenes::Random random(1);
  for (int n = 0; n < 50; ++n) {
    Spin spin{normalized({random.uniform(), random.uniform(), random.uniform(), 1}),
              random.direction() * random.uniform(0.01, 100)};
    const Vec3d before = momentum(spin);
    const double energy_before = energy(spin);
    for (int i = 0; i < 200; ++i) spin = advance(spin, kInertia, 1.0 / 60);
    EXPECT_LT(length(momentum(spin) - before), 1e-12 * length(before));
    EXPECT_NEAR(energy(spin), energy_before, 1e-12 * energy_before);
  }
}

TEST(Spin, ConvergesWithTheSquareOfTheStep) {
  const Spin start{{}, {0.1, 3, 0.2}};  // near the unstable middle axis: it tumbles
  const auto after = [&](int steps) {
    Spin s = start;
    for (int i = 0; i < steps; ++i) s = advance(s, kInertia, 2.0 / steps);
    return s.angular_velocity;
  };
  const Vec3d exact = after(4096);
  const double coarse = length(after(64) - exact), fine = length(after(128) - exact);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

TEST(Spin, ByHandTurnsByTheAngle) {
  Spin s{{}, {0, 0, 0.5}};
  for (int i = 0; i < 60; ++i) s = advance(s, 1.0 / 60);
  const Vec3d turned = rotate(s.rotation, {1, 0, 0});
  EXPECT_NEAR(turned.x, std::cos(0.5), 1e-9);
  EXPECT_NEAR(turned.y, std::sin(0.5), 1e-9);
}

/// The angle of a turn about z, without full turns.
double angle_of(const Quaternion& q) { return 2 * std::atan2(q.z, q.w); }
double without_full_turns(double angle) { return std::remainder(angle, 2 * scenes::kPi); }

TEST(Spin, OfABallIsCutIntoPartsOfHalfARadianAndEndsAfterSixtyFour) {
  // A ball keeps its angular velocity w: each of `parts` turns it by 2 atan(w h / 2).
  for (const double turn : {0.1, 0.49, 0.51, 1.2, 20.0, 31.9, 33.0, 100.0}) {
    const double whole = std::min(turn, 32.0), parts = std::ceil(whole / 0.5);
    const Spin s = advance({{}, {0, 0, turn / 0.25}}, diagonal(3), 0.25);
    const double wanted = parts * 2 * std::atan(whole / parts / 2);
    EXPECT_NEAR(without_full_turns(angle_of(s.rotation) - wanted), 0, 1e-12) << turn;
    EXPECT_NEAR(s.angular_velocity.z, turn / 0.25, 1e-12 * turn / 0.25);
  }
}

TEST(Spin, ByHandTurnsTheWholeAngleToTheFifthOrder) {
  for (const double turn : {0.01, 0.1, 0.3, 0.6}) {
    const Spin s = advance({{}, {0, 0, turn / 0.25}}, 0.25);
    EXPECT_NEAR(angle_of(s.rotation), 2 * std::atan((turn + turn * turn * turn / 12) / 2), 1e-14);
    EXPECT_NEAR(angle_of(s.rotation), turn, std::pow(turn, 5) / 80 + 1e-15);
    EXPECT_EQ(s.angular_velocity, (Vec3d{0, 0, turn / 0.25}));
  }
  // About the world's axes: the turn comes after the orientation.
  const Quaternion start = rotation_about({1, 0, 0}, 0.7);
  const Spin s = advance({start, {0, 0, 0.02}}, 0.5);
  const Vec3d moved = rotate(s.rotation, {0, 1, 0}),
              wanted = rotate(rotation_about({0, 0, 1}, 0.01) * start, {0, 1, 0});
  EXPECT_LT(length(moved - wanted), 1e-9);
}

TEST(Spin, StaysFiniteHoweverFast) {
  const Spin s = advance({{}, {1e9, 2e9, -1e9}}, kInertia, 1);
  EXPECT_TRUE(std::isfinite(s.rotation.w));
  EXPECT_LE(energy(s), energy({{}, {1e9, 2e9, -1e9}}) * (1 + 1e-14));
}

TEST(Spin, AVelocityThatIsNotFiniteTurnsNothing) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const Quaternion q = normalized({0.1, 0.2, 0.3, 1});
  for (const Vec3d w : {Vec3d{kNan, 0, 0}, Vec3d{0, kInf, 1}, Vec3d{1e300, 1e300, 0}}) {
    const Spin spin = advance({q, w}, kInertia, 0.01);
    EXPECT_EQ(spin.rotation.x, q.x);
    EXPECT_EQ(spin.rotation.w, q.w);
  }
}

}  // namespace
}  // namespace lamella::response
