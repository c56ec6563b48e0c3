// Vertex gradients of many bodies that overlap themselves, or of pairs: a block takes a body, samples it along all
// three axes, one after another, and adds what the end of each span gives to the corners of its triangle
// (query/gradient_sums.hpp). Crossings are in lists, as in batch.cu; their triangles' numbers are in scratch, written
// for all of them and read only where a span ends. Sums of vertices are integers in the block's scratch: any order of
// threads gives the same bits, those of the software engine.
//
// A body without spans in its first view has no gradient, and the other views are left out.
//
// Measured on an H200: 1,024 hands of 20,908 faces at 64 x 64, of which 480 overlap themselves, in 3.1 ms; reading them
// once takes 0.12 ms.

#include "core/voi_choice.hpp"
#include "engines/cuda/batch_ends.hpp"
#include "engines/cuda/batch_finish.hpp"
#include "engines/cuda/batch_place.hpp"
#include "engines/cuda/bodies_job.hpp"

namespace lamella::cuda {
namespace batch {
namespace {

/// By one thread.
__device__ void take_unit(const BodyJob& job, Order& out) {
  out.pair = atomicAdd(&job.report->next, 1u);
  if (out.pair >= job.count) return;
  for (int m = 0; m < 2; ++m) {
    out.mesh[m] = {};
    if (m == 0 || job.pairs) out.mesh[m] = job.meshes[job.pairs ? 2 * out.pair + m : out.pair];
    out.identity[m] = true;
    out.points[m] = out.mesh[m].positions;
    begin_box(out, m);
  }
}

/// By one thread: chooses the grid.
template <bool kPair>
__device__ void begin_unit(const BodyJob& job) {
  BlockState& s = block_state();
  const Order& order = s.orders[0];
  s.turn = 0;
  s.skipped = s.bad_index[0] = s.bad_index[1] = s.overlaps = s.main = 0;
  s.grid = {};
  for (std::uint32_t view = 0; view < kViews; ++view) {
    s.counts[view] = {};
    for (auto& of_mesh : s.end_sums[view])
      for (SumWord& word : of_mesh) word = 0;
  }
  Aabb box = box_of(order, 0);
  if constexpr (kPair) box = box.empty() || box_of(order, 1).empty() ? Aabb{} : shared_box(box, box_of(order, 1));
  const int axis = shallowest_axis(box);
  s.sampled = axis >= 0;
  if (axis < 0) return;
  s.grid = {box, static_cast<Axis>(job.axis >= 0 ? job.axis : axis), job.resolution, job.resolution};
  s.main = static_cast<std::uint32_t>(s.grid.w());
  s.step_scale = length_scale(s.grid);
  for (std::uint32_t view = 0; view < kViews; ++view) {
    Grid grid = s.grid;
    grid.axis = static_cast<Axis>(view);
    s.targets[view] = make_target(grid, whole(grid));
  }
}

/// What a column adds to the sums of a view.
struct ColumnPart {
  double length = 0, first = 0, second = 0;  ///< of its spans; moments of depth
  std::uint32_t spans = 0;
  float low = 0, high = 0;  ///< of all spans
  std::uint32_t crossings[2] = {0, 0};
  bool open = false, inside_out = false;

  __device__ __forceinline__ void add(float begin, float end) {
    const double from = begin, to = end, l = to - from, middle = 0.5 * (from + to);
    low = spans == 0 ? begin : low;  // they come in order
    high = end;
    ++spans;
    length += l;
    first += l * middle;
    second += l * (middle * middle + l * l * (1.0 / 12));
  }
};

/// The same for the view of the answer.
__device__ __forceinline__ void add_to_answer(const ColumnPart& part, std::uint32_t u, std::uint32_t v,
                                              std::uint32_t columns, WarpSums& sums, SquareSums& squares) {
  ++sums.occupied;
  sums.crossings[0] += part.crossings[0];
  sums.crossings[1] += part.crossings[1];
  sums.open += part.open ? 1 : 0;
  sums.inside_out += part.inside_out ? 1 : 0;
  if (part.spans == 0) return;
  SpanTotals& t = sums.overlap;
  ColumnAdder{t, part.length}.close(u, v);
  t.moment_w += part.first;
  t.spans += part.spans;
  t.low = min_of(t.low, part.low);
  t.high = max_of(t.high, part.high);
  const double at_u = from_middle(u, columns), at_v = from_middle(v, columns);
  squares.uu += at_u * at_u * part.length;
  squares.uv += at_u * at_v * part.length;
  squares.vv += at_v * at_v * part.length;
  squares.uw += at_u * part.first;
  squares.vw += at_v * part.first;
  squares.ww += part.second;
}

/// What a thread knows where it finds the ends of spans.
struct EndPlaces {
  std::uint32_t view, u, v;
  SumWord* vertices;  ///< of the unit's first mesh, then of its second
  EndSums* sums;      ///< of both meshes; null: not wanted
};

__device__ void add_end(const EndPlaces& at, const Grid& grid, const EndPlace& place, int sign) {
  const Target& target = block_state().targets[at.view];
  const Order& order = this_order();
  Vec3 corner[3];
  Triangle t;
  corners_of(place.face, corner, t);
  const EndTriangle triangle(corner[0], corner[1], corner[2], grid, target.lattice);
  const CornerParts parts = corner_parts(corner_weights(triangle, grid), sign, 1, at.u, at.v);
  SumWord* vertices = at.vertices + (place.mesh == 0 ? 0 : std::size_t{order.mesh[0].vertex_count} * 3) + target.w;
  atomicAdd(vertices + std::size_t{t.a} * 3, SumWord{parts.a});
  atomicAdd(vertices + std::size_t{t.b} * 3, SumWord{parts.b});
  atomicAdd(vertices + std::size_t{t.c} * 3, SumWord{parts.c});
  if (at.sums == nullptr) return;
  const Vec3d n = unit_normal(corner[0], corner[1], corner[2]);
  at.sums[place.mesh].add(sign, at.u, at.v, n, n[target.w]);
}

/// Both ends of a span. Not inlined: columns without spans keep their registers.
template <class A, class B>
__device__ __noinline__ void add_span_ends(const A& a, const B& b, int level, float begin, float end,
                                           const EndPlaces& at) {
  const Grid grid = grid_of_view(at.view);
  const Lattice& lattice = block_state().targets[at.view].lattice;
  const auto depth_of = [&](std::uint32_t, std::uint32_t face) {
    const EndTriangle triangle = end_triangle(face, grid, lattice);
    return triangle.depth(triangle.weights(at.u, at.v));
  };
  const SpanPlaces places = find_span_ends(a, b, begin, end, level, depth_of);
#pragma unroll 1
  for (int k = 0; k < 2; ++k) add_end(at, grid, k == 0 ? places.begin : places.end, k == 0 ? -1 : 1);
}

/// A column of a body that is not one entry and one exit.
template <class Nodes>
__device__ __noinline__ void walk_self(Nodes nodes, std::uint32_t head, float thickness, const EndPlaces& at,
                                       ColumnPart& out) {
  const ListFacts facts = walk(nodes, head);
  out.crossings[0] = facts.count;
  out.open = facts.balance() != 0;
  if (out.open) return;
  head = sort_list(nodes, head, facts.count);
  const ListColumn<Nodes> column(nodes, head, facts.count);
  sweep_self(
      ListCursor(nodes, head), WholeColumn{}, thickness,
      [&](float begin, float end) {
        out.add(begin, end);
        add_span_ends(column, NoColumn{}, kCoveredTwice, begin, end, at);
      },
      [&](float, float) { out.inside_out = true; });
}

/// Any column of a pair.
template <class Nodes>
__device__ __noinline__ void walk_pair(Nodes nodes, std::uint32_t a, std::uint32_t b, float thickness,
                                       const EndPlaces& at, ColumnPart& out) {
  const ListFacts facts_a = walk(nodes, a), facts_b = walk(nodes, b);
  out.crossings[0] = facts_a.count;
  out.crossings[1] = facts_b.count;
  out.open = facts_a.balance() != 0 || facts_b.balance() != 0;
  if (out.open || a == kNoNode || b == kNoNode) return;
  a = sort_list(nodes, a, facts_a.count);
  b = sort_list(nodes, b, facts_b.count);
  const ListColumn<Nodes> of_a(nodes, a, facts_a.count), of_b(nodes, b, facts_b.count);
  out.inside_out = sweep_pair(ListCursor(nodes, a), ListCursor(nodes, b), WholeColumn{}, WholeColumn{}, thickness,
                              [&](float begin, float end) {
                                out.add(begin, end);
                                add_span_ends(of_a, of_b, kInside, begin, end, at);
                              });
}

/// A column that is not empty.
template <bool kPair, class Nodes>
__device__ __forceinline__ ColumnPart part_of_unit(const Nodes& nodes, std::uint32_t a, std::uint32_t b,
                                                   float thickness, const EndPlaces& at) {
  ColumnPart part;
  if constexpr (!kPair) {
    std::uint32_t in = 0, out = 0;
    if (is_plain(nodes, a, in, out)) {
      part.crossings[0] = 2;
      return part;
    }
  }
  ColumnPart walked;  // in memory; `part` is not
  if constexpr (kPair)
    walk_pair(nodes, a, b, thickness, at, walked);
  else
    walk_self(nodes, a, thickness, at, walked);
  part = walked;
  return part;
}

/// Adds the sums of a warp's threads to those of the view.
__device__ void put_end_sums(const EndSums (&mine)[2], std::uint32_t view) {
  for (int m = 0; m < 2; ++m) {
    const EndSums& e = mine[m];
    const SignedSum from[] = {e.count, e.twice_u, e.twice_v, e.area, e.normal[0], e.normal[1], e.normal[2]};
    for (int k = 0; k < 7; ++k) {
      const SumWord all = sum_of_warp(static_cast<SumWord>(from[k]));
      if (threadIdx.x % kWarp == 0 && all != 0) atomicAdd(&block_state().end_sums[view][m][k], all);
    }
  }
}

__device__ EndSums end_sums_of(const BlockState& s, std::uint32_t view, int mesh) {
  const SumWord* w = s.end_sums[view][mesh];
  return {w[0], w[1], w[2], w[3], {w[4], w[5], w[6]}};
}

/// One view, by all threads. Leaves the lists empty.
template <Near kNear, bool kPair, bool kSums, class Nodes>
__device__ __noinline__ void sum_unit(Nodes nodes, std::uint32_t view, float min_thickness, SumWord* vertices) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  const bool is_main = view == s.main;
  WarpSums sums{};
  SquareSums squares;
  EndSums ends[2];
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x % kWarp < count; i += blockDim.x) {
    const std::uint32_t a = i < count ? lists[i] : kNoNode;
    const std::uint32_t b = kPair && i < count ? lists[count + i] : kNoNode;
    const std::uint32_t v = i / columns, u = i - v * columns;
    double length = 0;
    if (a != kNoNode || b != kNoNode) {
      lists[i] = kNoNode;
      if constexpr (kPair) lists[count + i] = kNoNode;
      const EndPlaces at{view, u, v, vertices, kSums ? ends : nullptr};
      const ColumnPart part = part_of_unit<kPair>(nodes, a, b, thickness, at);
      if (is_main) {
        add_to_answer(part, u, v, columns, sums, squares);
        length = part.length;
      }
    }
    if (is_main) add_to_lines(lines<kNear>(), i, static_cast<LineSum>(in_steps(length, s.step_scale)));
  }
  if constexpr (kSums) put_end_sums(ends, view);
  if (!is_main) return;
  if (sums.overlap.spans != 0) s.overlaps = 1;
  sum_warp(sums);
  if constexpr (kSums) sum_warp(squares);
  if (threadIdx.x % kWarp != 0) return;
  s.sums[threadIdx.x / kWarp] = sums;
  if constexpr (kSums) s.squares[threadIdx.x / kWarp] = squares;
}

/// Likewise: a view without room for all its crossings.
template <Near kNear>
__device__ void empty_view() {
  BlockState& s = block_state();
  std::uint32_t* lists = heads<kNear>();
  for (std::uint32_t i = threadIdx.x; i < s.head_count; i += blockDim.x) lists[i] = kNoNode;
  s.overlaps = 1;  // not known
  if (threadIdx.x % kWarp != 0) return;
  s.sums[threadIdx.x / kWarp] = {};
  s.squares[threadIdx.x / kWarp] = {};
}

template <Near kNear, bool kPair, bool kSums>
__device__ void sample_unit(float min_thickness, SumWord* vertices) {
  BlockState& s = block_state();
  const LineStore line_sums = lines<kNear>();
  for (std::uint32_t i = threadIdx.x; i < line_sums.count(); i += blockDim.x) line_sums.sums[i] = 0;
  const std::uint32_t main = s.main;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kViews; ++i) {
    const std::uint32_t view = (main + i) % kViews;
    encode_vertices<kNear>(view);
    __syncthreads();
    rasterize<kNear, Tag::face>(view);
    __syncthreads();
    rasterize_aside<kNear, Tag::face>(view);
    __syncthreads();
    const std::uint32_t nodes = s.counts[view].nodes;
    if (nodes <= s.near_nodes)
      sum_unit<kNear, kPair, kSums>(NearNodes{}, view, min_thickness, vertices);
    else if (nodes <= s.node_capacity)
      sum_unit<kNear, kPair, kSums>(node_pool<kNear>(), view, min_thickness, vertices);
    else
      empty_view<kNear>();
    __syncthreads();
    if (s.overlaps == 0) return;
  }
}

/// By all threads: the unit's gradients; sums become zero again.
__device__ void write_gradients(SumWord* sums, std::uint32_t vertices, Vec3* out) {
  const BlockState& s = block_state();
  if (s.overlaps == 0) {
    for (std::uint32_t i = threadIdx.x; i < vertices; i += blockDim.x) out[i] = {};
    return;
  }
  double area[3];
  for (int k = 0; k < 3; ++k) area[k] = grid_of_view(static_cast<std::uint32_t>(k)).cell_area();
  for (std::uint32_t i = threadIdx.x; i < vertices; i += blockDim.x) {
    Vec3 g;
    for (int k = 0; k < 3; ++k) {
      SumWord& sum = sums[std::size_t{i} * 3 + static_cast<std::size_t>(k)];
      g[k] = vertex_component(sum, area[k]);
      if (sum != 0) sum = 0;
    }
    out[i] = g;
  }
}

/// By one thread, where there are spans.
__device__ void write_sums(const BlockState& s, const SpanTotals& t, const SquareSums& squares, Vec3d pivot,
                           GradientSums& out) {
  ViewSums views[3];
  for (std::uint32_t i = 0; i < kViews; ++i) {
    const std::uint32_t view = (s.main + i) % kViews;
    views[i] = {grid_of_view(view), {end_sums_of(s, view, 0), end_sums_of(s, view, 1)}};
  }
  sum_up_views(views, pivot, out);
  const double half = 0.5 * s.grid.columns;
  sum_up_moments(s.grid,
                 {t.length, t.moment_u - half * t.length, t.moment_v - half * t.length, t.moment_w, squares.uu,
                  squares.uv, squares.vv, squares.uw, squares.vw, squares.ww},
                 out);
}

/// By the first warp.
template <Near kNear, bool kSums>
__device__ void finish_unit(const BodyJob& job, std::uint32_t unit) {
  const BlockState& s = block_state();
  WarpSums sums{};
  SquareSums squares;
  if (s.sampled && threadIdx.x < blockDim.x / kWarp) {
    sums = s.sums[threadIdx.x];
    if constexpr (kSums) squares = s.squares[threadIdx.x];
  }
  sum_warp(sums);
  if constexpr (kSums) sum_warp(squares);
  const double error = sums.overlap.spans != 0 ? error_of_pair<kNear>() : 0;  // the same branch in all lanes
  if (threadIdx.x != 0) return;
  BodyOverlap out;
  write_answer(s, sums, error, out);
  job.answers[unit] = out;
  if constexpr (kSums) {
    GradientSums all;
    if (out.span_count != 0) write_sums(s, sums.overlap, squares, out.centroid, all);
    job.sums[unit] = all;
  }
  write_report(job, s, unit, nodes_asked_for<true>(s), sums);
}

template <Near kNear, bool kPair, bool kSums>
__global__ void __launch_bounds__(most_threads(true), 1) bodies_kernel(BodyJob job) {
  wait_for_previous();
  BlockState& s = block_state();
  auto* vertices =
      reinterpret_cast<SumWord*>(job.memory.scratch + blockIdx.x * job.memory.scratch_stride + job.vertex_sums);
  if (threadIdx.x == 0) find_scratch(job.memory, s);
  __syncthreads();
  clear_lists<kNear>();
  for (std::size_t i = threadIdx.x; i < std::size_t{job.memory.vertex_capacity} * 3; i += blockDim.x) vertices[i] = 0;
  Order& order = s.orders[0];
  while (true) {
    if (threadIdx.x == 0) take_unit(job, order);
    __syncthreads();
    const std::uint32_t unit = order.pair;
    if (unit >= job.count) return;
    place_vertices(order, 0, s.placed, blockDim.x);
    if constexpr (kPair) place_vertices(order, 1, s.placed, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) begin_unit<kPair>(job);
    __syncthreads();
    if (s.sampled)
      sample_unit<kNear, kPair, kSums>(job.min_thickness, vertices);
    else
      count_broken();
    __syncthreads();
    if (threadIdx.x < kWarp) finish_unit<kNear, kSums>(job, unit);
    write_gradients(vertices, order.mesh[0].vertex_count + order.mesh[1].vertex_count,
                    job.gradients + job.first_vertex[unit]);
    __syncthreads();
  }
}

}  // namespace
}  // namespace batch

void launch_bodies(const BodyJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream) {
  using batch::Near;
  const auto kernel = job.sums == nullptr ? plan.near ? batch::bodies_kernel<Near::all, false, false>
                                                      : batch::bodies_kernel<Near::nothing, false, false>
                      : job.pairs ? batch::bodies_kernel<Near::nothing, true, true>
                                          : batch::bodies_kernel<Near::nothing, false, true>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.shared_per_block)),
        "give a kernel its shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
        "give a kernel its shared memory");
  launch({stream, plan.blocks, plan.threads, plan.shared_bytes}, kernel, job);
}

}  // namespace lamella::cuda
