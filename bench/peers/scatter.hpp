#pragma once

#include <string>
#include <vector>

#include "picture/picture.hpp"

// True errors over error bars, both logarithmic, with the line on which they are equal.

namespace lamella::bench::peers {

struct ScatterSeries {
  std::string label;
  picture::Rgb color;
  std::vector<std::pair<double, double>> points;  ///< bar and error, relative; those that are 0 go to the lower ends
};

struct Scatter {
  std::vector<std::string> title;  ///< lines
  std::vector<ScatterSeries> series;
};

[[nodiscard]] picture::Image draw(const Scatter& scatter);

}  // namespace lamella::bench::peers
