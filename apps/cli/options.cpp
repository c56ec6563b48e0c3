#include "cli/options.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMaxThreads = 4096;
constexpr std::uint32_t kMaxDevice = 63;
/// How far from 1 a quaternion's length may be: a few digits typed by hand.
constexpr double kUnitSlack = 1e-3;

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(separator, at);
    parts.push_back(text.substr(at, next - at));
    if (next == std::string_view::npos) return parts;
    at = next + 1;
  }
}

std::string check_engine(const std::string& name) {
  if (name == "automatic") return name;
  std::string names;
  for (const std::string& known : engine_names()) {
    if (known == name) return name;
    names += known + ", ";
  }
  throw Error(fmt::format("--engine: there is no engine '{}'; type one of: {}automatic", name, names));
}

std::optional<Axis> parse_axis(std::string_view text) {
  if (text == "auto") return std::nullopt;
  if (text == "x") return Axis::x;
  if (text == "y") return Axis::y;
  if (text == "z") return Axis::z;
  throw Error(fmt::format("--axis: '{}' is no axis; type one of: auto, x, y, z", text));
}

float parse_thickness(std::string_view text) {
  const auto value = number_in<float>(text);
  if (!value || !(*value >= 0 && *value < 1)) {
    throw Error(
        fmt::format("--min-thickness: '{}' is not a part of the depth: a number from 0 up to 1, such as 1e-4", text));
  }
  return *value;
}

std::filesystem::path check_extension(std::string_view option, const std::string& text,
                                      std::span<const std::string_view> extensions) {
  if (has_extension(text, extensions)) return text;
  std::string names;
  for (const std::string_view extension : extensions) names += fmt::format(" {}", extension);
  throw Error(fmt::format("{}: '{}' must end in one of:{}", option, text, names));
}

}  // namespace

Transform parse_pose(std::string_view option, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view part : split(text, ',')) {
    const auto number = number_in<double>(part);
    if (!number || !std::isfinite(*number)) {
      throw Error(fmt::format("{}: '{}' in '{}' is no number; type TX,TY,TZ or TX,TY,TZ,QX,QY,QZ,QW without blanks",
                              option, part, text));
    }
    numbers.push_back(*number);
  }
  if (numbers.size() != 3 && numbers.size() != 7) {
    throw Error(fmt::format("{}: '{}' has {} numbers; type three (TX,TY,TZ) or seven (TX,TY,TZ,QX,QY,QZ,QW)", option,
                            text, numbers.size()));
  }
  Transform pose{.translation = {numbers[0], numbers[1], numbers[2]}, .rotation = {}};
  if (numbers.size() == 3) return pose;
  const double length = std::hypot(std::hypot(numbers[3], numbers[4]), std::hypot(numbers[5], numbers[6]));
  if (!(std::abs(1 - length) < kUnitSlack)) {
    throw Error(
        fmt::format("{}: the quaternion of '{}' has length {:.6g}; divide its four numbers by that: a rotation "
                    "has length 1",
                    option, text, length));
  }
  pose.rotation = {numbers[3] / length, numbers[4] / length, numbers[5] / length, numbers[6] / length};
  return pose;
}

std::uint32_t parse_count(std::string_view option, std::string_view text, std::uint32_t low, std::uint32_t high) {
  const auto value = number_in<std::uint32_t>(text);
  if (!value || *value < low || *value > high) {
    throw Error(fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, low, high));
  }
  return *value;
}

void add_engine_option(const Command& command, std::string& engine) {
  command
      .add_text(
          "--engine", "NAME", [&](const std::string& text) { engine = check_engine(text); },
          "what samples the meshes; `lamella engines` lists them")
      .default_str(engine);
}

void add_device_option(const Command& command, std::optional<unsigned>& device) {
  command.add_text(
      "--device", "N", [&](const std::string& text) { device = parse_count("--device", text, 0, kMaxDevice); },
      "which GPU: its number in `lamella engines`");
}

void add_resolution_option(const Command& command, std::uint32_t& resolution) {
  command
      .add_text(
          "--resolution", "N",
          [&](const std::string& text) { resolution = parse_count("--resolution", text, 1, kMaxResolution); },
          "N x N columns over the sampled box")
      .default_str(std::to_string(resolution));
}

void add_threads_option(const Command& command, unsigned& threads) {
  command
      .add_text(
          "--threads", "N", [&](const std::string& text) { threads = parse_count("--threads", text, 0, kMaxThreads); },
          "0: all cores; the answer is the same for any number")
      .default_str(std::to_string(threads));
}

void add_axis_option(const Command& command, std::optional<Axis>& axis) {
  command
      .add_text(
          "--axis", "auto|x|y|z", [&](const std::string& text) { axis = parse_axis(text); },
          "direction of the rays; auto: the shallowest")
      .default_str("auto");
}

void add_crossings_option(const Command& command, std::uint64_t& max_crossings) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();  // they have 32-bit numbers
  add_count(command, "--max-crossings", 1, kMost, max_crossings, "an error with more, instead of using all memory")
      .default_str(std::to_string(max_crossings));
}

void add_picture_option(const Command& command, std::filesystem::path& picture, const std::string& what) {
  command.add_text(
      "--picture", "OUT.png",
      [&](const std::string& text) {
        picture = check_extension("--picture", text, std::array<std::string_view, 1>{".png"});
      },
      what);
}

void add_query_options(const Command& command, QueryArgs& args) {
  add_engine_option(command, args.options.engine);
  add_device_option(command, args.options.device);
  add_resolution_option(command, args.options.resolution);
  add_threads_option(command, args.options.threads);
  add_axis_option(command, args.options.axis);
  command
      .add_text(
          "--min-thickness", "F", [&](const std::string& text) { args.options.min_thickness = parse_thickness(text); },
          "overlap not longer than this part of the depth is none")
      .default_str(to_text(args.options.min_thickness));
  add_crossings_option(command, args.options.max_crossings);
  command.add_flag("--strict", args.options.strict, "a mesh that does not close is an error, not a note");
  add_memory_option(command);
  command.add_flag("--json", args.json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
  add_picture_option(command, args.picture, "draw the meshes and the answer");
}

void add_volume_option(const Command& command, QueryArgs& args) {
  command.add_text(
      "--volume", "OUT.ply",
      [&](const std::string& text) {
        args.volume = check_extension("--volume", text, std::array<std::string_view, 3>{".ply", ".obj", ".stl"});
      },
      "write the overlap as a closed mesh (.ply .obj .stl)");
}

void add_pose_option(const Command& command, const std::string& name, Transform& pose, const std::string& what) {
  command.add_text(
      name, "TX,TY,TZ[,QX,QY,QZ,QW]", [name, &pose](const std::string& text) { pose = parse_pose(name, text); },
      what + ": rotate by the unit quaternion, then move");
}

}  // namespace lamella::cli
