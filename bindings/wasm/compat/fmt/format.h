// What the project uses of fmt, made small: fmt itself is 50 kB of code and 10 kB of tables. Texts are those of fmt,
// but they are not checked when they are compiled (the native build does that), and numbers are written by
// decimal.hpp.
//
// Specifications: an alignment (<, >, ^) with or without a fill, 0, a width, a precision, and one of the types d, x, s,
// f, g and e; width and precision may be {}.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace fmt {

/// Items of a range with a text between them.
struct Joined {
  std::string text;
};

namespace detail {

struct Argument {
  enum class Kind { signed_whole, unsigned_whole, single, real, text, letter, boolean };
  Kind kind = Kind::text;
  union {
    std::int64_t number;
    std::uint64_t count;
    double value;
    struct {
      const char* data;
      std::size_t size;
    } text = {};
  };

  Argument(bool x) : kind(Kind::boolean), count(x ? 1 : 0) {}
  Argument(char x) : kind(Kind::letter), number(x) {}
  Argument(float x) : kind(Kind::single), value(static_cast<double>(x)) {}
  Argument(double x) : kind(Kind::real), value(x) {}
  Argument(std::string_view x) : text{x.data(), x.size()} {}
  Argument(const std::string& x) : text{x.data(), x.size()} {}
  Argument(const char* x) : Argument(std::string_view(x)) {}
  Argument(const Joined& x) : Argument(x.text) {}
  template <class T>
  requires std::is_integral_v<T> Argument(T x) : kind(std::is_signed_v<T> ? Kind::signed_whole : Kind::unsigned_whole) {
    if constexpr (std::is_signed_v<T>)
      number = x;
    else
      count = x;
  }
};

/// Throws std::logic_error for a text that is not as above.
[[nodiscard]] std::string write(std::string_view text, const Argument* arguments, std::size_t count);

}  // namespace detail

template <class... Arguments>
[[nodiscard]] std::string format(std::string_view text, const Arguments&... arguments) {
  const std::array<detail::Argument, sizeof...(Arguments) + 1> all = {arguments..., 0};
  return detail::write(text, all.data(), sizeof...(Arguments));
}

/// A text that is not known when the program is compiled: here that is no different.
[[nodiscard]] inline std::string_view runtime(std::string_view text) { return text; }

template <class Range>
[[nodiscard]] Joined join(const Range& range, std::string_view between) {
  Joined out;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out.text += between;
    first = false;
    out.text += format("{}", item);
  }
  return out;
}

}  // namespace fmt
