#pragma once

#include <string>
#include <vector>

#include "picture/picture.hpp"
#include "simulate/simulation.hpp"

namespace lamella::cli {

/// The drawing's own view, the same in every frame as long as the captions' lines keep their lengths. `samples`: along
/// each side of a pixel.
[[nodiscard]] picture::Image draw_simulation(const simulate::Drawing& drawing, picture::Size size,
                                             const std::vector<std::string>& captions, unsigned threads,
                                             int samples = 3);

}  // namespace lamella::cli
