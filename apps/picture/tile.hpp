#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/coverage.hpp"
#include "picture/surface.hpp"

namespace lamella::picture {

/// Along each side of a tile. A tile has whole pixels: this is a multiple of every number of samples in a pixel.
inline constexpr int kTileSamples = 192;
[[nodiscard]] inline unsigned tile_pixels(const Camera& camera) {
  return static_cast<unsigned>(kTileSamples / camera.samples);
}

/// A set of dots made ready for drawing.
struct Balls {
  Vec3 color;         ///< linear
  double radius = 0;  ///< samples
  std::vector<ScreenPoint> points;
  std::vector<Vec3> colors{};  ///< linear, for each point; empty: all have `color`
};

struct Stage {
  Camera camera;
  std::vector<Surface> surfaces;
  std::vector<Balls> balls;
};

/// A triangle of surface `set`, or a ball of set `set` - surfaces.size().
struct Primitive {
  std::uint32_t set = 0, index = 0;
  friend constexpr auto operator<=>(const Primitive&, const Primitive&) = default;
};

/// Samples that a primitive may cover, not cut to the image. Empty when it is not drawn.
[[nodiscard]] SampleBox sample_box(const Stage& stage, Primitive primitive);

/// Part of a primitive at one sample of a tile.
struct Fragment {
  std::uint32_t sample = 0;  ///< row-major in the tile
  float depth = 0;
  Primitive primitive;
};

/// What a thread keeps from tile to tile.
struct TileScratch {
  std::vector<Fragment> opaque;                ///< the nearest at each sample; at infinity where there is none
  std::vector<Fragment> fragments, by_sample;  ///< translucent, as drawn and then in order
  std::vector<std::uint32_t> offsets;          ///< of each sample's part of by_sample
};

class Ground;
struct Occlusion;

/// Light that does not arrive. Where a pointer is null, all of it does.
struct Shadows {
  const Occlusion* opaque = nullptr;   ///< of opaque surfaces
  const Occlusion* nearest = nullptr;  ///< of the surfaces that are nearest to the eye
  const Ground* ground = nullptr;
};

/// Draws the primitives, which must be ascending, into the tile whose first pixel is (x, y).
///
/// Opaque surfaces go into a depth buffer. Translucent fragments in front of it are listed per sample, sorted by depth
/// and composited front to back: an A-buffer, for which the order of drawing does not matter.
void draw_tile(const Stage& stage, std::span<const Primitive> primitives, const Shadows& shadows, unsigned x,
               unsigned y, TileScratch& scratch, Image& image);

}  // namespace lamella::picture
