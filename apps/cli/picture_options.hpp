#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// A picture as the command line asks for it.
struct PictureArgs {
  std::filesystem::path file;  ///< PNG to write; empty when none was asked for
  picture::Size size{1280, 960};
  picture::Up up;

  [[nodiscard]] bool wanted() const { return !file.empty(); }
  /// A picture of that size and with that axis up, with captions and nothing else in it.
  [[nodiscard]] picture::Picture blank(std::vector<std::string> captions) const;
};

// Each adds options to a subcommand, as those of options.hpp do.

/// --picture, --up and --size; `what` is drawn.
void add_picture_options(const Command& command, PictureArgs& args, const std::string& what);
/// Its parts, for pictures that have no use for the others.
Option add_picture_option(const Command& command, std::filesystem::path& file, const std::string& what);
Option add_up_option(const Command& command, picture::Up& up);
/// The help shows `by_default`.
Option add_size_option(const Command& command, picture::Size& size, const std::string& by_default);

}  // namespace lamella::cli
