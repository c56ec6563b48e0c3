#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/detector.hpp"
#include "bench/engines.hpp"

namespace lamella::bench {

/// One row of a paper's table, and how to reproduce it.
struct PaperCase {
  std::string row;
  std::string models;                 ///< ours in place of the paper's
  std::size_t faces = 0, points = 0;  ///< as the paper states them
  std::uint32_t resolution = 0;
  /// Its figures under the keys of the JSON. WSCG 2004 compares three ways to make LDIs ("paper_software_ms"; with
  /// "_max_ms" where it gives a range), TR 395 has the stages of one ("paper_stage12_ms") or the frames per second of a
  /// whole simulation with rendering ("paper_loop_fps"); none for a user's mesh.
  Row paper;
  std::function<Workload()> make;
};

struct PaperTable {
  std::string name;  ///< for --table and JSON
  std::string title;
  std::vector<PaperCase> cases;
};

/// Every table of WSCG 2004 and TR 395, and the two experiments of TR 395 that are stated in its text.
[[nodiscard]] std::vector<PaperTable> paper_tables();

/// The papers' queries on a mesh of the user's.
[[nodiscard]] PaperTable mesh_table(const std::filesystem::path& path);

/// "paper's model -> ours" for each.
[[nodiscard]] std::string stand_ins();

}  // namespace lamella::bench
