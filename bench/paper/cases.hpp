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

/// Milliseconds as printed. WSCG 2004 compares three ways to make LDIs, TR 395 the stages of one; none for a user's
/// mesh. Where WSCG 2004 gives minimum and maximum over a sequence, `max` members are the latter.
struct PaperFigures {
  double ordered = 0, unordered = 0, software = 0;
  double ordered_max = 0, unordered_max = 0, software_max = 0;
  double stage12 = 0, stage3 = 0;
  double fps = 0;  ///< of a whole simulation with rendering

  /// What an engine is measured by. 0 where the paper has none.
  struct Figure {
    double ms = 0;   ///< the minimum where a range is given
    double max = 0;  ///< 0 where none is given
  };

  /// The figure to beat: of WSCG 2004 the engine's own column (Ordered for gl-ordered, Unordered for the other engines
  /// on a GPU, Software for those on the CPU); otherwise the stages' sum, or one frame, for every engine.
  [[nodiscard]] Figure to_beat(const BenchEngine& engine) const;
};

/// One row of a paper's table, and how to reproduce it.
struct PaperCase {
  std::string row;
  std::string models;                 ///< ours in place of the paper's
  std::size_t faces = 0, points = 0;  ///< as the paper states them
  std::uint32_t resolution = 0;
  PaperFigures paper;
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
