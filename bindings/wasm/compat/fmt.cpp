// The small fmt of fmt/format.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "decimal.hpp"

namespace fmt::detail {
namespace {

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

std::string whole(std::uint64_t x, bool negative, unsigned base) {
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
  Formatter(std::string_view text, const Argument* arguments, std::size_t count)
      : p_(text.data()), end_(text.data() + text.size()), arguments_(arguments), count_(count) {}

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
  const Argument& argument() {
    const std::size_t i = is_digit(peek()) ? static_cast<std::size_t>(number()) : next_++;
    if (i >= count_) fail();
    return arguments_[i];
  }
  int size() {
    if (peek() != '{') return number();
    take('{');
    const Argument& x = argument();
    take('}');
    return static_cast<int>(x.number);
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
    const Argument& x = argument();
    Spec how;
    if (peek() == ':') {
      ++p_;
      how = spec();
    }
    take('}');
    pad(written(x, how), how, x.kind != Argument::Kind::text && x.kind != Argument::Kind::letter);
  }

  static std::string real(double x, bool single, const Spec& how) {
    if (how.type == 0 && how.precision < 0) return shortest(x, single);
    const char type = how.type != 0 ? how.type : 'g';
    if (type != 'g' && type != 'f' && type != 'e') fail();
    return lamella_compat::print(x, type, how.precision < 0 ? 6 : std::min(how.precision, kMaxPrecision));
  }

  static std::string written(const Argument& x, const Spec& how) {
    using Kind = Argument::Kind;
    const unsigned base = how.type == 'x' ? 16 : 10;
    switch (x.kind) {
      case Kind::signed_whole: {
        const auto bits = static_cast<std::uint64_t>(x.number);
        return whole(x.number < 0 ? 0 - bits : bits, x.number < 0, base);
      }
      case Kind::unsigned_whole:
        return whole(x.count, false, base);
      case Kind::single:
        return real(x.value, true, how);
      case Kind::real:
        return real(x.value, false, how);
      case Kind::letter:
        return std::string(1, static_cast<char>(x.number));
      case Kind::boolean:
        return x.count != 0 ? "true" : "false";
      case Kind::text:
        break;
    }
    return {x.text.data, x.text.size};
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
  const Argument* arguments_;
  std::size_t count_;
  std::size_t next_ = 0;
  std::string out_;
};

}  // namespace

std::string write(std::string_view text, const Argument* arguments, std::size_t count) {
  return Formatter(text, arguments, count).run();
}

}  // namespace fmt::detail
