#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/clash/answer.hpp"
#include "cli/clash/result.hpp"
#include "lamella/mpi.hpp"

namespace lamella::cli {

/// What a table is told with, beside the answer.
struct ClashTableArgs {
  const std::vector<ClashResult>& results;
  bool all = false;        ///< every finding, and every place of each
  std::string baseline{};  ///< the earlier report's name; empty: none
  std::string cache{};     ///< the name of --cache; empty: none
  double load_ms = 0;
  std::optional<mpi::MeshTravels> travels{};  ///< of several processes
};

/// For people, on stdout: what was found in short, the findings, what is not decided and why.
void print_clashes(const ClashAnswer& answer, const ClashTableArgs& args);

}  // namespace lamella::cli
