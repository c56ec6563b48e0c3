#include "cli/scene/located_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/scene/names.hpp"
#include "cli/usage.hpp"

namespace lamella::cli {

void LocatedReader::expect(const Value& value, Kind kind, const std::string& what) const {
  if (value.kind == kind) return;
  fail(value, fmt::format("{} must be {}, not {}", what, json_.name_of(kind), json_.name_of(value.kind)));
}

const LocatedValue& LocatedReader::required(const Value& object, const char* key, const std::string& what) const {
  if (const Value* value = json_.find(object, key)) return *value;
  fail(object, fmt::format("{} has no \"{}\"; add it", what, key));
}

void LocatedReader::check_keys(const Value& object, const std::vector<std::string>& known,
                               const std::string& what) const {
  for (std::size_t i = 0; i < object.items.size(); i += 2) {
    const auto is = [&](const std::string& word) { return json_.is_text(object.items[i], word); };
    if (std::any_of(known.begin(), known.end(), is) || is("comment")) continue;
    const std::string key = json_.text(object.items[i]);
    fail(object.items[i], fmt::format("{} has no {}{}", what, in_quotes(key), suggestion(key, known, "\"", "\"")));
  }
}

double LocatedReader::number(const Value& value, const std::string& what, double low, double high) const {
  expect(value, Kind::number, what);
  const double result = json_.number(value);
  if (result >= low && result <= high) return result;
  fail(value, fmt::format("{} is {:g}; write a number from {:g} to {:g}", what, result, low, high));
}

double LocatedReader::above_zero(const Value& value, const std::string& what) const {
  return number(value, what, kMinSize, kMaxLength);
}

std::uint32_t LocatedReader::whole(const Value& value, const std::string& what, double low, double high) const {
  expect(value, Kind::number, what);
  const double result = json_.number(value);
  if (result >= low && result <= high && result == std::floor(result)) return static_cast<std::uint32_t>(result);
  fail(value, fmt::format("{} is {:.17g}; write a whole number from {:.0f} to {:.0f}", what, result, low, high));
}

std::vector<double> LocatedReader::numbers(const Value& value, const std::string& what, std::size_t count) const {
  expect(value, Kind::array, what);
  if (value.items.size() != count) {
    fail(value, fmt::format("{} has {} numbers; write {}", what, value.items.size(), count));
  }
  std::vector<double> result;
  for (const Value& item : value.items) result.push_back(number(item, "a number of " + what, -kMaxLength, kMaxLength));
  return result;
}

std::string LocatedReader::text(const Value& value, const std::string& what) const {
  expect(value, Kind::string, what);
  return json_.text(value);
}

bool LocatedReader::flag(const Value& value, const std::string& what) const {
  expect(value, Kind::boolean, what);
  return json_.flag(value);
}

}  // namespace lamella::cli
