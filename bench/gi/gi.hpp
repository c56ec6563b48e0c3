#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lamella::cli {

struct GiBenchArgs {
  std::string table;                    ///< only this one; all when empty
  std::vector<std::uint32_t> objects;   ///< numbers of rabbits; the paper's when empty
  int levels = 6;                       ///< of the rabbits' images: (2^levels + 1)^2 vertices
  std::optional<std::uint32_t> frames;  ///< of the rabbits' motion; the paper's when not given
  std::filesystem::path mesh;           ///< in place of the rabbit
  bool quick = false;                   ///< few sizes and runs, to try it out
  bool json = false;
};

/// "2,4,8" as numbers from 1 up, or an Error that names --objects.
[[nodiscard]] std::vector<std::uint32_t> parse_object_counts(const std::string& text);

/// Prints what geometry images cost: the experiments of "GI-COLLIDE", section 5, beside other trees on the same
/// motions.
void bench_gi(const GiBenchArgs& args);

}  // namespace lamella::cli
