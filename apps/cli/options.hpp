#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lamella/query.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lamella::cli {

/// What intersect, self and contain have in common.
struct QueryArgs {
  Options options;
  bool json = false;
  bool exit_zero = false;
  std::filesystem::path volume;   ///< mesh to write; empty when none was asked for
  std::filesystem::path picture;  ///< PNG to write; empty when none was asked for
};

// Each adds options to a subcommand; a value that cannot be used is an Error that names the option and what it takes.
// The target must live until the parse is over.
void add_query_options(CLI::App& command, QueryArgs& args);
void add_volume_option(CLI::App& command, QueryArgs& args);
void add_pose_option(CLI::App& command, const std::string& name, Transform& pose, const std::string& what);
/// Parts of the above, for a subcommand that takes only some of them.
void add_engine_option(CLI::App& command, std::string& engine);
void add_device_option(CLI::App& command, std::optional<unsigned>& device);
void add_resolution_option(CLI::App& command, std::uint32_t& resolution);
void add_threads_option(CLI::App& command, unsigned& threads);
void add_axis_option(CLI::App& command, std::optional<Axis>& axis);
void add_picture_option(CLI::App& command, std::filesystem::path& picture, const std::string& what);

/// "TX,TY,TZ" or "TX,TY,TZ,QX,QY,QZ,QW". A quaternion that is a unit one but for rounding is normalised. `option` is
/// the name to use in the Error.
[[nodiscard]] Transform parse_pose(std::string_view option, std::string_view text);

/// A whole number from `low` to `high`, or an Error that says so.
[[nodiscard]] std::uint32_t parse_count(std::string_view option, std::string_view text, std::uint32_t low,
                                        std::uint32_t high);

/// Adds an option that takes one text, handed to `use`. Given twice, the last counts: a script's default can be
/// overridden at the end of the line.
CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& type,
                      std::function<void(const std::string&)> use, const std::string& description);

/// The same for a whole number from `low` to `high`, handed to `target`.
template <class Target>
CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint32_t low, std::uint32_t high,
                       Target& target, const std::string& description) {
  const auto use = [name, low, high, &target](const std::string& text) { target = parse_count(name, text, low, high); };
  return add_text(command, name, "N", use, description);
}

}  // namespace lamella::cli
