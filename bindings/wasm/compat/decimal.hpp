#pragma once

// Floating-point numbers as decimal digits and back, exactly, by large whole numbers: in place of the C library's
// strtod and printf, which are five times as large, being made for long double as well.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lamella_compat {

/// 0.DIGITS x 10^point. The first digit is not 0; no digits: zero.
struct Decimal {
  std::string digits;
  int point = 0;
};

/// All digits of a finite number, without its sign.
[[nodiscard]] Decimal exact_digits(double x);
/// The first `count` digits, or fewer: rounded to the nearest, ties to even.
[[nodiscard]] Decimal rounded(Decimal x, int count);
/// As few digits as are read as the same number; of those the nearest.
[[nodiscard]] Decimal shortest_digits(double x);
[[nodiscard]] Decimal shortest_digits(float x);

/// More digits than these decide nothing but whether the number is a little larger, which a last digit of 1 says as
/// well.
constexpr std::size_t kDecidingDigits = 800;

/// The number nearest to DIGITS x 10^exponent, ties to even; infinity when it is too large. At most kDecidingDigits
/// digits, the first not 0. Allocates nothing: nlohmann's JSON reads numbers in a function that is noexcept.
[[nodiscard]] double nearest_double(std::string_view digits, std::int64_t exponent);
[[nodiscard]] float nearest_float(std::string_view digits, std::int64_t exponent);

/// As printf("%.*T") for T of e, f and g.
[[nodiscard]] std::string print(double x, char type, int precision);
/// The digits as 123.4500 or 1.234500e+02, `places` of them behind the point. None are rounded away: where there are
/// more, they are cut.
[[nodiscard]] std::string fixed(const Decimal& x, int places);
[[nodiscard]] std::string scientific(Decimal x, int places);

}  // namespace lamella_compat
