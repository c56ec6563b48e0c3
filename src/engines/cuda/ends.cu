// Which triangles end each span of the overlap, and where on them. A thread takes a span and looks through its columns
// for the two keys that end it, by the rules of the CPU (query/span_ends.hpp): the crossings may be in any order there,
// so that faces need not be sorted with their keys.

#include <algorithm>

#include "engines/cuda/corners.hpp"
#include "engines/cuda/frame.hpp"
#include "query/column_walk.hpp"
#include "query/span_ends.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kBlocksPerMultiprocessor = 8;

/// A column with faces, as find_span_ends() expects it; an empty one of a frame's missing second mesh.
template <bool kSlots>
struct FacedColumn {
  const ColumnStore& store;
  std::uint32_t column, size = 0;

  __device__ FacedColumn(const ColumnStore& of, std::uint32_t number, bool exists) : store(of), column(number) {
    if (exists) size = kSlots ? store.counts[column] : store.counts[column + 1] - store.counts[column];
  }
  [[nodiscard]] __device__ std::uint32_t count() const { return size; }
  [[nodiscard]] __device__ std::uint32_t key(std::uint32_t i) const { return store.filed[place(i)]; }
  [[nodiscard]] __device__ std::uint32_t face(std::uint32_t i) const { return store.faces[place(i)]; }

 private:
  [[nodiscard]] __device__ std::size_t place(std::uint32_t i) const {
    return kSlots ? slot_place(store, column, i) : std::size_t{store.counts[column]} + i;
  }
};

/// What all threads of a block need to know of the sampling.
struct Sampling {
  Grid grid;
  Lattice lattice;
};

__device__ EndTriangle end_triangle(const DeviceMesh& mesh, std::uint32_t face, const Sampling& s) {
  const Corners c = load_corners(mesh, face);
  return {c.at[0], c.at[1], c.at[2], s.grid, s.lattice};
}

/// Not inlined: it is asked where crossings tie, at many places of the rule.
__device__ __noinline__ double depth_at(const DeviceMesh& mesh, std::uint32_t face, const Sampling& s, std::uint32_t u,
                                        std::uint32_t v) {
  const EndTriangle triangle = end_triangle(mesh, face, s);
  return triangle.depth(triangle.weights(u, v));
}

template <bool kSlots>
__global__ void __launch_bounds__(kThreads) write_ends(const Frame frame) {
  __shared__ __align__(16) unsigned char memory[sizeof(Sampling)];
  wait_for_previous();
  const Answer& answer = frame.report->answer;
  if (answer.status != kComplete || answer.span_count == 0) return;  // a frame without enough room is repeated
  auto& sampling = *reinterpret_cast<Sampling*>(memory);
  if (threadIdx.x == 0) sampling = {answer.grid, make_lattice(answer.grid)};
  __syncthreads();

  const bool pair = frame.kind == Kind::intersect;
  const auto count = static_cast<std::uint32_t>(answer.span_count);
#pragma unroll 1
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kThreads) {
    const Span span = frame.spans[0][i];
    const std::uint32_t v = span.column / sampling.grid.columns, u = span.column - v * sampling.grid.columns;
    const FacedColumn<kSlots> a(frame.columns[0], span.column, true), b(frame.columns[1], span.column, pair);
    const SpanPlaces places = find_span_ends(
        a, b, span.begin, span.end, pair ? kInside : kCoveredTwice,
        [&](std::uint32_t m, std::uint32_t face) { return depth_at(frame.mesh[m], face, sampling, u, v); });
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
      const EndPlace place = k == 0 ? places.begin : places.end;
      const EndTriangle triangle = end_triangle(frame.mesh[place.mesh], place.face, sampling);
      SpanEnds& out = frame.ends[i];
      (k == 0 ? out.begin : out.end) = make_span_end(place.mesh, place.face, triangle.weights(u, v));
    }
  }
}

}  // namespace

void launch_ends(const Frame& frame, CudaStream stream) {
  const auto needed = static_cast<std::uint32_t>((std::uint64_t{frame.span_capacity[0]} + kThreads - 1) / kThreads);
  const Launch how{.stream = stream,
                   .blocks = std::min(needed, frame.multiprocessors * kBlocksPerMultiprocessor),
                   .threads = kThreads};
  launch(how, frame.columns[0].slots != 0 ? write_ends<true> : write_ends<false>, frame);
}

}  // namespace lamella::cuda
