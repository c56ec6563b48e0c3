#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "lamella/error.hpp"
#include "picture/ground.hpp"
#include "picture/labels.hpp"
#include "picture/legend.hpp"
#include "picture/occlusion.hpp"
#include "picture/parallel.hpp"
#include "picture/picture.hpp"
#include "picture/shading.hpp"
#include "picture/tile.hpp"

namespace lamella::picture {
namespace {

constexpr float kSmallestDot = 0.25f, kLargestDot = 1000;  // pixels

/// The primitives that touch each tile: those of tile i are primitives[offsets[i] .. offsets[i + 1]).
struct Bins {
  unsigned columns = 0, rows = 0;  // of tiles
  std::vector<std::size_t> offsets;
  std::vector<Primitive> primitives;
};

void check_dots(const Dots& dots) {
  if (dots.colors.empty() || dots.colors.size() == dots.points.size()) return;
  throw Error("cannot draw " + std::to_string(dots.points.size()) + " dots with " + std::to_string(dots.colors.size()) +
              " colours; give one for each");
}

Balls prepare_balls(const Dots& dots, const Camera& camera) {
  const double wished = dots.radius > 0 ? dots.radius * samples_per_unit(camera) / camera.samples : dots.radius_pixels;
  const double radius = std::clamp<double>(wished, kSmallestDot, kLargestDot);
  Balls balls{to_linear(dots.color), radius * camera.samples, {}, {}};
  for (std::size_t i = 0; i < dots.points.size(); ++i) {
    if (!in_sight(camera, dots.points[i])) continue;
    balls.points.push_back(project(camera, to_double(dots.points[i])));
    if (i < dots.colors.size()) balls.colors.push_back(to_linear(dots.colors[i]));
  }
  return balls;
}

Stage prepare_stage(const Picture& picture, unsigned reserved) {
  for (const Layer& layer : picture.layers) check_layer(layer);
  for (const Dots& dots : picture.dots) check_dots(dots);
  Stage stage{fit_camera(picture, reserved), {}, {}};
  for (const Layer& layer : picture.layers) stage.surfaces.push_back(prepare_surface(layer, stage.camera));
  for (const Dots& dots : picture.dots) stage.balls.push_back(prepare_balls(dots, stage.camera));
  return stage;
}

/// Calls visit(tile, primitive) for every tile that each primitive's box touches, primitives ascending.
template <class Visit>
void for_each_touched(const Stage& stage, const Bins& bins, Visit visit) {
  const SampleBox image{0, 0, static_cast<int>(bins.columns) * kTileSamples - 1,
                        static_cast<int>(bins.rows) * kTileSamples - 1};
  const auto place = [&](Primitive p) {
    const SampleBox box = meet(sample_box(stage, p), image);
    if (box.x_low > box.x_high) return;
    for (int row = box.y_low / kTileSamples; row <= box.y_high / kTileSamples && box.y_low <= box.y_high; ++row) {
      for (int column = box.x_low / kTileSamples; column <= box.x_high / kTileSamples; ++column) {
        visit(static_cast<std::size_t>(row) * bins.columns + static_cast<std::size_t>(column), p);
      }
    }
  };
  std::uint32_t set = 0;
  for (const Surface& surface : stage.surfaces) {
    for (std::uint32_t i = 0; i < surface.mesh.triangles.size(); ++i) place({set, i});
    ++set;
  }
  for (const Balls& balls : stage.balls) {
    for (std::uint32_t i = 0; i < balls.points.size(); ++i) place({set, i});
    ++set;
  }
}

Bins bin(const Stage& stage, const Image& image) {
  Bins bins;
  const unsigned pixels = tile_pixels(stage.camera);
  bins.columns = (image.width + pixels - 1) / pixels;
  bins.rows = (image.height + pixels - 1) / pixels;
  // Counted one place further on, so that summing gives starts, and filling moves each start to its end.
  bins.offsets.assign(static_cast<std::size_t>(bins.columns) * bins.rows + 2, 0);
  for_each_touched(stage, bins, [&](std::size_t tile, Primitive) { ++bins.offsets[tile + 2]; });
  for (std::size_t i = 1; i < bins.offsets.size(); ++i) bins.offsets[i] += bins.offsets[i - 1];
  bins.primitives.resize(bins.offsets.back());
  for_each_touched(stage, bins, [&](std::size_t tile, Primitive p) { bins.primitives[bins.offsets[tile + 1]++] = p; });
  bins.offsets.pop_back();
  return bins;
}

/// Calls body(primitives, x, y) for every tile, which begins at pixel (x, y).
template <class Body>
void for_each_tile(const Stage& stage, const Bins& bins, const Body& body) {
  const unsigned pixels = tile_pixels(stage.camera);
  const auto run = [&](std::size_t tile) {
    const auto primitives =
        std::span(bins.primitives).subspan(bins.offsets[tile], bins.offsets[tile + 1] - bins.offsets[tile]);
    body(primitives, static_cast<unsigned>(tile % bins.columns) * pixels,
         static_cast<unsigned>(tile / bins.columns) * pixels);
  };
  for_each(bins.offsets.size() - 1, run, 1);
}

bool has_translucent(const Stage& stage) {
  return std::any_of(stage.surfaces.begin(), stage.surfaces.end(), [](const Surface& s) { return s.opacity < 1; });
}

/// The shadows of a picture, with what they are computed from.
struct ShadowMaps {
  Occlusion opaque, nearest;
  Ground ground;

  ShadowMaps(const Stage& stage, const Bins& bins, const Picture& picture)
      : ground(stage.camera, stage.surfaces, picture) {
    DepthMap map(picture.width, picture.height);
    for_each_tile(stage, bins, [&](std::span<const Primitive> primitives, unsigned x, unsigned y) {
      draw_depths(stage, primitives, x, y, map);
    });
    opaque = occlusion_of(std::move(map.opaque), map.width, map.height, stage.camera);
    if (has_translucent(stage)) nearest = occlusion_of(std::move(map.nearest), map.width, map.height, stage.camera);
  }

  /// Of the nearest surface at each pixel.
  [[nodiscard]] std::span<const float> distances() const {
    return nearest.width == 0 ? opaque.distances : nearest.distances;
  }
  [[nodiscard]] Shadows shadows() const { return {&opaque, nearest.width == 0 ? nullptr : &nearest, &ground}; }
};

void draw_tiles(const Stage& stage, const Bins& bins, const Shadows& shadows, Image& image) {
  tbb::enumerable_thread_specific<TileScratch> scratch;
  for_each_tile(stage, bins, [&](std::span<const Primitive> primitives, unsigned x, unsigned y) {
    draw_tile(stage, primitives, shadows, x, y, scratch.local(), image);
  });
}

}  // namespace

Image render(const Picture& picture, unsigned threads) {
  Image image{picture.width, picture.height,
              std::vector<std::uint8_t>(std::size_t{3} * picture.width * picture.height)};
  const TextBlock text = text_block(picture);
  with_threads(threads, [&] {
    const Stage stage = prepare_stage(picture, text.height());
    const Bins bins = bin(stage, image);
    std::optional<ShadowMaps> maps;
    if (picture.shadows) maps.emplace(stage, bins, picture);
    draw_tiles(stage, bins, maps ? maps->shadows() : Shadows{}, image);
    const LabelGround around{.camera = stage.camera,
                             .distances = maps ? maps->distances() : std::span<const float>(),
                             .width = image.width,
                             .height = image.height,
                             .text_size = text.size,
                             .reserved = static_cast<float>(text.height())};
    draw_labels(image, picture.labels, place_labels(picture.labels, around), text.size);
  });
  draw(image, text);
  return image;
}

}  // namespace lamella::picture
