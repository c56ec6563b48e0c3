// Sums of two doubles, exact but for 2^-100 or so (T. J. Dekker, "A floating-point technique for extending the
// available precision", 1971), and Taylor series on small intervals: the first terms in such sums, the others in
// doubles. No fused multiply-add, so that every processor computes the same.

#include "lamella/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lamella::elementary {
namespace {

/// high + low, |low| at most half of high's last place.
struct Sum {
  double high = 0, low = 0;
};

Sum ordered(double a, double b) {  // |a| >= |b|
  const double s = a + b;
  return {s, b - (s - a)};
}
Sum add(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
Sum product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double ca = kSplit * a, cb = kSplit * b;
  const double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
  const double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
Sum operator+(Sum a, Sum b) {
  const Sum s = add(a.high, b.high), t = add(a.low, b.low);
  const Sum u = ordered(s.high, s.low + t.high);
  return ordered(u.high, u.low + t.low);
}
Sum operator+(Sum a, double b) {
  const Sum s = add(a.high, b);
  return ordered(s.high, s.low + a.low);
}
Sum operator-(Sum a) { return {-a.high, -a.low}; }
Sum operator*(Sum a, Sum b) {
  const Sum p = product(a.high, b.high);
  return ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}
Sum operator*(Sum a, double b) {
  const Sum p = product(a.high, b);
  return ordered(p.high, p.low + a.low * b);
}
Sum operator/(Sum a, Sum b) {
  const double q = a.high / b.high;
  const Sum rest = a + -(b * q);
  return ordered(q, rest.high / b.high);
}
double rounded(Sum a) { return a.high + a.low; }

constexpr Sum kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
constexpr Sum kSixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};
constexpr Sum k24th{0x1.5555555555555p-5, 0x1.5555555555555p-59};
constexpr Sum k120th{0x1.1111111111111p-7, 0x1.1111111111111p-63};
constexpr Sum kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// ------------------------------------------------------------------------------------------------------- sine, cosine

/// An angle as a whole number of quarter turns and the rest, at most pi / 4.
struct Angle {
  Sum rest;
  std::int64_t quarters = 0;
};

Angle reduced(double x) {
  // pi / 2 in parts of 33 bits, whose products with numbers below 2^20 are exact.
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34, kPart3 = 0x1.3198a2e037073p-69;
  const double quarters = std::nearbyint(x * 0x1.45f306dc9c883p-1);
  const Sum rest = add(x - quarters * kPart1, -quarters * kPart2) + -quarters * kPart3;
  return {rest, static_cast<std::int64_t>(quarters)};
}

Sum sine_of(Sum r) {
  const Sum square = r * r;
  const double s = square.high;
  const double rest =
      s * s * s *
      (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800 + s * (1.0 / 6227020800 + s * (-1.0 / 1307674368000 +
                                                                                             s / 355687428096000)))));
  const Sum factor = square * (-kSixth + square * k120th) + rest;
  return r + r * factor;
}

Sum cosine_of(Sum r) {
  const Sum square = r * r;
  const double s = square.high;
  const double rest =
      s * s * s *
      (-1.0 / 720 + s * (1.0 / 40320 +
                         s * (-1.0 / 3628800 + s * (1.0 / 479001600 + s * (-1.0 / 87178291200 + s / 20922789888000)))));
  return (square * (k24th * square + -0.5) + rest) + 1.0;
}

/// Sine of an angle `turned` quarters further.
Sum sine(const Angle& angle, int turned) {
  const std::int64_t quarter = angle.quarters + turned;
  const Sum value = quarter % 2 == 0 ? sine_of(angle.rest) : cosine_of(angle.rest);
  return quarter % 4 == 2 || quarter % 4 == 3 || quarter % 4 == -1 || quarter % 4 == -2 ? -value : value;
}

constexpr double kMaxAngle = 0x1p20;

/// Angles too large to reduce exactly.
double bounded(double x) { return std::abs(x) <= kMaxAngle ? x : std::fmod(x, kPi.high * 2); }

// ----------------------------------------------------------------------------------------- exponential and logarithm

constexpr double kLn2Part1 = 0x1.62e42fefp-1, kLn2Part2 = 0x1.473de6af278edp-34;  // 33 bits and the rest

/// e^x = value 2^power.
struct Power {
  Sum value;
  int power = 0;
};

/// |x| below 2000.
Power exponential(Sum x) {
  const double halvings = std::nearbyint(x.high * 0x1.71547652b82fep+0);
  const Sum r = add(x.high - halvings * kLn2Part1, -halvings * kLn2Part2) + x.low;
  const Sum q = r * 0.25;  // at most 0.087
  const double s = q.high;
  const double rest =
      s * s * s * s * s *
      (1.0 / 120 + s * (1.0 / 720 + s * (1.0 / 5040 +
                                         s * (1.0 / 40320 + s * (1.0 / 362880 + s * (1.0 / 3628800 + s / 39916800))))));
  // e^q - 1, twice squared: (1 + m)^2 - 1 = m (2 + m).
  Sum m = q * ((q * (kSixth + q * k24th) + 0.5) * q + 1.0) + rest;
  for (int i = 0; i < 2; ++i) m = m * (m + 2.0);
  return {m + 1.0, static_cast<int>(halvings)};
}

double value_of(const Power& p) { return std::ldexp(rounded(p.value), p.power); }

/// x above 0, finite.
Sum logarithm(double x) {
  int power = 0;
  double m = std::frexp(x, &power);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --power;
  }
  // A first value by the series of the inverse hyperbolic tangent, then a step of Newton's method.
  const double t = (m - 1) / (m + 1), s = t * t;
  const double first =
      2 * t *
      (1 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13 + s / 15)))))));
  const Power back = exponential({-first, 0});
  const Sum error = back.value * std::ldexp(m, back.power) + -1.0;
  const Sum of_m = Sum{first, 0} + (error + error * error * -0.5);
  const Sum of_power = product(power, kLn2Part1) + product(power, kLn2Part2);
  return of_power + of_m;
}

}  // namespace

double sin(double x) { return x == 0 ? x : std::isfinite(x) ? rounded(sine(reduced(bounded(x)), 0)) : x - x; }

double cos(double x) { return std::isfinite(x) ? rounded(sine(reduced(bounded(x)), 1)) : x - x; }

double tan(double x) {
  if (!std::isfinite(x)) return x - x;
  const Angle angle = reduced(bounded(x));
  return rounded(sine(angle, 0) / sine(angle, 1));
}

double exp(double x) {
  if (!(std::abs(x) < 800)) return x > 0 ? std::numeric_limits<double>::infinity() : x < 0 ? 0 : x;
  return value_of(exponential({x, 0}));
}

double log(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::isinf(x) ? x : rounded(logarithm(x));
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 2) return x * x;
  const bool negative = x < 0 && std::fmod(y, 2) != 0;
  if (x < 0 && y != std::floor(y)) return std::numeric_limits<double>::quiet_NaN();
  x = std::abs(x);
  if (x == 0 || !std::isfinite(x) || !std::isfinite(y)) {
    if (std::isnan(x) || std::isnan(y)) return x + y;
    const bool large = (x > 1) == (y > 0);
    const double limit = large ? std::numeric_limits<double>::infinity() : 0;
    return negative ? -limit : limit;
  }
  const Sum exponent = logarithm(x) * y;
  if (!(std::abs(exponent.high) < 800)) return exp(exponent.high) * (negative ? -1 : 1);
  const double value = value_of(exponential(exponent));
  return negative ? -value : value;
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double value = value_of(exponential(logarithm(std::abs(x)) * kThird));
  return x < 0 ? -value : value;
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (y == 0 && x == 0) return 0;
  const double most = std::max(std::abs(x), std::abs(y));
  if (std::isinf(most))
    return atan2(std::isinf(y) ? std::copysign(1.0, y) : 0.0, std::isinf(x) ? std::copysign(1.0, x) : 0.0);
  // Scaled so that no product below over- or underflows.
  int power = 0;
  (void)std::frexp(most, &power);
  const double u = std::ldexp(x, -power), v = std::ldexp(y, -power), a = std::abs(u), b = std::abs(v);
  // A first angle in the first octant: halved twice, then a series. Then a step of Newton's method.
  double t = std::min(a, b) / std::max(a, b);
  for (int i = 0; i < 2; ++i) t /= 1 + std::sqrt(1 + t * t);
  const double s = t * t;
  double first =
      4 * t *
      (1 + s * (-1.0 / 3 + s * (1.0 / 5 + s * (-1.0 / 7 + s * (1.0 / 9 + s * (-1.0 / 11 + s * (1.0 / 13 - s / 15)))))));
  if (b > a) first = kPi.high / 2 - first;
  const Angle angle = reduced(first);
  const Sum sine_first = sine(angle, 0), cosine_first = sine(angle, 1);
  const Sum away = cosine_first * b + -(sine_first * a), along = cosine_first * a + sine_first * b;
  Sum result = Sum{first, 0} + away / along;
  if (u < 0) result = kPi + -result;
  const double value = rounded(result);
  return v < 0 || (v == 0 && std::signbit(v)) ? -value : value;
}

}  // namespace lamella::elementary
