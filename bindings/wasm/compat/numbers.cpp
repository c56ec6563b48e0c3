// from_chars and to_chars of floating-point numbers. Most numbers are read by two exact steps (W. D. Clinger, "How to
// read floating point numbers accurately", 1990); the others by exact whole numbers (decimal.hpp), more slowly.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "decimal.hpp"
#include "numbers.hpp"

namespace lamella_compat {
namespace {

/// What a text says: digits x 10^exponent, the digits cut after 19.
struct Reading {
  bool negative = false;
  bool is_zero = true;
  bool whole = true;  ///< no digit was cut
  int kept = 0;       ///< digits from the first one that is not 0
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
  const char* end = nullptr;  ///< none: not a number
};

constexpr std::int64_t kManyPlaces = 1'000'000;
constexpr int kMaxDigits = 19;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class NumberReader {
 public:
  NumberReader(const char* first, const char* last) : p_(first), last_(last) {}

  Reading read() {
    if (p_ != last_ && *p_ == '-') {
      out_.negative = true;
      ++p_;
    }
    const char* const start = p_;
    read_digits(false);
    std::ptrdiff_t places = p_ - start;
    if (p_ != last_ && *p_ == '.') {
      ++p_;
      const char* const behind = p_;
      read_digits(true);
      places += p_ - behind;
    }
    if (places == 0) return {};
    out_.end = p_;
    read_exponent();
    return out_;
  }

 private:
  void read_digits(bool behind_point) {
    for (; p_ != last_ && is_digit(*p_); ++p_) {
      if (*p_ != '0') out_.is_zero = false;
      if (out_.kept < kMaxDigits) {
        out_.digits = out_.digits * 10 + static_cast<std::uint64_t>(*p_ - '0');
        if (out_.digits != 0) ++out_.kept;
        if (behind_point) --out_.exponent;
      } else {
        if (*p_ != '0') out_.whole = false;
        if (!behind_point) ++out_.exponent;
      }
    }
  }
  void read_exponent() {
    if (p_ == last_ || (*p_ != 'e' && *p_ != 'E')) return;
    const char* p = p_ + 1;
    const bool negative = p != last_ && *p == '-';
    if (p != last_ && (*p == '-' || *p == '+')) ++p;
    if (p == last_ || !is_digit(*p)) return;
    std::int64_t exponent = 0;
    for (; p != last_ && is_digit(*p); ++p) {
      if (exponent < kManyPlaces * kManyPlaces) exponent = exponent * 10 + (*p - '0');
    }
    out_.exponent += negative ? -exponent : exponent;
    out_.end = p;
  }

  const char* p_;
  const char* last_;
  Reading out_;
};

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::int64_t kMaxPower = 22;

/// Digits and power in doubles: rounded twice, or once where the digits fit into 53 bits.
double scaled(const Reading& decimal) {
  const auto digits = static_cast<double>(decimal.digits);
  return decimal.exponent < 0 ? digits / kPowers[-decimal.exponent] : digits * kPowers[decimal.exponent];
}

bool is_quick(const Reading& decimal) {
  return decimal.whole && decimal.exponent >= -kMaxPower && decimal.exponent <= kMaxPower;
}

bool read_quickly(const Reading& decimal, double& value) {
  if (!is_quick(decimal) || decimal.digits > std::uint64_t{1} << 53) return false;
  value = scaled(decimal);
  return true;
}

/// Through a double that is off by less than two of its last places: both ends of that interval must round to the
/// same float.
bool read_quickly(const Reading& decimal, float& value) {
  if (!is_quick(decimal)) return false;
  const double near = scaled(decimal);
  const auto low = static_cast<float>(near * (1 - 0x1p-51));
  const auto high = static_cast<float>(near * (1 + 0x1p-51));
  if (low != high || !std::isfinite(low)) return false;
  value = low;
  return true;
}

/// The digits of a text from the first that is not 0. The last is 1 where a digit behind it is not 0.
std::string_view significant_digits(const char* p, const char* last, std::array<char, kDecidingDigits>& room) {
  std::size_t count = 0;
  for (; p != last && (is_digit(*p) || *p == '.'); ++p) {
    if (*p == '.' || (count == 0 && *p == '0')) continue;
    if (count < kDecidingDigits)
      room[count++] = *p;
    else if (*p != '0')
      room.back() = '1';
  }
  return {room.data(), count};
}

double nearest(std::string_view digits, std::int64_t exponent, double) { return nearest_double(digits, exponent); }
float nearest(std::string_view digits, std::int64_t exponent, float) { return nearest_float(digits, exponent); }

/// inf, infinity, nan, nan(any letters), in any case.
template <class Float>
std::from_chars_result read_word(const char* first, const char* last, Float& value) {
  const char* const start = first != last && *first == '-' ? first + 1 : first;
  const auto begins = [&](std::string_view word) {
    if (static_cast<std::size_t>(last - start) < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((start[i] | 0x20) != word[i]) return false;
    return true;
  };
  const auto done = [&](Float what, const char* end) {
    value = start == first ? what : -what;
    return std::from_chars_result{end, std::errc{}};
  };
  if (begins("infinity")) return done(HUGE_VALF, start + 8);
  if (begins("inf")) return done(HUGE_VALF, start + 3);
  if (!begins("nan")) return {first, std::errc::invalid_argument};
  const char* end = start + 3;
  if (end != last && *end == '(') {
    const char* p = end + 1;
    while (p != last && (is_digit(*p) || *p == '_' || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z'))) ++p;
    if (p != last && *p == ')') end = p + 1;
  }
  return done(static_cast<Float>(NAN), end);
}

/// Infinity and zero are found, and are errors, where a number is too large or too small.
template <class Float>
std::from_chars_result read_or_limit(const char* first, const char* last, Float& value) {
  const Reading decimal = NumberReader(first, last).read();
  if (decimal.end == nullptr) return read_word(first, last, value);
  Float found = 0;
  auto error = std::errc{};
  if (!decimal.is_zero && !read_quickly(decimal, found)) {
    std::array<char, kDecidingDigits> room;
    const std::string_view digits = significant_digits(decimal.negative ? first + 1 : first, decimal.end, room);
    const auto cut = static_cast<std::int64_t>(digits.size()) - decimal.kept;
    found = nearest(digits, decimal.exponent - cut, Float{});
    if (found == 0 || !std::isfinite(found)) error = std::errc::result_out_of_range;
  }
  value = decimal.negative ? -found : found;
  return {decimal.end, error};
}

template <class Float>
std::from_chars_result read(const char* first, const char* last, Float& value) {
  Float found = 0;
  const auto result = read_or_limit<Float>(first, last, found);
  if (result.ec == std::errc{}) value = found;
  return result;
}

/// The shorter of 1234.5 and 1.2345e+03; the first where they are as long.
template <class Float>
std::string shorter(Float value) {
  const auto wide = static_cast<double>(value);
  if (value == 0 || !std::isfinite(value)) return print(wide, 'f', 0);
  const Decimal number = shortest_digits(value);
  const auto count = static_cast<int>(number.digits.size());
  const std::string sign = value < 0 ? "-" : "";
  const std::string with_exponent = sign + scientific(number, count - 1);
  // of a whole number all digits
  const std::string plain = number.point < count ? sign + fixed(number, count - number.point) : print(wide, 'f', 0);
  return plain.size() <= with_exponent.size() ? plain : with_exponent;
}

template <class Float>
std::to_chars_result write(char* first, char* last, Float value) {
  const std::string text = shorter(value);
  if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc{}};
}

}  // namespace

std::from_chars_result read_number(const char* first, const char* last, float& value) {
  return read(first, last, value);
}
std::from_chars_result read_number(const char* first, const char* last, double& value) {
  return read(first, last, value);
}
std::from_chars_result read_or_limit(const char* first, const char* last, double& value) {
  return read_or_limit<double>(first, last, value);
}
std::to_chars_result write_number(char* first, char* last, float value) { return write(first, last, value); }
std::to_chars_result write_number(char* first, char* last, double value) { return write(first, last, value); }

}  // namespace lamella_compat
