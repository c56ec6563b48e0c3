#include "decimal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace lamella_compat {
namespace {

constexpr std::uint32_t kBillion = 1'000'000'000;
constexpr int kBillionZeros = 9;

// Doubles are less than 10^kLimit, and numbers below 10^-kLimit are read as 0. So the others have at most so many
// places behind the point.
constexpr int kLimit = 400;
constexpr int kMostPlaces = static_cast<int>(kDecidingDigits) + kLimit;
/// Bits to shift a number by, so that 64 of them stay when it is divided by 10^places: 10^3 < 2^10.
constexpr int shift_for(int places) { return 66 + places * 10 / 3; }

/// A whole number that is not negative, in words of 32 bits, the lowest first. It has room for kDecidingDigits digits,
/// shifted for kMostPlaces: no number here is larger.
class Whole {
 public:
  explicit Whole(std::uint64_t x = 0) {
    for (; x != 0; x >>= 32) add_word(static_cast<std::uint32_t>(x));
  }

  [[nodiscard]] bool is_zero() const { return size_ == 0; }

  void multiply(std::uint32_t factor, std::uint32_t add = 0) {
    std::uint64_t carry = add;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{words_[i]} * factor;
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) add_word(static_cast<std::uint32_t>(carry));
  }
  void multiply_by_power(std::uint32_t base, int exponent) {
    for (; exponent > 0; --exponent) multiply(base);
  }
  /// Returns the rest.
  std::uint32_t divide(std::uint32_t by) {
    std::uint64_t rest = 0;
    for (std::size_t i = size_; i-- > 0;) {
      rest = rest << 32 | words_[i];
      words_[i] = static_cast<std::uint32_t>(rest / by);
      rest %= by;
    }
    while (size_ != 0 && words_[size_ - 1] == 0) --size_;
    return static_cast<std::uint32_t>(rest);
  }
  void shift_left(int bits) {
    multiply(std::uint32_t{1} << bits % 32);
    if (is_zero()) return;
    const auto zeros = static_cast<std::size_t>(bits / 32);
    assert(size_ + zeros <= kWords);
    std::copy_backward(words_.begin(), words_.begin() + size_, words_.begin() + size_ + zeros);
    std::fill_n(words_.begin(), zeros, 0);
    size_ += zeros;
  }

  [[nodiscard]] int bit_count() const {
    return is_zero() ? 0 : static_cast<int>(size_) * 32 - std::countl_zero(words_[size_ - 1]);
  }
  [[nodiscard]] bool bit(int i) const {
    const auto word = static_cast<std::size_t>(i / 32);
    return i >= 0 && word < size_ && (words_[word] >> i % 32 & 1) != 0;
  }

 private:
  static constexpr std::size_t kWords = (kDecidingDigits * 10 / 3 + shift_for(kMostPlaces)) / 32 + 1;

  void add_word(std::uint32_t word) {
    assert(size_ < kWords);
    words_[size_++] = word;
  }

  std::array<std::uint32_t, kWords> words_;  // the first size_ have values
  std::size_t size_ = 0;
};

/// `all` / 2^drop, to the nearest, where `more` says that the number is a little larger than `all`. Below 0, `drop`
/// adds zeros: bits below the lowest one are zeros.
std::uint64_t shifted_right(const Whole& all, int drop, bool more) {
  std::uint64_t out = 0;
  for (int i = all.bit_count(); i-- > drop;) out = out << 1 | (all.bit(i) ? 1 : 0);
  for (int i = 0; i + 1 < drop && !more; ++i) more = all.bit(i);
  return out + (all.bit(drop - 1) && (more || (out & 1) != 0) ? 1 : 0);
}

template <class Float>
Float nearest(std::string_view digits, std::int64_t exponent) {
  const std::int64_t point = exponent + static_cast<std::int64_t>(digits.size());
  if (point < -kLimit) return 0;
  Whole x;
  for (const char c : digits) x.multiply(10, static_cast<std::uint32_t>(c - '0'));
  if (x.is_zero()) return 0;
  if (point > kLimit) return std::numeric_limits<Float>::infinity();
  int shift = 0;  // the number is x / 2^shift
  bool more = false;
  if (exponent >= 0) {
    x.multiply_by_power(10, static_cast<int>(exponent));
  } else {
    const int places = static_cast<int>(-exponent);
    shift = shift_for(places);
    x.shift_left(shift);
    for (int left = places; left > 0;) {
      const bool many = left >= kBillionZeros;
      more = x.divide(many ? kBillion : 10) != 0 || more;
      left -= many ? kBillionZeros : 1;
    }
  }
  using Limits = std::numeric_limits<Float>;
  const int first_bit = x.bit_count() - shift;  // 0: that of a half
  const int last_bit = std::max(first_bit, Limits::min_exponent) - Limits::digits;
  return static_cast<Float>(std::ldexp(static_cast<double>(shifted_right(x, last_bit + shift, more)), last_bit));
}

double read_back(const Decimal& x, double) {
  return nearest_double(x.digits, x.point - static_cast<std::int64_t>(x.digits.size()));
}
float read_back(const Decimal& x, float) {
  return nearest_float(x.digits, x.point - static_cast<std::int64_t>(x.digits.size()));
}

/// The first `count` digits, of which there are more; or the next number with so many.
Decimal cut(Decimal x, int count, bool up) {
  x.digits.erase(static_cast<std::size_t>(count));
  if (!up) return x;
  while (!x.digits.empty() && x.digits.back() == '9') x.digits.pop_back();
  if (x.digits.empty()) return {"1", x.point + 1};
  ++x.digits.back();
  return x;
}

/// A number that was written with up to digits10 digits has these and zeros, but for those that are too small for all
/// their bits. The number before a power of two is only half as far away as the one after it. Where the nearest digits
/// are below and read as another number, those above may be farther away and still read as the power.
template <class Float>
Decimal shortest(Float x) {
  using Limits = std::numeric_limits<Float>;
  const auto wide = static_cast<double>(x);
  const Decimal exact = exact_digits(wide);
  int exponent = 0;
  const bool is_power = std::frexp(std::abs(wide), &exponent) == 0.5;
  Decimal out;
  for (int count = std::abs(x) < Limits::min() ? 1 : Limits::digits10; count <= Limits::max_digits10; ++count) {
    out = rounded(exact, count);
    if (read_back(out, x) == std::abs(x)) break;
    if (!is_power) continue;
    out = cut(exact, count, true);
    if (read_back(out, x) == std::abs(x)) break;
  }
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  return out;
}

}  // namespace

Decimal exact_digits(double x) {
  Decimal out;
  if (x == 0) return out;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  exponent -= 53;
  Whole all(mantissa);
  if (exponent >= 0)
    all.shift_left(exponent);
  else
    all.multiply_by_power(5, -exponent);  // m / 2^k = m x 5^k / 10^k
  while (!all.is_zero()) {
    std::uint32_t nine = all.divide(kBillion);
    for (int i = 0; i < kBillionZeros; ++i, nine /= 10) out.digits += static_cast<char>('0' + nine % 10);
  }
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  out.point = static_cast<int>(out.digits.size()) + std::min(exponent, 0);
  std::reverse(out.digits.begin(), out.digits.end());
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  return out;
}

Decimal rounded(Decimal x, int count) {
  const auto size = static_cast<int>(x.digits.size());
  if (count >= size) return x;
  if (count < 0) return {};
  const auto at = static_cast<std::size_t>(count);
  const bool tie = x.digits[at] == '5' && at + 1 == x.digits.size();
  const bool odd = count > 0 && (x.digits[at - 1] - '0') % 2 != 0;
  const bool up = tie ? odd : x.digits[at] >= '5';
  return cut(std::move(x), count, up);
}

Decimal shortest_digits(double x) { return shortest(x); }
Decimal shortest_digits(float x) { return shortest(x); }

double nearest_double(std::string_view digits, std::int64_t exponent) { return nearest<double>(digits, exponent); }
float nearest_float(std::string_view digits, std::int64_t exponent) { return nearest<float>(digits, exponent); }

std::string fixed(const Decimal& x, int places) {
  std::string out;
  for (int i = std::min(0, x.point - 1); i < x.point + places; ++i) {
    const bool there = i >= 0 && i < static_cast<int>(x.digits.size());
    if (i == x.point) out += '.';
    out += there ? x.digits[static_cast<std::size_t>(i)] : '0';
  }
  return out;
}

std::string scientific(Decimal x, int places) {
  const int exponent = x.digits.empty() ? 0 : x.point - 1;
  x.point = 1;
  const std::string number = std::to_string(std::abs(exponent));
  return fixed(x, places) + (exponent < 0 ? "e-" : "e+") + (number.size() < 2 ? "0" : "") + number;
}

std::string print(double x, char type, int precision) {
  const std::string sign = std::signbit(x) ? "-" : "";
  if (!std::isfinite(x)) return sign + (std::isnan(x) ? "nan" : "inf");
  const Decimal exact = exact_digits(x);
  if (type == 'f') return sign + fixed(rounded(exact, exact.point + precision), precision);
  const bool general = type == 'g';
  int places = general ? std::max(precision, 1) - 1 : precision;
  const Decimal out = rounded(exact, places + 1);
  const int exponent = out.digits.empty() ? 0 : out.point - 1;
  const bool plain = general && exponent >= -4 && exponent <= places;
  if (general) places = std::max(0, static_cast<int>(out.digits.find_last_not_of('0')));  // -1: none
  return sign + (plain ? fixed(out, std::max(0, places - exponent)) : scientific(out, places));
}

}  // namespace lamella_compat
