#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lamella::cli {

/// A value of a JSON text that knows where it stands.
struct LocatedValue {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::uint32_t begin = 0, end = 0;  ///< bytes of the text
  std::vector<LocatedValue> items;   ///< of an array; of an object key and value in turn
};

/// What a JSON file may be, and the words of errors about it.
struct LocatedLimits {
  std::uint64_t max_bytes = 0;
  std::string name;    ///< what it is: "scene file"
  std::string remedy;  ///< what to do when it is too large
};

/// A JSON text from an untrusted file, checked as a whole, whose values are read one by one. Every Error is
/// "FILE:LINE:COLUMN: what is wrong; what to write".
///
/// Memory: the text and 40 bytes a value.
class LocatedJson {
 public:
  using Kind = LocatedValue::Kind;

  /// Throws Error when the file cannot be read, is too large, is no JSON, is nested deeper than kMaxDepth or names a
  /// key twice in one object.
  LocatedJson(const std::filesystem::path& path, const LocatedLimits& limits);

  static constexpr unsigned kMaxDepth = 16;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const LocatedValue& root() const { return root_; }

  /// The member of an object, or nullptr.
  [[nodiscard]] const LocatedValue* find(const LocatedValue& object, std::string_view key) const;
  /// Decoded; `value` must be a string.
  [[nodiscard]] std::string text(const LocatedValue& value) const;
  /// Whether the decoded string is `wanted`. Without a copy where the string has no escapes.
  [[nodiscard]] bool is_text(const LocatedValue& value, std::string_view wanted) const;
  /// `value` must be a number. Too large for a double is an Error.
  [[nodiscard]] double number(const LocatedValue& value) const;
  [[nodiscard]] bool flag(const LocatedValue& value) const { return text_[value.begin] == 't'; }

  [[noreturn]] void fail(const LocatedValue& at, const std::string& message) const;
  /// "a number", "a list", ... for messages.
  [[nodiscard]] static std::string_view name_of(Kind kind);

 private:
  [[nodiscard]] std::string_view between_quotes(const LocatedValue& value) const;  ///< of a string, not decoded
  [[nodiscard]] bool is_plain(const LocatedValue& value) const;                    ///< a string without escapes
  [[noreturn]] void fail_at(std::size_t byte, const std::string& message) const;
  void check_depth(const std::string& name) const;
  void check_keys(const LocatedValue& object) const;
  LocatedValue locate(std::size_t& at) const;
  void skip_blanks(std::size_t& at) const;

  std::filesystem::path path_;
  std::string text_;
  LocatedValue root_;
};

}  // namespace lamella::cli
