#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/detector.hpp"
#include "bench/paper/published.hpp"

namespace lamella::bench {

/// One row of a table of WSCG 2004 or TR 395, and how to reproduce it.
struct PaperCase {
  std::string row;
  std::string models;                 ///< ours in place of the paper's
  std::size_t faces = 0, points = 0;  ///< as the paper states them
  std::uint32_t resolution = 0;
  Row paper;  ///< its figures; none for a user's mesh and for what the paper did not measure
  std::function<Workload()> make;
  const char* answer = "volume";  ///< what the workload counts, as a key of the JSON
};

/// Of a published table; none for those of the other papers.
[[nodiscard]] std::vector<PaperCase> paper_cases(std::string_view table);

/// The papers' queries on a mesh of the user's.
[[nodiscard]] std::vector<PaperCase> mesh_cases(const std::filesystem::path& path);

/// "paper's model -> ours" for each.
[[nodiscard]] std::string stand_in_text();

}  // namespace lamella::bench
