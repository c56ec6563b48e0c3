#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "io/formats.hpp"

namespace lamella::io {

/// What separates words and lines, beside spaces and line feeds.
struct TextSyntax {
  char comment = '\0';        ///< starts a comment that runs to the line's end; '\0': the format has none
  bool continuation = false;  ///< a backslash at a line's end joins the next line
  bool commas = false;        ///< commas separate like spaces
};

/// What UTF-8 text may begin with.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Of a number that from_chars refuses since it is too large or too small: 0 or infinite, where doubles end too.
[[nodiscard]] double nearest_double(std::string_view number);

/// Throws Error when a text file is UTF-16 or UTF-32, with a byte order mark or without one.
void check_encoding(std::string_view bytes, std::string_view name);

/// Reads numbers and words from a text file, knowing the line it is in. Carriage returns count as spaces, and a byte
/// order mark at the start of the file is skipped.
class TextCursor {
 public:
  TextCursor(const Source& source, TextSyntax syntax, std::size_t offset = 0, std::size_t line = 1)
      : source_(source),
        syntax_(syntax),
        begin_(source.bytes.data()),
        end_(begin_ + source.bytes.size()),
        p_(begin_ + offset),
        line_(line) {
    if (offset == 0) begin_text();
  }

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(p_ - begin_); }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - p_); }

  /// Whether nothing but blanks and a comment follows in this line.
  [[nodiscard]] bool at_line_end() {
    skip_blanks();
    return p_ == end_ || *p_ == '\n' || starts_comment(p_);
  }

  /// To the start of the next line, and reports progress.
  void next_line();

  /// To the next line, this one included, that holds more than blanks and comments. False at the end of the file.
  [[nodiscard]] bool next_content() {
    while (at_line_end()) {
      if (p_ == end_) return false;
      next_line();
    }
    return true;
  }

  /// The next word of this line; empty at its end.
  std::string_view word();

  /// What is left of this line, without its comment. Continued lines are not joined.
  [[nodiscard]] std::string_view rest_of_line() const;

  /// A number. NaN, infinity and what is beyond float's range, which becomes infinity, are an Error where the source
  /// asks for finite coordinates.
  float coordinate() {
    skip_blanks();
    const char* start = p_ != end_ && *p_ == '+' ? p_ + 1 : p_;
    float value = 0;
    const auto [stop, error] = std::from_chars(start, end_, value);
    if (error != std::errc{} || !std::isfinite(value) || !ends_word(stop)) [[unlikely]] {
      value = unusual_coordinate(start, stop, error, value);
    }
    p_ = stop;
    return value;
  }
  Vec3 position() {
    const float x = coordinate();
    const float y = coordinate();
    return {x, y, coordinate()};
  }

  /// The same with all digits that a double has.
  double wide_coordinate();

  /// Three coordinates, as the next vertex of the mesh.
  void append_position(FileMesh& mesh) {
    if (!source_.wide) return source_.memory.append(mesh.positions, position());
    source_.memory.append(mesh.wide, wide_position());
  }
  Vec3d wide_position() {
    const double x = wide_coordinate();
    const double y = wide_coordinate();
    return {x, y, wide_coordinate()};
  }

  /// A whole number from `low` to `high`. `expected` names it in the message.
  std::int64_t integer(std::int64_t low, std::int64_t high, std::string_view expected);

  /// Throws "expected ..., found ..." about the next word, or about a place already passed.
  [[noreturn]] void fail(std::string_view expected);
  [[noreturn]] void fail_found(std::string_view expected, std::string_view found) const;

 private:
  [[nodiscard]] bool is_blank(char c) const {
    if (c > ' ') [[likely]]
      return c == ',' && syntax_.commas;
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }
  [[nodiscard]] bool starts_comment(const char* p) const { return syntax_.comment != '\0' && *p == syntax_.comment; }
  [[nodiscard]] bool ends_word(const char* p) const {
    return p == end_ || *p == '\n' || is_blank(*p) || starts_comment(p) || continues(p);
  }

  [[nodiscard]] bool continues(const char* p) const { return *p == '\\' && continuation_bytes(p) != 0; }
  /// Length of the backslash and line end at `p`; 0 when the line is not continued there.
  [[nodiscard]] std::size_t continuation_bytes(const char* p) const;
  void skip_blanks() {
    while (p_ != end_ && is_blank(*p_)) ++p_;
    if (syntax_.continuation) skip_continuations();
  }
  void skip_continuations();
  /// `value`: what from_chars made of the text from `start` to `stop`.
  float unusual_coordinate(const char* start, const char* stop, std::errc error, float value);
  /// Throws when the text from `start` to `stop` is no number that ends there.
  void check_number(const char* start, const char* stop, std::errc error);
  void begin_text();

  const Source& source_;
  TextSyntax syntax_;
  const char* begin_;
  const char* end_;
  const char* p_;
  std::size_t line_;
};

}  // namespace lamella::io
