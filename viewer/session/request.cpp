#include "session/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lamella/error.hpp"

namespace lamella::session {
namespace {

constexpr double kUnitSlack = 1e-3;  ///< as the command line's

[[noreturn]] void fail(std::string_view name, const std::string& what) {
  throw Error("'" + std::string(name) + "' " + what);
}

double read_number(const Json& value, std::string_view name) {
  if (!value.is_number()) fail(name, "is no number");
  const auto number = value.get<double>();
  if (!std::isfinite(number)) fail(name, "is not finite");
  return number;
}

const Json& list_of(const Request& request, std::string_view name) {
  const Json& list = request.member(name);
  if (!list.is_array()) fail(name, "is no list");
  return list;
}

const Json kNothing = Json::object();

}  // namespace

const Json* Request::find(std::string_view name) const {
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(name);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

const Json& Request::member(std::string_view name) const {
  const Json* const found = find(name);
  if (found == nullptr) fail(name, "is missing in the request");
  return *found;
}

std::string Request::text(std::string_view name) const {
  const Json& value = member(name);
  if (!value.is_string()) fail(name, "is no text");
  return value.get<std::string>();
}

bool Request::flag(std::string_view name, bool otherwise) const {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) fail(name, "is neither true nor false");
  return value->get<bool>();
}

std::uint32_t Request::whole(std::string_view name, std::uint32_t low, std::uint32_t high) const {
  return read_whole(member(name), name, low, high);
}

std::uint32_t Request::whole_or(std::string_view name, std::uint32_t otherwise, std::uint32_t low,
                                std::uint32_t high) const {
  return has(name) ? whole(name, low, high) : otherwise;
}

double Request::number(std::string_view name) const { return read_number(member(name), name); }

Vec3d Request::vector(std::string_view name) const {
  const Json& list = list_of(*this, name);
  if (list.size() != 3) fail(name, "has not three numbers");
  return {read_number(list[0], name), read_number(list[1], name), read_number(list[2], name)};
}

std::vector<std::uint32_t> Request::ids(std::string_view name) const {
  std::vector<std::uint32_t> out;
  for (const Json& value : list_of(*this, name)) out.push_back(read_whole(value, name, 0, ~std::uint32_t{0}));
  return out;
}

std::vector<std::string> Request::texts(std::string_view name) const {
  std::vector<std::string> out;
  for (const Json& value : list_of(*this, name)) {
    if (!value.is_string()) fail(name, "is no list of words");
    out.push_back(value.get<std::string>());
  }
  return out;
}

bool Request::wants(std::string_view word) const {
  if (!has("want")) return false;
  const std::vector<std::string> words = texts("want");
  return std::find(words.begin(), words.end(), word) != words.end();
}

Request Request::inside(std::string_view name) const {
  const Json* const found = find(name);
  if (found == nullptr) return {packet_, kNothing};
  if (!found->is_object()) fail(name, "is no object");
  return {packet_, *found};
}

Transform Pose::used() const {
  if (as_is) return given;
  const auto& [x, y, z, w] = given.rotation;
  const double length = std::hypot(std::hypot(x, y), std::hypot(z, w));
  return {given.translation, {x / length, y / length, z / length, w / length}};
}

Pose read_pose(const Json& value, bool as_is) {
  if (!value.is_array() || value.size() != 7)
    fail("pose", "has not seven numbers: translation (3) and quaternion (x, y, z, w)");
  std::array<double, 7> n{};
  for (std::size_t i = 0; i < n.size(); ++i) n[i] = read_number(value[i], "pose");
  const double length = std::hypot(std::hypot(n[3], n[4]), std::hypot(n[5], n[6]));
  if (!(std::abs(1 - length) < kUnitSlack)) fail("pose", "has a quaternion that is not of length 1: normalise it");
  return {{{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}}, as_is};
}

Json pose_json(const Pose& pose) {
  const auto& [t, r] = pose.given;
  return Json::array({t.x, t.y, t.z, r.x, r.y, r.z, r.w});
}

std::uint32_t read_whole(const Json& value, std::string_view name, std::uint32_t low, std::uint32_t high) {
  const double number = read_number(value, name);
  if (!(number >= low && number <= high) || number != std::floor(number))
    fail(name, "is no whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<std::uint32_t>(number);
}

}  // namespace lamella::session
