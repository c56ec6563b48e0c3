#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/picture_options.hpp"
#include "lamella/image_collide.hpp"

// Figures 2 and 7 of GI-COLLIDE: how the search refines its spheres while one body comes closer to another.

namespace lamella::cli {

struct ApproachArgs {
  std::filesystem::path file;  ///< PNG to write; empty when none was asked for
  std::optional<Vec3d> from;   ///< where B comes from, measured from its pose; by default away from A
  std::uint32_t steps = 4;     ///< pictures

  [[nodiscard]] bool wanted() const { return !file.empty(); }
};

/// --search, --search-from and --search-steps.
void add_approach_options(const Command& command, ApproachArgs& args);

struct ApproachBody {
  const ImageBody& body;
  Transform pose;
  std::string name;
};

/// Searches at every step of B's way to its pose with the given options, and draws the finest spheres that were
/// visited: in one row, or as an animated picture when they are more than kMostInARow.
void draw_approach(const ApproachArgs& args, const ApproachBody& a, const ApproachBody& b,
                   const ImageCollideOptions& options, const PictureArgs& look);

/// The row alone, as wide as the picture asked for; `args.file` is not used.
[[nodiscard]] picture::Image approach_row(const ApproachArgs& args, const ApproachBody& a, const ApproachBody& b,
                                          const ImageCollideOptions& options, const PictureArgs& look);

inline constexpr std::uint32_t kMostInARow = 6;

}  // namespace lamella::cli
