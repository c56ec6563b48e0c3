// What nlohmann/json.hpp calls in place of the C library. The texts that it reads are numbers by JSON's grammar.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdarg>
#include <cstring>
#include <limits>

#include "numbers.hpp"

namespace {

/// Sets what the C library sets. Returns whether the number is in range.
bool finish(const std::from_chars_result& result, char** end) {
  if (end != nullptr) *end = const_cast<char*>(result.ptr);
  if (result.ec != std::errc::result_out_of_range) return true;
  errno = ERANGE;
  return false;
}

template <class Number>
Number read(const char* text, char** end, Number too_large) {
  Number x = 0;
  return finish(std::from_chars(text, text + std::strlen(text), x), end) ? x : too_large;
}

}  // namespace

namespace std {

double json_strtod(const char* text, char** end) {
  double x = 0;
  finish(lamella_compat::read_or_limit(text, text + strlen(text), x), end);
  return x;
}
unsigned long long json_strtoull(const char* text, char** end, int) { return read(text, end, ~0ull); }
long long json_strtoll(const char* text, char** end, int) {
  using Limits = std::numeric_limits<long long>;
  return read(text, end, *text == '-' ? Limits::min() : Limits::max());
}

int json_snprintf(char* to, size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char* const begin = to;
  const char* const end = to + size - 1;
  const auto put = [&](char c) {
    if (to != end) *to++ = c;
  };
  while (*format != '\0') {
    if (*format != '%') {
      put(*format++);
      continue;
    }
    int digits = 0;
    for (++format; *format != 'x' && *format != 'X'; ++format)
      if (*format >= '0' && *format <= '9') digits = min(*format - '0', 8);
    const unsigned x = va_arg(arguments, unsigned);
    // By itself: where the text is chosen and indexed at once, GCC's -fsanitize=bounds makes another index of it.
    const char* const letters = *format++ == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
    while (digits-- > 0) put(letters[x >> 4 * digits & 15]);
  }
  *to = '\0';
  va_end(arguments);
  return static_cast<int>(to - begin);
}

}  // namespace std
