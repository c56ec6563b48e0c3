// The triangles that may cover a sample, one to a lane. The samples that they cover are listed in
// shared memory, by the lane for a small box, by the whole warp for a larger one, and the list is then worked off by
// all lanes: neighbours in a triangle are neighbours in the warp, and the atomic additions that hand out places in
// their columns come several to a memory sector. What is larger still, or reaches out of the image, is cut into rows
// for a pass of its own (large.cu).
//
// In what order places are handed out cannot be seen later, since columns are sorted by the whole of a crossing.

#include "engines/cuda/block.hpp"
#include "engines/cuda/sink.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr std::int32_t kLaneSamples = 32;         ///< of a box that one lane goes through: a bit each
constexpr unsigned kList = kWarp * kLaneSamples;  ///< covered samples that can wait
constexpr unsigned kInFlight = 4;                 ///< places that a lane asks for before it uses the first
constexpr std::int32_t kPartSamples = 4096;       ///< about so many samples of a box make a part
constexpr unsigned kBlocksPerMultiprocessor = 3;
constexpr std::uint32_t kFewest = 4;  ///< triangles of a warp; fewer than 32 where there would be warps without any

/// A warp's shared memory. Of the triangles in hand what samples need, word by word, so that lanes that look at
/// different triangles use different banks.
struct WarpRoom {
  std::uint16_t list[kList];  ///< lane << 10 | row << 5 | place in the row
  std::int32_t value[3][kWarp], step_u[3][kWarp], step_v[3][kWarp];
  std::int32_t width[kWarp], samples[kWarp], per_row[kWarp];
  std::uint32_t first_column[kWarp], entry[kWarp];
  float inverse[kWarp], z0[kWarp], dz1[kWarp], dz2[kWarp], low[kWarp], high[kWarp];
};

/// For row_of(): a box is up to kMaxSmallExtent samples wide and high.
__device__ std::int32_t row_factor(std::int32_t width) { return 65536 / width + 1; }
/// sample / width.
__device__ std::int32_t row_of(std::int32_t sample, std::int32_t factor) { return (sample * factor) >> 16; }

/// `value` is stored less the bias: a sample is covered where none of the three is negative.
__device__ void store_triangle(const SmallTriangle& s, WarpRoom& room, unsigned lane) {
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    room.value[k][lane] = s.value[k] - (s.bias >> k & 1);
    room.step_u[k][lane] = s.step_u[k];
    room.step_v[k][lane] = s.step_v[k];
  }
  room.width[lane] = s.width;
  room.samples[lane] = s.width * s.height;
  room.per_row[lane] = row_factor(s.width);
  room.first_column[lane] = s.first_column;
  // The sign of an edge function is not enough for depths: what the bias took is given back.
  room.entry[lane] = (s.depth.entry ? 1u : 0u) | static_cast<std::uint32_t>(s.bias) << 1;
  room.inverse[lane] = s.inverse;
  room.z0[lane] = s.depth.z0;
  room.dz1[lane] = s.depth.dz1;
  room.dz2[lane] = s.depth.dz2;
  room.low[lane] = s.depth.low;
  room.high[lane] = s.depth.high;
}

/// Which samples of a box are covered, a bit each in the order of rows.
__device__ std::uint32_t covered_samples(const SmallTriangle& s) {
  std::int32_t f[3], row[3], i = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) f[k] = row[k] = s.value[k] - (s.bias >> k & 1);
  std::uint32_t mask = 0, bit = 1;
  // One loop over all of the box: lanes with boxes of other shapes keep in step.
  for (std::int32_t left = s.width * s.height; left > 0; --left) {
    if ((f[0] | f[1] | f[2]) >= 0) mask |= bit;
    bit <<= 1;
    const bool turn = ++i == s.width;
    i = turn ? 0 : i;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      if (turn) row[k] += s.step_v[k];
      f[k] = turn ? row[k] : f[k] - s.step_u[k];
    }
  }
  return mask;
}

/// The crossing of one entry of the list.
__device__ void make_crossing(std::uint32_t entry, const WarpRoom& room, const Target& target, std::uint32_t& column,
                              std::uint32_t& key) {
  const std::uint32_t t = entry >> 10;
  const auto j = static_cast<std::int32_t>(entry >> 5 & 31), i = static_cast<std::int32_t>(entry & 31);
  const std::uint32_t flags = room.entry[t];
  const auto edge = [&](int k) {
    const auto bias = static_cast<std::int32_t>(flags >> (k + 1) & 1);
    return room.value[k][t] + bias - i * room.step_u[k][t] + j * room.step_v[k][t];
  };
  const TriangleDepth depth{room.z0[t], room.dz1[t], room.dz2[t], room.low[t], room.high[t], (flags & 1) != 0};
  const float weighted = static_cast<float>(edge(1)) * depth.dz1 + static_cast<float>(edge(2)) * depth.dz2;
  key = make_key(depth.z0 + weighted * room.inverse[t], depth, target.depth);
  column = room.first_column[t] + static_cast<std::uint32_t>(j) * target.columns + static_cast<std::uint32_t>(i);
}

/// Works the list off, by the whole warp.
template <Pass kPass>
__device__ void put_list(std::uint32_t count, const WarpRoom& room, const Target& target, const Sink<kPass>& sink,
                         unsigned lane) {
  __syncwarp();
  for (std::uint32_t first = 0; first < count; first += kInFlight * kWarp) {
    bool there[kInFlight];
    std::uint32_t column[kInFlight], key[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      there[k] = first + k * kWarp + lane < count;
      if (there[k]) make_crossing(room.list[first + k * kWarp + lane], room, target, column[k], key[k]);
    }
    sink.put(there, column, key);
  }
  __syncwarp();
}

/// Lists the samples that small boxes cover; returns how many there are.
__device__ std::uint32_t list_by_lanes(std::uint32_t mask, std::int32_t width, WarpRoom& room, unsigned lane) {
  std::uint32_t count = 0;
  std::uint32_t at = warp_scan(static_cast<std::uint32_t>(__popc(mask)), count);
  const std::int32_t factor = row_factor(width);
  for (; mask != 0; mask &= mask - 1) {
    const std::int32_t sample = __ffs(static_cast<int>(mask)) - 1, j = row_of(sample, factor);
    room.list[at++] = static_cast<std::uint16_t>(lane << 10 | static_cast<unsigned>(j) << 5 |
                                                 static_cast<unsigned>(sample - j * width));
  }
  return count;
}

/// Appends the samples that the box of lane `t` covers, by the whole warp; puts the list when it is full.
template <Pass kPass>
__device__ void list_by_warp(unsigned t, std::uint32_t& count, WarpRoom& room, const Target& target,
                             const Sink<kPass>& sink, unsigned lane) {
  const std::int32_t samples = room.samples[t], width = room.width[t], factor = room.per_row[t];
  std::int32_t value[3], step_u[3], step_v[3];
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    value[k] = room.value[k][t];
    step_u[k] = room.step_u[k][t];
    step_v[k] = room.step_v[k][t];
  }
  for (std::int32_t first = 0; first < samples; first += static_cast<std::int32_t>(kWarp)) {
    const std::int32_t sample = first + static_cast<std::int32_t>(lane), j = row_of(sample, factor);
    const std::int32_t i = sample - j * width;
    std::int32_t worst = samples - 1 - sample;  // negative beyond the box
#pragma unroll
    for (int k = 0; k < 3; ++k) worst |= value[k] - i * step_u[k] + j * step_v[k];
    const unsigned covered = __ballot_sync(kAllLanes, worst >= 0);
    if (worst >= 0)
      room.list[count + static_cast<unsigned>(__popc(covered & ((1u << lane) - 1)))] =
          static_cast<std::uint16_t>(t << 10 | static_cast<unsigned>(j) << 5 | static_cast<unsigned>(i));
    count += static_cast<unsigned>(__popc(covered));
    if (count > kList - kWarp) {
      put_list(count, room, target, sink, lane);
      count = 0;
    }
  }
}

/// Cuts triangles into parts by rows; by the whole warp, `large` says for which lanes.
__device__ void ask_for_parts(bool large, std::uint32_t mesh, std::uint32_t triangle, const SmallTriangle& box,
                              const Frame& frame, unsigned lane) {
  for (unsigned left = __ballot_sync(kAllLanes, large); left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const std::int32_t width = __shfl_sync(kAllLanes, box.width, from);
    const auto rows = static_cast<std::uint32_t>(__shfl_sync(kAllLanes, box.height, from));
    const auto row = static_cast<std::uint32_t>(__shfl_sync(kAllLanes, box.first_row, from));
    const std::uint32_t id = __shfl_sync(kAllLanes, triangle, from);
    const auto rows_per_part =
        static_cast<std::uint32_t>(width <= kNarrow || width > kPartSamples ? 1 : kPartSamples / width);
    const std::uint32_t parts = (rows + rows_per_part - 1) / rows_per_part;
    unsigned long long begin = 0;
    if (lane == 0) begin = atomicAdd(&frame.state->large_parts, static_cast<unsigned long long>(parts));
    begin = __shfl_sync(kAllLanes, begin, 0);
    for (std::uint32_t p = lane; p < parts; p += kWarp)
      if (begin + p < frame.large_capacity)
        frame.large[begin + p] = {mesh, id, row + p * rows_per_part, std::min(rows_per_part, rows - p * rows_per_part)};
  }
}

/// Up to 32 survivors, one to a lane.
template <Pass kPass>
__device__ void rasterize_survivors(bool active, std::uint32_t triangle, const Frame& frame, unsigned m,
                                    const Target& target, WarpRoom& room, unsigned lane) {
  SmallTriangle s;
  s.width = 1;
  Way way = Way::nothing;
  if (active) {
    const Corners corners = load_corners(frame.mesh[m], triangle);
    way = set_up(corners.at, target, s);
  }
  // The parts that the counting pass asked for are still there when crossings are written.
  if (kPass != Pass::scatter) ask_for_parts(way == Way::rows, m, triangle, s, frame, lane);
  const Sink<kPass> sink{frame.columns[m]};
  // In a fine mesh most boxes hold a single sample, and need no list.
  const bool single = way == Way::small && s.width * s.height == 1;
  if (single) {
    const EdgeValues e{{s.value[0], s.value[1], s.value[2]}};
    const bool there[1] = {is_covered(s, e)};
    const std::uint32_t column[1] = {s.first_column}, key[1] = {key_at(s, e, target.depth)};
    sink.put(there, column, key);
  }
  const bool small = way == Way::small && !single, by_lane = small && s.width * s.height <= kLaneSamples;
  if (!__any_sync(kAllLanes, small)) return;
  if (small) store_triangle(s, room, lane);
  __syncwarp();
  put_list(list_by_lanes(by_lane ? covered_samples(s) : 0, s.width, room, lane), room, target, sink, lane);
  std::uint32_t listed = 0;
  for (unsigned by_warp = __ballot_sync(kAllLanes, small && !by_lane); by_warp != 0; by_warp &= by_warp - 1)
    list_by_warp(static_cast<unsigned>(__ffs(static_cast<int>(by_warp)) - 1), listed, room, target, sink, lane);
  put_list(listed, room, target, sink, lane);
}

template <Pass kPass>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor) raster(const Frame frame) {
  __shared__ __align__(16) unsigned char memory[kWarps * sizeof(WarpRoom)];
  __shared__ __align__(16) unsigned char shared_target[sizeof(Target)];
  wait_for_previous();
  let_next_start();
  if (threadIdx.x < sizeof(Target) / 4)
    reinterpret_cast<std::uint32_t*>(shared_target)[threadIdx.x] =
        reinterpret_cast<const std::uint32_t*>(&frame.state->target)[threadIdx.x];
  __syncthreads();
  const Target& target = *reinterpret_cast<const Target*>(shared_target);
  const unsigned lane = threadIdx.x % kWarp;
  WarpRoom& room = reinterpret_cast<WarpRoom*>(memory)[threadIdx.x / kWarp];
  const std::uint32_t of_first = frame.state->survivors[0];
  const std::uint32_t of_second = frame.mesh_count > 1 ? frame.state->survivors[1] : 0;
  const std::uint32_t warps = gridDim.x * kWarps, warp = blockIdx.x * kWarps + threadIdx.x / kWarp;
  const std::uint64_t all = std::uint64_t{of_first} + of_second, share = (all + warps - 1) / warps;
  const auto each = static_cast<std::uint32_t>(share < kFewest ? kFewest : share < kWarp ? share : kWarp);
  const std::uint64_t turns_of_first = (std::uint64_t{of_first} + each - 1) / each;
  for (std::uint64_t turn = warp;; turn += warps) {
    // Mesh 1 begins where mesh 0 ended, so that the same warps do not get more of both.
    const unsigned m = turn < turns_of_first ? 0 : 1;
    const std::uint64_t first = (turn - (m == 0 ? 0 : turns_of_first)) * each;
    const std::uint32_t count = m == 0 ? of_first : of_second;
    if (first >= count) break;
    const bool active = lane < each && first + lane < count;
    rasterize_survivors<kPass>(active, active ? frame.survivors[m][first + lane] : 0, frame, m, target, room, lane);
  }
}

template <Pass kPass>
void launch_pass(const Frame& frame, CudaStream stream) {
  if (kPass != Pass::scatter) launch_cull(frame, stream);  // what survived is still listed for the last pass
  launch({.stream = stream, .blocks = frame.multiprocessors * kBlocksPerMultiprocessor, .threads = kThreads},
         raster<kPass>, frame);
  if (frame.large_pass) launch_large(frame, kPass, stream);
}

}  // namespace

void launch_raster(const Frame& frame, Pass pass, CudaStream stream) {
  switch (pass) {
    case Pass::slots:
      launch_pass<Pass::slots>(frame, stream);
      break;
    case Pass::count:
      launch_pass<Pass::count>(frame, stream);
      break;
    case Pass::scatter:
      launch_pass<Pass::scatter>(frame, stream);
      break;
  }
}

}  // namespace lamella::cuda
