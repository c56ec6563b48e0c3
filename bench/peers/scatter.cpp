#include "bench/peers/scatter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/ink.hpp"

namespace lamella::bench::peers {
namespace {

constexpr int kFirst = -7, kLast = 0;  ///< powers of ten
constexpr unsigned kDecade = 96, kMargin = 24, kGap = 10, kLeft = 120, kAxisRow = 60, kMark = 4;
constexpr unsigned kSide = kDecade * (kLast - kFirst);

/// Pixels from the axis's low end.
unsigned along(double value) {
  const double power = value > 0 ? std::log10(value) : kFirst;
  return static_cast<unsigned>(std::lround(std::clamp(power - kFirst, 0.0, double{kLast - kFirst}) * kDecade));
}

std::string percent_text(int power) { return fmt::format("{:g} %", std::pow(10.0, power + 2)); }

void draw_axes(picture::Image& image, unsigned top) {
  for (int power = kFirst; power <= kLast; ++power) {
    const auto at = static_cast<unsigned>(power - kFirst) * kDecade;
    fill(image, kLeft + at, top, kLeft + at + 1, top + kSide, kGridLine);
    fill(image, kLeft, top + kSide - at, kLeft + kSide, top + kSide - at + 1, kGridLine);
    const std::string text = percent_text(power);
    if (power % 2 == 0) write(image, text, kLeft + at - std::min(kLeft, text_width(text) / 2), top + kSide + kGap);
    write(image, text, kLeft - kGap - std::min(kLeft - kGap, text_width(text)), top + kSide - at - kText / 2);
  }
  for (unsigned at = 0; at < kSide; ++at)
    fill(image, kLeft + at, top + kSide - at - 1, kLeft + at + 2, top + kSide - at + 1, kInk);
}

}  // namespace

picture::Image draw(const Scatter& scatter) {
  const auto lines = static_cast<unsigned>(scatter.title.size());
  const unsigned top = kMargin + lines * (kText + kGap) + kText + 2 * kGap;
  unsigned width = kLeft + kSide + kMargin + text_width(percent_text(kLast)) / 2;
  for (const std::string& line : scatter.title) width = std::max(width, 2 * kMargin + text_width(line));
  picture::Image image = picture::blank(width, top + kSide + kAxisRow, kPaper);
  for (unsigned i = 0; i < lines; ++i) write(image, scatter.title[i], kMargin, kMargin + i * (kText + kGap));
  draw_axes(image, top);
  unsigned key = kLeft;
  for (const ScatterSeries& series : scatter.series) {
    for (const auto& [bar, error] : series.points) {
      const unsigned x = kLeft + along(bar), y = top + kSide - along(error);
      fill(image, x - kMark / 2, y - kMark / 2, x + kMark / 2, y + kMark / 2, series.color);
    }
    fill(image, key, top - kText - kGap + 2, key + kText - 4, top - kGap - 2, series.color);
    write(image, series.label, key + kText + 4, top - kText - kGap);
    key += kText + text_width(series.label) + 3 * kGap;
  }
  write(image, "error bar", kLeft + kSide / 2 - text_width("error bar") / 2, top + kSide + kGap + kText + 6);
  return image;
}

}  // namespace lamella::bench::peers
