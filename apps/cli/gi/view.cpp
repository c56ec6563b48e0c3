#include "cli/gi/view.hpp"

#include <fmt/core.h>

#include "cli/options.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

Axis parse_up(std::string_view text) {
  if (text == "x") return Axis::x;
  if (text == "y") return Axis::y;
  if (text == "z") return Axis::z;
  throw Error(fmt::format("--up: '{}' is no axis; type one of: x, y, z", text));
}

}  // namespace

void add_up_option(const Command& command, Axis& up) {
  command
      .add_text(
          "--up", "x|y|z", [&](const std::string& text) { up = parse_up(text); },
          "the axis that points up in the picture: z for terrain")
      .default_str("y");
}

void look(picture::Picture& picture, Axis up, bool behind) {
  const double side = behind ? 0.62 : -0.62, ahead = behind ? -1.0 : 1.0, down = -0.55;
  switch (up) {
    case Axis::x:
      picture.view_direction = {down, side, ahead}, picture.up = {1, 0, 0};
      break;
    case Axis::y:
      picture.view_direction = {side, down, -ahead}, picture.up = {0, 1, 0};
      break;
    case Axis::z:
      picture.view_direction = {side, ahead, down}, picture.up = {0, 0, 1};
      break;
  }
}

}  // namespace lamella::cli
