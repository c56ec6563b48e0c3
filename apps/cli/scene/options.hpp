#pragma once

#include "cli/command.hpp"
#include "lamella/scene.hpp"

namespace lamella::cli {

/// How finely a scene is sampled, as far as the command line says so.
struct SamplingGiven {
  bool cell = false, screen = false, resolution = false;
  [[nodiscard]] bool any() const { return cell || screen || resolution; }
};

/// --engine, --device, --threads, --axis; --cell, --resolution, --screen, of which only one may be given; --threshold;
/// --max-pairs,
/// --max-spans.
/// Both targets must live until the parse is over.
void add_scene_options(const Command& command, SceneOptions& options, SamplingGiven& given);

}  // namespace lamella::cli
