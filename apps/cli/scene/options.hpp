#pragma once

#include "lamella/scene.hpp"

namespace CLI {
class App;
}

namespace lamella::cli {

/// How finely a scene is sampled, as far as the command line says so.
struct SamplingGiven {
  bool cell = false, screen = false, resolution = false;
  [[nodiscard]] bool any() const { return cell || screen || resolution; }
};

/// --engine, --device, --threads, --axis; --cell, --resolution, --screen, of which only one may be given; --threshold.
/// Both targets must live until the parse is over.
void add_scene_options(CLI::App& command, SceneOptions& options, SamplingGiven& given);

}  // namespace lamella::cli
