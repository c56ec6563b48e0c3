#include "lamella/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

namespace lamella {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Numbers that follow each other, of either sign and of any size up to `most`.
double number(std::uint32_t i, double most) {
  const double part = static_cast<double>(i * 2654435761u) / 4294967296.0;
  return (i % 2 == 0 ? 1 : -1) * most * part * (i % 5 == 0 ? 1e-6 : 1);
}

/// How many places `a` is off `b`, of `b`'s last ones.
double places_off(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::abs(a - b) / (std::nextafter(std::abs(b), kInfinity) - std::abs(b));
}

TEST(Elementary, IsNearTheCLibrary) {
  for (std::uint32_t i = 1; i < 20000; ++i) {
    const double x = number(i, 40), y = std::abs(number(i + 7, 20)) + 1e-3;
    EXPECT_LE(places_off(elementary::sin(x), std::sin(x)), 1) << x;
    EXPECT_LE(places_off(elementary::cos(x), std::cos(x)), 1) << x;
    EXPECT_LE(places_off(elementary::tan(x), std::tan(x)), 1) << x;
    EXPECT_LE(places_off(elementary::exp(x), std::exp(x)), 1) << x;
    EXPECT_LE(places_off(elementary::log(y), std::log(y)), 1) << y;
    EXPECT_LE(places_off(elementary::pow(y, x), std::pow(y, x)), 1) << y << " " << x;
    EXPECT_LE(places_off(elementary::cbrt(x), std::cbrt(x)), 4) << x;  // which glibc rounds badly
    EXPECT_LE(places_off(elementary::atan2(x, y), std::atan2(x, y)), 1) << x << " " << y;
    EXPECT_LE(places_off(elementary::atan2(x, -y), std::atan2(x, -y)), 1) << x << " " << y;
  }
}

// The bits that every machine must give.
TEST(Elementary, GivesTheseBits) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&](double x) { hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3ull; };
  for (std::uint32_t i = 1; i < 5000; ++i) {
    const double x = number(i, 30), y = std::abs(number(i + 3, 10)) + 1e-4;
    for (const double value : {elementary::sin(x), elementary::cos(x), elementary::tan(x), elementary::exp(x),
                               elementary::log(y), elementary::pow(y, x), elementary::cbrt(x), elementary::atan2(x, y)})
      add(value);
  }
  EXPECT_EQ(hash, 8439782923781319501ull);
}

TEST(Elementary, KnowsZerosInfinitiesAndNoNumbers) {
  EXPECT_EQ(elementary::sin(0), 0);
  EXPECT_EQ(elementary::cos(0), 1);
  EXPECT_EQ(elementary::exp(0), 1);
  EXPECT_EQ(elementary::exp(1000), kInfinity);
  EXPECT_EQ(elementary::exp(-1000), 0);
  EXPECT_EQ(elementary::log(1), 0);
  EXPECT_EQ(elementary::log(0), -kInfinity);
  EXPECT_TRUE(std::isnan(elementary::log(-1)));
  EXPECT_TRUE(std::isnan(elementary::sin(kInfinity)));
  EXPECT_TRUE(std::isnan(elementary::exp(std::nan(""))));
  EXPECT_EQ(elementary::pow(0, 2.5), 0);
  EXPECT_EQ(elementary::pow(0, -1), kInfinity);
  EXPECT_EQ(elementary::pow(-2, 3), -8);
  EXPECT_EQ(elementary::pow(2, 0.5), std::sqrt(2.0));
  EXPECT_TRUE(std::isnan(elementary::pow(-2, 0.5)));
  EXPECT_EQ(elementary::pow(1e300, 2.5), kInfinity);
  EXPECT_EQ(elementary::cbrt(-27), -3);
  EXPECT_EQ(elementary::atan2(0, 0), 0);
  EXPECT_EQ(elementary::atan2(0, 1), 0);
  EXPECT_EQ(elementary::atan2(0, -1), std::acos(-1.0));
  EXPECT_EQ(elementary::atan2(1, 0), std::acos(-1.0) / 2);
  EXPECT_EQ(elementary::atan2(-kInfinity, kInfinity), -std::acos(-1.0) / 4);
}

}  // namespace
}  // namespace lamella
