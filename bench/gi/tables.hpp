#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/gi/gi.hpp"
#include "cli/common.hpp"

// The tables of `lamella bench gi`.

namespace lamella::cli {

struct GiTable {
  std::string name, title;
  Table text;
  std::vector<nlohmann::ordered_json> rows;  ///< the same, one per row, without what all have in common
  std::string findings;                      ///< lines below the table

  void add(std::vector<std::string> cells, nlohmann::ordered_json row) {
    text.rows.push_back(std::move(cells));
    rows.push_back(std::move(row));
  }
};

/// Figures 8 to 11: many rabbits, beside other trees.
[[nodiscard]] GiTable bench_gi_bunnies(const GiBenchArgs& args);
/// Figure 10 by the image's size: the same spheres with and without pointers.
[[nodiscard]] GiTable bench_gi_trees(const GiBenchArgs& args);
/// Figure 12: a helicopter over terrain, by the size of both.
[[nodiscard]] GiTable bench_gi_terrain(const GiBenchArgs& args);
/// The same for two equal objects that just touch or just do not.
[[nodiscard]] GiTable bench_gi_equal(const GiBenchArgs& args);
/// Figure 13: what a time budget gives, and whether it is kept.
[[nodiscard]] GiTable bench_gi_budget(const GiBenchArgs& args);
/// Pyramids brought up to date, beside memcpy.
[[nodiscard]] GiTable bench_gi_refit(const GiBenchArgs& args);
/// An image against plain triangles.
[[nodiscard]] GiTable bench_gi_mesh(const GiBenchArgs& args);

/// "65 x 65" of an image of 2^n + 1 vertices a side.
[[nodiscard]] std::string gi_size_text(int n);
/// Milliseconds as microseconds, digits by size.
[[nodiscard]] std::string gi_us_text(double ms);
/// Why a size is not in a table, as a line.
[[nodiscard]] std::string gi_left_out_text(int n, std::uint64_t bytes);
/// What stands in for the paper's bunny: "rabbit", or a file's name.
[[nodiscard]] std::string gi_model_text(const GiBenchArgs& args);
[[nodiscard]] inline unsigned gi_side(int n) { return (1u << n) + 1; }

}  // namespace lamella::cli
