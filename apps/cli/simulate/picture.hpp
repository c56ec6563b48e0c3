#pragma once

#include <string>
#include <vector>

#include "picture/picture.hpp"
#include "simulate/simulation.hpp"

namespace lamella::cli {

/// What to draw, with size, captions and quality of `out`; its view as well where that was asked for (view_fixed), else
/// the drawing's own. The same view in every frame as long as the captions have the same number of lines.
[[nodiscard]] picture::Image draw_simulation(const simulate::Drawing& drawing, picture::Picture out, unsigned threads);

}  // namespace lamella::cli
