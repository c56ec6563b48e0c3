// From the ends of spans to a gradient: a thread per span adds what its two ends give. All sums but the moments are
// integers, so that atomics may add them in any order; the moments are added by threads, warps and blocks in a fixed
// order.

#include "engines/cuda/gradient.hpp"

#include <algorithm>

#include "engines/cuda/corners.hpp"
#include "engines/cuda/sums.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = kEndThreads;
constexpr unsigned kWarps = kThreads / kWarp;

/// What all threads of a block need to know of the view.
struct View {
  Grid grid;
  Lattice lattice;
};

/// An end of a span in cell (u, v): to the sums of its mesh, and to its triangle's corners.
__device__ void add_end(const Frame& frame, const ViewTotals& totals, const View& view, const SpanEnd& end, int sign,
                        std::uint32_t u, std::uint32_t v, EndSums& sums) {
  const DeviceMesh& mesh = frame.mesh[end.mesh];
  const Triangle t = mesh.triangles[end.triangle];
  const Corners c = load_corners(mesh, t);
  const int w = view.grid.w();
  if (EndWord* const vertices = totals.vertices[end.mesh]; vertices != nullptr) {
    const EndTriangle triangle(c.at[0], c.at[1], c.at[2], view.grid, view.lattice);
    const CornerParts parts = corner_parts(corner_weights(triangle, view.grid), sign, 1, u, v);
    atomicAdd(vertices + std::size_t{t.a} * 3 + w, EndWord{parts.a});
    atomicAdd(vertices + std::size_t{t.b} * 3 + w, EndWord{parts.b});
    atomicAdd(vertices + std::size_t{t.c} * 3 + w, EndWord{parts.c});
  }
  const Vec3d n = unit_normal(c.at[0], c.at[1], c.at[2]);
  sums.add(sign, u, v, n, n[w]);
}

/// By a whole warp.
__device__ void put_sums(const EndSums& mine, EndWord* to) {
  EndWord words[kEndWords] = {mine.count,     mine.twice_u,   mine.twice_v,  mine.area,
                              mine.normal[0], mine.normal[1], mine.normal[2]};
#pragma unroll
  for (std::size_t k = 0; k < kEndWords; ++k) {
    sum_lanes(words[k]);
    if (threadIdx.x % kWarp == 0 && words[k] != 0) atomicAdd(to + k, words[k]);
  }
}

/// Lane 0 gets the sums of its warp.
__device__ void sum_moments(MomentSums& m) {
  for (double* x : {&m.length, &m.u, &m.v, &m.w, &m.uu, &m.uv, &m.vv, &m.uw, &m.vw, &m.ww}) sum_lanes(*x);
}

__global__ void __launch_bounds__(kThreads) add_ends(const Frame frame, const ViewTotals totals) {
  __shared__ __align__(16) unsigned char memory[sizeof(View)];
  __shared__ __align__(16) unsigned char moments_memory[kWarps * sizeof(MomentSums)];
  wait_for_previous();
  auto& view = *reinterpret_cast<View*>(memory);
  auto* moments = reinterpret_cast<MomentSums*>(moments_memory);
  const Answer& answer = frame.report->answer;
  if (threadIdx.x == 0) view = {answer.grid, make_lattice(answer.grid)};
  __syncthreads();

  const std::uint64_t count = answer.span_count;
  EndSums of_a, of_b;
  MomentSums mine;
#pragma unroll 1
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kThreads) {
    const Span span = frame.spans[0][i];
    const std::uint32_t v = span.column / view.grid.columns, u = span.column - v * view.grid.columns;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
      const SpanEnd end = k == 0 ? frame.ends[i].begin : frame.ends[i].end;
      EndSums part;
      add_end(frame, totals, view, end, k == 0 ? -1 : 1, u, v, part);
      if (end.mesh == 0)
        of_a.add(part);
      else
        of_b.add(part);
    }
    if (totals.moments != nullptr)
      mine.add(from_middle(u, view.grid.columns), from_middle(v, view.grid.rows), span.begin, span.end);
  }
  __syncwarp();
  put_sums(of_a, totals.ends);
  put_sums(of_b, totals.ends + kEndWords);
  if (totals.moments == nullptr) return;
  sum_moments(mine);
  if (threadIdx.x % kWarp == 0) moments[threadIdx.x / kWarp] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll 1
  for (unsigned w = 1; w < kWarps; ++w) mine.add(moments[w]);
  totals.moments[blockIdx.x] = mine;
}

__global__ void __launch_bounds__(kThreads)
    write_vertices(const EndWord* sums, std::uint32_t count, CellAreas areas, Vec3* out) {
  wait_for_previous();
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kThreads)
    out[i] = {vertex_component(sums[i * 3], areas.of[0]), vertex_component(sums[i * 3 + 1], areas.of[1]),
              vertex_component(sums[i * 3 + 2], areas.of[2])};
}

}  // namespace

void launch_add_ends(const Frame& frame, std::uint64_t spans, const ViewTotals& totals, CudaStream stream) {
  launch({.stream = stream, .blocks = end_blocks(spans), .threads = kThreads}, add_ends, frame, totals);
}

void launch_vertices(const EndWord* sums, std::uint32_t count, const CellAreas& areas, Vec3* out, CudaStream stream) {
  constexpr std::uint32_t kMostBlocks = 1024;
  const std::uint32_t blocks = std::min(kMostBlocks, count / kThreads + 1);
  launch({.stream = stream, .blocks = blocks, .threads = kThreads}, write_vertices, sums, count, areas, out);
}

}  // namespace lamella::cuda
