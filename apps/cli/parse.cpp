#include "cli/parse.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

/// How far from 1 a quaternion's length may be: a few digits typed by hand.
constexpr double kUnitSlack = 1e-3;
constexpr double kLeastScale = 1e-12, kMostScale = 1e12;

/// What an option got, for messages.
struct Given {
  std::string_view option, text;
};

std::vector<double> numbers_in(const Given& given, std::string_view list) {
  std::vector<double> numbers;
  for (const std::string_view part : split(list, ',')) {
    const auto number = number_in<double>(part);
    if (!number || !std::isfinite(*number)) {
      throw Error(
          fmt::format("{}: '{}' in '{}' is no number; type TX,TY,TZ or TX,TY,TZ@AXIS:DEGREES or TX,TY,TZ,QX,QY,QZ,QW "
                      "without blanks",
                      given.option, part, given.text));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Vec3d parse_axis(const Given& given, std::string_view text) {
  constexpr std::string_view kAxes = "xyz";
  if (text.size() == 1 && kAxes.find(text) != std::string_view::npos) {
    Vec3d axis;
    axis[static_cast<int>(kAxes.find(text))] = 1;
    return axis;
  }
  if (text.find(',') == std::string_view::npos) {
    throw Error(fmt::format("{}: '{}' in '{}' is no axis; type x, y, z or a direction such as 1,1,0", given.option,
                            text, given.text));
  }
  const std::vector<double> numbers = numbers_in(given, text);
  if (numbers.size() != 3) {
    throw Error(fmt::format("{}: the axis of '{}' has {} numbers; type three, or x, y or z", given.option, given.text,
                            numbers.size()));
  }
  const double largest = std::max({std::abs(numbers[0]), std::abs(numbers[1]), std::abs(numbers[2])});
  if (largest == 0) {
    throw Error(fmt::format("{}: the axis of '{}' is 0,0,0, which is no direction; type x, y, z or another direction",
                            given.option, given.text));
  }
  return {numbers[0] / largest, numbers[1] / largest, numbers[2] / largest};
}

/// "AXIS:DEGREES".
Quaternion parse_turn(const Given& given, std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto degrees = colon == std::string_view::npos ? std::nullopt : number_in<double>(text.substr(colon + 1));
  if (!degrees || !std::isfinite(*degrees)) {
    throw Error(
        fmt::format("{}: '{}' says no angle; type an axis, a colon and degrees behind the @, such as 0,0,1@z:30",
                    given.option, given.text));
  }
  // Whole turns change nothing, and sines of large angles are less exact.
  return rotation_about(parse_axis(given, text.substr(0, colon)), std::fmod(*degrees, 360) * std::numbers::pi / 180);
}

Quaternion unit_quaternion(const Given& given, std::span<const double> q) {
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(std::abs(1 - length) < kUnitSlack)) {
    throw Error(
        fmt::format("{}: the quaternion of '{}' has length {:.6g}; divide its four numbers by that: a rotation "
                    "has length 1; or type the rotation as @AXIS:DEGREES",
                    given.option, given.text, length));
  }
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(separator, at);
    parts.push_back(text.substr(at, next - at));
    if (next == std::string_view::npos) return parts;
    at = next + 1;
  }
}

std::uint32_t parse_count(std::string_view option, std::string_view text, std::uint32_t low, std::uint32_t high) {
  const auto value = number_in<std::uint32_t>(text);
  if (!value || *value < low || *value > high) {
    throw Error(fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, low, high));
  }
  return *value;
}

Transform parse_pose(std::string_view option, std::string_view text) {
  const Given given{option, text};
  const std::size_t turn = text.find('@');
  const std::string_view place = text.substr(0, turn);
  Transform pose;
  if (turn != std::string_view::npos) pose.rotation = parse_turn(given, text.substr(turn + 1));
  if (turn == 0) return pose;
  const std::vector<double> numbers = numbers_in(given, place);
  const bool quaternion = numbers.size() == 7 && turn == std::string_view::npos;
  if (numbers.size() != 3 && !quaternion) {
    throw Error(turn == std::string_view::npos
                    ? fmt::format("{}: '{}' has {} numbers; type three (TX,TY,TZ) or seven (TX,TY,TZ,QX,QY,QZ,QW)",
                                  option, text, numbers.size())
                    : fmt::format("{}: '{}' has {} numbers before the @; type three (TX,TY,TZ), or none", option, text,
                                  numbers.size()));
  }
  pose.translation = {numbers[0], numbers[1], numbers[2]};
  if (quaternion) pose.rotation = unit_quaternion(given, std::span(numbers).subspan(3));
  return pose;
}

Aabb parse_box(std::string_view option, std::string_view text) {
  std::vector<float> numbers;
  for (const std::string_view part : split(text, ',')) {
    const auto number = number_in<float>(part);
    if (!number || !std::isfinite(*number))
      throw Error(
          fmt::format("{}: '{}' in '{}' is no number; type X0,Y0,Z0,X1,Y1,Z1 without blanks", option, part, text));
    numbers.push_back(*number);
  }
  if (numbers.size() != 6)
    throw Error(fmt::format("{}: '{}' has {} numbers; type six: X0,Y0,Z0,X1,Y1,Z1", option, text, numbers.size()));
  const Aabb box{{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
  for (int i = 0; i < 3; ++i) {
    if (!(box.min[i] < box.max[i]))
      throw Error(fmt::format("{}: in '{}' the second corner is not above the first along {}", option, text, "xyz"[i]));
  }
  return box;
}

Tolerance parse_tolerance(std::string_view option, std::string_view text) {
  const bool relative = text.ends_with('%');
  const auto value = number_in<double>(relative ? text.substr(0, text.size() - 1) : text);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    throw Error(
        fmt::format("{}: '{}' is no tolerance; type a part of the volume, such as 0.1%, or a volume above 0, "
                    "such as 2e-6",
                    option, text));
  return relative ? Tolerance{.relative = *value / 100} : Tolerance{.absolute = *value};
}

double parse_scale(std::string_view option, std::string_view text) {
  const auto value = number_in<double>(text);
  if (value && *value >= kLeastScale && *value <= kMostScale) return *value;
  throw Error(fmt::format("{}: '{}' is no scale; type a factor above 0, such as 0.001 for millimetres as metres",
                          option, text));
}

std::filesystem::path check_extension(std::string_view option, const std::string& text,
                                      std::span<const std::string_view> extensions) {
  if (has_extension(text, extensions)) return text;
  throw Error(fmt::format("{}: '{}' must end in one of: {}", option, text, fmt::join(extensions, " ")));
}

Vec3d parse_vector(std::string_view option, std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ',');
  Vec3d v;
  bool good = parts.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    const std::optional<double> number = number_in<double>(parts[i]);
    good = number && std::isfinite(*number);
    if (good) v[static_cast<int>(i)] = *number;
  }
  if (!good) throw Error(fmt::format("{}: '{}' is not three numbers; type X,Y,Z, such as 2,0,-0.5", option, text));
  return v;
}

std::chrono::nanoseconds parse_budget(std::string_view option, std::string_view text) {
  constexpr double kLongest = 3600;  // seconds
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, seconds] : kUnits) {
    if (failure != std::errc() || unit != name) continue;
    const double budget = value * seconds;
    if (!(budget >= 1e-9 && budget <= kLongest)) break;
    return std::chrono::nanoseconds(std::llround(budget * 1e9));
  }
  throw Error(fmt::format(
      "{}: '{}' is no time from 1ns to 3600s; type a number and its unit, such as 500us, 15ms or 0.5s", option, text));
}

}  // namespace lamella::cli
