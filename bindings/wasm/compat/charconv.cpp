// from_chars and to_chars of floating-point numbers. Most numbers are read by two exact steps (W. D. Clinger, "How to
// read floating point numbers accurately", 1990); the others by strtod, which Emscripten's C library rounds correctly,
// but slowly. Numbers are written with fmt's shortest digits.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace {

/// What a text says: digits x 10^exponent, the digits cut after 19.
struct Decimal {
  bool negative = false;
  bool is_zero = true;
  bool whole = true;  ///< no digit was cut
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
  const char* end = nullptr;  ///< none: not a number
};

constexpr std::int64_t kManyPlaces = 1'000'000;
constexpr int kMaxDigits = 19;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class DecimalReader {
 public:
  DecimalReader(const char* first, const char* last) : p_(first), last_(last) {}

  Decimal read() {
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
      if (kept_ < kMaxDigits) {
        out_.digits = out_.digits * 10 + static_cast<std::uint64_t>(*p_ - '0');
        if (out_.digits != 0) ++kept_;
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
  int kept_ = 0;
  Decimal out_;
};

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::int64_t kMaxPower = 22;

/// Digits and power in doubles: rounded twice, or once where the digits fit into 53 bits.
double scaled(const Decimal& decimal) {
  const auto digits = static_cast<double>(decimal.digits);
  return decimal.exponent < 0 ? digits / kPowers[-decimal.exponent] : digits * kPowers[decimal.exponent];
}

bool is_quick(const Decimal& decimal) {
  return decimal.whole && decimal.exponent >= -kMaxPower && decimal.exponent <= kMaxPower;
}

bool read_quickly(const Decimal& decimal, double& value) {
  if (!is_quick(decimal) || decimal.digits > std::uint64_t{1} << 53) return false;
  value = scaled(decimal);
  return true;
}

/// Through a double that is off by less than two of its last places: both ends of that interval must round to the
/// same float.
bool read_quickly(const Decimal& decimal, float& value) {
  if (!is_quick(decimal)) return false;
  const double near = scaled(decimal);
  const auto low = static_cast<float>(near * (1 - 0x1p-51));
  const auto high = static_cast<float>(near * (1 + 0x1p-51));
  if (low != high || !std::isfinite(low)) return false;
  value = low;
  return true;
}

double read_slowly(const char* text, char** end, double) { return std::strtod(text, end); }
float read_slowly(const char* text, char** end, float) { return std::strtof(text, end); }

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

template <class Float>
std::from_chars_result read(const char* first, const char* last, Float& value) {
  const Decimal decimal = DecimalReader(first, last).read();
  if (decimal.end == nullptr) return read_word(first, last, value);
  Float found = 0;
  if (!decimal.is_zero && !read_quickly(decimal, found)) {
    const std::string text(decimal.negative ? first + 1 : first, decimal.end);
    found = read_slowly(text.c_str(), nullptr, Float{});
    if (found == 0 || !std::isfinite(found)) return {decimal.end, std::errc::result_out_of_range};
  }
  value = decimal.negative ? -found : found;
  return {decimal.end, std::errc{}};
}

/// Digits that stand for d.ddd x 10^exponent, as few as give the number back.
struct Shortest {
  std::string digits;
  int exponent = 0;
};

template <class Float>
Shortest shortest(Float value) {
  const std::string text = fmt::format("{}", value);
  const std::string mantissa = text.substr(0, text.find('e'));
  Shortest out;
  if (mantissa.size() != text.size()) out.exponent = std::atoi(text.c_str() + mantissa.size() + 1);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size() - 1);
  out.exponent += static_cast<int>(point) - static_cast<int>(first) - (first < point ? 1 : 0);
  for (const char c : mantissa.substr(first))
    if (c != '.') out.digits += c;
  out.digits.erase(std::max<std::size_t>(1, out.digits.find_last_not_of('0') + 1));
  return out;
}

std::string scientific(const Shortest& number) {
  const std::string behind = number.digits.substr(1);
  return fmt::format("{}{}{}e{}{:02}", number.digits[0], behind.empty() ? "" : ".", behind,
                     number.exponent < 0 ? '-' : '+', std::abs(number.exponent));
}

std::string fixed(const Shortest& number, double value) {
  const auto count = static_cast<int>(number.digits.size());
  if (number.exponent + 1 >= count) return fmt::format("{:.0f}", value);  // all digits of a whole number
  if (number.exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  std::string out = number.digits;
  return out.insert(static_cast<std::size_t>(number.exponent) + 1, ".");
}

/// The shorter of 1234.5 and 1.2345e+03; the first where they are as long.
template <class Float>
std::to_chars_result write(char* first, char* last, Float value) {
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && value != 0) {
    const Shortest number = shortest(std::abs(value));
    const std::string wide = scientific(number), plain = fixed(number, double{std::abs(value)});
    text = (std::signbit(value) ? "-" : "") + (plain.size() <= wide.size() ? plain : wide);
  }
  if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc{}};
}

}  // namespace

namespace std {
from_chars_result from_chars(const char* first, const char* last, float& value) { return read(first, last, value); }
from_chars_result from_chars(const char* first, const char* last, double& value) { return read(first, last, value); }
to_chars_result to_chars(char* first, char* last, float value) { return write(first, last, value); }
to_chars_result to_chars(char* first, char* last, double value) { return write(first, last, value); }
}  // namespace std
