#pragma once

#include "lamella/query.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// What the demo shows, drawn with finer models and grids than it times: smooth surfaces and no steps in the overlap.
// `options` says which engine samples them, and with how many threads.

/// Three phases of the grip: overlap of hand and phone red, of the hand with itself green.
[[nodiscard]] picture::Image draw_grip(const Options& options);
[[nodiscard]] picture::Image draw_knot_and_serpent(const Options& options);
[[nodiscard]] picture::Image draw_particles(const Options& options);
/// One picture of all three, for the top of a page.
[[nodiscard]] picture::Image draw_overview(const Options& options);

}  // namespace lamella::cli
