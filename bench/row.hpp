#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lamella::bench {

/// A value of a row: nothing, yes or no, a number or a text.
using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// A named value. Every kind of number and text converts to one.
struct Field {
  std::string key;
  Data value;

  Field(std::string name, std::nullptr_t) : key(std::move(name)) {}
  Field(std::string name, std::string text) : key(std::move(name)), value(std::move(text)) {}
  Field(std::string name, const char* text) : key(std::move(name)), value(std::string(text)) {}
  Field(std::string name, std::floating_point auto number) : key(std::move(name)), value(double{number}) {}
  Field(std::string name, std::same_as<bool> auto is) : key(std::move(name)), value(is) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Field(std::string name, Integer n)
      : key(std::move(name)), value(static_cast<std::int64_t>(n)) {}
};

/// What was measured, as named values in their order: one object of the JSON lines, and what the cells of a table's
/// line are made from. The key "ms.total" is the member "total" of an object "ms".
class Row {
 public:
  Row() = default;
  Row(std::initializer_list<Field> fields) : fields_(fields) {}

  /// Replaces the value of that key, or appends it.
  void set(Field field);
  void set(const Row& other);
  /// To a number that starts at 0.
  void add(const std::string& key, double amount);

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] bool has_number(std::string_view key) const;
  /// 0 where there is no such number.
  [[nodiscard]] double number(std::string_view key) const;
  /// Empty where there is no such text.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

 private:
  [[nodiscard]] const Field* find(std::string_view key) const;

  std::vector<Field> fields_;
};

}  // namespace lamella::bench
