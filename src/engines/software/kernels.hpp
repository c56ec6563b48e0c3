#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/lattice.hpp"
#include "lamella/mesh.hpp"

// The vector kernels of the software engine. Each is written once, in kernels-inl.hpp, and compiled for every
// instruction set; the best one that the processor has is picked at run time. All of them use only operations that
// round the same everywhere (no fused multiply-add, no approximate reciprocals), so that they return the same bits.

namespace lamella::software {

/// A vertex on the lattice in 8 bytes: lattice coordinates minus one, clamped to what the image needs to know. The high
/// bits (>> kSubBits) count the samples before the vertex, so that a triangle covers no sample of an axis unless the
/// high bits of its three vertices differ there.
///
/// The two are in the order of the world's axes, x before y before z, which for rays along y is (v, u): the vertex
/// stream is then snapped without rearranging it.
struct Snapped {
  std::int32_t first = 0, second = 0;
};
static_assert(sizeof(Snapped) == 8);

/// The clamped coordinate at either end; a vertex that has it must be placed again from its position.
inline constexpr std::int32_t kClampedLow = 0;
constexpr std::int32_t clamped_high(std::uint32_t cells) {
  return static_cast<std::int32_t>(cells << kSubBits) + (kSubStep - 1);
}

/// Fragments before they are sorted into columns: parallel arrays with room for one full vector beyond `capacity`.
struct FragmentBuffer {
  std::uint32_t* column = nullptr;
  std::uint32_t* key = nullptr;
  std::size_t size = 0;
  std::size_t capacity = 0;
  /// Makes room by emptying the buffer.
  void (*flush)(FragmentBuffer&, void*) = nullptr;
  void* owner = nullptr;

  void make_room(std::size_t n) {
    if (size + n > capacity) flush(*this, owner);
  }
};

/// What the rasteriser needs of the grid.
struct RasterTarget {
  Grid grid;
  Lattice lattice;
  float depth = 0;  ///< of the box: crossings beyond either face are moved onto it
};

/// Triangles side by side, one array per corner and kind; filled by the caller up to `size`.
struct Batch {
  static constexpr std::size_t kCapacity = 512;
  static constexpr std::size_t kPadded = kCapacity + 64;
  alignas(64) Snapped corner[3][kPadded];
  alignas(64) float w[3][kPadded];  ///< coordinates along the rays
  alignas(64) std::uint32_t id[kPadded];
  std::size_t size = 0;
};

/// Largest box, in samples along one axis, whose edge functions fit 32 bits.
inline constexpr std::int32_t kMaxBatchExtent = (1 << (15 - kSubBits)) - 2;

/// Box of the finite coordinates.
Aabb bounds(std::span<const Vec3> positions);

/// Writes every position's Snapped, and its coordinate along the rays. Returns how many positions are not usable; they
/// are clamped on both axes.
std::size_t snap(std::span<const Vec3> positions, const RasterTarget& target, Snapped* out, float* w);

/// Writes the numbers, from `first` up, of those triangles whose box contains a sample. `ids` must have room for all
/// triangles and a vector more. Returns how many, or kBadIndex when an index is not below `vertices`: indices are
/// checked a block at a time just before they are used, which costs little since they must come into the cache anyway.
inline constexpr std::size_t kBadIndex = ~std::size_t{0};
std::size_t cull(std::span<const Triangle> triangles, std::span<const Snapped> vertices, std::uint32_t first,
                 std::uint32_t* ids);

/// First half of cull(): the bits in which each triangle's corners differ from one another, first axis in the low half.
/// Compiled for the baseline alone: compilers turn it into gathers where they may, which are slower than plain loads.
void collect_differences(std::span<const Triangle> triangles, const Snapped* snapped, std::uint64_t* differ);

/// Triangles that a pass over a batch left; each list must have room for the batch and a vector more.
struct LeftOver {
  std::uint32_t* larger;  ///< ids of those with a box above the limit
  std::size_t larger_count = 0;
  std::uint32_t* outside;  ///< ids of those with a clamped corner, which must be placed again
  std::size_t outside_count = 0;
};

/// Rasterises a batch, many triangles at a time, each against the samples of its own box, of at most `limit` samples
/// along either axis (at most kMaxBatchExtent).
void rasterize(const Batch& batch, std::int32_t limit, const RasterTarget& target, FragmentBuffer& out, LeftOver& left);

/// Depths along one row of one triangle: start + (step1 * i) for the barycentrics, see large.cpp.
struct RowSpan {
  std::uint32_t first_column;  ///< row-major index
  std::uint32_t count;
  float b1, b2;            ///< barycentrics of corners 1 and 2 at the first sample
  float b1_step, b2_step;  ///< per sample
};
struct TriangleDepth {
  float z0, dz1, dz2;  ///< depth of corner 0 and differences of the others from it
  float low, high;     ///< depth range of the triangle
  bool entry;
};
void fill_row(const RowSpan& span, const TriangleDepth& depth, float box_depth, FragmentBuffer& out);

/// Name of the instruction set in use, e.g. "AVX3_DL".
const char* instruction_set();

}  // namespace lamella::software
