#pragma once

// Rasterises up to 32 small triangles with one warp, in two steps that both keep all lanes busy. A lane first takes a
// row of some triangle's box and finds the covered stretch; then it takes a sample of some stretch. To find a lane's
// row or sample, the triangles' first rows, or the stretches' first samples, are bits of a word, and the lane counts
// them up to its own bit. Neighbours in a row are thus neighbours in the warp, and several of the atomic additions for
// places in their columns fall into one memory sector.

#include "engines/cuda/block.hpp"
#include "engines/cuda/box_rows.hpp"

namespace lamella::cuda {

/// A triangle in shared memory. The edges of corners 1 and 2 come first, since depths need these.
struct alignas(16) BatchTriangle {
  std::int32_t value[3];  ///< edge functions at the box's first sample, less the bias
  /// Five bits each: first and last sample of a row, first row and end of the rows inside the window. Above them: the
  /// number of its first row among those of the batch.
  std::uint32_t rows;
  std::int32_t step_u[3];
  std::uint32_t first_column;
  std::int32_t step_v[3];
  std::uint32_t flags;  ///< kEntry, and the bias of the first two edges
  float inverse_step[3];
  std::uint32_t id;  ///< for the sink
  float z0, dz1, dz2, inverse, low, high;
  double exact_inverse;  ///< of twice the area; only with kCut

  static constexpr std::uint32_t kEntry = 1, kBias1 = 2, kBias2 = 4;

  [[nodiscard]] __device__ std::uint32_t start() const { return rows >> 20; }
  [[nodiscard]] __device__ std::int32_t five_bits(int k) const {
    return static_cast<std::int32_t>(rows >> (5 * k) & 31);
  }
};
static_assert(kMaxSmallExtent < 32 && sizeof(BatchTriangle) == 96);

/// The covered stretch of a row.
struct alignas(16) BatchStretch {
  std::int32_t value1, value2;  ///< edge functions of corners 1 and 2 at its first sample
  std::uint32_t column;         ///< of its first sample
  std::uint32_t packed;         ///< number of its first sample in the batch | triangle << 10 | flags << 15
};

/// Shared memory of a warp.
struct BatchRoom {
  BatchTriangle triangles[kWarp];
  BatchStretch stretches[kWarp];
};

/// Bits of a lane and of those before it, for votes.
__device__ inline unsigned up_to_lane(unsigned lane) { return 0xffffffffu >> (31 - lane); }

/// Bit i of the word: something starts at `first` + i.
__device__ inline unsigned starts_from(std::uint32_t first, bool there, std::uint32_t start) {
  return __reduce_or_sync(kAllLanes, there && start - first < kWarp ? 1u << (start - first) : 0u);
}

/// The part of a box inside the window.
__device__ inline std::uint32_t clip_box(const SmallTriangle& s, const Window& window) {
  const auto from = [](std::uint32_t first, std::int32_t box) {
    return static_cast<std::uint32_t>(std::max(0, static_cast<std::int32_t>(first) - box));
  };
  const auto to = [](std::int32_t extent, std::uint32_t end, std::int32_t box) {
    return static_cast<std::uint32_t>(std::min(extent, static_cast<std::int32_t>(end) - box));
  };
  return from(window.first_u, s.first_u) | (to(s.width, window.end_u, s.first_u) - 1) << 5 |
         from(window.first_v, s.first_row) << 10 | to(s.height, window.end_v, s.first_row) << 15;
}

template <bool kCut>
__device__ void store_triangle(const SmallTriangle& s, std::uint32_t id, std::uint32_t start, const Window& window,
                               BatchTriangle& out) {
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const int edge = k == 2 ? 0 : k + 1;
    out.value[k] = s.value[edge] - (s.bias >> edge & 1);
    out.step_u[k] = s.step_u[edge];
    out.step_v[k] = s.step_v[edge];
    out.inverse_step[k] = inverse_of_step(s.step_u[edge]);
  }
  out.id = id;
  out.first_column = s.first_column;
  out.rows = start << 20 | static_cast<std::uint32_t>((s.width - 1) << 5 | s.height << 15);
  out.flags = (s.depth.entry ? BatchTriangle::kEntry : 0) | static_cast<std::uint32_t>(s.bias & 6);
  out.z0 = s.depth.z0;
  out.dz1 = s.depth.dz1;
  out.dz2 = s.depth.dz2;
  out.inverse = s.inverse;
  out.low = s.depth.low;
  out.high = s.depth.high;
  if constexpr (kCut) {
    out.rows = start << 20 | clip_box(s, window);
    out.exact_inverse = 1.0 / s.area;
  }
}

/// Finds the covered stretch of row `number`, which belongs to triangle t; returns its number of samples.
template <bool kCut>
__device__ std::uint32_t cover_row(std::uint32_t number, const BatchTriangle& t, std::uint32_t columns,
                                   BatchStretch& out) {
  const auto j = static_cast<std::int32_t>(number - t.start());
  const std::int32_t value[3] = {t.value[0] + j * t.step_v[0], t.value[1] + j * t.step_v[1],
                                 t.value[2] + j * t.step_v[2]};
  const RowStretch r = stretch_of_row(value, t.step_u, t.inverse_step, {kCut ? t.five_bits(0) : 0, t.five_bits(1)});
  const std::int32_t bias1 = (t.flags & BatchTriangle::kBias1) != 0, bias2 = (t.flags & BatchTriangle::kBias2) != 0;
  out.value1 = value[0] + bias1 - r.first * t.step_u[0];
  out.value2 = value[1] + bias2 - r.first * t.step_u[1];
  out.column = t.first_column + static_cast<std::uint32_t>(j) * columns + static_cast<std::uint32_t>(r.first);
  const bool within = !kCut || (j >= t.five_bits(2) && j < t.five_bits(3));
  return static_cast<std::uint32_t>(within ? std::max(0, r.last + 1 - r.first) : 0);
}

/// The crossing of sample `number` of the batch, which belongs to this stretch.
template <bool kCut>
__device__ std::uint32_t key_in_stretch(std::uint32_t number, const BatchStretch& stretch, const BatchTriangle& t,
                                        float box_depth) {
  const auto k = static_cast<std::int32_t>(number - (stretch.packed & 1023));
  const std::uint32_t flags = stretch.packed >> 15;
  const TriangleDepth depth{t.z0, t.dz1, t.dz2, t.low, t.high, (flags & BatchTriangle::kEntry) != 0};
  if constexpr (kCut)
    return make_key(depth_in_row(stretch.value1, stretch.value2, t.step_u[0], t.step_u[1], k, t.exact_inverse, depth),
                    depth, box_depth);
  const std::int32_t f1 = stretch.value1 - k * t.step_u[0], f2 = stretch.value2 - k * t.step_u[1];
  const float weighted = static_cast<float>(f1) * t.dz1 + static_cast<float>(f2) * t.dz2;
  return make_key(t.z0 + weighted * t.inverse, depth, box_depth);
}

/// Samples 32 rows, one per lane: row `number` of the batch, which belongs to triangle t.
template <bool kCut, class Sink>
__device__ void sample_rows(bool there, std::uint32_t number, std::uint32_t t, BatchRoom& room, const Target& target,
                            Sink& sink, unsigned lane) {
  const BatchTriangle& mine = room.triangles[t];
  BatchStretch stretch;
  std::uint32_t covered = cover_row<kCut>(number, mine, target.columns, stretch);
  covered = there ? covered : 0;
  std::uint32_t samples = 0;
  const std::uint32_t start = warp_scan(covered, samples);
  const unsigned filled = __ballot_sync(kAllLanes, covered != 0);
  if (covered != 0) {
    stretch.packed = start | t << 10 | mine.flags << 15;
    room.stretches[__popc(filled & before_lane(lane))] = stretch;
  }
  __syncwarp();
  std::uint32_t before = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < samples; first += kWarp) {
    const unsigned starts = starts_from(first, covered != 0, start);
    const std::uint32_t s = before + static_cast<unsigned>(__popc(starts & up_to_lane(lane))) - 1;
    before += static_cast<unsigned>(__popc(starts));
    const std::uint32_t sample = first + lane;
    const BatchStretch of = room.stretches[s];
    const BatchTriangle& triangle = room.triangles[of.packed >> 10 & 31];
    const std::uint32_t key = key_in_stretch<kCut>(sample, of, triangle, target.depth);
    sink.put(sample < samples, of.column + sample - (of.packed & 1023), key, triangle.id, lane);
    sink.write_full(lane);
  }
  __syncwarp();
}

/// Samples the triangles of all lanes that have one, into
///   sink.put(there, column, key, id, lane) and sink.write_full(lane), both by the whole warp. kCut: the triangles are
///   from set_up_cut().
template <bool kCut, class Sink>
__device__ void sample_batch(bool there, const SmallTriangle& s, std::uint32_t id, BatchRoom& room,
                             const Target& target, Sink& sink, unsigned lane) {
  std::uint32_t rows = 0;
  const std::uint32_t start = warp_scan(there ? static_cast<std::uint32_t>(s.height) : 0u, rows);
  const unsigned all = __ballot_sync(kAllLanes, there);
  if (there) store_triangle<kCut>(s, id, start, target.window, room.triangles[__popc(all & before_lane(lane))]);
  __syncwarp();
  std::uint32_t before = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < rows; first += kWarp) {
    const unsigned starts = starts_from(first, there, start);
    const std::uint32_t t = before + static_cast<unsigned>(__popc(starts & up_to_lane(lane))) - 1;
    before += static_cast<unsigned>(__popc(starts));
    sample_rows<kCut>(first + lane < rows, first + lane, t, room, target, sink, lane);
  }
}

}  // namespace lamella::cuda
