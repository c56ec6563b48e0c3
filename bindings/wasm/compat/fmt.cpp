// The small fmt of fmt/format.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "decimal.hpp"

namespace fmt::detail {
namespace {

/// An argument, whatever its kind.
struct Argument {
  enum class Type { whole, single, real, text };
  Type type = Type::whole;
  bool negative = false;
  std::uint64_t count = 0;  ///< without its sign
  double value = 0;
  std::string_view text{};
};

template <class T>
T at(const void* place) {
  T x;
  std::memcpy(&x, place, sizeof x);
  return x;
}

Argument whole(std::int64_t x) {
  const auto bits = static_cast<std::uint64_t>(x);
  return {.negative = x < 0, .count = x < 0 ? 0 - bits : bits};
}
Argument text(std::string_view x) { return {.type = Argument::Type::text, .text = x}; }

Argument argument_at(Kind kind, const void* place) {
  switch (kind) {
    case Kind::end:
      break;
    case Kind::signed_8:
      return whole(at<std::int8_t>(place));
    case Kind::signed_16:
      return whole(at<std::int16_t>(place));
    case Kind::signed_32:
      return whole(at<std::int32_t>(place));
    case Kind::signed_64:
      return whole(at<std::int64_t>(place));
    case Kind::unsigned_8:
      return {.count = at<std::uint8_t>(place)};
    case Kind::unsigned_16:
      return {.count = at<std::uint16_t>(place)};
    case Kind::unsigned_32:
      return {.count = at<std::uint32_t>(place)};
    case Kind::unsigned_64:
      return {.count = at<std::uint64_t>(place)};
    case Kind::boolean:
      return text(at<bool>(place) ? "true" : "false");
    case Kind::letter:
      return text({static_cast<const char*>(place), 1});
    case Kind::single:
      return {.type = Argument::Type::single, .value = static_cast<double>(at<float>(place))};
    case Kind::real:
      return {.type = Argument::Type::real, .value = at<double>(place)};
    case Kind::letters:
      return text(static_cast<const char*>(place));
    case Kind::string:
      return text(*static_cast<const std::string*>(place));
    case Kind::view:
      return text(*static_cast<const std::string_view*>(place));
  }
  return {};
}

struct Spec {
  char fill = ' ';
  char align = 0;  ///< 0: numbers to the right, all else to the left
  int width = 0;
  int precision = -1;  ///< -1: none
  char type = 0;
};

constexpr int kMaxPrecision = 60;

/// As fmt writes numbers without a type: 0.0001 and 1234, 1e-05 and 1.5e+16.
std::string shortest(double x, bool single) {
  if (x == 0 || !std::isfinite(x)) return lamella_compat::print(x, 'f', 0);
  const auto number =
      single ? lamella_compat::shortest_digits(static_cast<float>(x)) : lamella_compat::shortest_digits(x);
  const auto count = static_cast<int>(number.digits.size());
  const bool plain = number.point > -4 && number.point <= 16;
  return (x < 0 ? "-" : "") + (plain ? lamella_compat::fixed(number, std::max(0, count - number.point))
                                     : lamella_compat::scientific(number, count - 1));
}

std::string digits(std::uint64_t x, bool negative, unsigned base) {
  std::string out;
  do {
    out += "0123456789abcdef"[x % base];
    x /= base;
  } while (x != 0);
  if (negative) out += '-';
  std::reverse(out.begin(), out.end());
  return out;
}

class Formatter {
 public:
  Formatter(std::string_view text, std::uint64_t kinds, const void* const* places)
      : p_(text.data()), end_(text.data() + text.size()), kinds_(kinds), places_(places) {}

  std::string run() {
    while (p_ != end_) {
      const char c = *p_++;
      if (c == '{' && peek() != '{') {
        field();
        continue;
      }
      if (c == '{' || c == '}') take(c);  // braces are doubled
      out_ += c;
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] static void fail() { throw std::logic_error("a format is not well formed"); }
  [[nodiscard]] char peek(int ahead = 0) const { return end_ - p_ > ahead ? p_[ahead] : '\0'; }
  void take(char c) {
    if (peek() != c) fail();
    ++p_;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  int number() {
    int out = 0;
    for (; is_digit(peek()) && out < 10000; ++p_) out = 10 * out + (*p_ - '0');
    return out;
  }
  Argument argument() {
    const unsigned i = is_digit(peek()) ? static_cast<unsigned>(number()) : next_++;
    const auto kind = static_cast<Kind>(i < 16 ? kinds_ >> 4 * i & 15 : 0);
    if (kind == Kind::end) fail();
    return argument_at(kind, places_[i]);
  }
  int size() {
    if (peek() != '{') return number();
    take('{');
    const Argument x = argument();
    take('}');
    return static_cast<int>(x.count);
  }
  static bool is_align(char c) { return c == '<' || c == '>' || c == '^'; }

  Spec spec() {
    Spec out;
    if (is_align(peek(1))) out.fill = *p_++;
    if (is_align(peek())) out.align = *p_++;
    if (peek() == '0') {
      out.fill = '0';
      ++p_;
    }
    out.width = size();
    if (peek() == '.') {
      ++p_;
      out.precision = size();
    }
    if (peek() != '}' && peek() != '\0') out.type = *p_++;
    return out;
  }

  void field() {
    const Argument x = argument();
    Spec how;
    if (peek() == ':') {
      ++p_;
      how = spec();
    }
    take('}');
    pad(written(x, how), how, x.type != Argument::Type::text);
  }

  static std::string real(double x, bool single, const Spec& how) {
    if (how.type == 0 && how.precision < 0) return shortest(x, single);
    const char type = how.type != 0 ? how.type : 'g';
    if (type != 'g' && type != 'f' && type != 'e') fail();
    return lamella_compat::print(x, type, how.precision < 0 ? 6 : std::min(how.precision, kMaxPrecision));
  }

  static std::string written(const Argument& x, const Spec& how) {
    switch (x.type) {
      case Argument::Type::whole:
        return digits(x.count, x.negative, how.type == 'x' ? 16 : 10);
      case Argument::Type::single:
        return real(x.value, true, how);
      case Argument::Type::real:
        return real(x.value, false, how);
      case Argument::Type::text:
        break;
    }
    return std::string(x.text);
  }

  void pad(const std::string& text, const Spec& how, bool number) {
    const auto width = static_cast<std::size_t>(how.width);
    const std::size_t more = width > text.size() ? width - text.size() : 0;
    const char align = how.align != 0 ? how.align : number ? '>' : '<';
    const std::size_t before = align == '<' ? 0 : align == '>' ? more : more / 2;
    const bool zeros = how.fill == '0' && how.align == 0 && !text.empty() && text[0] == '-';  // behind the sign
    if (zeros) out_ += '-';
    out_.append(before, how.fill);
    out_ += zeros ? text.substr(1) : text;
    out_.append(more - before, how.fill);
  }

  const char* p_;
  const char* end_;
  std::uint64_t kinds_;
  const void* const* places_;
  unsigned next_ = 0;
  std::string out_;
};

}  // namespace

std::string write(std::string_view text, std::uint64_t kinds, const void* const* places) {
  return Formatter(text, kinds, places).run();
}

}  // namespace fmt::detail
