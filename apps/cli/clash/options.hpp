#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/clash/input.hpp"
#include "cli/clash/result.hpp"
#include "cli/command.hpp"

namespace lamella::cli {

/// The command line of `lamella clash`.
struct ClashArgs {
  ClashInputArgs input;
  LengthUnit unit;
  ClashOptions options;
  std::filesystem::path rules, baseline;    ///< empty: none
  std::vector<std::string> ignored;         ///< --ignore
  std::optional<double> clearance, touch;   ///< in place of those of the rules file
  std::optional<std::uint32_t> resolution;  ///< in place of that of a scene file
  bool as_is = false, no_way_out = false, shortest = false;
  std::optional<FailOn> fail_on;
  bool json = false, all = false, exit_zero = false;
  std::filesystem::path csv, html, glb, bcf;  ///< empty: none
  std::string project;                        ///< empty: the title
  std::filesystem::path cache;                ///< empty: none
  std::uint64_t mesh_memory = 0;              ///< as mpi::ShareOptions::mesh_memory
};

/// Adds all options. The target must live until the parse is over.
void add_clash_options(const Command& command, ClashArgs& args);

}  // namespace lamella::cli
