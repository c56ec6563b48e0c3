#include "convert.hpp"

namespace lamella::wasm {

void fail_option(const char* name, const char* expected) {
  throw Error(std::string(name) + ": " + expected + " was expected");
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
