#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/commands.hpp"
#include "bench/gi/methods.hpp"
#include "bench/table.hpp"

// The tables of `lamella bench gi`.

namespace lamella::bench {

/// What was asked.
struct GiPlan {
  const GiArgs& args;
  const std::vector<OtherMethod>& others;
};

/// Figures 8 to 11: many rabbits, beside other trees.
[[nodiscard]] Table bunny_table(const GiPlan& plan);
/// Figure 10 by the image's size: the same spheres with and without pointers.
[[nodiscard]] Table tree_table(const GiPlan& plan);
/// Figure 12: a helicopter over terrain, by the size of both.
[[nodiscard]] Table terrain_table(const GiPlan& plan);
/// The same for two equal objects that just touch or just do not.
[[nodiscard]] Table equal_table(const GiPlan& plan);
/// Figure 13: what a time budget gives, and whether it is kept.
[[nodiscard]] Table budget_table(const GiPlan& plan);
/// Pyramids brought up to date, beside memcpy.
[[nodiscard]] Table refit_table(const GiPlan& plan);
/// An image against plain triangles.
[[nodiscard]] Table mesh_table(const GiPlan& plan);

/// Vertices along a side of an image of n levels.
[[nodiscard]] inline unsigned image_side(int n) { return (1u << n) + 1; }
/// "65 x 65".
[[nodiscard]] inline std::string image_size(int n) { return square(image_side(n)); }
/// Why a size is not in a table, as a line.
[[nodiscard]] std::string left_out_text(int n, std::uint64_t bytes);
/// What stands in for the paper's bunny: "rabbit", or a file's name.
[[nodiscard]] std::string model_text(const GiArgs& args);

}  // namespace lamella::bench
