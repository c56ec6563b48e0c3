#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/parse.hpp"
#include "cli/picture_options.hpp"
#include "lamella/query.hpp"

namespace lamella::cli {

/// What intersect, self and contain have in common.
struct QueryArgs {
  Options options;
  bool as_is = false;                   ///< holes stay open
  std::optional<std::uint64_t> memory;  ///< meshes are read in parts, within this many bytes
  bool json = false;
  bool exit_zero = false;
  std::filesystem::path volume;  ///< mesh to write; empty when none was asked for
  bool smooth_volume = false;    ///< as one surface, in place of columns
  std::filesystem::path html;    ///< page to write, where the command knows --html; empty when none was asked for
  PictureArgs picture;
};

// Each adds options to a subcommand; a value that cannot be used is an Error that names the option and what it takes.
// The target must live until the parse is over.
void add_query_options(const Command& command, QueryArgs& args);
void add_volume_option(const Command& command, QueryArgs& args);
/// What a tolerance changes: the sampling as a whole, in place of --resolution, or single pairs of a scene.
enum class Tolerated : std::uint8_t { sampling, pairs };
/// --tolerance and --certify.
void add_accuracy_options(const Command& command, std::optional<Tolerance>& tolerance, bool& certify,
                          Tolerated tolerated = Tolerated::sampling);
/// An argument that takes a mesh: a file, or a built-in model.
Option add_mesh_argument(const Command& command, const std::string& name, std::string& target,
                         const std::string& what = {});
/// --scale and --pose, with `suffix` behind them; `what` they are for ("B").
void add_placement_options(const Command& command, const std::string& suffix, Placement& placement,
                           const std::string& what);
/// Parts of the above, for a subcommand that takes only some of them.
void add_engine_option(const Command& command, std::string& engine);
void add_device_option(const Command& command, std::optional<unsigned>& device);
void add_resolution_option(const Command& command, std::uint32_t& resolution);
void add_threads_option(const Command& command, unsigned& threads);
void add_axis_option(const Command& command, std::optional<Axis>& axis);
void add_crossings_option(const Command& command, std::uint64_t& max_crossings);
void add_scale_option(const Command& command, const std::string& name, double& scale, const std::string& what);

/// Adds an option that takes a whole number from `low` to `high`, handed to `target`.
template <class Target>
Option add_count(const Command& command, const std::string& name, std::uint32_t low, std::uint32_t high, Target& target,
                 const std::string& description) {
  const auto use = [name, low, high, &target](const std::string& text) { target = parse_count(name, text, low, high); };
  return command.add_text(name, "N", use, description);
}

}  // namespace lamella::cli
