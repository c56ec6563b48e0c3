#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/scene/located_json.hpp"

namespace lamella::cli {

/// For readers of JSON files from outside to derive from: what a value must be, or else an Error that says where it
/// stands and what to write.
class LocatedReader {
 protected:
  using Value = LocatedValue;
  using Kind = LocatedValue::Kind;

  static constexpr double kMaxLength = 1e12, kMinSize = 1e-12;

  LocatedReader(const std::filesystem::path& path, const LocatedLimits& limits) : json_(path, limits) {}

  [[noreturn]] void fail(const Value& at, const std::string& message) const { json_.fail(at, message); }

  void expect(const Value& value, Kind kind, const std::string& what) const;
  [[nodiscard]] const Value& required(const Value& object, const char* key, const std::string& what) const;
  /// "comment" may stand anywhere: JSON has none of its own.
  void check_keys(const Value& object, const std::vector<std::string>& known, const std::string& what) const;

  [[nodiscard]] double number(const Value& value, const std::string& what, double low, double high) const;
  [[nodiscard]] double above_zero(const Value& value, const std::string& what) const;
  [[nodiscard]] std::uint32_t whole(const Value& value, const std::string& what, double low, double high) const;
  [[nodiscard]] std::vector<double> numbers(const Value& value, const std::string& what, std::size_t count) const;
  [[nodiscard]] std::string text(const Value& value, const std::string& what) const;
  [[nodiscard]] bool flag(const Value& value, const std::string& what) const;

  LocatedJson json_;
};

}  // namespace lamella::cli
