#include "io/text_cursor.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// The number behind "e"; as large as the type allows where it does not fit.
std::int64_t exponent_of(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  return digits.starts_with('-') ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// Whether a number that does not fit a double is too small rather than too large. Its digits may outweigh its
/// exponent: only where the first one that is not 0 stands says how large it is.
bool underflows(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t digit = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto places = static_cast<std::int64_t>(digit) - static_cast<std::int64_t>(point);  // above 0: behind the point
  return (e == std::string_view::npos ? 0 : exponent_of(number.substr(e + 1))) < places;
}

}  // namespace

double nearest_double(std::string_view number) {
  double value = 0;
  const char* end = number.data() + number.size();
  if (std::from_chars(number.data(), end, value).ec == std::errc{}) return value;
  if (underflows(number)) return 0;
  return number.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

void check_encoding(std::string_view bytes, std::string_view name) {
  // No text that we read has a zero byte, and in UTF-16 every other byte of ASCII is one.
  const bool marked = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
  const bool wide = bytes.size() >= 4 && ((bytes[0] == '\0') != (bytes[1] == '\0')) &&
                    ((bytes[2] == '\0') != (bytes[3] == '\0')) && ((bytes[0] == '\0') == (bytes[2] == '\0'));
  if (marked || wide) fail(name, "expected UTF-8 or ASCII text, found UTF-16 or UTF-32; save the file as UTF-8");
}

std::size_t TextCursor::continuation_bytes(const char* p) const {
  if (!syntax_.continuation || p == end_ || *p != '\\') return 0;
  if (end_ - p >= 2 && p[1] == '\n') return 2;
  if (end_ - p >= 3 && p[1] == '\r' && p[2] == '\n') return 3;
  return 0;
}

void TextCursor::skip_continuations() {
  while (const std::size_t length = continuation_bytes(p_)) {
    p_ += length;
    ++line_;
    while (p_ != end_ && is_blank(*p_)) ++p_;
  }
}

void TextCursor::next_line() {
  const bool comment = p_ != end_ && starts_comment(p_);
  for (;;) {
    const char* feed = static_cast<const char*>(std::memchr(p_, '\n', remaining()));
    if (feed == nullptr) {
      p_ = end_;
      return;
    }
    const char* before = feed - (feed != p_ && feed[-1] == '\r' ? 1 : 0);
    // A comment ends with its line, whatever it ends in: Windows paths in comments are common.
    const bool continued = !comment && before != p_ && continuation_bytes(before - 1) != 0;
    p_ = feed + 1;
    ++line_;
    if (!continued) break;
  }
  source_.progress.at(offset());
}

std::string_view TextCursor::rest_of_line() const {
  const char* stop = p_;
  while (stop != end_ && *stop != '\n' && !starts_comment(stop)) ++stop;
  return {p_, static_cast<std::size_t>(stop - p_)};
}

std::string_view TextCursor::word() {
  if (at_line_end()) return {};
  const char* start = p_;
  while (p_ != end_ && *p_ != '\n' && !is_blank(*p_) && !continues(p_)) ++p_;
  return {start, static_cast<std::size_t>(p_ - start)};
}

void TextCursor::check_number(const char* start, const char* stop, std::errc error) {
  if (error != std::errc::invalid_argument && ends_word(stop)) return;
  const bool comma = !syntax_.commas && stop != start && stop != end_ && *stop == ',';
  fail(comma ? "a coordinate with a point, not a comma, before its decimals" : "a coordinate");
}

double TextCursor::wide_coordinate() {
  skip_blanks();
  const char* start = p_ != end_ && *p_ == '+' ? p_ + 1 : p_;
  double value = 0;
  const auto [stop, error] = std::from_chars(start, end_, value);
  check_number(start, stop, error);
  const bool too_far = error == std::errc::result_out_of_range;
  if (too_far) value = nearest_double({start, static_cast<std::size_t>(stop - start)});
  if (source_.finite && !std::isfinite(narrow(value))) {
    fail(std::isfinite(value) || too_far ? "a coordinate within the range of a 32-bit float" : "a finite coordinate");
  }
  p_ = stop;
  return value;
}

float TextCursor::unusual_coordinate(const char* start, const char* stop, std::errc error, float value) {
  check_number(start, stop, error);
  if (error == std::errc::result_out_of_range) {
    value = narrow(nearest_double({start, static_cast<std::size_t>(stop - start)}));
    if (source_.finite && !std::isfinite(value)) fail("a coordinate within the range of a 32-bit float");
  }
  if (source_.finite && !std::isfinite(value)) fail("a finite coordinate");
  return value;
}

void TextCursor::begin_text() {
  check_encoding(source_.bytes, source_.name);
  if (source_.bytes.starts_with(kByteOrderMark)) p_ += kByteOrderMark.size();
}

std::int64_t TextCursor::integer(std::int64_t low, std::int64_t high, std::string_view expected) {
  skip_blanks();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(p_, end_, value);
  if (error != std::errc{} || !ends_word(stop) || value < low || value > high) fail(expected);
  p_ = stop;
  return value;
}

void TextCursor::fail(std::string_view expected) {
  if (!at_line_end()) fail_found(expected, excerpt(word()));
  fail_found(expected, p_ == end_ ? "the end of the file" : "the end of the line");
}

void TextCursor::fail_found(std::string_view expected, std::string_view found) const {
  fail_at_line(source_.name, line_, fmt::format("expected {}, found {}", expected, found));
}

}  // namespace lamella::io
