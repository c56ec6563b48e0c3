// What the project uses of fmt, made small: fmt itself is 50 kB of code and 10 kB of tables. Texts are those of fmt,
// but they are not checked when they are compiled (the native build does that), and numbers are written by
// decimal.hpp.
//
// Specifications: an alignment (<, >, ^) with or without a fill, 0, a width, a precision, and one of the types d, x, s,
// f, g and e; width and precision may be {}.
#pragma once

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

/// Of an argument. Four bits each, the first one lowest, say what a call's are: the call has but to store where they
/// are.
enum class Kind : std::uint8_t {
  end,  ///< after the last one
  signed_8,
  signed_16,
  signed_32,
  signed_64,
  unsigned_8,
  unsigned_16,
  unsigned_32,
  unsigned_64,
  boolean,
  letter,
  single,
  real,
  letters,  ///< where they are, and then a zero
  string,
  view,
};

template <class T>
constexpr Kind whole_kind() {
  constexpr int kSize = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<Kind>(static_cast<int>(std::is_signed_v<T> ? Kind::signed_8 : Kind::unsigned_8) + kSize);
}

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Kind::boolean;
  } else if constexpr (std::is_same_v<T, char>) {
    return Kind::letter;
  } else if constexpr (std::is_same_v<T, float>) {
    return Kind::single;
  } else if constexpr (std::is_same_v<T, double>) {
    return Kind::real;
  } else if constexpr (std::is_integral_v<T>) {
    return whole_kind<T>();
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Joined>) {
    return Kind::string;
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return Kind::view;
  } else {
    static_assert(std::is_convertible_v<T, const char*>);
    return Kind::letters;
  }
}

template <class... Arguments>
constexpr std::uint64_t kinds_of() {
  static_assert(sizeof...(Arguments) < 16);
  std::uint64_t kinds = 0;
  int shift = 0;
  ((kinds |= static_cast<std::uint64_t>(kind_of<Arguments>()) << shift, shift += 4), ...);
  return kinds;
}

template <class T>
const void* place_of(const T& x) {
  if constexpr (std::is_same_v<T, Joined>)
    return &x.text;
  else if constexpr (kind_of<T>() == Kind::letters)
    return static_cast<const char*>(x);
  else
    return &x;
}

/// Throws std::logic_error for a text that is not as above.
[[nodiscard]] std::string write(std::string_view text, std::uint64_t kinds, const void* const* places);

}  // namespace detail

template <class... Arguments>
[[nodiscard]] std::string format(std::string_view text, const Arguments&... arguments) {
  const void* const places[] = {detail::place_of(arguments)..., nullptr};
  return detail::write(text, detail::kinds_of<Arguments...>(), places);
}
/// Of such a text a call has but to say where it is.
template <class... Arguments>
[[nodiscard]] std::string format(const char* text, const Arguments&... arguments) {
  return format(std::string_view(text), arguments...);
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
