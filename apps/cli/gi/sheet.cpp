#include "cli/gi/sheet.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/maps.hpp"
#include "lamella/error.hpp"
#include "picture/canvas.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

using picture::Image;
using picture::Rgb;

constexpr Rgb kPaper{0.992f, 0.992f, 0.988f}, kInk{0.15f, 0.16f, 0.18f};
constexpr Rgb kCut{0.90f, 0.12f, 0.10f}, kDark{0.30f, 0.42f, 0.58f}, kLight{0.86f, 0.87f, 0.84f};
// Pixels. Below the least size captions would run into one another; from the second on they are written large.
constexpr unsigned kUsualMap = 320, kLeastMap = 144, kLargeTextMap = 288, kGap = 16;
constexpr float kCutPixels = 1.7f;
constexpr double kCutSpacing = 1.0 / 1000;  ///< of the box's diagonal
constexpr std::uint32_t kBoard = 16;        ///< squares along a side of the checkerboard
constexpr std::array<std::size_t, 3> kBallFaces{2400, 1000, 500};
// Of files with many images, more would take minutes and gigabytes, and be smaller than pixels.
constexpr std::size_t kMostTriangles = std::size_t{1} << 22;  ///< of the surfaces, about
constexpr std::size_t kMostBalls = 4096;                      ///< in a view
constexpr std::size_t kMostWithBalls = 64;  ///< images whose spheres are drawn together; of more, those of one

struct Tile {
  std::string caption;
  Image image;
};

constexpr std::uint64_t kTiles = 11;  ///< about as many are drawn

/// Sizes in pixels: all follow from that of a map.
struct Layout {
  unsigned map = kUsualMap;

  [[nodiscard]] unsigned wide() const { return 2 * map + 2 * (map * 3 / 2) + 3 * kGap; }  ///< of a row
  [[nodiscard]] unsigned view_height() const { return map * 3 / 2; }
  /// Size of the letters.
  [[nodiscard]] float text() const { return map >= kLargeTextMap ? picture::kLargeText : picture::kSmallText; }
  [[nodiscard]] unsigned line() const {
    const std::vector<std::string> letter{"x"};
    return picture::label(letter, text(), kInk, kPaper).height;
  }
  [[nodiscard]] picture::Size sheet() const {
    return {wide() + 2 * kGap, 4 * line() + map + 2 * view_height() + 2 * kGap};
  }
};

/// As large as it can be within `size`.
Layout layout_within(picture::Size size) {
  Layout layout;
  if (size.width == 0) return layout;
  for (layout.map = std::max(size.width, size.height); layout.map >= kLeastMap; --layout.map) {
    const picture::Size sheet = layout.sheet();
    if (sheet.width <= size.width && sheet.height <= size.height) return layout;
  }
  const picture::Size least = Layout{kLeastMap}.sheet();
  throw Error(fmt::format("--size: the sheet does not fit into {}x{} pixels; ask for {}x{} or more", size.width,
                          size.height, least.width, least.height));
}

/// One row after the other; counts for the progress bar.
using Rows = std::vector<std::vector<Tile>>;

void add_tile(const ImageSheet& sheet, Rows& rows, Tile tile) {
  rows.back().push_back(std::move(tile));
  std::uint64_t done = 0;
  for (const auto& row : rows) done += row.size();
  if (sheet.progress) sheet.progress(done, kTiles);
}

/// The surfaces of all images, ready to be drawn several times.
struct Surfaces {
  Mesh mesh;
  std::vector<Triangle> dark, light;  ///< the mesh's triangles by square of the checkerboard
  std::vector<Vec3> cut;              ///< points along the images' borders
};

void add_segment(std::vector<Vec3>& points, Vec3 from, Vec3 to, float spacing) {
  const auto count = static_cast<unsigned>(std::ceil(length(to - from) / spacing)) + 1;
  for (unsigned i = 0; i < count; ++i) {
    points.push_back(from + (to - from) * (static_cast<float>(i) / static_cast<float>(count)));
  }
}

/// Along the border of the image, as fine as its mesh is drawn.
void add_cut(std::vector<Vec3>& points, const GeometryImage& image, int finest, float spacing) {
  const std::uint32_t last = image.side() - 1, step = 1u << std::max(0, image.n - finest);
  const auto at = [&](std::uint32_t x, std::uint32_t y) { return image.positions[std::size_t{y} * image.side() + x]; };
  for (std::uint32_t i = 0; i < last; i += step) {
    add_segment(points, at(i, 0), at(i + step, 0), spacing);
    add_segment(points, at(i, last), at(i + step, last), spacing);
    add_segment(points, at(0, i), at(0, i + step), spacing);
    add_segment(points, at(last, i), at(last, i + step), spacing);
  }
}

/// The size at which this many images are drawn.
int finest_of(std::size_t images) {
  constexpr int kCoarsest = 2;
  int finest = kFinestDrawn;
  while (finest > kCoarsest && images * (std::size_t{2} << (2 * finest)) > kMostTriangles) --finest;
  return finest;
}

Surfaces surfaces_of(std::span<const GeometryImage> images) {
  Surfaces out;
  const int finest = finest_of(images.size());
  const float spacing = static_cast<float>(kCutSpacing) * length(extent(bounds_of(images)));
  for (const GeometryImage& image : images) {
    const std::size_t first = out.mesh.triangles.size();
    append(out.mesh, coarse_mesh(image, finest));
    const int n = std::min(image.n, finest);
    const std::uint32_t square = std::max(1u, (1u << n) / kBoard);
    for (std::size_t i = first; i < out.mesh.triangles.size(); ++i) {
      const auto quad = static_cast<std::uint32_t>((i - first) / 2);
      const bool dark = ((quad >> n) / square + (quad & ((1u << n) - 1)) / square) % 2 != 0;
      (dark ? out.dark : out.light).push_back(out.mesh.triangles[i]);
    }
    add_cut(out.cut, image, finest, std::max(spacing, 1e-30f));
  }
  return out;
}

/// A picture as all views are, one of `across` in a row.
picture::Picture view(const ImageSheet& sheet, const Layout& layout, unsigned across, bool behind = false) {
  picture::Picture out;
  out.width = (layout.wide() - (across - 1) * kGap) / across;
  out.height = layout.view_height();
  picture::look(out, sheet.up, sheet.view, behind);
  return out;
}

void add_maps(const ImageSheet& sheet, const Layout& layout, Rows& rows) {
  rows.emplace_back();
  const GeometryImage& image = sheet.images[sheet.number];
  const SpherePyramid pyramid(image);
  const Aabb box = bounds({image.positions, {}});
  const auto add = [&](std::string caption, Image map) { add_tile(sheet, rows, {std::move(caption), std::move(map)}); };
  add(fmt::format("positions, {}", size_text(image.side(), image.side())), draw_positions(image, box, layout.map));
  add("normals", draw_normals(image, layout.map));
  add(fmt::format("centres of spheres, {}", size_text(pyramid.width(), pyramid.height())),
      draw_centers(pyramid, box, layout.map));
  add("their radii, by logarithm", draw_radii(pyramid, layout.map));
}

void add_views(const ImageSheet& sheet, const Layout& layout, Rows& rows) {
  rows.emplace_back();
  const Surfaces surfaces = surfaces_of(sheet.images);
  const bool beside = !sheet.original.triangles.empty();
  std::uint64_t triangles = 0;  // drawn or not
  for (const GeometryImage& image : sheet.images) triangles += image.triangle_count();
  const auto add = [&](std::string caption, bool behind, std::vector<picture::Layer> layers, bool cut) {
    picture::Picture out = view(sheet, layout, beside ? 4 : 3, behind);
    out.layers = std::move(layers);
    if (cut) out.dots = {{surfaces.cut, kCut, kCutPixels}};
    add_tile(sheet, rows, {std::move(caption), picture::render(out, sheet.threads)});
  };
  if (beside) {
    add(fmt::format("original, {}", counted(sheet.original.triangles.size(), "triangle")), false,
        {{sheet.original, picture::kSand, 1}}, false);
  }
  const picture::Layer whole{surfaces.mesh, picture::kBlueGrey, 1};
  add(fmt::format("image, {}", counted(triangles, "triangle")), false, {whole}, true);
  add("from behind; the cut is red", true, {whole}, true);
  add(fmt::format("in {} squares", size_text(kBoard, kBoard)), false,
      {{{surfaces.mesh.positions, surfaces.light}, kLight, 1}, {{surfaces.mesh.positions, surfaces.dark}, kDark, 1}},
      true);
}

/// Levels 2, 3 and 4, or those that the smallest image has, or those with few enough spheres.
std::vector<int> levels_of(std::span<const GeometryImage> images) {
  int deepest = kMaxImageLevels;
  for (const GeometryImage& image : images) deepest = std::min(deepest, image.n);
  int last = std::min(4, deepest);
  while (last > 0 && images.size() << (2 * last) > kMostBalls) --last;
  std::vector<int> levels;
  for (int level = std::max(0, last - 2); level <= last; ++level) levels.push_back(level);
  return levels;
}

Mesh ball(const Mesh& unit, const Sphere& sphere) {
  Mesh out = unit;
  for (Vec3& p : out.positions) p = Vec3{sphere.x, sphere.y, sphere.z} + p * sphere.radius;
  return out;
}

/// What the views of spheres are fitted to, so that all have one scale. Spheres do not reach into a box's corners: one
/// somewhat smaller holds them.
Aabb frame_of(std::span<const SpherePyramid> pyramids, int level) {
  constexpr float kPart = 0.82f;
  Aabb box;
  for (const SpherePyramid& pyramid : pyramids) {
    for (std::uint32_t y = 0; y < 1u << level; ++y) {
      for (std::uint32_t x = 0; x < 1u << level; ++x) {
        const Sphere& s = pyramid.at(level, x, y);
        const Vec3 at{s.x, s.y, s.z}, reach{s.radius, s.radius, s.radius};
        box = extend(extend(box, at - reach), at + reach);
      }
    }
  }
  const Vec3 middle = center(box), half = extent(box) * (kPart / 2);
  return {middle - half, middle + half};
}

void add_balls(const ImageSheet& sheet, const Layout& layout, Rows& rows) {
  rows.emplace_back();
  std::vector<SpherePyramid> pyramids;
  const bool one = sheet.images.size() > kMostWithBalls;
  const std::span<const GeometryImage> images = one ? sheet.images.subspan(sheet.number, 1) : sheet.images;
  for (const GeometryImage& image : images) pyramids.emplace_back(image);
  const Aabb colors = bounds_of(images);
  const std::vector<int> levels = levels_of(images);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const int level = levels[i];
    const Mesh unit = scenes::sphere(kBallFaces[i]);
    picture::Picture out = view(sheet, layout, static_cast<unsigned>(levels.size()));
    std::deque<Mesh> meshes;  // layers are views of them: they must stay where they are
    for (const SpherePyramid& pyramid : pyramids) {
      for (std::uint32_t y = 0; y < 1u << level; ++y) {
        for (std::uint32_t x = 0; x < 1u << level; ++x) {
          const Sphere& s = pyramid.at(level, x, y);
          out.layers.push_back({meshes.emplace_back(ball(unit, s)), position_color({s.x, s.y, s.z}, colors), 1});
        }
      }
    }
    out.fit = frame_of(pyramids, levels.front());
    const std::string whose = one ? fmt::format(", of number {} alone", sheet.number) : "";
    add_tile(sheet, rows, {fmt::format("spheres of level {}{}", level, whose), picture::render(out, sheet.threads)});
  }
}

/// Pastes the tiles from left to right, captions above, and returns where the next row begins.
unsigned place_row(Image& sheet, const Layout& layout, unsigned top, const std::vector<Tile>& tiles) {
  unsigned x = kGap, bottom = top;
  for (const Tile& tile : tiles) {
    const std::vector<std::string> lines{tile.caption};
    const Image words = picture::label(lines, layout.text(), kInk, kPaper);
    picture::paste(words, sheet, x - std::min(x, picture::label_margin(layout.text())), top);
    picture::paste(tile.image, sheet, x, top + words.height);
    x += tile.image.width + kGap;
    bottom = std::max(bottom, top + words.height + tile.image.height + kGap / 2);
  }
  return bottom;
}

}  // namespace

Image draw_sheet(const ImageSheet& sheet) {
  const std::vector<std::string> title{sheet.title};
  const Layout layout = layout_within(sheet.size);
  const Image heading = picture::label(title, layout.text(), kInk, kPaper);
  Rows rows;
  add_maps(sheet, layout, rows);
  add_views(sheet, layout, rows);
  add_balls(sheet, layout, rows);
  const picture::Size size = sheet.size.width > 0 ? sheet.size : layout.sheet();
  Image out = picture::blank(size.width, size.height, kPaper);
  picture::paste(heading, out, kGap - picture::label_margin(layout.text()), 0);
  unsigned top = heading.height;
  for (const auto& tiles : rows) top = place_row(out, layout, top, tiles);
  return out;
}

}  // namespace lamella::cli
