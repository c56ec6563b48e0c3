#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/picture_options.hpp"

namespace lamella::cli {

/// What distance and closest have in common: they sample nothing that an engine or a resolution could change.
struct MeasureArgs {
  unsigned threads = 0;
  bool json = false;
  bool exit_zero = false;
  PictureArgs picture;
};

/// --threads, --max-memory, --repair, --json, --exit-zero and those of pictures; `what` is drawn.
void add_measure_options(const Command& command, MeasureArgs& args, const std::string& what);

}  // namespace lamella::cli
