#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/row.hpp"

// Every table and every measured figure that the four papers published: the one list that `lamella bench paper`, its
// --list and its tests are made from.

namespace lamella::bench {

struct Publication {
  std::string_view key;   ///< for --paper and JSON
  std::string_view name;  ///< for people
  /// Engines that work as the paper says, beside those that are the project's own.
  std::vector<std::string> engines;
};
/// In the order of their tables.
[[nodiscard]] const std::vector<Publication>& publications();

/// A line of a table, with the paper's figures under the keys of the JSON: "paper_" and the unit at the end. WSCG 2004
/// compares three generators ("paper_software_ms"; with "_max_ms" where it gives a range), TR 395 has the stages of one
/// ("paper_stage12_ms") and depth complexities ("paper_layers_a").
struct PublishedRow {
  std::string_view name;
  Row figures;
};

struct PublishedTable {
  std::string_view id;     ///< for --table and JSON
  std::string_view paper;  ///< a publication's key
  std::string_view title;
  std::vector<PublishedRow> rows;  ///< none where the paper draws a curve without numbers
};
[[nodiscard]] const std::vector<PublishedTable>& published_tables();

/// Throws Error for an unknown id.
[[nodiscard]] const PublishedTable& published_table(std::string_view id);
/// The figures of one of its rows; none for an unknown name.
[[nodiscard]] Row published_figures(std::string_view id, std::string_view row);

}  // namespace lamella::bench
