#pragma once

// Which surfaces end the spans of a pair's columns, for gradients: from the lists of a view to sums
// (query/span_ends.hpp, query/gradient_sums.hpp). Most columns are one entry and one exit of either mesh; the others
// take a slower way.

#include "engines/cuda/batch_raster.hpp"
#include "engines/cuda/batch_sums.hpp"

namespace lamella::cuda::batch {

/// A list as find_span_ends() reads it: one crossing after another, from the first again and again.
template <class Nodes>
struct ListColumn {
  const Nodes& nodes;
  std::uint32_t head, length;
  mutable std::uint32_t at = 0, node;

  __device__ ListColumn(const Nodes& all, std::uint32_t first, std::uint32_t count)
      : nodes(all), head(first), length(count), node(first) {}
  [[nodiscard]] __device__ std::uint32_t count() const { return length; }
  [[nodiscard]] __device__ std::uint32_t key(std::uint32_t i) const { return nodes.at(seek(i)).key; }
  [[nodiscard]] __device__ std::uint32_t face(std::uint32_t i) const { return block_state().tags[seek(i)].face; }

 private:
  __device__ std::uint32_t seek(std::uint32_t i) const {
    if (i < at) {
      at = 0;
      node = head;
    }
    for (; at < i; ++at) node = nodes.at(node).next;
    return node;
  }
};

/// A view's grid: that of the answer, along another axis.
__device__ inline Grid grid_of_view(std::uint32_t view) {
  Grid grid = block_state().grid;
  grid.axis = static_cast<Axis>(block_state().targets[view].w);
  return grid;
}

/// The triangle of a crossing, by its tag's face.
__device__ inline void corners_of(std::uint32_t face, Vec3 out[3], Triangle& t) {
  const Order& order = this_order();
  const int m = (face & kOfB) != 0 ? 1 : 0;
  t = order.mesh[m].triangles[face & ~kOfB];
  out[0] = order.points[m][t.a];
  out[1] = order.points[m][t.b];
  out[2] = order.points[m][t.c];
}

__device__ inline EndTriangle end_triangle(std::uint32_t face, const Grid& grid, const Lattice& lattice) {
  Vec3 corner[3];
  Triangle t;
  corners_of(face, corner, t);
  return {corner[0], corner[1], corner[2], grid, lattice};
}

/// What a column adds to the sums of a view.
struct ColumnPart {
  double length = 0, first = 0, second = 0;  ///< of its spans; moments of depth
  std::uint32_t spans = 0;
  float low = 0, high = 0;     ///< of all spans
  int sign = 0;                ///< ends on mesh a less begins on it
  SignedSum area[2] = {0, 0};  ///< EndSums::area
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
  __device__ __forceinline__ void add_normal(bool of_a, float normal) {
    const SignedSum steps = in_weight_steps(normal);
    area[0] += of_a ? steps : 0;
    area[1] += of_a ? 0 : steps;
  }
};

/// Where a span's ends are, in a column where the keys alone do not tell: with all rules for ties.
template <class Nodes>
__device__ void add_ends(const ListColumn<Nodes>& a, const ListColumn<Nodes>& b, std::uint32_t view, std::uint32_t u,
                         std::uint32_t v, float begin, float end, ColumnPart& out) {
  const Grid grid = grid_of_view(view);
  const Target& target = block_state().targets[view];
  const auto depth_of = [&](std::uint32_t, std::uint32_t face) {
    const EndTriangle triangle = end_triangle(face, grid, target.lattice);
    return triangle.depth(triangle.weights(u, v));
  };
  const SpanPlaces places = find_span_ends(a, b, begin, end, kInside, depth_of);
  out.sign += static_cast<int>(places.end.mesh == 0) - static_cast<int>(places.begin.mesh == 0);
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    const EndPlace place = k == 0 ? places.begin : places.end;
    Vec3 corner[3];
    Triangle t;
    corners_of(place.face, corner, t);
    out.add_normal(place.mesh == 0, normal_along(corner, target.w));
  }
}

/// Any column that is not empty. Not inlined: few columns come here, and the others keep their registers.
template <class Nodes>
__device__ __noinline__ void walk_column(Nodes nodes, std::uint32_t view, std::uint32_t a, std::uint32_t b,
                                         std::uint32_t u, std::uint32_t v, float thickness, ColumnPart& out) {
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
                                add_ends(of_a, of_b, view, u, v, begin, end, out);
                              });
}

/// An entry and an exit of a mesh, and their nodes.
struct PlainList {
  std::uint32_t in, out, in_node, out_node;
};
template <class Nodes>
__device__ __forceinline__ bool find_plain(const Nodes& nodes, std::uint32_t head, PlainList& list) {
  if (head == kNoNode) return false;
  const BatchNode first = nodes.at(head);
  if (first.next == kNoNode) return false;
  const BatchNode second = nodes.at(first.next);
  const bool in_order = first.key < second.key;
  list.in = in_order ? first.key : second.key;
  list.out = in_order ? second.key : first.key;
  list.in_node = in_order ? head : first.next;
  list.out_node = in_order ? first.next : head;
  return second.next == kNoNode && (list.in & 1u) != 0 && (list.out & 1u) == 0;
}

/// Column (u, v) of a view.
template <class Nodes>
__device__ __forceinline__ ColumnPart part_of_column(const Nodes& nodes, std::uint32_t view, std::uint32_t a,
                                                     std::uint32_t b, std::uint32_t u, std::uint32_t v,
                                                     float thickness) {
  ColumnPart part;
  PlainList of_a, of_b;
  if (!find_plain(nodes, a, of_a) || !find_plain(nodes, b, of_b) || of_a.in == of_b.in || of_a.out == of_b.out) {
    ColumnPart walked;  // in memory; `part` is not
    walk_column(nodes, view, a, b, u, v, thickness, walked);
    part = walked;
    return part;
  }
  part.crossings[0] = part.crossings[1] = 2;
  const bool a_begins = of_a.in > of_b.in, a_ends = of_a.out < of_b.out;
  const float in = Crossing{a_begins ? of_a.in : of_b.in}.depth(), out = Crossing{a_ends ? of_a.out : of_b.out}.depth();
  if (!is_thick(in, out, thickness)) return part;
  part.add(in, out);
  part.sign = static_cast<int>(a_ends) - static_cast<int>(a_begins);
  const NodeTag* tags = block_state().tags;
  part.add_normal(a_begins, tags[a_begins ? of_a.in_node : of_b.in_node].normal);
  part.add_normal(a_ends, tags[a_ends ? of_a.out_node : of_b.out_node].normal);
  return part;
}

/// A thread's sums over its columns of a view.
struct EndTotals {
  SignedSum count = 0, twice_u = 0, twice_v = 0, area[2] = {0, 0};

  __device__ __forceinline__ void add(const ColumnPart& part, std::uint32_t u, std::uint32_t v) {
    const auto sign = static_cast<SignedSum>(static_cast<std::int64_t>(part.sign));
    count += sign;
    twice_u += sign * (2 * u + 1);
    twice_v += sign * (2 * v + 1);
    area[0] += part.area[0];
    area[1] += part.area[1];
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

/// Lane 0 gets the sums.
__device__ inline void sum_warp(SquareSums& squares) {
  squares.uu = sum_of_warp(squares.uu);
  squares.uv = sum_of_warp(squares.uv);
  squares.vv = sum_of_warp(squares.vv);
  squares.uw = sum_of_warp(squares.uw);
  squares.vw = sum_of_warp(squares.vw);
  squares.ww = sum_of_warp(squares.ww);
}

/// Adds the ends of all threads.
__device__ __forceinline__ void put_ends(const EndTotals& mine, ViewEnds& to) {
  const auto add = [](SignedSum x, SumWord& sum) {
    const SumWord all = sum_of_warp(static_cast<SumWord>(x));
    if (threadIdx.x % kWarp == 0 && all != 0) atomicAdd(&sum, all);
  };
  add(mine.count, to.count);
  add(mine.twice_u, to.twice_u);
  add(mine.twice_v, to.twice_v);
  add(mine.area[0], to.area[0]);
  add(mine.area[1], to.area[1]);
}

/// One view of a pair. kMain: the view of the answer, whose volume, error and moments are found too. Leaves the lists
/// empty.
template <Near kNear, bool kMain, class Nodes>
__device__ __noinline__ void sum_view(Nodes nodes, std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  WarpSums sums{};
  SquareSums squares;
  EndTotals ends;
  // All lanes of a warp go on as long as one has a column: they add to the lines together.
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x % kWarp < count; i += blockDim.x) {
    const std::uint32_t a = i < count ? lists[i] : kNoNode, b = i < count ? lists[count + i] : kNoNode;
    const std::uint32_t v = i / columns, u = i - v * columns;
    double length = 0;
    if (a != kNoNode) lists[i] = kNoNode;
    if (b != kNoNode) lists[count + i] = kNoNode;
    if (kMain ? a != kNoNode || b != kNoNode : a != kNoNode && b != kNoNode) {
      const ColumnPart part = part_of_column(nodes, view, a, b, u, v, thickness);
      ends.add(part, u, v);
      if constexpr (kMain) {
        add_to_answer(part, u, v, columns, sums, squares);
        length = part.length;
      }
    }
    if constexpr (kMain) add_to_lines(lines<kNear>(), i, static_cast<LineSum>(in_steps(length, s.step_scale)));
  }
  put_ends(ends, s.ends[view]);
  if constexpr (kMain) {
    if (sums.overlap.spans != 0) s.overlaps = 1;
    sum_warp(sums);
    sum_warp(squares);
    if (threadIdx.x % kWarp == 0) {
      s.sums[threadIdx.x / kWarp] = sums;
      s.squares[threadIdx.x / kWarp] = squares;
    }
  }
}

}  // namespace lamella::cuda::batch
