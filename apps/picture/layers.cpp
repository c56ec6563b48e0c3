#include "picture/layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "picture/canvas.hpp"
#include "picture/color_map.hpp"

namespace lamella::picture {
namespace {

constexpr unsigned kWidest = 1600, kGap = 16, kBar = 20;             // pixels
constexpr unsigned kSmallest = 128, kUsual = 288, kEveryCell = 512;  // pixels of a tile's longer side
constexpr unsigned kLargeText = 184;  // width of a tile from which on its caption fits in large letters
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
  tile.captions = {(layer.entry ? "front " : "back ") + std::to_string(number),
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

/// Sizes in pixels, the same for every tile.
struct Layout {
  unsigned tile_width = 0, tile_height = 0;
  unsigned dot = 2;     ///< of the letters
  unsigned across = 1;  ///< layers in a row
  unsigned pitch_x = 0, pitch_y = 0, caption = 0;
};

unsigned caption_height(unsigned lines, unsigned dot) {
  const std::vector<std::string> text(lines, "x");
  return label(text, dot, kInk, kPaper).height;
}

Layout lay_out(const Grid& grid, std::size_t most_in_row) {
  const double u = grid.cell_u() * grid.columns, v = grid.cell_v() * grid.rows;
  const unsigned cells = u >= v ? grid.columns : grid.rows;  // along the longer side
  const auto fitting = static_cast<unsigned>(kWidest / (most_in_row + 1)) - kGap;
  unsigned side = std::clamp(fitting, kSmallest, kUsual);
  if (cells <= side && side / cells * cells >= kSmallest) side = side / cells * cells;  // whole pixels for a cell
  side = std::max(side, std::min(cells, kEveryCell));

  Layout l;
  const double scale = side / std::max(u, v);
  l.tile_width = std::max(1u, static_cast<unsigned>(std::lround(u * scale)));
  l.tile_height = std::max(1u, static_cast<unsigned>(std::lround(v * scale)));
  l.dot = side >= kLargeText ? 2 : 1;
  l.caption = caption_height(2, l.dot);
  const std::vector<std::string> widest{"16,384 crossings"};
  l.pitch_x = std::max(l.tile_width, label(widest, l.dot, kInk, kPaper).width - 2 * kLabelMargin * l.dot) + kGap;
  const unsigned legend = 2 * (caption_height(1, l.dot) + kBar) + caption_height(2, l.dot);
  l.pitch_y = std::max(l.caption + l.tile_height, legend) + kGap / 2;
  l.across = std::clamp(kWidest / l.pitch_x, 2u, static_cast<unsigned>(most_in_row) + 1) - 1;
  return l;
}

unsigned rows_of(std::size_t tiles, unsigned across) { return (static_cast<unsigned>(tiles) + across - 1) / across; }

/// Words at (x, y), where the map below them begins at the same x.
void write(Image& sheet, unsigned x, unsigned y, unsigned dot, const std::vector<std::string>& lines) {
  const unsigned margin = kLabelMargin * dot;
  paste(label(lines, dot, kInk, kPaper), sheet, x - std::min(x, margin), y);
}

void draw_tile(Image& sheet, const Layout& l, unsigned x, unsigned y, const Grid& grid, const Tile& tile) {
  write(sheet, x, y, l.dot, tile.captions);
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
  const unsigned width = l.pitch_x - kGap, line = caption_height(1, l.dot);
  const Grid& grid = of.grid;
  write(sheet, x, y, l.dot, {"depth 0 - " + short_number(grid.depth())});
  draw_bar(sheet, x, y + line, width,
           [&](unsigned i) { return depth_color(static_cast<float>(i) / static_cast<float>(width)); });
  y += line + kBar;
  write(sheet, x, y, l.dot, {most < 2 ? "crossings 1" : "crossings 1 - " + std::to_string(most)});
  draw_bar(sheet, x, y + line, width,
           [&](unsigned i) { return color_of_count(1 + i * std::max(most, 1u) / width, most); });
  const auto axis = [&](int k) { return std::string("+") + kNames[static_cast<std::size_t>(k)]; };
  write(sheet, x, y + line + kBar, l.dot,
        {axis(grid.u()) + " right, " + axis(grid.v()) + " up", axis(grid.w()) + " rays"});
}

}  // namespace

Image draw_layers(const LayerSheet& of) {
  const std::uint32_t most = of.lengths.empty() ? 0 : *std::max_element(of.lengths.begin(), of.lengths.end());
  const std::vector<Tile> facings[] = {depth_tiles(of, true), depth_tiles(of, false)};
  const Layout l = lay_out(of.grid, std::max<std::size_t>(1, std::max(facings[0].size(), facings[1].size())));
  const unsigned front_rows = rows_of(facings[0].size(), l.across), back_rows = rows_of(facings[1].size(), l.across);

  const std::vector<std::string> title{of.title};
  const Image heading = label(title, l.dot, kInk, kPaper);
  const unsigned left = kLabelMargin * l.dot, top = heading.height;
  const unsigned width = std::max(2 * left + (l.across + 1) * l.pitch_x - kGap, heading.width);
  Image sheet = blank(width, top + std::max(2u, front_rows + back_rows) * l.pitch_y, kPaper);
  paste(heading, sheet, 0, 0);
  const auto place = [&](unsigned column, unsigned row, const Tile& tile) {
    draw_tile(sheet, l, left + column * l.pitch_x, top + row * l.pitch_y, of.grid, tile);
  };
  unsigned row = 0;
  for (const std::vector<Tile>& tiles : facings) {
    for (unsigned i = 0; i < tiles.size(); ++i) place(i % l.across, row + i / l.across, tiles[i]);
    row += rows_of(tiles.size(), l.across);
  }
  draw_legend(sheet, l, left + l.across * l.pitch_x, top, of, most);
  place(l.across, 1, length_tile(of, most));
  return sheet;
}

}  // namespace lamella::picture
