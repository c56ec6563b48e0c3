#pragma once

#include <string>
#include <vector>

#include "bench/peers/quartiles.hpp"
#include "picture/picture.hpp"

// A chart of times: horizontal bars in groups, on a logarithmic axis that all groups share.

namespace lamella::bench::peers {

struct ChartBar {
  std::string label;  ///< at its left
  std::string note;   ///< behind its end
  Quartiles ms;       ///< the bar ends at the median; a thin line runs from quartile to quartile
  bool ours = false;
};

struct ChartGroup {
  std::string title;
  std::vector<ChartBar> bars;
};

struct Chart {
  std::vector<std::string> title;  ///< lines
  std::vector<ChartGroup> groups;
};

inline constexpr picture::Rgb kOurBar = picture::kBlueGrey;
inline constexpr picture::Rgb kPeerBar = picture::kSand;
inline constexpr picture::Rgb kQuartileLine{0.25f, 0.25f, 0.27f};

/// Where a bar is, in pixels: columns from `left` up to `right`, which is the first beyond it; rows likewise.
struct BarPlace {
  unsigned left = 0, right = 0, top = 0, bottom = 0;
  unsigned low = 0, high = 0;  ///< columns of the quartiles
};

/// Where everything is.
struct ChartLayout {
  unsigned width = 0, height = 0;
  unsigned left = 0, right = 0;      ///< columns of the axis's ends
  double first_ms = 0, last_ms = 0;  ///< powers of ten
  std::vector<unsigned> titles;      ///< rows of the groups' titles
  std::vector<BarPlace> bars;        ///< of all groups, in order
  unsigned axis = 0;                 ///< row of the axis, below the bars

  [[nodiscard]] unsigned column(double ms) const;
};

/// Throws Error for a chart without bars, and for a time that is not above 0.
[[nodiscard]] ChartLayout lay_out(const Chart& chart);
[[nodiscard]] picture::Image draw(const Chart& chart);

}  // namespace lamella::bench::peers
