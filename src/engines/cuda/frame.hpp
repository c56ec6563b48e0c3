#pragma once

// A frame of a query as its kernels see it: arrays, settings, and data passed from kernel to kernel. All of it is on
// the device; the host reads only the FrameReport.
//
//   inspect, encode ─► raster ─► (large) ─► query ─► report ─► (spans ─► (ends))                     columns in slots
//   inspect, encode ─► raster, large: count ─► offsets ─► raster, large: scatter ─► sort ─► query ...  counted
//
// In slots, the usual case, a crossing takes the next of its column's fixed number of places. If a column has more
// crossings, the frame is not valid and is repeated in counted columns, of exactly the size they need.
//
// Where the ends of spans are wanted, the passes that write crossings also write the face of each.

#include <cstdint>

#include "engines/cuda/triangle.hpp"
#include "lamella/cuda.hpp"
#include "query/line_sums.hpp"
#include "query/span_totals.hpp"

struct CUstream_st;

namespace lamella::cuda {

/// Most places of a column in slots: query kernels sort a column in shared memory.
inline constexpr std::uint32_t kMaxSlots = 32;

/// Where the crossings of one mesh go: in slots or counted, the same for all meshes of a frame.
struct ColumnStore {
  /// Slots: number of crossings of each column, including those without room; zeroed by inspect. Counted: the same
  /// until launch_offsets() turns them into offsets, one more than there are columns.
  std::uint32_t* counts = nullptr;
  std::uint32_t* cursors = nullptr;  ///< counted: crossings written so far; zeroed by launch_offsets()
  std::uint32_t* keys = nullptr;     ///< slots: see slot_place(); counted: offset + i
  std::uint32_t* faces = nullptr;    ///< triangles, in step with `filed`; null: not wanted
  std::uint32_t* filed = nullptr;    ///< with faces: keys in the order they came; `keys` itself, if it is not sorted
  std::uint32_t slots = 0;           ///< of a column, a multiple of 4; 0: counted
  std::uint32_t stride = 0;          ///< columns, when in slots
  std::uint32_t capacity = 0;        ///< of keys, when counted
};

/// Where key `i` of a column in slots is. The first four of all columns come first, then the next four of all: most
/// columns have no more than four, so the used keys are close together, two columns in a memory sector.
LAMELLA_HOST_DEVICE constexpr std::size_t slot_place(const ColumnStore& store, std::uint32_t column, std::uint32_t i) {
  return (std::size_t{i / 4} * store.stride + column) * 4 + i % 4;
}

/// Rows of a triangle that did not fit a batch.
struct LargePart {
  std::uint16_t mesh = 0;
  std::uint16_t whole = 0;  ///< 1: all rows of a triangle that has a small box in the window
  std::uint32_t triangle = 0, first_row = 0, row_count = 0;
};

/// Data passed from kernel to kernel; all zero when a frame begins. launch_report() sets it to zero again.
struct FrameState {
  std::uint32_t high[2][3] = {};            ///< of the mesh's box: bits in the order of the floats, see order_bits()
  std::uint32_t low[2][3] = {};             ///< likewise, complemented, so that 0 means empty here too
  std::uint32_t inspect_blocks = 0;         ///< blocks that are done
  std::uint32_t taken[2][2] = {};           ///< by pass and mesh: units of triangles that warps took beyond their first
  std::uint32_t skipped[2] = {};            ///< triangles
  std::uint32_t bad_index = 0;              ///< triangles
  std::uint32_t most_layers = 0;            ///< of columns without room for all
  std::uint32_t deepest = 0;                ///< counted columns: crossings of the fullest
  unsigned long long large_parts = 0;       ///< needed, even if there was no room
  std::uint64_t inside = 0, untrusted = 0;  ///< points
  /// Counted columns: crossings of a mesh without room for all; 0: there was room. Set by launch_offsets().
  std::uint64_t needed[2] = {};
  Grid grid;  ///< set by inspect's last block; zero columns: nothing to sample
  Target target;
  float thickness = 0;    ///< of the thinnest span that counts; a depth
  double step_scale = 0;  ///< length_scale() of the grid
};

/// What is copied back to the host.
struct FrameReport {
  Answer answer;
  std::uint32_t most_layers = 0;  ///< if slots did not suffice
  std::uint32_t deepest = 0;      ///< counted columns: crossings of the fullest
  std::uint64_t large_parts = 0;  ///< needed
  std::uint64_t crossings[2] = {};
};

/// Most blocks of a query kernel over columns. Their number depends only on the query and its grid, so that sums are
/// the same on every device.
inline constexpr std::uint32_t kQueryBlocks = 2048;
inline constexpr std::uint32_t kQueryThreads = 128;

/// One block's part of an answer. Copied as words.
struct BlockSums {
  SpanTotals overlap;
  double inside_out_length = 0;
  std::uint64_t crossings[2] = {};
  std::uint32_t inside_out_spans = 0;
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
};
static_assert(sizeof(BlockSums) == 104);

/// Words of Frame::sums.
inline constexpr std::size_t kAllSumWords = kQueryBlocks * sizeof(BlockSums) / sizeof(std::uint64_t);

enum class Kind : std::uint8_t { intersect, self_intersect, contains, build };

/// A sum of lengths in steps (query/line_sums.hpp); never negative, and of the type that atomics take.
using LineSum = unsigned long long;

/// Sums of lengths by line of the grid: of each column in four sums, by row % 4, then of each row. All zero when a
/// frame begins; launch_report() sets them to zero again.
struct LineStore {
  LineSum* sums = nullptr;  ///< null: not wanted
  std::uint32_t columns = 0, rows = 0;

  [[nodiscard]] LAMELLA_HOST_DEVICE std::uint32_t count() const { return kLineClasses * columns + rows; }
  [[nodiscard]] LAMELLA_HOST_DEVICE LineSum* of_columns() const { return sums; }
  [[nodiscard]] LAMELLA_HOST_DEVICE LineSum* of_rows() const { return sums + kLineClasses * columns; }
};

/// Passed to every kernel by value.
struct Frame {
  Kind kind = Kind::intersect;
  DeviceMesh mesh[2];
  std::uint32_t mesh_count = 1;
  DevicePoints points;
  std::uint8_t* flags = nullptr;

  std::uint32_t resolution = 0;
  std::int32_t axis = -1;  ///< forced, or -1
  float min_thickness = 0;
  bool with_ends = false;   ///< the triangles that end each span are wanted
  bool given_grid = false;  ///< sample on `grid` instead of a grid from the boxes
  Grid grid;
  std::uint32_t column_count = 0;  ///< of the grid to be used

  FrameState* state = nullptr;
  std::uint32_t* codes[2] = {};  ///< one per vertex, see cell_code()
  ColumnStore columns[2];
  void* scratch = nullptr;  ///< of counted columns: counted_scratch_bytes()
  LargePart* large = nullptr;
  std::uint32_t large_capacity = 0;
  bool large_pass = true;  ///< whether launch_raster() ends with the pass over `large`

  std::uint64_t* sums = nullptr;       ///< BlockSums of kQueryBlocks, see load_sums()
  LineStore lines;                     ///< of intersect and self_intersect
  std::uint32_t* span_begins[2] = {};  ///< where each block's spans go; kQueryBlocks of overlap and of inside out
  Span* spans[2] = {};                 ///< null: not wanted
  std::uint32_t span_capacity[2] = {};
  SpanEnds* ends = nullptr;  ///< of spans[0], with_ends: as many

  std::uint32_t multiprocessors = 1;   ///< of the device
  FrameReport* report = nullptr;       ///< on the device
  FrameReport* host_report = nullptr;  ///< pinned memory of the host, written last
};

/// Columns [block * columns_per_block, ...) are a block's. For volumes in a large grid there are more blocks than a
/// device runs at once, so that it does not wait for those with full columns; in other cases that costs more than it
/// gains.
LAMELLA_HOST_DEVICE constexpr std::uint32_t columns_per_block(Kind kind, std::uint32_t column_count) {
  constexpr std::uint32_t kLargeGrid = 1u << 19;
  const bool more = kind != Kind::contains && column_count >= kLargeGrid;
  const std::uint32_t blocks = more ? kQueryBlocks : kQueryBlocks / 2;
  const std::uint32_t spread = column_count / blocks + (column_count % blocks != 0 ? 1 : 0);
  return spread < kQueryThreads ? kQueryThreads : spread;
}
/// Blocks that have columns.
LAMELLA_HOST_DEVICE constexpr std::uint32_t query_block_count(Kind kind, std::uint32_t column_count) {
  return (column_count + columns_per_block(kind, column_count) - 1) / columns_per_block(kind, column_count);
}

using CudaStream = CUstream_st*;

/// Zeroes the counts, finds the boxes, chooses grid and target, encodes the vertices. A frame with a given grid skips
/// the boxes.
void launch_inspect(const Frame& frame, CudaStream stream);

enum class Pass : std::uint8_t { slots, count, scatter, slots_with_faces, scatter_with_faces };
LAMELLA_HOST_DEVICE constexpr bool is_slots(Pass pass) { return pass == Pass::slots || pass == Pass::slots_with_faces; }
LAMELLA_HOST_DEVICE constexpr bool is_scatter(Pass pass) {
  return pass == Pass::scatter || pass == Pass::scatter_with_faces;
}
LAMELLA_HOST_DEVICE constexpr bool has_faces(Pass pass) {
  return pass == Pass::slots_with_faces || pass == Pass::scatter_with_faces;
}
/// Writes the crossings of all meshes into their columns, or counts them: small triangles, then launch_large().
void launch_raster(const Frame& frame, Pass pass, CudaStream stream);
void launch_large(const Frame& frame, Pass pass, CudaStream stream);
/// Parts of triangles narrower than this, in samples, are single rows.
inline constexpr std::int32_t kNarrow = 32;

/// Counted columns: counts become offsets; cursors are zeroed.
void launch_offsets(const Frame& frame, CudaStream stream);
/// Counted columns: sorts every column, of any length.
void launch_sort(const Frame& frame, CudaStream stream);
/// Bytes of Frame::scratch that these two need for a mesh's columns.
[[nodiscard]] std::size_t counted_scratch_bytes(std::uint32_t column_count);

/// The query that frame.kind names: flags and each block's sums, then launch_report().
void launch_query(const Frame& frame, CudaStream stream);
/// Adds up the sums of the first `blocks` blocks, writes the report and, with frame.spans, where each block's spans
/// begin; leaves the state zero.
void launch_report(const Frame& frame, std::uint32_t blocks, CudaStream stream);
/// Writes the spans; after launch_query().
void launch_spans(const Frame& frame, CudaStream stream);
/// Writes the ends of the overlap's spans; after launch_spans(), for columns with faces.
void launch_ends(const Frame& frame, CudaStream stream);

/// Bits with the same order as the floats. Not for NaN.
LAMELLA_HOST_DEVICE constexpr std::uint32_t order_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}
LAMELLA_HOST_DEVICE constexpr float from_order_bits(std::uint32_t ordered) {
  return std::bit_cast<float>((ordered >> 31) != 0 ? ordered & 0x7fffffffu : ~ordered);
}

}  // namespace lamella::cuda
