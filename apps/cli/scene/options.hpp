#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/scene.hpp"

namespace lamella::cli {

/// What the command line itself says about a scene.
struct SamplingGiven {
  bool cell = false, screen = false, resolution = false;
  bool engine = false, views = false, normals = false;
  /// How finely it is sampled.
  [[nodiscard]] bool any() const { return cell || screen || resolution; }
};

/// --engine, --device, --threads, --axis; --cell, --resolution, --screen, of which only one may be given; --method,
/// --views, --normals, --threshold; --max-contacts, --max-crossings, --max-pairs, --max-spans.
/// Both targets must live until the parse is over.
void add_scene_options(const Command& command, SceneOptions& options, SamplingGiven& given);

/// --split; stays empty when it is not given.
void add_split_option(const Command& command, std::optional<Split>& split, const std::string& what);

/// After the parse: what --method jang sets, unless the command line has said otherwise.
void apply_method(SceneOptions& options, const SamplingGiven& given);

}  // namespace lamella::cli
