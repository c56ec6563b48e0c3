#include "cli/picture_options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/parse.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

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

/// Letters of pictures are ASCII.
std::string in_ascii(std::string_view text) {
  constexpr std::string_view kPlusMinus = "±";
  const std::size_t at = text.find(kPlusMinus);
  if (at == std::string_view::npos) return std::string(text);
  return fmt::format("{}+-{}", text.substr(0, at), in_ascii(text.substr(at + kPlusMinus.size())));
}

}  // namespace

picture::Picture PictureArgs::blank(const std::vector<std::string>& captions) const {
  picture::Picture out;
  out.width = size.width;
  out.height = size.height;
  for (const std::string& caption : captions) out.captions.push_back(in_ascii(caption));
  picture::look(out, up);
  return out;
}

void add_picture_options(const Command& command, PictureArgs& args, const std::string& what) {
  command.options_under("Picture");
  const Option file = add_picture_option(command, args.file, what);
  add_up_option(command, args.up).needs(file);
  add_size_option(command, args.size, fmt::format("{}x{}", args.size.width, args.size.height)).needs(file);
}

Option add_picture_option(const Command& command, std::filesystem::path& file, const std::string& what) {
  return command.add_text(
      "--picture", "OUT.png",
      [&](const std::string& text) {
        file = check_extension("--picture", text, std::array<std::string_view, 1>{".png"});
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

Option add_up_option(const Command& command, picture::Up& up) {
  return command
      .add_text(
          "--up", "x|y|z|-x|-y|-z", [&](const std::string& text) { up = parse_up(text); },
          "the axis that points up in the picture")
      .default_str("z");
}

Option add_size_option(const Command& command, picture::Size& size, const std::string& by_default) {
  return command
      .add_text(
          "--size", "WxH", [&](const std::string& text) { size = parse_size(text); }, "of the picture, in pixels")
      .default_str(by_default);
}

}  // namespace lamella::cli
