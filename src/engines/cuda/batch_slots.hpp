#pragma once

// Columns as slots, for batch.cu. A column has four words: one each for the entries into mesh a, the exits from it, and
// those of mesh b. A word has the key of the only crossing, so that most columns need no node at all; further ones are
// in a list from there, whose end has the key that came first. Columns that are one entry and one exit of each mesh are
// summed up by one thread each. The others are collected, so that a warp has one for every lane, and turned into the
// lists of batch_lists.hpp.
//
// Against lists alone (10,000 pairs of batch.cu with gradients, H200): a view has 11,600 crossings, of which half did
// not fit into shared memory as nodes of eight bytes. As slots they do, next to some 1,600 nodes; 1,500 columns of a
// view are plain in both meshes, 320 are not.

#include "engines/cuda/batch_ends.hpp"

namespace lamella::cuda::batch {

/// The words of a column.
struct SlotColumn {
  std::uint32_t in_a, out_a, in_b, out_b;
};
__device__ __forceinline__ SlotColumn slots_at(const std::uint32_t* slots, std::uint32_t count, std::uint32_t column) {
  return {slots[column], slots[count + column], slots[2 * count + column], slots[3 * count + column]};
}
__device__ __forceinline__ void set_slots(std::uint32_t* slots, std::uint32_t count, std::uint32_t column,
                                          const SlotColumn& to) {
  slots[column] = to.in_a;
  slots[count + column] = to.out_a;
  slots[2 * count + column] = to.in_b;
  slots[3 * count + column] = to.out_b;
}
__device__ __forceinline__ SlotColumn no_slots() { return {kNoNode, kNoNode, kNoNode, kNoNode}; }

/// Whether a mesh has no crossing in the column.
__device__ __forceinline__ bool is_absent(std::uint32_t in, std::uint32_t out) { return (in & out) == kNoNode; }
/// Whether it has one entry, and one exit behind it.
__device__ __forceinline__ bool is_plain(std::uint32_t in, std::uint32_t out) {
  return (in & out & 1u) != 0 && in < out && out != kNoNode;
}
__device__ __forceinline__ float slot_depth(std::uint32_t slot) { return Crossing{slot}.depth(); }

/// Crossings of a slot.
__device__ __forceinline__ std::uint32_t slot_length(const NodePool& nodes, std::uint32_t slot) {
  std::uint32_t count = slot == kNoNode ? 0 : 1;
#pragma unroll 1
  for (; (slot & 1u) == 0; slot = nodes.at(slot >> 1).next) ++count;
  return count;
}

/// Puts the crossings of a slot in front of a list; its first key needs a node of its own.
template <bool kTags>
__device__ __forceinline__ void move_to_list(const NodePool& nodes, std::uint32_t word, std::uint32_t slot, bool entry,
                                             std::uint32_t& free_node, std::uint32_t& list) {
#pragma unroll 1
  while ((word & 1u) == 0) {
    const std::uint32_t node = word >> 1;
    word = nodes.at(node).next;
    nodes.at(node).next = list;
    list = node;
  }
  if (word == kNoNode) return;
  nodes.at(free_node) = {entry ? word : word - 1, list};
  if constexpr (kTags) {
    const BlockState& s = block_state();
    s.tags[free_node] = s.tags[s.node_capacity + slot];
  }
  list = free_node++;
}

/// The lists of a column with both meshes. False when there is no room for their nodes, which the view has asked for
/// then.
template <bool kTags>
__device__ __forceinline__ bool make_lists(const NodePool& nodes, const SlotColumn& c, std::uint32_t column,
                                           std::uint32_t count, std::uint32_t view, std::uint32_t& a,
                                           std::uint32_t& b) {
  ViewCounts& counts = block_state().counts[view];
  const auto wanted = [](std::uint32_t slot) { return slot == kNoNode ? 0u : 1u; };
  const std::uint32_t needed = wanted(c.in_a) + wanted(c.out_a) + wanted(c.in_b) + wanted(c.out_b);
  std::uint32_t node = counts.nodes + atomicAdd(&counts.listed, needed);
  if (node + needed > nodes.capacity) return false;
  a = b = kNoNode;
  move_to_list<kTags>(nodes, c.in_a, column, true, node, a);
  move_to_list<kTags>(nodes, c.out_a, count + column, false, node, a);
  move_to_list<kTags>(nodes, c.in_b, 2 * count + column, true, node, b);
  move_to_list<kTags>(nodes, c.out_b, 3 * count + column, false, node, b);
  return true;
}

/// Calls each(there, column) with the whole warp, for those of its columns that wanted(column) is true for, one for
/// each lane.
template <class Wanted, class Each>
__device__ __forceinline__ void for_collected(std::uint32_t count, const Wanted& wanted, const Each& each) {
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t* queue = survivor_queue(threadIdx.x / kWarp);
  std::uint32_t queued = 0, i = threadIdx.x;
#pragma unroll 1
  while (true) {
    const bool last = i - lane >= count;
    const bool mine = i < count && wanted(i);
    const unsigned mask = __ballot_sync(kAllLanes, mine);
    if (mine) queue[queued + static_cast<std::uint32_t>(__popc(mask & before_lane(lane)))] = i;
    queued += static_cast<std::uint32_t>(__popc(mask));
    i += blockDim.x;
    __syncwarp();
    if (queued < kWarp && !last) continue;
    const std::uint32_t taken = queued < kWarp ? queued : kWarp;
    queued -= taken;
    if (taken != 0) each(lane < taken, queue[queued + (lane < taken ? lane : 0)]);
    __syncwarp();
    if (last) return;
  }
}

// ---- the view of the answer

/// Adds the length of one column to its lines; add_to_lines() is for adjacent columns.
__device__ inline void add_to_lines_of(const LineStore& lines, std::uint32_t u, std::uint32_t v, LineSum steps) {
  if (steps == 0) return;
  if (v < lines_in_classes(lines.rows)) atomicAdd(lines.of_columns() + v % kLineClasses * lines.columns + u, steps);
  atomicAdd(lines.of_rows() + v, steps);
}

/// A column that is not plain; with kKeep both of its lists are left, sorted, where a span may end.
template <Near kNear, bool kKeep, class Adder>
__device__ __forceinline__ double sum_slow_column(const NodePool& nodes, std::uint32_t column, std::uint32_t view,
                                                  float thickness, WarpSums& sums, Adder adder) {
  BlockState& s = block_state();
  std::uint32_t* slots = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const SlotColumn c = slots_at(slots, count, column);
  const std::uint32_t in_a = slot_length(nodes, c.in_a), out_a = slot_length(nodes, c.out_a);
  const std::uint32_t in_b = slot_length(nodes, c.in_b), out_b = slot_length(nodes, c.out_b);
  sums.crossings[0] += in_a + out_a;
  sums.crossings[1] += in_b + out_b;
  const bool open = in_a != out_a || in_b != out_b;
  sums.open += open ? 1 : 0;
  std::uint32_t a = kNoNode, b = kNoNode;
  const bool listed = !open && in_a != 0 && in_b != 0 && make_lists<kKeep>(nodes, c, column, count, view, a, b);
  if (listed) {
    a = sort_list(nodes, a, in_a + out_a);
    b = sort_list(nodes, b, in_b + out_b);
    const bool inside_out = sweep_pair(ListCursor(nodes, a), ListCursor(nodes, b), WholeColumn{}, WholeColumn{},
                                       thickness, [&](float begin, float end) { adder.add(begin, end); });
    sums.inside_out += inside_out ? 1 : 0;
  }
  if constexpr (kKeep) set_slots(slots, count, column, listed ? SlotColumn{a, kListed, b, kListed} : no_slots());
  const std::uint32_t v = column / columns, u = column - v * columns;
  adder.close(u, v);
  if constexpr (kKeep) adder.close_squares(u, v, columns);
  return adder.length;
}

__device__ inline void add(SquareSums& to, const SquareSums& other) {
  to.uu += other.uu;
  to.uv += other.uv;
  to.vv += other.vv;
  to.uw += other.uw;
  to.vw += other.vw;
  to.ww += other.ww;
}

/// Adds the columns that sum_plain() left.
template <Near kNear, bool kKeep>
__device__ __noinline__ void sum_slow(std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  const std::uint32_t* slots = heads<kNear>();
  const NodePool nodes = node_pool<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  WarpSums sums{};
  SquareSums squares;
  const auto is_slow = [&](std::uint32_t i) {
    const SlotColumn c = slots_at(slots, count, i);
    const bool plain_a = is_plain(c.in_a, c.out_a), plain_b = is_plain(c.in_b, c.out_b);
    return !(plain_a || is_absent(c.in_a, c.out_a)) || !(plain_b || is_absent(c.in_b, c.out_b));
  };
  for_collected(count, is_slow, [&](bool there, std::uint32_t column) {
    if (!there) return;
    double length = 0;
    if constexpr (kKeep)
      length = sum_slow_column<kNear, kKeep>(nodes, column, view, thickness, sums, SquareAdder(sums.overlap, squares));
    else
      length = sum_slow_column<kNear, kKeep>(nodes, column, view, thickness, sums, ColumnAdder{sums.overlap});
    const std::uint32_t v = column / columns;
    add_to_lines_of(lines<kNear>(), column - v * columns, v, static_cast<LineSum>(in_steps(length, s.step_scale)));
  });
  if (kKeep && sums.overlap.spans != 0) s.overlaps = 1;
  sum_warp(sums);
  if constexpr (kKeep) sum_warp(squares);
  if (threadIdx.x % kWarp != 0) return;
  WarpSums& to = s.sums[threadIdx.x / kWarp];
  merge(to.overlap, sums.overlap);
  to.open += sums.open;
  to.inside_out += sums.inside_out;
  to.crossings[0] += sums.crossings[0];
  to.crossings[1] += sums.crossings[1];
  if constexpr (kKeep) add(s.squares[threadIdx.x / kWarp], squares);
}

/// Plain columns: those where each mesh is absent or has one entry and one exit. kKeep: for gradients: second moments
/// are summed up too. True where a column is left.
template <Near kNear, bool kKeep>
__device__ __noinline__ bool sum_plain(std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  const std::uint32_t* slots = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  WarpSums sums{};
  SquareSums squares;
  bool left = false;
  // All lanes of a warp go on as long as one has a column: they add to the lines together.
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x % kWarp < count; i += blockDim.x) {
    const SlotColumn c = i < count ? slots_at(slots, count, i) : no_slots();
    const bool plain_a = is_plain(c.in_a, c.out_a), plain_b = is_plain(c.in_b, c.out_b);
    const bool no_a = is_absent(c.in_a, c.out_a), no_b = is_absent(c.in_b, c.out_b);
    const bool known = (plain_a || no_a) && (plain_b || no_b);
    left = left || !known;
    sums.occupied += no_a && no_b ? 0 : 1;
    sums.crossings[0] += known && plain_a ? 2 : 0;
    sums.crossings[1] += known && plain_b ? 2 : 0;
    const float begin = slot_depth(c.in_a > c.in_b ? c.in_a : c.in_b);
    const float end = slot_depth(c.out_a < c.out_b ? c.out_a : c.out_b);
    LineSum steps = 0;
    if (plain_a && plain_b && is_thick(begin, end, thickness)) {
      const std::uint32_t v = i / columns, u = i - v * columns;
      if constexpr (kKeep) {
        SquareAdder adder(sums.overlap, squares);
        adder.add(begin, end);
        adder.close(u, v);
        adder.close_squares(u, v, columns);
        steps = static_cast<LineSum>(in_steps(adder.length, s.step_scale));
      } else {
        ColumnAdder adder{sums.overlap};
        adder.add(begin, end);
        adder.close(u, v);
        steps = static_cast<LineSum>(in_steps(adder.length, s.step_scale));
      }
    }
    add_to_lines(lines<kNear>(), i, steps);
  }
  if (kKeep && sums.overlap.spans != 0) s.overlaps = 1;
  sum_warp(sums);
  if (threadIdx.x % kWarp == 0) s.sums[threadIdx.x / kWarp] = sums;
  if constexpr (kKeep) {
    sum_warp(squares);
    if (threadIdx.x % kWarp == 0) s.squares[threadIdx.x / kWarp] = squares;
  }
  return __any_sync(kAllLanes, left) != 0;
}

template <Near kNear, bool kKeep>
__device__ __forceinline__ void sum_slots(std::uint32_t view, float min_thickness) {
  if (!sum_plain<kNear, kKeep>(view, min_thickness)) return;
  __syncwarp();
  sum_slow<kNear, kKeep>(view, min_thickness);
}

// ---- ends

/// Finds the ends of the columns that plain_ends() left.
template <Near kNear>
__device__ __noinline__ void slow_ends(std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  std::uint32_t* slots = heads<kNear>();
  const NodePool nodes = node_pool<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  EndTotals ends;
  bool left = false;
  const auto is_slow = [&](std::uint32_t i) {
    const SlotColumn c = slots_at(slots, count, i);
    return (c.in_a & c.out_a & c.in_b & c.out_b) != kNoNode;
  };
  for_collected(count, is_slow, [&](bool there, std::uint32_t column) {
    if (!there) return;
    const SlotColumn c = slots_at(slots, count, column);
    std::uint32_t a = c.in_a, b = c.in_b;
    bool known = true;
    EndPart part;
    if (c.out_a == kListed || make_lists<true>(nodes, c, column, count, view, a, b))
      known = ends_of_column<false>(nodes, a, b, thickness, part);
    set_slots(slots, count, column, known ? no_slots() : SlotColumn{a, kListed, b, kListed});
    left = left || !known;
    const std::uint32_t v = column / columns;
    if (known) ends.add(part, column - v * columns, v);
  });
  put_ends(ends, s.ends[view]);
  if (__any_sync(kAllLanes, left) != 0) sum_tied<kNear>(nodes, view, thickness);
}

/// The ends of plain columns without ties. Leaves these, and columns with only one mesh, empty. True where others are
/// left.
template <Near kNear>
__device__ __noinline__ bool plain_ends(std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  std::uint32_t* slots = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  const NodeTag* tags = s.tags + s.node_capacity;
  std::int32_t total = 0, twice_u = 0, twice_v = 0;  // the grid is small
  SignedSum area_a = 0, area_b = 0;
  bool left = false;
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const SlotColumn c = slots_at(slots, count, i);
    if ((c.in_a & c.out_a & c.in_b & c.out_b) == kNoNode) continue;
    const bool both = !is_absent(c.in_a, c.out_a) && !is_absent(c.in_b, c.out_b);
    const bool plain = is_plain(c.in_a, c.out_a) && is_plain(c.in_b, c.out_b);
    const bool a_begins = c.in_a > c.in_b, a_ends = c.out_a < c.out_b;
    const bool thick =
        plain && is_thick(slot_depth(a_begins ? c.in_a : c.in_b), slot_depth(a_ends ? c.out_a : c.out_b), thickness);
    if (both && (!plain || (thick && (c.in_a == c.in_b || c.out_a == c.out_b)))) {
      left = true;
      continue;
    }
    set_slots(slots, count, i, no_slots());
    if (!thick) continue;
    const std::uint32_t begin_area = steps_of_normal(tags[(a_begins ? 0 : 2 * count) + i].normal);
    const std::uint32_t end_area = steps_of_normal(tags[(a_ends ? count : 3 * count) + i].normal);
    area_a += SignedSum{a_begins ? begin_area : 0u} + (a_ends ? end_area : 0u);
    area_b += SignedSum{a_begins ? 0u : begin_area} + (a_ends ? 0u : end_area);
    const std::int32_t sign = static_cast<int>(a_ends) - static_cast<int>(a_begins);
    const std::uint32_t v = i / columns, u = i - v * columns;
    total += sign;
    twice_u += sign * static_cast<std::int32_t>(2 * u + 1);
    twice_v += sign * static_cast<std::int32_t>(2 * v + 1);
  }
  const auto sum = [](std::int32_t x) {
    return static_cast<SignedSum>(static_cast<std::int64_t>(__reduce_add_sync(kAllLanes, x)));
  };
  __syncwarp();
  ViewEnds& to = s.ends[view];
  const SumWord sums[5] = {sum(total), sum(twice_u), sum(twice_v), sum_of_warp(static_cast<SumWord>(area_a)),
                           sum_of_warp(static_cast<SumWord>(area_b))};
  if (threadIdx.x % kWarp == 0) {
    atomicAdd(&to.count, sums[0]);
    atomicAdd(&to.twice_u, sums[1]);
    atomicAdd(&to.twice_v, sums[2]);
    atomicAdd(&to.area[0], sums[3]);
    atomicAdd(&to.area[1], sums[4]);
  }
  return __any_sync(kAllLanes, left) != 0;
}

/// The ends of a view's spans. Leaves the slots empty.
template <Near kNear>
__device__ __forceinline__ void slot_ends(std::uint32_t view, float min_thickness) {
  __syncwarp();
  if (!plain_ends<kNear>(view, min_thickness)) return;
  __syncwarp();
  slow_ends<kNear>(view, min_thickness);
}

}  // namespace lamella::cuda::batch
