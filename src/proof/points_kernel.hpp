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
  std::uint32_t count = 1;
};
/// Along u and v, of grids for BoxCode; along w, two less.
inline constexpr std::uint32_t kMostCells = 256;

/// How far a sampled vertex, a point and its cell may be from where they should be, in cells: some lattice steps, and
/// some roundings of a coordinate that counts cells.
inline constexpr float kCellSlack = 0x1p-7f, kCellRoundings = 0x1p-20f;

/// Cells along three axes, in the order u, v, w of the rays.
struct CellGrid {
  int axis[3] = {0, 1, 2};  ///< of the world: u, v, w
  CellAxis cells[3];
  /// Triangles with a corner further out than the sampler can place (core/lattice.hpp) are left out, as it does.
  float lattice_scale[2] = {0, 0};
};

/// A box of cells: of a vertex, those in which it may be once it was moved to the sampler's lattice, with room for
/// rounding. From the lowest byte: the least u, v, w, whether it is usable (255 or 0), then 255 less the greatest u, v,
/// w, and a bit for each side of the grid, along u and v, that it lies beyond. Along u and v, cells beyond the grid are
/// its outermost ones; along w, cells count from 1, and 0 and `count` + 1 are beyond.
using BoxCode = std::uint64_t;

struct CellBox {
  std::uint32_t low[3], high[3];
  bool usable;  ///< and not wholly beyond a side
};
constexpr CellBox decode(BoxCode code) {
  const auto byte = [code](int k) { return static_cast<std::uint32_t>(code >> (8 * k)) & 0xff; };
  return {{byte(0), byte(1), byte(2)}, {255 - byte(4), 255 - byte(5), 255 - byte(6)}, byte(3) != 0 && byte(7) == 0};
}

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes);
/// Boxes of triangles, of the codes of their corners, and of each group of kGroup triangles in a row. Indices must be
/// in range.
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups);
inline constexpr std::size_t kGroup = 4;

/// Which way the ray of a point is followed. The ray meets triangles that reach to the point's w or higher, that begin
/// at its w or lower, or both.
enum class Way : std::uint32_t { up, down, both };

/// A point whose ray is to be followed.
struct RayStart {
  Vec3 at;                 ///< u, v, w
  std::uint32_t code = 0;  ///< its number and its way

  static constexpr int kWayBits = 2;
  static constexpr std::uint32_t encode(std::uint32_t number, Way way) {
    return number << kWayBits | static_cast<std::uint32_t>(way);
  }
  [[nodiscard]] std::uint32_t number() const { return code >> kWayBits; }
  [[nodiscard]] Way way() const { return static_cast<Way>(code & ((1u << kWayBits) - 1)); }
};
static_assert(sizeof(RayStart) == 16);

/// Points sorted by bins of a rectangle of the image plane, row by row. kPad more are readable.
struct BinnedPoints {
  float origin[2], scale[2];
  std::int32_t bins[2];
  const std::uint32_t* begin;  ///< of each bin's points, and the end
  const RayStart* points;
};
inline constexpr std::size_t kPad = 64;

/// The bin of a coordinate. Never decreases with the coordinate, so that a box's bins hold all points in it.
inline std::int32_t bin_of(float x, float origin, float scale, std::int32_t bins) {
  const float at = (x - origin) * scale;
  return at >= static_cast<float>(bins) ? bins - 1 : at > 0 ? static_cast<std::int32_t>(at) : 0;
}

/// A point whose ray meets the box of a triangle.
struct BoxHit {
  std::uint32_t point, triangle;
};

/// Gets the hits, some at a time.
struct HitSink {
  void* owner;
  void (*take)(void* owner, std::span<const BoxHit> hits);
};

/// Finds the points whose rays meet the boxes of these triangles, which must be usable. `axes`: of the world, for u, v
/// and w. Returns how many points were tested.
std::uint64_t find_hits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                        const BinnedPoints& points, const HitSink& sink);

/// For each point, the column of cells and the slab that it is in.
struct PointCells {
  CellAxis cells[3];  ///< u, v, w
  int axis[3];
  unsigned shift = 0;  ///< columns are of blocks of 2^shift cells
  std::uint32_t stride = 0;
};
void find_cells(std::span<const Vec3> points, const PointCells& grid, std::uint32_t* column, std::uint32_t* slab);

}  // namespace lamella::proof
