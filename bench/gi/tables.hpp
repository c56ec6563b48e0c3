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

/// Figures 8 and 9, section 5.1: many rabbits by GI-COLLIDE, ours and as published, and by closest features of convex
/// hulls, on the same broad phase; the time of all frames, and of a collision.
[[nodiscard]] Table fig8_table(const GiPlan& plan);
[[nodiscard]] Table fig9_table(const GiPlan& plan);
/// Figure 10, section 5.2: the same spheres with and without pointers, every pair.
[[nodiscard]] Table fig10_table(const GiPlan& plan);
/// Figure 11, section 5.3: beside trees of oriented boxes, every pair.
[[nodiscard]] Table fig11_table(const GiPlan& plan);
/// Figure 12, section 5.4: a helicopter in contact with terrain, every size against every size.
[[nodiscard]] Table fig12_table(const GiPlan& plan);
/// Figure 13, section 5.5: what a time budget gives, and whether it is kept.
[[nodiscard]] Table budget_table(const GiPlan& plan);
[[nodiscard]] inline Table fig13_table(const GiPlan& plan) { return budget_table(plan); }
/// Figure 9, under the name that it had before.
[[nodiscard]] Table bunny_table(const GiPlan& plan);

/// Figure 10 by the image's size, active pairs.
[[nodiscard]] Table tree_table(const GiPlan& plan);
/// Two equal objects that just touch or just do not, as in the caption of figure 12.
[[nodiscard]] Table equal_table(const GiPlan& plan);
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
