#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// What a picture shows of an answer.
enum class Drawn {
  volume,    ///< the volume itself
  boxes,     ///< the volume, the meshes' boxes, the volume of interest and its outside faces
  spans,     ///< the columns' spans as sticks, coloured by layer
  self,      ///< the shared volume, and what each mesh covers more than once
  way,       ///< the way out as an arrow
  contacts,  ///< collision points and contact normals
  patches,   ///< places of contact with their normals
  forces,    ///< how vertices are pushed, as colours and arrows
  sheet      ///< the layers side by side
};

/// A picture as the command line asks for it.
struct PictureArgs {
  std::filesystem::path file;  ///< PNG to write; empty when none was asked for
  picture::Size size{1280, 960};
  std::optional<picture::Up> up;      ///< z when not given
  std::optional<picture::View> view;  ///< iso when not given
  Drawn drawn = Drawn::volume;

  [[nodiscard]] bool wanted() const { return !file.empty(); }
  /// A picture of that size and view, with captions and nothing else in it.
  [[nodiscard]] picture::Picture blank(const std::vector<std::string>& captions) const;
};

// Each adds options to a subcommand, as those of options.hpp do.

/// --picture, --up, --view and --size; `what` is drawn. `film`: the file may be one of moving pictures.
void add_picture_options(const Command& command, PictureArgs& args, const std::string& what, bool film = false);
/// Its parts, for pictures that have no use for the others.
Option add_picture_option(const Command& command, std::filesystem::path& file, const std::string& what,
                          bool film = false);
Option add_up_option(const Command& command, std::optional<picture::Up>& up);
Option add_view_option(const Command& command, std::optional<picture::View>& view);
/// --draw, which takes one of `choices`; the first is the default. Goes with --picture, which must be there.
Option add_draw_option(const Command& command, Drawn& drawn, std::vector<Drawn> choices, const std::string& what);
/// The help shows `by_default`.
Option add_size_option(const Command& command, picture::Size& size, const std::string& by_default);

/// Says on stderr when a picture is wanted of glTF files, which have y up, and nobody has said what is up.
void hint_at_up(const PictureArgs& args, std::span<const std::string> files);

}  // namespace lamella::cli
