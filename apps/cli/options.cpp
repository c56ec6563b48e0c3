#include "cli/options.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <optional>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/parse.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMaxThreads = 4096;
constexpr std::uint32_t kMaxDevice = 63;

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

/// Whether the volume is to be one surface.
bool parse_smooth(std::string_view option, std::string_view text) {
  if (text == "columns" || text == "smooth") return text == "smooth";
  throw Error(fmt::format("{}: '{}' is none; type columns or smooth", option, text));
}

}  // namespace

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

void add_query_options(const Command& command, QueryArgs& args) {
  command.options_under("Sampling");
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
  command.add_flag("--strict", args.options.strict, "an undecided answer, or a mesh with defects, is an error");
  command.add_flag("--as-is", args.as_is, "do not close the holes of meshes before sampling");
  add_memory_option(command);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
  add_picture_options(command, args.picture, "draw the meshes and the answer");
}

void add_accuracy_options(const Command& command, std::optional<Tolerance>& tolerance, bool& certify,
                          Tolerated tolerated) {
  const bool whole = tolerated == Tolerated::sampling;
  command.options_under("Sampling");
  const Option option = command.add_text(
      "--tolerance", "T", [&](const std::string& text) { tolerance = parse_tolerance("--tolerance", text); },
      whole ? "how far off a volume may be, 0.1% or a volume; the columns are chosen for it"
            : "how far off volumes may be, 0.1% or a volume; other pairs are sampled again");
  if (whole) option.excludes(command.option("--resolution"));
  command.add_flag("--certify", certify, "prove by exact arithmetic whether they collide");
}

void add_volume_option(const Command& command, QueryArgs& args) {
  command.options_under("Answer");
  const Option file = command.add_text(
      "--volume", "OUT.ply",
      [&](const std::string& text) {
        args.volume = check_extension("--volume", text, std::array<std::string_view, 3>{".ply", ".obj", ".stl"});
      },
      "write the overlap as a closed mesh (.ply .obj .stl)");
  command
      .add_text(
          "--volume-form", "columns|smooth",
          [&](const std::string& text) { args.smooth_volume = parse_smooth("--volume-form", text); },
          "of --volume: a prism for each span, or one smooth surface of --resolution cells (1024 at most)")
      .default_str("columns")
      .needs(file);
}

Option add_mesh_argument(const Command& command, const std::string& name, std::string& target,
                         const std::string& what) {
  return command
      .add_option(name, target, what.empty() ? std::string(kMeshInputs) : fmt::format("{}: {}", what, kMeshInputs))
      .type_name("");
}

void add_scale_option(const Command& command, const std::string& name, double& scale, const std::string& what) {
  command
      .add_text(
          name, "S", [name, &scale](const std::string& text) { scale = parse_scale(name, text); },
          fmt::format("make {} S times as large", what))
      .default_str("1");
}

void add_placement_options(const Command& command, const std::string& suffix, Placement& placement,
                           const std::string& what) {
  command.options_under("Placement");
  const std::string pose = "--pose" + suffix;
  add_scale_option(command, "--scale" + suffix, placement.scale, what);
  command.add_text(
      pose, "POSE", [pose, &placement](const std::string& text) { placement.pose = parse_pose(pose, text); },
      fmt::format("place {}: TX,TY,TZ[@AXIS:DEGREES] or TX,TY,TZ,QX,QY,QZ,QW", what));
}

}  // namespace lamella::cli
