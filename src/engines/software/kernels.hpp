#pragma once

// The vector kernels of the software engine. Each is written once, in stream-inl.hpp or raster-inl.hpp, and compiled
// for every instruction set; the best one that the processor has is picked at run time. All of them use only operations
// that round the same everywhere (no fused multiply-add, no approximate reciprocals), so that they return the same
// bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/lattice.hpp"
#include "core/positions.hpp"
#include "core/rows.hpp"
#include "core/window.hpp"
#include "lamella/mesh.hpp"

namespace lamella::software {

/// The most 32-bit lanes that a kernel's vectors have: longer ones are not used whole. Vectors are stored whole, so
/// arrays that kernels write to need room for one beyond their end.
inline constexpr std::size_t kMaxLanes = 64;

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

/// Fragments before they are sorted into columns: parallel arrays with room for kMaxLanes beyond `capacity`, which is
/// at least kMostFragmentsAtOnce and, for fill_row(), the length of a row.
struct FragmentBuffer {
  std::uint32_t* column = nullptr;
  std::uint32_t* key = nullptr;
  std::uint32_t* face = nullptr;  ///< triangles' numbers; null when they are not needed
  std::uint32_t first_face = 0;   ///< number of the mesh's first triangle
  std::size_t size = 0;
  std::size_t capacity = 0;
  /// Makes room by emptying the buffer.
  void (*flush)(FragmentBuffer&, void*) = nullptr;
  void* owner = nullptr;

  void make_room(std::size_t n) {
    if (size + n > capacity) flush(*this, owner);
  }
};

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
};

/// Triangles as a structure of arrays: scratch of rasterize().
struct Batch {
  static constexpr std::size_t kCapacity = 512;
  static constexpr std::size_t kPadded = kCapacity + kMaxLanes;
  alignas(64) Vec3 corner[3][kPadded];
  alignas(64) std::uint32_t id[kPadded];
};

/// Largest box, in samples along one axis, whose edge functions fit 32 bits.
inline constexpr std::int32_t kMaxBatchExtent = (1 << (15 - kSubBits)) - 2;
/// Fragments that rasterize() makes between two calls of make_room(): a row of every box of a vector.
inline constexpr std::size_t kMostFragmentsAtOnce = kMaxBatchExtent * kMaxLanes;

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

/// Triangles that a pass over a batch did not rasterise; each list must have room for the batch and kMaxLanes more.
struct LeftOver {
  std::uint32_t* larger;  ///< ids of those with a box above the limit
  std::size_t larger_count = 0;
  std::uint32_t* outside;  ///< ids of those with a clamped corner, which must be placed again
  std::size_t outside_count = 0;
};

/// Snaps and rasterises many triangles at a time, each against the samples of its own box, of at most `limit` samples
/// along either axis (at most kMaxBatchExtent).
void rasterize(const Survivors& survivors, std::int32_t limit, const RasterTarget& target, Batch& scratch,
               FragmentBuffer& out, LeftOver& left);

/// Fragments of the samples of one row of triangle `id`, see core/rows.hpp.
void fill_row(const RowSpan& span, const TriangleDepth& depth, std::uint32_t id, float box_depth, FragmentBuffer& out);

}  // namespace lamella::software
