#include "response/spin.hpp"

#include <gtest/gtest.h>

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
