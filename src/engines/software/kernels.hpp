#pragma once

// The vector kernels of the software engine. Each is written once, in stream-inl.hpp, raster-inl.hpp or rows-inl.hpp,
// and compiled for every instruction set; the best one that the processor has is picked at run time. All of them use
// only operations that round the same everywhere (no fused multiply-add, no approximate reciprocals), so that they
// return the same bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/lattice.hpp"
#include "core/positions.hpp"
#include "core/rows.hpp"
#include "core/window.hpp"
#include "engines/software/tile.hpp"
#include "lamella/mesh.hpp"

namespace lamella::software {

/// The position of a vertex among the samples, in four bytes: how many samples come before it along each image axis.
/// Nothing else of a vertex is stored. A triangle can cover a sample only if its corners' codes differ on both axes.
///
/// The two are in the order of the world's axes, x before y before z, which for rays along y is (v, u): the vertex
/// stream is then encoded without rearranging it.
struct CellCode {
  std::uint16_t first = 0, second = 0;
};
static_assert(sizeof(CellCode) == 4 && kMaxResolution < 1 << 15);

/// Limits of lattice coordinates minus one (whose high bits, >> kSubBits, are the cell code), for a window's first and
/// end cell. A triangle with a corner at either limit lies partly outside and is left to rasterize_large().
constexpr std::int32_t clamped_low(std::uint32_t first) { return static_cast<std::int32_t>(first << kSubBits); }
constexpr std::int32_t clamped_high(std::uint32_t end) {
  return static_cast<std::int32_t>(end << kSubBits) + (kSubStep - 1);
}

/// What the rasteriser needs to know about the grid.
struct RasterTarget {
  Grid grid;
  Lattice lattice;
  float depth = 0;  ///< of the box: crossings beyond either face are moved onto it
  Window window;    ///< cells outside it are not sampled
};
inline RasterTarget make_target(const Grid& grid, const Window& window) {
  return {grid, make_lattice(grid), grid.depth(), window};
}

/// Triangles that survived the cull, by number. Their vertices must be usable.
struct Survivors {
  std::span<const std::uint32_t> ids;  ///< at most Batch::kCapacity
  MeshView mesh;
  std::uint32_t first_face = 0;  ///< number of the mesh's first triangle, where faces are kept
  bool scattered = false;        ///< far from each other in memory
};

/// Scratch of rasterize(): triangles, and samples until their sink takes them.
struct Batch {
  static constexpr std::size_t kCapacity = 512;
  static constexpr std::size_t kPadded = kCapacity + kMaxLanes;
  static constexpr std::size_t kSamples = 4096;
  alignas(64) Vec3 corner[3][kPadded];
  alignas(64) std::uint32_t id[kPadded];
  alignas(64) std::uint32_t column[kSamples + kMaxLanes], key[kSamples + kMaxLanes], face[kSamples + kMaxLanes];
  std::size_t samples = 0;

  void flush(SampleSink& sink) {
    sink.take({column, key, face, samples});
    samples = 0;
  }
};

/// Where rasterize() samples: some cells of the target's window. Columns are numbered from a cell on, `stride` apart
/// from row to row.
struct RasterRegion {
  Window cells;
  std::uint32_t first_u = 0, first_v = 0;  ///< the cell with number 0
  std::uint32_t stride = 0;
  bool faces = false;
  std::int32_t limit = 0;  ///< most samples of a box along either axis, kMaxBatchExtent or less
};

/// Largest box, in samples along one axis, whose edge functions fit 32 bits.
inline constexpr std::int32_t kMaxBatchExtent = (1 << (15 - kSubBits)) - 2;

/// Writes every position's code. Returns how many positions are not usable; their codes are meaningless.
std::size_t encode(std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes);

inline constexpr std::size_t kBadIndex = ~std::size_t{0};

/// Writes the numbers, from `first` up, of those triangles whose box contains a sample. `ids` must have room for all
/// triangles and kMaxLanes more. Returns how many, or kBadIndex when an index is not below `codes.size()`: indices are
/// checked just before they are used, which costs little since they must be loaded into the cache anyway.
std::size_t cull(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                 std::uint32_t* ids);

// The two implementations of cull(): by vector gathers or by plain loads. Which is faster depends on the processor, by
// a factor of up to two either way, and is measured once per process. Both return the same. Gathers use signed indices,
// so they need fewer than kMaxGathered codes.
inline constexpr std::size_t kMaxGathered = std::size_t{1} << 31;
std::size_t cull_by_gathers(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                            std::uint32_t* ids);
std::size_t cull_by_loads(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                          std::uint32_t* ids);

/// First half of cull_by_loads(): the bits in which the codes of each triangle's corners differ. Compiled only for the
/// baseline: compilers would turn it into gathers where the instruction set has them.
void collect_differences(std::span<const Triangle> triangles, const CellCode* codes, std::uint32_t* differ);

/// The boxes of triangles among the samples, packed like CellCode: the least and the greatest code of their corners.
/// Both need room for kMaxLanes more.
void collect_boxes(std::span<const std::uint32_t> ids, std::span<const Triangle> triangles, const CellCode* codes,
                   CellCode* low, CellCode* high);

/// Snaps and rasterises triangles. Returns how many it left out, with their numbers in `left`, which must have room for
/// a batch and kMaxLanes more: those with a larger box than the region's limit, or with a corner at or beyond the
/// border of the target's window. rasterize_large() can do them.
std::size_t rasterize(const Survivors& survivors, const RasterTarget& target, const RasterRegion& region,
                      Batch& scratch, SampleSink& sink, std::uint32_t* left);

/// Rasterises a triangle of any size, row by row (core/rows.hpp), into the part of the target's window that is in the
/// tile of `out`. Depths along a row are steps from its first sample in the window, whichever tile they are in: so a
/// row has the same bits however the image is cut.
void rasterize_large(const LatticeVertex corners[3], std::uint32_t face, const RasterTarget& target, Layers& out);

}  // namespace lamella::software
