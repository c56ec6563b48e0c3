#include "cli/scene/options.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "cli/common.hpp"
#include "cli/options.hpp"
#include "cli/scene/file.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Fewer engines know scenes than know pairs.
std::string check_engine(const std::string& name) {
  const std::vector<std::string> known{"automatic", "software", "cuda", "gl-pairs"};
  for (const std::string& engine : known) {
    if (engine == name) return name;
  }
  throw Error(fmt::format(
      "--engine: no engine for scenes has the name '{}'; type one of: automatic, software, cuda, gl-pairs", name));
}

PairMethod parse_method(std::string_view text) {
  if (text == "complete") return PairMethod::complete;
  if (text == "jang") return PairMethod::jang;
  throw Error(fmt::format("--method: '{}' is no method; type one of: complete, jang", text));
}

unsigned parse_views(std::string_view text) {
  if (text == "1") return 1;
  if (text == "3") return 3;
  throw Error(fmt::format("--views: '{}' is no number of views; type 1 or 3", text));
}

Normals parse_normals(std::string_view text) {
  if (text == "faces") return Normals::faces;
  if (text == "neighbours") return Normals::neighbours;
  throw Error(fmt::format("--normals: '{}' is no source of normals; type one of: faces, neighbours", text));
}

float parse_cell(std::string_view text) {
  const auto value = number_in(text);
  if (value && *value > 1e-30 && *value < 1e30) return static_cast<float>(*value);
  throw Error(fmt::format("--cell: '{}' is no size; type a number above 0, in the meshes' units", text));
}

float parse_threshold(std::string_view text) {
  const auto value = number_in(text);
  if (value && *value >= 0 && *value <= 1e6) return static_cast<float>(*value);
  throw Error(fmt::format("--threshold: '{}' is no number of cells; type one from 0 up, such as 1.5", text));
}

Screen parse_screen(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t next = std::min(text.find(',', at), text.size());
    const auto number = number_in(text.substr(at, next - at));
    if (!number) break;
    numbers.push_back(*number);
    at = next + 1;
  }
  if (numbers.size() != 5 || !(numbers[3] > 0 && numbers[3] <= 170) || !(numbers[4] >= 1 && numbers[4] <= 1e6)) {
    throw Error(
        fmt::format("--screen: '{}' is no viewer; type EX,EY,EZ,DEGREES,PIXELS without blanks: where the eye is, "
                    "its field of view (up to 170) and how many pixels that has",
                    text));
  }
  return {{numbers[0], numbers[1], numbers[2]}, 2 * std::tan(numbers[3] * std::numbers::pi / 360) / numbers[4]};
}

/// How pairs and contacts are found, and what is published of it.
void add_method_options(const Command& command, SceneOptions& options, SamplingGiven& given) {
  command
      .add_text(
          "--method", "complete|jang", [&](const std::string& text) { options.method = parse_method(text); },
          "jang: as published; sets --engine gl-pairs --views 1 --normals neighbours")
      .default_str("complete");
  command
      .add_text(
          "--views", "1|3",
          [&](const std::string& text) {
            options.views = parse_views(text);
            given.views = true;
          },
          "axes along which each pair is sampled; 1: as published")
      .default_str(std::to_string(options.views));
  command
      .add_text(
          "--normals", "faces|neighbours",
          [&](const std::string& text) {
            options.normals = parse_normals(text);
            given.normals = true;
          },
          "of contacts: of the faces hit, or of three points, as published")
      .default_str("faces");
}

}  // namespace

void add_scene_options(const Command& command, SceneOptions& options, SamplingGiven& given) {
  command.options_under("Sampling");
  command
      .add_text(
          "--engine", "NAME",
          [&](const std::string& text) {
            options.engine = check_engine(text);
            given.engine = true;
          },
          "software, or on a GPU cuda or gl-pairs; see `lamella engines`")
      .default_str(options.engine);
  add_device_option(command, options.device);
  add_threads_option(command, options.threads);
  add_axis_option(command, options.axis);
  Option cell = command.add_text(
      "--cell", "SIZE",
      [&](const std::string& text) {
        options.cell = parse_cell(text);
        given.cell = true;
      },
      "edge of a sample cell, in the meshes' units");
  Option screen = command.add_text(
      "--screen", "EX,EY,EZ,DEG,PX",
      [&](const std::string& text) {
        options.screen = parse_screen(text);
        given.screen = true;
      },
      "cells as small as this viewer sees: eye, field of view, pixels");
  Option resolution = command.add_text(
      "--resolution", "N",
      [&](const std::string& text) {
        options.resolution = parse_count("--resolution", text, 1, kMaxResolution);
        given.resolution = true;
      },
      "N x N columns over each group of objects");
  resolution.default_str(std::to_string(options.resolution));
  cell.excludes(screen).excludes(resolution);
  screen.excludes(resolution);
  add_accuracy_options(command, options.tolerance, options.certify, Tolerated::pairs);
  add_method_options(command, options, given);
  command
      .add_text(
          "--threshold", "CELLS", [&](const std::string& text) { options.threshold = parse_threshold(text); },
          "surfaces this close along a ray give a collision point")
      .default_str(to_text(options.threshold));
  add_count(command, "--max-contacts", 0, kMaxContacts, options.max_contacts, "of a pair; 0: make none")
      .default_str(std::to_string(options.max_contacts));
  add_crossings_option(command, options.max_crossings);
  // Limits of memory: what they count grows with the square of the objects that are in one place.
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  add_count(command, "--max-pairs", 1, kMost, options.max_pairs,
            "most pairs of objects whose boxes meet; 200 bytes each")
      .default_str(std::to_string(options.max_pairs));
  add_count(command, "--max-spans", 1, kMost, options.max_spans,
            "most stretches of rays inside two objects; 150 bytes each")
      .default_str(std::to_string(options.max_spans));
}

void add_split_option(const Command& command, std::optional<Split>& split, const std::string& what) {
  command
      .add_text(
          "--split", "auto|groups|nodes|components|none",
          [&split](const std::string& text) {
            split = parse_split(text);
            if (!split) throw Error(fmt::format("--split: '{}'; type one of: {}", text, kSplitWords));
          },
          what)
      .default_str("auto");
}

void apply_method(SceneOptions& options, const SamplingGiven& given) {
  if (options.method != PairMethod::jang) return;
  const SceneOptions published = jang_options();
  if (given.engine && options.engine != published.engine)
    throw Error(fmt::format("--method: jang runs on the engine gl-pairs alone; leave out --engine {}", options.engine));
  options.engine = published.engine;
  if (!given.views) options.views = published.views;
  if (!given.normals) options.normals = published.normals;
}

}  // namespace lamella::cli
