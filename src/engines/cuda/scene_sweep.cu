// From columns to meetings: where the stretches of two objects overlap on a ray. A block has kSweepColumns columns, one
// thread each, and processes their crossings in shared memory if they fit. A column with many meetings is swept twice,
// to count and to write, so that a block's meetings are contiguous and in the order of columns.

#include "engines/cuda/block.hpp"
#include "engines/cuda/scene_answer.hpp"
#include "engines/cuda/scene_sweep.hpp"

namespace lamella::cuda {
namespace {

constexpr std::uint32_t kSharedKeys = 2048;
/// Most meetings of a column that are kept from counting to writing; columns with more are swept again.
constexpr std::uint32_t kKeptMeetings = 8;
constexpr std::size_t kSharedBytes = kSharedKeys * (sizeof(unsigned long long) + 2 * sizeof(std::uint32_t));

/// Loads the thread's column: into shared memory if the block's columns fit, sorted, with the object of each crossing.
/// All threads must call it.
__device__ SweepColumn take_up(const SceneFrame& f, const SweepBlock& block, std::uint32_t column) {
  const ColumnPlace place = column < f.column_count ? f.places[column] : ColumnPlace{block.keys_begin, 0};
  const bool fits = block.keys_count <= kSharedKeys;
  // The crossings of all the block's columns, one after another.
  unsigned long long* keys = f.keys + block.keys_begin;
  std::uint32_t *objects = f.objects + block.keys_begin, *ends = f.ends + block.keys_begin;
  if (fits) {
    auto* shared = dynamic_shared<unsigned long long>();
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; i < block.keys_count; i += kSweepColumns) shared[i] = keys[i];
    keys = shared;
    objects = reinterpret_cast<std::uint32_t*>(shared + kSharedKeys);
    ends = objects + kSharedKeys;
    __syncthreads();
  }
  const std::uint32_t at = place.begin - block.keys_begin;
  sort_keys(keys + at, place.count);
  __syncthreads();
  // Distributed evenly over all threads, so that each waits for few of these loads.
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < block.keys_count; i += kSweepColumns)
    objects[i] = f.object_of_block[FaceCrossing{keys[i]}.face() / kFaceBlock];
  __syncthreads();
  return {keys + at, objects + at, ends + at, place.count};
}

/// Counts the block's columns for which `is` is true.
__device__ void add_columns(bool is, std::uint32_t* sum) {
  const unsigned lanes = __ballot_sync(kAllLanes, is ? 1 : 0);
  if (lanes != 0 && threadIdx.x % kWarp == 0) atomicAdd(sum, static_cast<unsigned>(__popc(lanes)));
}

/// Adds a meeting to its pair's sums.
__device__ void add_to_pair(const SceneFrame& f, const Meeting& m, float threshold) {
  const double length = (static_cast<double>(m.end()) - m.begin()) / f.state->length_unit;
  PairSums& sums = f.search.sums[m.candidate];
  atomicAdd(&sums.length, static_cast<unsigned long long>(length + 0.5));
  atomicAdd(&sums.spans, 1u);
  std::uint32_t points = 0;
  if (f.search.points) for_points(m, threshold, [&](FaceCrossing, FaceCrossing) { ++points; });
  if (points != 0) atomicAdd(&sums.points, points);
}

/// Sweeps the block's columns; its meetings and points are counted in `block`.
__device__ void sweep(const SceneFrame& f, SweepBlock& block) {
  __shared__ unsigned long long begin;
  const std::uint32_t column = blockIdx.x * kSweepColumns + threadIdx.x;
  const float thickness = f.state->thickness, threshold = f.state->threshold;
  const SweepColumn c = take_up(f, block, column);
  const StretchFacts facts = find_stretches(f, c, thickness);
  std::uint64_t records = facts.self_records, points = 0, total = 0;
  std::uint32_t met = 0;
  Meeting kept[kKeptMeetings];
  if (facts.meets)
    for_column_meetings(f, c, thickness, column, [&](const Meeting& m) {
      if (met < kKeptMeetings) kept[met] = m;
      ++met;
      ++records;
      if (f.search.points) for_points(m, threshold, [&](FaceCrossing, FaceCrossing) { ++points; });
    });
  add_columns(c.key_count != 0, &f.state->occupied_columns);
  add_columns(facts.open, &f.state->open_columns);
  add_columns(facts.inside_out, &f.state->inside_out_columns);
  const std::uint64_t before = block_scan<kSweepColumns>(records, total);
  block_scan<kSweepColumns>(points, block.points);
  if (total == 0) return;
  if (threadIdx.x == 0) begin = atomicAdd(&f.state->meetings, static_cast<unsigned long long>(total));
  __syncthreads();
  if (begin > f.meeting_capacity || total > f.meeting_capacity - begin) return;
  block.meetings_begin = static_cast<std::uint32_t>(begin);
  block.meetings_count = static_cast<std::uint32_t>(total);
  Meeting* out = f.meetings + begin + before;
  if (facts.self_records != 0)
    for_self_lengths(c, thickness, [&](std::uint32_t object, double length) {
      Meeting m;
      m.candidate = kSelfLength | object;
      m.column = column;
      m.begin_a.key = std::bit_cast<std::uint64_t>(length);
      *out++ = m;
    });
  const auto write = [&](const Meeting& m) {
    *out++ = m;
    if (f.search.report != nullptr) add_to_pair(f, m, threshold);
  };
  if (met <= kKeptMeetings)
#pragma unroll 1
    for (std::uint32_t i = 0; i < met; ++i) write(kept[i]);
  else
    for_column_meetings(f, c, thickness, column, write);
}

__global__ void __launch_bounds__(kSweepColumns) scene_sweep(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  const bool enough = f.state->fragments <= f.capacity;
  SweepBlock block = f.blocks[blockIdx.x];
  if (enough && block.keys_count != 0) sweep(f, block);
  __syncthreads();
  if (threadIdx.x == 0) f.blocks[blockIdx.x] = block;
  if (f.search.report == nullptr || !is_last_block(&f.state->sweep_blocks, gridDim.x)) return;
  finish_scene(f);
}

}  // namespace

void launch_scene_sweep(const SceneFrame& frame, CudaStream stream) {
  launch({.stream = stream,
          .blocks = sweep_blocks(frame.column_count),
          .threads = kSweepColumns,
          .shared_bytes = kSharedBytes},
         scene_sweep, frame);
}

}  // namespace lamella::cuda
