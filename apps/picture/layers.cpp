#include "picture/layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "lamella/error.hpp"
#include "picture/canvas.hpp"
#include "picture/color_map.hpp"

namespace lamella::picture {
namespace {

constexpr unsigned kWidest = 1600, kGap = 16, kBar = 20;             // pixels
constexpr unsigned kSmallest = 128, kUsual = 288, kEveryCell = 512;  // pixels of a tile's longer side
constexpr unsigned kWideTile = 184;  // width of a tile from which on its caption fits in large letters
constexpr std::size_t kMostTiles = 64;
constexpr Rgb kPaper{0.992f, 0.992f, 0.988f}, kInk{0.15f, 0.16f, 0.18f}, kNothing{0.878f, 0.886f, 0.898f};

/// A map with words above it.
struct Tile {
  std::vector<std::string> captions;
  std::vector<Pixel> cells;  ///< row-major, rows upwards
};

std::string grouped(std::size_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string short_number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", static_cast<double>(value));
  return text;
}

Tile depth_tile(const DepthLayer& layer, std::size_t number, float depth) {
  Tile tile;
  std::size_t crossings = 0;
  for (const float d : layer.depth) {
    tile.cells.push_back(to_pixel(d < 0 ? kNothing : depth_color(d / depth)));
    crossings += d < 0 ? 0 : 1;
  }
  tile.captions = {(layer.mixed   ? "layer "
                    : layer.entry ? "front "
                                  : "back ") +
                       std::to_string(number),
                   grouped(crossings) + (crossings == 1 ? " crossing" : " crossings")};
  return tile;
}

std::vector<Tile> depth_tiles(const LayerSheet& sheet, bool entry) {
  std::vector<Tile> tiles;
  std::size_t all = 0;
  for (const DepthLayer& layer : sheet.layers) {
    if (layer.entry != entry) continue;
    if (++all <= kMostTiles) tiles.push_back(depth_tile(layer, all, sheet.grid.depth()));
  }
  if (all > kMostTiles) tiles.back().captions[0] += " of " + std::to_string(all);
  return tiles;
}

/// 1 is the lightest, `most` the darkest.
Rgb color_of_count(std::uint32_t n, std::uint32_t most) {
  return count_color(most < 2 ? 0.5f : static_cast<float>(n - 1) / static_cast<float>(most - 1));
}

Tile length_tile(const LayerSheet& sheet, std::uint32_t most) {
  Tile tile;
  std::size_t occupied = 0;
  for (const std::uint32_t n : sheet.lengths) {
    tile.cells.push_back(to_pixel(n == 0 ? kNothing : color_of_count(n, most)));
    occupied += n == 0 ? 0 : 1;
  }
  tile.captions = {sheet.lengths_title, grouped(occupied) + " columns"};
  return tile;
}

/// What is to be laid out.
struct Content {
  const Grid& grid;
  std::size_t fronts = 0, backs = 0;
  std::vector<std::string> title;

  [[nodiscard]] unsigned most_in_row() const {
    return static_cast<unsigned>(std::max({fronts, backs, std::size_t{1}}));
  }
};

/// Sizes in pixels, the same for every tile.
struct Layout {
  unsigned tile_width = 0, tile_height = 0;
  float text = kLargeText;  ///< size of the letters
  unsigned across = 1;      ///< layers in a row
  unsigned pitch_x = 0, pitch_y = 0, caption = 0;
  unsigned left = 0, top = 0;  ///< where the tiles begin
  Size sheet;
};

unsigned caption_height(unsigned lines, float size) {
  const std::vector<std::string> text(lines, "x");
  return label(text, size, kInk, kPaper).height;
}

unsigned rows_of(std::size_t tiles, unsigned across) { return (static_cast<unsigned>(tiles) + across - 1) / across; }

/// With tiles whose longer side is `side`, in a sheet not much wider than `widest`.
Layout lay_out(const Content& content, unsigned side, unsigned widest) {
  const Grid& grid = content.grid;
  const double u = grid.cell_u() * grid.columns, v = grid.cell_v() * grid.rows;
  const unsigned cells = u >= v ? grid.columns : grid.rows;                             // along the longer side
  if (cells <= side && side / cells * cells >= kSmallest) side = side / cells * cells;  // whole pixels for a cell

  Layout l;
  const double scale = side / std::max(u, v);
  l.tile_width = std::max(1u, static_cast<unsigned>(std::lround(u * scale)));
  l.tile_height = std::max(1u, static_cast<unsigned>(std::lround(v * scale)));
  l.text = side >= kWideTile ? kLargeText : kSmallText;
  l.caption = caption_height(2, l.text);
  const std::vector<std::string> longest{"16,384 crossings"};
  l.pitch_x = std::max(l.tile_width, label(longest, l.text, kInk, kPaper).width - 2 * label_margin(l.text)) + kGap;
  const unsigned legend = 2 * (caption_height(1, l.text) + kBar) + caption_height(2, l.text);
  l.pitch_y = std::max(l.caption + l.tile_height, legend) + kGap / 2;
  l.across = std::clamp(widest / l.pitch_x, 2u, content.most_in_row() + 1) - 1;

  const Image heading = label(content.title, l.text, kInk, kPaper);
  l.left = label_margin(l.text);
  l.top = heading.height;
  const unsigned rows = rows_of(content.fronts, l.across) + rows_of(content.backs, l.across);
  l.sheet = {std::max(2 * l.left + (l.across + 1) * l.pitch_x - kGap, heading.width),
             l.top + std::max(2u, rows) * l.pitch_y};
  return l;
}

Layout usual_layout(const Content& content) {
  const unsigned fitting = kWidest / (content.most_in_row() + 1) - kGap;
  const unsigned cells = std::max(content.grid.columns, content.grid.rows);
  return lay_out(content, std::max(std::clamp(fitting, kSmallest, kUsual), std::min(cells, kEveryCell)), kWidest);
}

/// The largest tiles with which all of it fits.
Layout layout_within(const Content& content, Size size) {
  constexpr unsigned kLeast = 24;
  for (unsigned side = std::max(size.width, size.height); side >= kLeast; side -= std::max(1u, side / 64)) {
    const Layout l = lay_out(content, side, size.width);
    if (l.sheet.width <= size.width && l.sheet.height <= size.height) return l;
  }
  const Size least = lay_out(content, kLeast, size.width).sheet;
  throw Error("the layers do not fit into " + std::to_string(size.width) + "x" + std::to_string(size.height) +
              " pixels; so many layers take about " + std::to_string(std::max(least.width, size.width)) + "x" +
              std::to_string(std::max(least.height, size.height)) + " or more, or leave the size out");
}

/// Words at (x, y), where the map below them begins at the same x.
void write(Image& sheet, unsigned x, unsigned y, float size, const std::vector<std::string>& lines) {
  const unsigned margin = label_margin(size);
  paste(label(lines, size, kInk, kPaper), sheet, x - std::min(x, margin), y);
}

void draw_tile(Image& sheet, const Layout& l, unsigned x, unsigned y, const Grid& grid, const Tile& tile) {
  write(sheet, x, y, l.text, tile.captions);
  for (unsigned j = 0; j < l.tile_height; ++j) {
    const std::size_t row = static_cast<std::size_t>(l.tile_height - 1 - j) * grid.rows / l.tile_height;
    for (unsigned i = 0; i < l.tile_width; ++i) {
      const std::size_t column = static_cast<std::size_t>(i) * grid.columns / l.tile_width;
      set_pixel(sheet, x + i, y + l.caption + j, tile.cells[row * grid.columns + column]);
    }
  }
}

template <class Color>
void draw_bar(Image& sheet, unsigned x, unsigned y, unsigned width, const Color& color) {
  for (unsigned j = 0; j < kBar; ++j)
    for (unsigned i = 0; i < width; ++i) set_pixel(sheet, x + i, y + j, to_pixel(color(i)));
}

void draw_legend(Image& sheet, const Layout& l, unsigned x, unsigned y, const LayerSheet& of, std::uint32_t most) {
  constexpr std::string_view kNames = "xyz";
  const unsigned width = l.pitch_x - kGap, line = caption_height(1, l.text);
  const Grid& grid = of.grid;
  write(sheet, x, y, l.text, {"depth 0 - " + short_number(grid.depth())});
  draw_bar(sheet, x, y + line, width,
           [&](unsigned i) { return depth_color(static_cast<float>(i) / static_cast<float>(width)); });
  y += line + kBar;
  write(sheet, x, y, l.text, {most < 2 ? "crossings 1" : "crossings 1 - " + std::to_string(most)});
  draw_bar(sheet, x, y + line, width,
           [&](unsigned i) { return color_of_count(1 + i * std::max(most, 1u) / width, most); });
  const auto axis = [&](int k) { return std::string("+") + kNames[static_cast<std::size_t>(k)]; };
  write(sheet, x, y + line + kBar, l.text,
        {axis(grid.u()) + " right, " + axis(grid.v()) + " up", axis(grid.w()) + " rays"});
}

}  // namespace

Image draw_layers(const LayerSheet& of) {
  const std::uint32_t most = of.lengths.empty() ? 0 : *std::max_element(of.lengths.begin(), of.lengths.end());
  const std::vector<Tile> facings[] = {depth_tiles(of, true), depth_tiles(of, false)};
  const Content content{of.grid, facings[0].size(), facings[1].size(), {of.title}};
  const bool asked = of.size.width > 0;
  const Layout l = asked ? layout_within(content, of.size) : usual_layout(content);
  Image sheet = blank(asked ? of.size.width : l.sheet.width, asked ? of.size.height : l.sheet.height, kPaper);
  paste(label(content.title, l.text, kInk, kPaper), sheet, 0, 0);
  const auto place = [&](unsigned column, unsigned row, const Tile& tile) {
    draw_tile(sheet, l, l.left + column * l.pitch_x, l.top + row * l.pitch_y, of.grid, tile);
  };
  unsigned row = 0;
  for (const std::vector<Tile>& tiles : facings) {
    for (unsigned i = 0; i < tiles.size(); ++i) place(i % l.across, row + i / l.across, tiles[i]);
    row += rows_of(tiles.size(), l.across);
  }
  draw_legend(sheet, l, l.left + l.across * l.pitch_x, l.top, of, most);
  place(l.across, 1, length_tile(of, most));
  return sheet;
}

}  // namespace lamella::picture
