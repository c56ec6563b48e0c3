#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "picture/picture.hpp"
#include "simulate/simulation.hpp"

namespace lamella::cli {

struct SimulateArgs {
  simulate::Options options;
  std::uint32_t frames = 300;
  std::uint32_t every = 2;                               ///< frames from one picture to the next
  picture::Size size{640, 480};                          ///< of pictures
  std::optional<picture::Up> up;                         ///< z when not given
  std::optional<picture::View> view;                     ///< the simulation's own when neither is given
  std::filesystem::path csv, picture, frames_dir, html;  ///< empty: not asked for
  bool json = false;
};

/// Runs a simulation, writes what was asked for and prints a summary. Files appear whole or, after an Error, not at
/// all; pictures in a folder one by one. Ctrl-C and SIGTERM end it after the frame it is at, with everything of the
/// frames so far. Returns the exit status.
[[nodiscard]] int simulate(const std::string& name, const SimulateArgs& args);

}  // namespace lamella::cli
