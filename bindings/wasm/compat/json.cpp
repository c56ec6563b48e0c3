// What nlohmann/json.hpp calls in place of the C library. The texts that it reads are numbers by JSON's grammar.
#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include <limits>

namespace {

template <class Number>
Number read(const char* text, char** end, Number too_large) {
  Number x = 0;
  const auto [stop, error] = std::from_chars(text, text + std::strlen(text), x);
  if (end != nullptr) *end = const_cast<char*>(stop);
  if (error != std::errc::result_out_of_range) return x;
  errno = ERANGE;
  return too_large;
}

/// Whether a number that from_chars finds out of range is too small.
bool is_tiny(const char* text) {
  const char* const e = std::strpbrk(text, "eE");
  return e != nullptr ? e[1] == '-' : text[*text == '-' ? 1 : 0] == '0';
}

}  // namespace

namespace std {

double json_strtod(const char* text, char** end) {
  const double too_large = is_tiny(text) ? 0 : HUGE_VAL;
  return read(text, end, *text == '-' ? -too_large : too_large);
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
    const char* const letter = strpbrk(format, "xX");
    const unsigned x = va_arg(arguments, unsigned);
    for (int digit = letter[-1] - '0'; digit-- > 0;)
      put((*letter == 'x' ? "0123456789abcdef" : "0123456789ABCDEF")[x >> 4 * digit & 15]);
    format = letter + 1;
  }
  *to = '\0';
  va_end(arguments);
  return static_cast<int>(to - begin);
}

}  // namespace std
