#pragma once

// The vector kernels of exact points; compiled for every instruction set, with the same results.

#include <cstddef>
#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella::proof {

/// Cells along one axis. A coordinate is in cell (x - origin) * scale, from 0 to before `count`.
struct CellAxis {
  float origin = 0, scale = 0;
  std::uint32_t count = 1;  ///< at most kMostCells
};
/// Numbers of cells have a byte each, and two more values for what lies before the first and behind the last.
inline constexpr std::uint32_t kMostCells = 128;

/// How far a sampled vertex, a point and its cell may be from where they should be, in cells: some lattice steps, and
/// some roundings of a coordinate that counts cells.
inline constexpr float kCellSlack = 0x1p-8f, kCellRoundings = 0x1p-20f;

/// Cells along three axes, in the order u, v, w of the rays.
struct CellGrid {
  int axis[3] = {0, 1, 2};  ///< of the world: u, v, w
  CellAxis cells[3];
  /// Triangles with a corner further out than the sampler can place (core/lattice.hpp) are left out, as it does.
  float lattice_scale[2] = {0, 0};
};

/// A box of cells: of a vertex, those in which it may be once it was moved to the sampler's lattice, with room for
/// rounding. From the lowest byte: the least u, v, w, whether it is usable (255 or 0), then 255 less the greatest u, v,
/// w. Cells count from 1; 0 and `count` + 1 are outside. The least of each byte of two codes is the box around both.
using BoxCode = std::uint64_t;

struct CellBox {
  std::uint32_t low[3], high[3];  ///< from 1
  bool usable;
};
constexpr CellBox decode(BoxCode code) {
  const auto byte = [code](int k) { return static_cast<std::uint32_t>(code >> (8 * k)) & 0xff; };
  return {{byte(0), byte(1), byte(2)}, {255 - byte(4), 255 - byte(5), 255 - byte(6)}, byte(3) != 0};
}

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes);
/// Boxes of triangles, of the codes of their corners. Indices must be in range.
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes);

/// Boxes of triangles as floats: least and greatest u, v, w, in arrays that are readable up to a multiple of kPad.
struct FloatBoxes {
  const float* low[3];
  const float* high[3];
  std::size_t count = 0;
};
inline constexpr std::size_t kPad = 64;

/// Which way rays are followed. Up: they meet boxes that reach to their point's w or higher; down: boxes that begin at
/// its w or lower; both: all.
enum class Way : std::uint8_t { up, down, both };

/// A point whose ray is to be followed.
struct RayStart {
  Vec3 at;                   ///< u, v, w
  std::uint32_t number = 0;  ///< among the caller's points
};

/// A point and a triangle whose box its ray meets, as indices.
struct BoxHit {
  std::uint32_t point, triangle;
};

/// Finds the hits of the points from `first` on, until there is no room left in `hits` for those of one more point.
/// Returns the first point that was not done, and sets `found`. `hits` must have room for boxes.count + kPad or more.
std::size_t find_hits(const FloatBoxes& boxes, std::span<const RayStart> points, Way way,
                      std::size_t first, std::span<BoxHit> hits, std::size_t& found);

}  // namespace lamella::proof
