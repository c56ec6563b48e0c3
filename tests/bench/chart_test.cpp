#include "bench/peers/chart.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "lamella/error.hpp"
#include "picture/canvas.hpp"

namespace lamella::bench::peers {
namespace {

using Color = std::array<int, 3>;

Color color_at(const picture::Image& image, unsigned x, unsigned y) {
  const std::uint8_t* at = image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + x);
  return {at[0], at[1], at[2]};
}

Color to_color(picture::Rgb rgb) {
  const picture::Pixel p = picture::to_pixel(rgb);
  return {p.r, p.g, p.b};
}

/// A bar whose quartiles are its median.
ChartBar bar(const std::string& label, double ms, bool ours = false) {
  return {label, std::to_string(ms), {ms, ms, ms}, ours};
}

/// Ours takes 2 ms; the others 20 and 200.
Chart some_chart() {
  return {{"A title"},
          {{"first", {bar("ours", 2, true), bar("ten times", 20)}}, {"second", {bar("a hundred times", 200)}}}};
}

TEST(PeerChart, AFactorOfTenIsTheSameDistanceEverywhere) {
  const ChartLayout layout = lay_out(some_chart());
  ASSERT_EQ(layout.bars.size(), 3u);
  EXPECT_EQ(layout.first_ms, 1);
  EXPECT_EQ(layout.last_ms, 1000);
  const unsigned decade = (layout.right - layout.left) / 3;
  EXPECT_EQ(layout.column(1), layout.left);
  EXPECT_EQ(layout.column(10), layout.left + decade);
  EXPECT_EQ(layout.column(1000), layout.right);
  EXPECT_NEAR(layout.bars[1].right - layout.bars[0].right, decade, 1);
  EXPECT_NEAR(layout.bars[2].right - layout.bars[1].right, decade, 1);
  EXPECT_NEAR(layout.bars[0].right - layout.left, 0.30103 * decade, 1) << "2 is 0.301 of a decade above 1";
}

TEST(PeerChart, BarsAreDrawnWhereTheLayoutSaysInTheirColours) {
  const Chart chart = some_chart();
  const ChartLayout layout = lay_out(chart);
  const picture::Image image = draw(chart);
  ASSERT_EQ(image.width, layout.width);
  ASSERT_EQ(image.height, layout.height);
  for (std::size_t i = 0; i < layout.bars.size(); ++i) {
    const BarPlace& place = layout.bars[i];
    const Color color = to_color(i == 0 ? kOurBar : kPeerBar);
    for (const unsigned y : {place.top, place.bottom - 1}) {
      EXPECT_EQ(color_at(image, place.left, y), color) << i;
      EXPECT_EQ(color_at(image, place.right - 1, y), color) << i;
      EXPECT_NE(color_at(image, place.right, y), color) << i;
      EXPECT_NE(color_at(image, place.left - 1, y), color) << i;
    }
    EXPECT_NE(color_at(image, place.left + 1, place.top - 1), color) << i;
    EXPECT_NE(color_at(image, place.left + 1, place.bottom), color) << i;
  }
}

TEST(PeerChart, BarsDoNotOverlapAndStayInTheImage) {
  const ChartLayout layout = lay_out(some_chart());
  for (std::size_t i = 0; i < layout.bars.size(); ++i) {
    EXPECT_LT(layout.bars[i].top, layout.bars[i].bottom);
    EXPECT_LE(layout.bars[i].bottom, layout.axis);
    if (i > 0) {
      EXPECT_GT(layout.bars[i].top, layout.bars[i - 1].bottom);
    }
  }
  EXPECT_LT(layout.axis, layout.height);
  EXPECT_LT(layout.right, layout.width);
  EXPECT_GT(layout.titles[1], layout.bars[1].bottom) << "a group's title is below the group before it";
  EXPECT_LT(layout.titles[1], layout.bars[2].top);
}

TEST(PeerChart, ALineRunsFromQuartileToQuartile) {
  Chart chart{{}, {{"group", {{"wide", "", {2, 5, 40}, false}}}}};
  const BarPlace place = lay_out(chart).bars[0];
  const picture::Image image = draw(chart);
  const unsigned middle = (place.top + place.bottom) / 2;
  EXPECT_EQ(place.low, lay_out(chart).column(2));
  EXPECT_EQ(place.high, lay_out(chart).column(40));
  const Color line = to_color(kQuartileLine);
  for (const unsigned x : {place.low, place.right, place.high - 1}) EXPECT_EQ(color_at(image, x, middle), line) << x;
  EXPECT_NE(color_at(image, place.low - 1, middle), line);
  EXPECT_NE(color_at(image, place.high, middle), line);
}

TEST(PeerChart, IsWideEnoughForItsWords) {
  Chart chart = some_chart();
  const unsigned before = lay_out(chart).width;
  chart.groups[1].bars[0].note = std::string(100, 'm');
  EXPECT_GE(lay_out(chart).width, lay_out(chart).bars[2].right + 1200);
  chart.groups[1].bars[0].note = "";
  chart.groups[0].bars[0].label = std::string(100, 'm');
  EXPECT_GT(lay_out(chart).left, 1200u);
  chart.groups[0].bars[0].label = "";
  chart.title.push_back(std::string(100, 'm'));
  EXPECT_GT(lay_out(chart).width, std::max(before, 1200u));
}

TEST(PeerChart, RefusesTimesThatALogarithmHasNone) {
  for (const double ms : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)lay_out({{}, {{"group", {bar("none", ms)}}}}), Error) << ms;
  }
  EXPECT_THROW((void)draw({{"only a title"}, {}}), Error);
}

}  // namespace
}  // namespace lamella::bench::peers
