#include "cli/picture_options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/common.hpp"
#include "cli/parse.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "picture/film.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kLeastPixels = 16, kMostPixels = 8192;

picture::Up parse_up(std::string_view text) {
  constexpr std::string_view kAxes = "xyz";
  const bool downwards = text.starts_with('-');
  const std::string_view name = text.substr(downwards ? 1 : 0);
  const std::size_t at = name.size() == 1 ? kAxes.find(name) : std::string_view::npos;
  if (at == std::string_view::npos) {
    throw Error(fmt::format("--up: '{}' is no axis; type one of: x, y, z, -x, -y, -z", text));
  }
  return {static_cast<Axis>(at), downwards};
}

picture::View parse_view(const std::string& text) {
  const std::vector<std::string> names{"iso", "front", "back", "left", "right", "top", "bottom"};
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return {static_cast<picture::Side>(found - names.begin()), std::nullopt};
  if (text.find(',') == std::string::npos) {
    throw Error(fmt::format("--view: '{}' is no view{}", text, suggestion(text, names, "")));
  }
  const Vec3d direction = parse_vector("--view", text);
  if (!(dot(direction, direction) > 0) || !std::isfinite(dot(direction, direction))) {
    throw Error(fmt::format("--view: '{}' is no direction; type X,Y,Z that are not all 0, such as 1,0,-0.5", text));
  }
  return {picture::Side::iso, direction};
}

picture::Size parse_size(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, 'x');
  if (parts.size() != 2) throw Error(fmt::format("--size: '{}' is no size; type WxH, such as 1280x960", text));
  return {parse_count("--size", parts[0], kLeastPixels, kMostPixels),
          parse_count("--size", parts[1], kLeastPixels, kMostPixels)};
}

std::string name_of(Drawn drawn) {
  switch (drawn) {
    case Drawn::volume:
      return "volume";
    case Drawn::boxes:
      return "boxes";
    case Drawn::spans:
      return "spans";
    case Drawn::self:
      return "self";
    case Drawn::way:
      return "way";
    case Drawn::contacts:
      return "contacts";
    case Drawn::patches:
      return "patches";
    case Drawn::forces:
      return "forces";
    case Drawn::sheet:
      return "sheet";
  }
  return "";
}

Drawn parse_drawn(const std::string& text, std::span<const Drawn> choices) {
  std::vector<std::string> names;
  for (const Drawn choice : choices) {
    names.push_back(name_of(choice));
    if (names.back() == text) return choice;
  }
  throw Error(fmt::format("--draw: '{}' is nothing to draw here{}", text, suggestion(text, names, "")));
}

}  // namespace

picture::Picture PictureArgs::blank(const std::vector<std::string>& captions) const {
  picture::Picture out;
  out.width = size.width;
  out.height = size.height;
  out.captions = captions;
  picture::look(out, up.value_or(picture::Up{}), view.value_or(picture::View{}));
  out.view_fixed = view.has_value();
  return out;
}

void add_picture_options(const Command& command, PictureArgs& args, const std::string& what, bool film) {
  command.options_under("Picture");
  const Option file = add_picture_option(command, args.file, what, film);
  add_up_option(command, args.up).needs(file);
  add_view_option(command, args.view).needs(file);
  add_size_option(command, args.size, fmt::format("{}x{}", args.size.width, args.size.height)).needs(file);
}

Option add_picture_option(const Command& command, std::filesystem::path& file, const std::string& what, bool film) {
  return command.add_text(
      "--picture", film ? "OUT.png|.gif|.webm" : "OUT.png",
      [&file, film](const std::string& text) {
        constexpr std::array<std::string_view, 1> kStill{".png"};
        file = check_extension("--picture", text, film ? picture::film_extensions() : kStill);
      },
      what);
}

Option add_draw_option(const Command& command, Drawn& drawn, std::vector<Drawn> choices, const std::string& what) {
  std::vector<std::string> names;
  for (const Drawn choice : choices) names.push_back(name_of(choice));
  drawn = choices.front();
  return command
      .add_text(
          "--draw", fmt::format("{}", fmt::join(names, "|")),
          [&drawn, choices](const std::string& text) { drawn = parse_drawn(text, choices); }, what)
      .default_str(names.front())
      .needs(command.option("--picture"));
}

Option add_up_option(const Command& command, std::optional<picture::Up>& up) {
  return command
      .add_text(
          "--up", "x|y|z|-x|-y|-z", [&](const std::string& text) { up = parse_up(text); },
          "the axis that points up in the picture")
      .default_str("z");
}

Option add_view_option(const Command& command, std::optional<picture::View>& view) {
  return command
      .add_text(
          "--view", "NAME|X,Y,Z", [&](const std::string& text) { view = parse_view(text); },
          "iso, front, back, left, right, top or bottom; or the direction from the eye to the scene, such as 1,0,-0.5")
      .default_str("iso");
}

void hint_at_up(const PictureArgs& args, std::span<const std::string> files) {
  constexpr std::array<std::string_view, 2> kYUp{".gltf", ".glb"};
  if (!args.wanted() || args.up) return;
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& f) { return has_extension(f, kYUp); });
  if (found != files.end())
    complain(fmt::format("{}: is drawn with z up, and glTF files have y up", *found), "--up y draws it upright");
}

Option add_size_option(const Command& command, picture::Size& size, const std::string& by_default) {
  return command
      .add_text(
          "--size", "WxH", [&](const std::string& text) { size = parse_size(text); }, "of the picture, in pixels")
      .default_str(by_default);
}

}  // namespace lamella::cli
