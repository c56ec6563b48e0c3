#include "bench/peers/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/ink.hpp"
#include "lamella/error.hpp"

namespace lamella::bench::peers {
namespace {

constexpr unsigned kMargin = 24, kGap = 10;
constexpr unsigned kDecade = 110;  ///< pixels for a factor of ten
constexpr unsigned kRow = 26, kBarHeight = 18, kTitleRow = 34, kBetweenGroups = 14, kAxisRow = 40;

template <class Use>
void for_each_bar(const Chart& chart, const Use& use) {
  for (const ChartGroup& group : chart.groups) {
    for (const ChartBar& bar : group.bars) use(bar);
  }
}

/// The axis's ends, so that all quartiles are between them.
void set_axis(const Chart& chart, ChartLayout& layout) {
  double least = HUGE_VAL, most = 0;
  for_each_bar(chart, [&](const ChartBar& bar) {
    if (!(bar.ms.low > 0)) throw Error(fmt::format("a chart cannot show a time of {} ms", bar.ms.low));
    least = std::min(least, bar.ms.low);
    most = std::max(most, bar.ms.high);
  });
  if (most == 0) throw Error("a chart needs a bar");
  layout.first_ms = std::pow(10, std::floor(std::log10(least)));
  layout.last_ms = std::max(10 * layout.first_ms, std::pow(10, std::ceil(std::log10(most))));
}

BarPlace place(const ChartBar& bar, const ChartLayout& layout, unsigned row) {
  const unsigned top = row + (kRow - kBarHeight) / 2;
  return {.left = layout.left,
          .right = layout.column(bar.ms.median),
          .top = top,
          .bottom = top + kBarHeight,
          .low = layout.column(bar.ms.low),
          .high = layout.column(bar.ms.high)};
}

unsigned note_column(const BarPlace& bar) { return std::max(bar.right, bar.high) + kGap; }

std::string tick_text(double ms) { return ms >= 1000 ? fmt::format("{:g} s", ms / 1000) : fmt::format("{:g} ms", ms); }

void draw_axis(picture::Image& image, const ChartLayout& layout) {
  const unsigned top = layout.titles.front();
  for (double ms = layout.first_ms; ms < layout.last_ms * 1.5; ms *= 10) {
    const unsigned x = layout.column(ms);
    fill(image, x, top, x + 1, layout.axis, kGridLine);
    const std::string text = tick_text(ms);
    write(image, text, x - std::min(x, text_width(text) / 2), layout.axis + kGap);
  }
}

void draw_bar(picture::Image& image, const ChartBar& bar, const BarPlace& place) {
  fill(image, place.left, place.top, place.right, place.bottom, bar.ours ? kOurBar : kPeerBar);
  const unsigned middle = (place.top + place.bottom) / 2;
  fill(image, place.low, middle - 1, std::max(place.high, place.low + 1), middle + 1, kQuartileLine);
  const unsigned text_row = middle - kText / 2 + 1;  // letters have room for descenders below
  write(image, bar.label, place.left - kGap - text_width(bar.label), text_row);
  write(image, bar.note, note_column(place), text_row);
}

}  // namespace

unsigned ChartLayout::column(double ms) const {
  const double part = std::log(ms / first_ms) / std::log(last_ms / first_ms);
  return left + static_cast<unsigned>(std::lround(std::clamp(part, 0.0, 1.0) * (right - left)));
}

ChartLayout lay_out(const Chart& chart) {
  ChartLayout layout;
  set_axis(chart, layout);
  unsigned label = 0;
  for_each_bar(chart, [&](const ChartBar& bar) { label = std::max(label, text_width(bar.label)); });
  layout.left = kMargin + label + kGap;
  layout.right =
      layout.left + kDecade * static_cast<unsigned>(std::lround(std::log10(layout.last_ms / layout.first_ms)));
  layout.width = layout.right + kDecade / 2;  // for half of the axis's last label
  unsigned row = kMargin;
  for (const std::string& line : chart.title) {
    layout.width = std::max(layout.width, kMargin + text_width(line) + kMargin);
    row += kText + kGap;
  }
  row += kGap;
  for (const ChartGroup& group : chart.groups) {
    layout.titles.push_back(row);
    layout.width = std::max(layout.width, kMargin + text_width(group.title) + kMargin);
    row += kTitleRow;
    for (const ChartBar& bar : group.bars) {
      layout.bars.push_back(place(bar, layout, row));
      layout.width = std::max(layout.width, note_column(layout.bars.back()) + text_width(bar.note) + kMargin);
      row += kRow;
    }
    row += kBetweenGroups;
  }
  layout.axis = row;
  layout.height = row + kAxisRow;
  return layout;
}

picture::Image draw(const Chart& chart) {
  const ChartLayout layout = lay_out(chart);
  picture::Image image = picture::blank(layout.width, layout.height, kPaper);
  draw_axis(image, layout);
  unsigned row = kMargin;
  for (const std::string& line : chart.title) {
    write(image, line, kMargin, row);
    row += kText + kGap;
  }
  for (std::size_t i = 0; i < chart.groups.size(); ++i) {
    write(image, chart.groups[i].title, kMargin, layout.titles[i] + (kTitleRow - kText) / 2);
  }
  std::size_t n = 0;
  for_each_bar(chart, [&](const ChartBar& bar) { draw_bar(image, bar, layout.bars[n++]); });
  return image;
}

}  // namespace lamella::bench::peers
