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

/// in_weight_steps() of NodeTag::normal.
__device__ __forceinline__ std::uint32_t steps_of_normal(float normal) {
  return static_cast<std::uint32_t>(normal * static_cast<float>(kWholeWeight));
}

/// What a column adds to the sums over ends.
struct EndPart {
  int sign = 0;                ///< ends on mesh a less begins on it
  SignedSum area[2] = {0, 0};  ///< EndSums::area

  __device__ __forceinline__ void add_normal(bool of_a, float normal) {
    const SignedSum steps = steps_of_normal(normal);
    area[0] += of_a ? steps : 0;
    area[1] += of_a ? 0 : steps;
  }
};

/// A sorted list with the numbers of its nodes.
template <class Nodes>
struct NodeCursor {
  const Nodes& nodes;
  std::uint32_t node, next = kNoNode, key = kNoKey;

  __device__ NodeCursor(const Nodes& all, std::uint32_t head) : nodes(all), node(head) { load(); }
  __device__ void advance() {
    node = next;
    load();
  }

 private:
  __device__ void load() {
    key = kNoKey;
    if (node == kNoNode) return;
    const BatchNode n = nodes.at(node);
    key = n.key;
    next = n.next;
  }
};

/// A crossing that begins or ends a span.
struct SpanNode {
  std::uint32_t node = kNoNode;
  bool of_a = false;
  bool tied = false;  ///< others have the same key: the rules for ties tell which of them it is
};

/// Both ends of a span, by their nodes.
struct NodeSpan {
  float begin = -1, end = -1;
  SpanNode from, to;
};

/// The walk of sweep_pair() that also knows which crossings begin and end a span. Calls emit(span). At one depth exits
/// come first: the last crossing there is the one that begins a span, the first one ends it.
template <class Nodes, class Emit>
__device__ __forceinline__ bool sweep_nodes(const Nodes& nodes, std::uint32_t head_a, std::uint32_t head_b,
                                            float thickness, const Emit& emit) {
  NodeCursor<Nodes> a(nodes, head_a), b(nodes, head_b);
  NodeSpan span;
  SpanNode last;  // crossing
  std::uint32_t last_key = kNoKey;
  bool inside_out = false;
  int winding_a = 0, winding_b = 0;
  float from = 0;
#pragma unroll 1
  while (true) {
    const bool take_a = a.key <= b.key;
    const Crossing c{take_a ? a.key : b.key};
    if (c.key == kNoKey) break;
    SpanNode now{take_a ? a.node : b.node, take_a, c.key == last_key};
    const int sign = c.sign();
    const bool inside = is_inside(winding_a) && is_inside(winding_b);
    const bool turned = is_inside_out(winding_a) || is_inside_out(winding_b);
    winding_a += take_a ? sign : 0;
    winding_b += take_a ? 0 : sign;
    if (take_a)
      a.advance();
    else
      b.advance();
    const float to = c.depth();
    if (to > from) {
      if (inside) {
        if (from != span.end) {
          if (is_thick(span.begin, span.end, thickness)) emit(span);
          span.begin = from;
          span.from = last;
        }
        span.end = to;
        span.to = now;
        span.to.tied = c.key == (a.key <= b.key ? a.key : b.key);
      }
      inside_out = inside_out || (turned && is_thick(from, to, thickness));
      from = to;
    }
    last = now;
    last_key = c.key;
  }
  if (is_thick(span.begin, span.end, thickness)) emit(span);
  return inside_out;
}

/// An entry and an exit of a mesh, and their nodes.
struct PlainList {
  std::uint32_t in, out, in_node, out_node;
};
template <class Nodes>
__device__ __forceinline__ bool find_plain(const Nodes& nodes, std::uint32_t head, PlainList& list) {
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

/// A thread's sums over its columns of a view.
struct EndTotals {
  SignedSum count = 0, twice_u = 0, twice_v = 0, area[2] = {0, 0};

  __device__ __forceinline__ void add(const EndPart& part, std::uint32_t u, std::uint32_t v) {
    const auto sign = static_cast<SignedSum>(static_cast<std::int64_t>(part.sign));
    count += sign;
    twice_u += sign * (2 * u + 1);
    twice_v += sign * (2 * v + 1);
    area[0] += part.area[0];
    area[1] += part.area[1];
  }
};

/// The ends of a span; false where the keys alone do not tell.
__device__ __forceinline__ bool add_span(const NodeSpan& span, EndPart& out) {
  if (span.from.tied || span.to.tied) return false;
  const NodeTag* tags = block_state().tags;
  out.sign += static_cast<int>(span.to.of_a) - static_cast<int>(span.from.of_a);
  out.add_normal(span.from.of_a, tags[span.from.node].normal);
  out.add_normal(span.to.of_a, tags[span.to.node].normal);
  return true;
}

/// A column where both meshes are. kSorted: both lists are plain, or sorted, or do not close; otherwise they are then.
/// False where the keys alone do not tell all ends.
template <bool kSorted, class Nodes>
__device__ __forceinline__ bool ends_of_column(const Nodes& nodes, std::uint32_t& a, std::uint32_t& b, float thickness,
                                               EndPart& out) {
  PlainList of_a, of_b;
  if (find_plain(nodes, a, of_a) && find_plain(nodes, b, of_b)) {
    const bool a_begins = of_a.in > of_b.in, a_ends = of_a.out < of_b.out;
    NodeSpan span;
    span.begin = Crossing{a_begins ? of_a.in : of_b.in}.depth();
    span.end = Crossing{a_ends ? of_a.out : of_b.out}.depth();
    span.from = {a_begins ? of_a.in_node : of_b.in_node, a_begins, of_a.in == of_b.in};
    span.to = {a_ends ? of_a.out_node : of_b.out_node, a_ends, of_a.out == of_b.out};
    return !is_thick(span.begin, span.end, thickness) || add_span(span, out);
  }
  const ListFacts facts_a = walk(nodes, a), facts_b = walk(nodes, b);
  if (facts_a.balance() != 0 || facts_b.balance() != 0) return true;
  if constexpr (!kSorted) {
    a = sort_list(nodes, a, facts_a.count);
    b = sort_list(nodes, b, facts_b.count);
  }
  bool known = true;
  sweep_nodes(nodes, a, b, thickness, [&](const NodeSpan& span) { known = add_span(span, out) && known; });
  return known;
}

/// Where a column's list of mesh b is, and its mark: with slots, kListed there says that the column has lists.
template <Near kNear>
__device__ __forceinline__ std::uint32_t list_b(std::uint32_t count, std::uint32_t column) {
  return (kNear == Near::slots ? 2 * count : count) + column;
}
template <Near kNear>
__device__ __forceinline__ bool has_lists(const std::uint32_t* lists, std::uint32_t count, std::uint32_t column) {
  if constexpr (kNear == Near::slots) return lists[count + column] == kListed;
  return lists[column] != kNoNode;
}

/// The columns of a thread that were left, since the keys alone do not tell their ends: with all rules for ties. Rare,
/// so that it may be slow. Leaves the lists empty.
template <Near kNear, class Nodes>
__device__ __noinline__ void sum_tied(Nodes nodes, std::uint32_t view, float thickness) {
  BlockState& s = block_state();
  std::uint32_t* lists = heads<kNear>();
  const Grid grid = grid_of_view(view);
  const Target& target = s.targets[view];
  const std::uint32_t columns = target.columns, count = columns * columns;
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    if (!has_lists<kNear>(lists, count, i)) continue;
    const std::uint32_t v = i / columns, u = i - v * columns, at_b = list_b<kNear>(count, i);
    const std::uint32_t count_a = walk(nodes, lists[i]).count, count_b = walk(nodes, lists[at_b]).count;
    const std::uint32_t a = sort_list(nodes, lists[i], count_a), b = sort_list(nodes, lists[at_b], count_b);
    for (std::uint32_t k = i; k < s.head_count; k += count) lists[k] = kNoNode;
    const auto depth_of = [&](std::uint32_t, std::uint32_t face) {
      const EndTriangle triangle = end_triangle(face, grid, target.lattice);
      return triangle.depth(triangle.weights(u, v));
    };
    EndTotals all;
    sweep_pair(ListCursor(nodes, a), ListCursor(nodes, b), WholeColumn{}, WholeColumn{}, thickness,
               [&](float begin, float end) {
                 const SpanPlaces places =
                     find_span_ends(ListColumn<Nodes>(nodes, a, count_a), ListColumn<Nodes>(nodes, b, count_b), begin,
                                    end, kInside, depth_of);
                 EndPart part;
                 part.sign = static_cast<int>(places.end.mesh == 0) - static_cast<int>(places.begin.mesh == 0);
#pragma unroll 1
                 for (int k = 0; k < 2; ++k) {
                   const EndPlace place = k == 0 ? places.begin : places.end;
                   Vec3 corner[3];
                   Triangle t;
                   corners_of(place.face, corner, t);
                   part.add_normal(place.mesh == 0, normal_along(corner, target.w));
                 }
                 all.add(part, u, v);
               });
    ViewEnds& to = s.ends[view];
    atomicAdd(&to.count, SumWord{all.count});
    atomicAdd(&to.twice_u, SumWord{all.twice_u});
    atomicAdd(&to.twice_v, SumWord{all.twice_v});
    atomicAdd(&to.area[0], SumWord{all.area[0]});
    atomicAdd(&to.area[1], SumWord{all.area[1]});
  }
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

/// The ends of a view's spans. Leaves the lists empty. kSorted: after sum_columns().
template <Near kNear, bool kSorted, class Nodes>
__device__ __noinline__ void sum_ends(Nodes nodes, std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  EndTotals ends;
  bool left = false;
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    std::uint32_t a = lists[i], b = lists[count + i];
    if (a == kNoNode && b == kNoNode) continue;
    EndPart part;
    const bool known = a == kNoNode || b == kNoNode || ends_of_column<kSorted>(nodes, a, b, thickness, part);
    lists[i] = known ? kNoNode : a;
    lists[count + i] = known ? kNoNode : b;
    left = left || !known;
    const std::uint32_t v = i / columns, u = i - v * columns;
    if (known) ends.add(part, u, v);
  }
  __syncwarp();
  put_ends(ends, s.ends[view]);
  if (left) sum_tied<kNear>(nodes, view, thickness);
}

}  // namespace lamella::cuda::batch
