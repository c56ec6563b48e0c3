#include "convert.hpp"

#include <cmath>

namespace lamella::wasm {

void fail_option(const char* name, const char* expected) {
  throw Error(std::string(name) + ": " + expected + " was expected");
}

bool read_boolean(const char* name, const Value& v) {
  const bool* x = v.get<bool>();
  if (x == nullptr) fail_option(name, "true or false");
  return *x;
}
double read_number(const char* name, const Value& v) {
  const double* x = v.get<double>();
  if (x == nullptr) fail_option(name, "a number");
  return *x;
}
double read_whole(const char* name, const Value& v, double least, double most) {
  const double x = read_number(name, v);
  const bool fits = x == std::floor(x) && x <= most && x >= least;
  if (!fits) fail_option(name, least < 0 ? "a whole number" : "a whole number that is not negative");
  return x;
}
std::string_view read_text(const char* name, const Value& v) {
  const auto* x = v.get<std::string_view>();
  if (x == nullptr) fail_option(name, "a text");
  return *x;
}
std::size_t read_name(const char* name, const Value& v, std::span<const char* const> names) {
  const auto* text = v.get<std::string_view>();
  std::string expected = "one of";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text != nullptr && *text == names[i]) return i;
    expected += std::string(i == 0 ? " " : ", ") + names[i];
  }
  fail_option(name, expected.c_str());
}
const Value::List& read_list(const char* name, const Value& v, std::size_t size, const char* expected) {
  const auto* list = v.get<Value::List>();
  if (list == nullptr || list->size() != size) fail_option(name, expected);
  return *list;
}

void check_known(const Value& options, std::span<const char* const> known) {
  const auto* record = options.get<Value::Record>();
  if (record == nullptr) {
    if (!options.is_null()) throw Error("options: an object was expected");
    return;
  }
  for (const auto& [name, value] : *record) {
    bool found = false;
    for (const char* k : known) found = found || name == k;
    if (found) continue;
    std::string names;
    for (const char* k : known) names += (names.empty() ? "" : ", ") + std::string(k);
    throw Error("there is no option '" + std::string(name) + "'; those that there are: " + names);
  }
}

Transform pose_of(const Value& pose, const char* name) {
  if (pose.is_null()) return {};
  const auto* list = pose.get<Value::List>();
  if (list == nullptr || (list->size() != 3 && list->size() != 7)) {
    fail_option(name, "[x, y, z] or [x, y, z, qx, qy, qz, qw]");
  }
  double x[7] = {0, 0, 0, 0, 0, 0, 1};
  for (std::size_t i = 0; i < list->size(); ++i) read(name, (*list)[i], x[i]);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
}

}  // namespace lamella::wasm
