#include "picture/layers.hpp"

#include <gtest/gtest.h>

#include "lamella/error.hpp"
#include "picture/color_map.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using shapes::pixel, shapes::Pixel;

int lightness(Pixel p) { return p[0] * 2 + p[1] * 7 + p[2]; }
int lightness(Rgb c) {
  return lightness(Pixel{static_cast<int>(c.r * 255), static_cast<int>(c.g * 255), static_cast<int>(c.b * 255)});
}

Grid grid(std::uint32_t columns, std::uint32_t rows, float width = 1, float height = 1) {
  return {{{0, 0, 0}, {width, height, 2}}, Axis::z, columns, rows};
}

Image draw(const Grid& grid, const std::vector<DepthLayer>& layers, Size size = {}) {
  std::vector<std::uint32_t> lengths(grid.column_count());
  for (const DepthLayer& layer : layers)
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] += layer.depth[i] < 0 ? 0 : 1;
  return draw_layers({grid, layers, lengths, "title", "crossings", size});
}

/// Where two sheets differ: of one layer, when only its depths are others.
struct Box {
  unsigned x_low = ~0u, y_low = ~0u, x_high = 0, y_high = 0;
};
Box box_of_difference(const Image& a, const Image& b) {
  Box box;
  for (unsigned y = 0; y < a.height; ++y) {
    for (unsigned x = 0; x < a.width; ++x) {
      if (pixel(a, x, y) == pixel(b, x, y)) continue;
      box = {std::min(box.x_low, x), std::min(box.y_low, y), std::max(box.x_high, x), std::max(box.y_high, y)};
    }
  }
  return box;
}

TEST(ColorMap, GetsDarkerAllTheWay) {
  for (int i = 0; i < 64; ++i) {
    const float t = static_cast<float>(i) / 64, next = static_cast<float>(i + 1) / 64;
    EXPECT_GT(lightness(depth_color(t)), lightness(depth_color(next))) << t;
    EXPECT_GT(lightness(count_color(t)), lightness(count_color(next))) << t;
  }
  EXPECT_EQ(lightness(depth_color(-1)), lightness(depth_color(0)));
  EXPECT_EQ(lightness(depth_color(2)), lightness(depth_color(1)));
}

TEST(LayerSheet, NearIsLightFarIsDarkAndNothingIsTheBackground) {
  const Grid g = grid(2, 2);
  // Rows upwards: near and far in the lower one, nothing and near in the upper one.
  const Image sheet = draw(g, {{true, {0, 2, -1, 0}}, {false, {2, 2, -1, 2}}});
  const Box box = box_of_difference(sheet, draw(g, {{true, {1, 1, -1, 1}}, {false, {2, 2, -1, 2}}}));
  const unsigned step = (box.y_high - box.y_low + 1) / 4;
  const auto at = [&](unsigned i, unsigned j) { return pixel(sheet, box.x_low + step * i, box.y_high - step * j); };
  EXPECT_EQ(lightness(at(1, 1)), lightness(at(3, 3)));
  EXPECT_GT(lightness(at(1, 1)), lightness(at(3, 1)) + 500);
  EXPECT_NE(at(1, 3), at(1, 1));
  EXPECT_NE(at(1, 3), at(3, 1));
}

TEST(LayerSheet, CellsKeepTheirProportions) {
  const Grid wide = grid(8, 8, 4, 1);
  const std::vector<float> near(64, 0.5f), far(64, 1.5f);
  const Box box = box_of_difference(draw(wide, {{true, near}}), draw(wide, {{true, far}}));
  const unsigned width = box.x_high - box.x_low + 1, height = box.y_high - box.y_low + 1;
  EXPECT_GE(width, 128u);
  EXPECT_NEAR(width, 4 * height, 4);
}

TEST(LayerSheet, IsNoWiderThanAPageAndWrapsItsRows) {
  const Grid g = grid(16, 16);
  const std::vector<DepthLayer> few(8, {true, std::vector<float>(256, 1.0f)});
  std::vector<DepthLayer> many(40, few[0]);
  const Image small = draw(g, few), large = draw(g, many);
  EXPECT_LE(small.width, 1610u);
  EXPECT_LE(large.width, 1610u);
  EXPECT_GT(large.height, small.height);
  many.resize(1000, few[0]);
  EXPECT_LT(draw(g, many).height, 5000u) << "a picture of the first ones";
}

TEST(LayerSheet, TakesGridsOfEverySize) {
  for (const std::uint32_t n : {1u, 7u, 300u, 2000u}) {
    const std::vector<float> depths(static_cast<std::size_t>(n) * n, 0.5f);
    const Image sheet = draw(grid(n, n), {{true, depths}, {false, depths}});
    EXPECT_EQ(sheet.rgb.size(), std::size_t{3} * sheet.width * sheet.height) << n;
    EXPECT_LE(sheet.width, 3200u) << n;
  }
  EXPECT_GT(draw(grid(4, 4), {}).width, 0u) << "without layers";
  EXPECT_GT(draw(grid(4, 4, 1, 1e-6f), {{true, std::vector<float>(16, 1)}}).width, 0u);
}

TEST(LayerSheet, FillsTheSizeAskedForWithAllLayers) {
  const Grid g = grid(8, 8);
  const DepthLayer near{true, std::vector<float>(64, 0.0f)}, far{true, std::vector<float>(64, 2.0f)},
      back{false, std::vector<float>(64, 1.0f)};
  for (const Size size : {Size{2000, 1200}, {400, 1400}, {700, 420}}) {
    const Image first = draw(g, {near, back}, size), second = draw(g, {far, back}, size);
    EXPECT_EQ(first.width, size.width);
    EXPECT_EQ(first.height, size.height);
    const Box front = box_of_difference(first, second);
    EXPECT_LT(front.x_high, size.width - 50);
    EXPECT_LT(front.y_high, size.height * 11 / 20) << "the back layer has a row of its own";
    EXPECT_GT((front.x_high - front.x_low) * 4, std::min(size.width, size.height)) << "no room is wasted";
  }
}

TEST(LayerSheet, RefusesASizeThatIsTooSmall) {
  EXPECT_THROW((void)draw(grid(8, 8), {{true, std::vector<float>(64, 0.0f)}}, {40, 40}), Error);
}

}  // namespace
}  // namespace lamella::picture
