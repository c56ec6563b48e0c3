// Columns of exactly the size they need: a scan in three kernels turns counts into offsets (sums of tiles, offsets of
// tiles, offsets of columns), and after the crossings are written, every column is sorted. Short columns are sorted by
// one thread each, by insertion in shared memory. Longer columns are put on a list and sorted by a warp each, the
// longest by a block, with a bitonic network for any length: comparisons beyond the end are left out, as if the largest
// keys were there. Only rare frames with columns too deep for slots use this code, so it is kept simple.

#include <algorithm>

#include "engines/cuda/block.hpp"
#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kRounds = 16;
constexpr std::uint32_t kTile = kThreads * kRounds;  ///< columns of a block
constexpr std::uint32_t kShort = 32;                 ///< crossings of a column that one thread sorts
constexpr std::uint32_t kShortThreads = 128;
constexpr std::uint32_t kLongBlocks = 512;
constexpr std::uint32_t kSharedKeys = 8192;                          ///< of columns that are sorted in shared memory
constexpr std::uint32_t kMedium = kSharedKeys / (kThreads / kWarp);  ///< crossings of a column that a warp sorts

LAMELLA_HOST_DEVICE constexpr std::uint32_t tile_count(std::uint32_t column_count) {
  return (column_count + kTile - 1) / kTile;
}
/// Tiles, the length of the list, the list.
LAMELLA_HOST_DEVICE constexpr std::size_t scratch_bytes(std::uint32_t column_count) {
  return (std::size_t{tile_count(column_count)} + 1 + (std::size_t{column_count} + 1) / 2) * sizeof(std::uint64_t);
}

/// One mesh's columns and its part of the scratch memory.
struct Counted {
  ColumnStore store;
  std::uint64_t* tiles = nullptr;   ///< crossings of each tile, later of all tiles before it
  std::uint32_t* listed = nullptr;  ///< how many: columns for warps, for blocks
  std::uint32_t* list = nullptr;    ///< those for warps from the front, those for blocks from the back
};

__device__ Counted counted(const Frame& frame, std::uint32_t mesh) {
  const std::uint32_t tiles = tile_count(frame.column_count);
  auto* begin = static_cast<unsigned char*>(frame.scratch);
  if (mesh != 0) begin += scratch_bytes(frame.column_count);
  Counted c;
  c.store = mesh == 0 ? frame.columns[0] : frame.columns[1];
  c.tiles = reinterpret_cast<std::uint64_t*>(begin);
  c.listed = reinterpret_cast<std::uint32_t*>(c.tiles + tiles);
  c.list = c.listed + 2;
  return c;
}

__global__ void __launch_bounds__(kThreads) sum_tiles(Frame frame) {
  wait_for_previous();
  const std::uint32_t tiles = tile_count(frame.column_count), tile = blockIdx.x % tiles;
  const Counted c = counted(frame, blockIdx.x / tiles);
  unsigned long long mine = 0, total = 0;
  std::uint32_t deepest = 0;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t column = tile * kTile + round * kThreads + threadIdx.x;
    const std::uint32_t count = column < frame.column_count ? c.store.counts[column] : 0;
    mine += count;
    deepest = std::max(deepest, count);
  }
  (void)block_scan<kThreads>(mine, total);
  deepest = __reduce_max_sync(kAllLanes, deepest);
  if (threadIdx.x % kWarp == 0 && deepest != 0) atomicMax(&frame.state->deepest, deepest);
  if (threadIdx.x == 0) c.tiles[tile] = total;
}

/// A block per mesh.
__global__ void __launch_bounds__(kThreads) place_tiles(Frame frame) {
  wait_for_previous();
  const Counted c = counted(frame, blockIdx.x);
  const std::uint32_t tiles = tile_count(frame.column_count), each = (tiles + kThreads - 1) / kThreads;
  const std::uint32_t first = std::min(threadIdx.x * each, tiles), end = std::min(first + each, tiles);
  unsigned long long mine = 0, total = 0;
  for (std::uint32_t t = first; t < end; ++t) mine += c.tiles[t];
  unsigned long long at = block_scan<kThreads>(mine, total);
  for (std::uint32_t t = first; t < end; ++t) {
    const unsigned long long here = c.tiles[t];
    c.tiles[t] = at;
    at += here;
  }
  if (threadIdx.x != 0) return;
  c.listed[0] = c.listed[1] = 0;
  frame.state->needed[blockIdx.x] = total > c.store.capacity ? total : 0;
}

/// Offsets never exceed the capacity, so that a frame without enough room never accesses memory beyond it.
__global__ void __launch_bounds__(kThreads) place_columns(Frame frame) {
  wait_for_previous();
  const std::uint32_t tiles = tile_count(frame.column_count), tile = blockIdx.x % tiles;
  const Counted c = counted(frame, blockIdx.x / tiles);
  unsigned long long at = c.tiles[tile];
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t column = tile * kTile + round * kThreads + threadIdx.x;
    const bool has = column < frame.column_count;
    unsigned long long total = 0;
    const unsigned long long count = has ? c.store.counts[column] : 0;
    const unsigned long long before = at + block_scan<kThreads>(count, total);
    at += total;
    if (!has) continue;
    const auto place = [&](unsigned long long offset) {
      return static_cast<std::uint32_t>(std::min<unsigned long long>(offset, c.store.capacity));
    };
    c.store.counts[column] = place(before);
    c.store.cursors[column] = 0;
    if (column + 1 == frame.column_count) c.store.counts[column + 1] = place(before + count);
  }
}

__global__ void __launch_bounds__(kShortThreads) sort_short(Frame frame) {
  __shared__ std::uint32_t keys[kShort * kShortThreads];
  wait_for_previous();
  const std::uint32_t blocks = (frame.column_count + kShortThreads - 1) / kShortThreads;
  const std::uint32_t column = blockIdx.x % blocks * kShortThreads + threadIdx.x, mesh = blockIdx.x / blocks;
  if (column >= frame.column_count || frame.state->needed[mesh] != 0) return;
  const Counted c = counted(frame, mesh);
  const std::uint32_t begin = c.store.counts[column], count = c.store.counts[column + 1] - begin;
  if (count <= 1) return;
  if (count > kShort) {
    const bool for_block = count > kMedium;
    const std::uint32_t at = atomicAdd(&c.listed[for_block ? 1 : 0], 1u);
    c.list[for_block ? frame.column_count - 1 - at : at] = column;
    return;
  }
  std::uint32_t* room = keys + threadIdx.x;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t key = c.store.keys[begin + i];
    std::uint32_t at = i;
    for (; at > 0 && room[(at - 1) * kShortThreads] > key; --at)
      room[at * kShortThreads] = room[(at - 1) * kShortThreads];
    room[at * kShortThreads] = key;
  }
  for (std::uint32_t i = 0; i < count; ++i) c.store.keys[begin + i] = room[i * kShortThreads];
}

/// Sorts ascending, by all threads of a group: a warp or the block. Threads must be synchronised before the call, and
/// are afterwards.
template <std::uint32_t kGroup>
__device__ void sort_bitonic(std::uint32_t* keys, std::uint32_t count) {
  const auto meet = [] {
    if constexpr (kGroup == kWarp)
      __syncwarp();
    else
      __syncthreads();
  };
  const std::uint32_t rank = threadIdx.x % kGroup;
  std::uint32_t pairs = 1;
  while (2 * pairs < count) pairs *= 2;
  const auto compare = [&](std::uint32_t low, std::uint32_t high) {
    if (high >= count) return;
    const std::uint32_t a = keys[low], b = keys[high];
    if (a <= b) return;
    keys[low] = b;
    keys[high] = a;
  };
  for (std::uint32_t half = 1; half < count; half *= 2) {
    // Merges two sorted halves, the second read backwards; then the halves of halves.
    for (std::uint32_t p = rank; p < pairs; p += kGroup) {
      const std::uint32_t begin = (p & ~(half - 1)) * 2, i = p & (half - 1);
      compare(begin + i, begin + 2 * half - 1 - i);
    }
    meet();
    for (std::uint32_t apart = half / 2; apart > 0; apart /= 2) {
      for (std::uint32_t p = rank; p < pairs; p += kGroup) {
        const std::uint32_t low = (p & ~(apart - 1)) * 2 + (p & (apart - 1));
        compare(low, low + apart);
      }
      meet();
    }
  }
}

/// Sorts in `room` of shared memory, or in place if that is too small.
template <std::uint32_t kGroup>
__device__ void sort_listed(const ColumnStore& store, std::uint32_t column, std::uint32_t* room, std::uint32_t size) {
  const std::uint32_t begin = store.counts[column], count = store.counts[column + 1] - begin;
  std::uint32_t* keys = store.keys + begin;
  if (count > size) {
    sort_bitonic<kGroup>(keys, count);
    return;
  }
  const auto meet = [] { kGroup == kWarp ? __syncwarp() : __syncthreads(); };
  for (std::uint32_t i = threadIdx.x % kGroup; i < count; i += kGroup) room[i] = keys[i];
  meet();
  sort_bitonic<kGroup>(room, count);
  for (std::uint32_t i = threadIdx.x % kGroup; i < count; i += kGroup) keys[i] = room[i];
  meet();
}

__global__ void __launch_bounds__(kThreads) sort_listed_columns(Frame frame) {
  __shared__ std::uint32_t room[kSharedKeys];
  wait_for_previous();
  constexpr std::uint32_t kWarps = kThreads / kWarp;
  const std::uint32_t warp = threadIdx.x / kWarp;
  for (std::uint32_t mesh = 0; mesh < frame.mesh_count; ++mesh) {
    const Counted c = counted(frame, mesh);
    const std::uint32_t for_warps = c.listed[0], for_blocks = c.listed[1];
    for (std::uint32_t i = blockIdx.x * kWarps + warp; i < for_warps; i += gridDim.x * kWarps)
      sort_listed<kWarp>(c.store, c.list[i], room + warp * kMedium, kMedium);
    __syncthreads();
    for (std::uint32_t i = blockIdx.x; i < for_blocks; i += gridDim.x)
      sort_listed<kThreads>(c.store, c.list[frame.column_count - 1 - i], room, kSharedKeys);
  }
}

}  // namespace

std::size_t counted_scratch_bytes(std::uint32_t column_count) { return scratch_bytes(column_count); }

void launch_offsets(const Frame& frame, CudaStream stream) {
  const std::uint32_t tiles = tile_count(frame.column_count) * frame.mesh_count;
  launch({stream, tiles, kThreads, 0}, sum_tiles, frame);
  launch({stream, frame.mesh_count, kThreads, 0}, place_tiles, frame);
  launch({stream, tiles, kThreads, 0}, place_columns, frame);
}

void launch_sort(const Frame& frame, CudaStream stream) {
  const std::uint32_t blocks = (frame.column_count + kShortThreads - 1) / kShortThreads * frame.mesh_count;
  launch({stream, blocks, kShortThreads, 0}, sort_short, frame);
  // There cannot be more long columns than this.
  const std::uint64_t most = (std::uint64_t{frame.columns[0].capacity} + frame.columns[1].capacity) / (kShort + 1);
  const auto long_blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(kLongBlocks, most));
  launch({stream, long_blocks, kThreads, 0}, sort_listed_columns, frame);
}

}  // namespace lamella::cuda
