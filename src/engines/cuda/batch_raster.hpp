#pragma once

// From the triangles of a pair to the lists of its columns. Triangles are culled by the codes of their corners, and
// most are then rasterised by one thread each; those that are large or extend beyond the image are put aside and
// processed together.

#include <type_traits>

#include "engines/cuda/batch_block.hpp"
#include "engines/cuda/block.hpp"

namespace lamella::cuda::batch {

/// In a triangle's number: the triangle is of mesh b.
inline constexpr std::uint32_t kOfB = 0x80000000u;

/// The part of a triangle's normal along an axis, without sign; 0 where it has none.
__device__ __noinline__ inline float exact_normal_along(Vec3 a, Vec3 b, Vec3 c, int axis) {
  const Vec3d o = to_double(a), n = cross(to_double(b) - o, to_double(c) - o);
  const double squares = dot(n, n), along = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
  if (!(squares > 0)) return 0;
#if defined(__CUDA_ARCH__)
  const double part = along * rsqrt(squares);
#else
  const double part = along / std::sqrt(squares);
#endif
  return static_cast<float>(part < 0 ? -part : part);
}

/// The same. In floats where these lose less than 1e-5; slivers, and sizes whose squares floats cannot hold, in
/// doubles.
__device__ __forceinline__ float normal_along(const Vec3 corner[3], int axis) {
#if defined(__CUDA_ARCH__)
  constexpr float kLeastSine2 = 1.0f / 256, kLeast = 0x1p-80f;
  const Vec3 a = corner[1] - corner[0], b = corner[2] - corner[0], n = cross(a, b);
  const float squares = dot(n, n), along = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
  if (squares > kLeast && squares > kLeastSine2 * dot(a, a) * dot(b, b)) return fabsf(along) * rsqrtf(squares);
#endif
  return exact_normal_along(corner[0], corner[1], corner[2], axis);
}

/// For boxes: k * this >> 16 is k / width, for every sample k of a small box.
__device__ __forceinline__ std::uint32_t inverse_of_width(std::int32_t width) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__fdividef(65536.0f, static_cast<float>(width))) + 1;
#else
  return width == 0 ? 0 : 65536u / static_cast<std::uint32_t>(width) + 1;
#endif
}

/// Rasterises triangles of the current order in one of its views; constructed where it is used. With tags, the target
/// is read from shared memory again and again: a copy would need registers that are not there.
template <Near kNear, Tag kTag>
struct Raster {
  std::uint32_t view;
  const Order& order;
  std::conditional_t<kTag == Tag::none, Target, const Target&> target;

  __device__ explicit Raster(std::uint32_t of) : view(of), order(this_order()), target(block_state().targets[of]) {}

  [[nodiscard]] __device__ __forceinline__ ViewCounts& counts() const { return block_state().counts[view]; }
  /// Triangles that are left out are counted in one view.
  __device__ __forceinline__ void count_skipped(std::uint32_t count) const {
    if (count != 0 && view == block_state().main) atomicAdd(&block_state().skipped, count);
  }
  [[nodiscard]] __device__ __forceinline__ NodeTag tag_of(std::uint32_t entry, const Vec3 corner[3]) const {
    if constexpr (kTag == Tag::normal) return {entry, normal_along(corner, target.w)};
    return {entry, 0};
  }

  __device__ __forceinline__ void corners(std::uint32_t entry, Vec3 out[3]) const {
    const int m = (entry & kOfB) != 0 ? 1 : 0;
    const Triangle t = order.mesh[m].triangles[entry & ~kOfB];
    const Vec3* points = order.points[m];
    out[0] = points[t.a];
    out[1] = points[t.b];
    out[2] = points[t.c];
  }
  __device__ __forceinline__ static std::uint32_t first_head(std::uint32_t entry) {
    return (entry & kOfB) != 0 ? block_state().head_count / 2 : 0;  // of one mesh alone, no triangle is of b
  }

  /// Takes `count` nodes; returns the first one's number, even if there is no room.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t take(std::uint32_t count) const {
    std::uint32_t* taken = &counts().nodes;
    const std::uint32_t first = atomicAdd(taken, count);
    if (first >= kMostNodes) atomicExch(taken, kMostNodes);  // the counter must not overflow
    return first;
  }
  __device__ __forceinline__ void put(std::uint32_t node, std::uint32_t head, std::uint32_t key, NodeTag tag) const {
    const NodePool nodes = node_pool<kNear>();
    if (node >= nodes.capacity) return;
    if constexpr (kTag == Tag::normal) block_state().tags[node] = tag;
    if constexpr (kTag == Tag::face) block_state().tags[node].face = tag.face;
    const BatchNode n{key, atomicExch(heads<kNear>() + head, node)};
    if (node < nodes.near_count)
      nodes.near[node] = n;
    else
      nodes.far[node - nodes.near_count] = n;
  }
  /// Into its slot, or, if that has a crossing, in front of its list.
  __device__ __forceinline__ void put_in_slot(std::uint32_t head, std::uint32_t key, NodeTag tag) const {
    const std::uint32_t slot = head + ((key & 1u) != 0 ? 0 : block_state().head_count / kSlots);
    std::uint32_t* at = heads<kNear>() + slot;
    if (atomicCAS(at, kNoNode, slot_of_key(key)) == kNoNode) {
      if constexpr (kTag != Tag::none) block_state().tags[block_state().node_capacity + slot] = tag;
      return;
    }
    const std::uint32_t node = take(1);
    const NodePool nodes = node_pool<kNear>();
    if (node >= nodes.capacity) return;
    if constexpr (kTag != Tag::none) block_state().tags[node] = tag;
    nodes.at(node) = {key, atomicExch(at, slot_of_node(node))};
  }
  /// A crossing that takes its node alone.
  __device__ __forceinline__ void put_one(std::uint32_t head, std::uint32_t key, NodeTag tag) const {
    if constexpr (kNear == Near::slots)
      put_in_slot(head, key, tag);
    else
      put(take(1), head, key, tag);
  }
  /// One node for each lane that wants one, by the whole warp: separate atomic additions to one counter would cost
  /// most.
  __device__ __forceinline__ void put_of_warp(bool wanted, std::uint32_t head, std::uint32_t key, NodeTag tag) const {
    if constexpr (kNear == Near::slots) {
      if (wanted) put_in_slot(head, key, tag);
      return;
    }
    const unsigned mask = __ballot_sync(kAllLanes, wanted);
    if (mask == 0) return;
    const std::uint32_t lane = threadIdx.x % kWarp;
    const int leader = __ffs(static_cast<int>(mask)) - 1;
    std::uint32_t first = 0;
    if (static_cast<int>(lane) == leader) first = take(static_cast<std::uint32_t>(__popc(mask)));
    first = __shfl_sync(kAllLanes, first, leader);
    if (wanted) put(first + static_cast<std::uint32_t>(__popc(mask & before_lane(lane))), head, key, tag);
  }

  /// The samples of one small box, by a warp.
  __device__ void sample_by_warp(const SmallTriangle& s, std::uint32_t head, NodeTag tag) const {
    const auto lane = static_cast<std::int32_t>(threadIdx.x % kWarp);
    const std::int32_t count = s.width * s.height;
#pragma unroll 1
    for (std::int32_t base = 0; base < count; base += static_cast<std::int32_t>(kWarp)) {
      const std::int32_t k = base + lane, j = k / s.width, i = k - j * s.width;
      const EdgeValues e = edge_values(s, i, j);
      put_of_warp(
          k < count && is_covered(s, e),
          head + s.first_column + static_cast<std::uint32_t>(j) * target.columns + static_cast<std::uint32_t>(i),
          key_at(s, e, target.depth), tag);
    }
  }

  /// Writes the crossings of covered samples: bit k is sample `base` + k of the lane's box. Nodes are taken once for
  /// the whole warp.
  __device__ __forceinline__ void put_covered(const SmallTriangle& s, std::uint32_t covered, std::uint32_t base,
                                              std::uint32_t inverse_width, std::uint32_t head, NodeTag tag) const {
    std::uint32_t node = 0;
    if constexpr (kNear != Near::slots) {
      std::uint32_t all = 0, first = 0;
      node = warp_scan(static_cast<std::uint32_t>(__popc(covered)), all);
      if (all == 0) return;
      if (threadIdx.x % kWarp == 0) first = take(all);
      node += __shfl_sync(kAllLanes, first, 0);
    }
#pragma unroll 1
    while (covered != 0) {
      const std::uint32_t k = base + static_cast<std::uint32_t>(__ffs(static_cast<int>(covered))) - 1;
      covered &= covered - 1;
      const std::uint32_t j = k * inverse_width >> 16, i = k - j * static_cast<std::uint32_t>(s.width);
      const EdgeValues e = edge_values(s, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
      const std::uint32_t key = key_at(s, e, target.depth);
      if constexpr (kNear == Near::slots)
        put_in_slot(head + j * target.columns + i, key, tag);
      else
        put(node++, head + j * target.columns + i, key, tag);
    }
  }

  /// The samples of a small box for each lane, `count` of them or 0. Finds which are covered first, 32 at a time:
  /// depths are then not found in vain.
  __device__ __forceinline__ void sample_by_lanes(const SmallTriangle& s, std::uint32_t head, std::uint32_t count,
                                                  NodeTag tag) const {
    const std::uint32_t most = __reduce_max_sync(kAllLanes, count);
    const std::uint32_t inverse_width = inverse_of_width(s.width);
    head += s.first_column;
    // Unsigned, since lanes that are done continue with the others, and overflow.
    std::uint32_t f[3], along[3], wrap[3];  // to the next sample; from the last of a row to the first of the next
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      f[k] = static_cast<std::uint32_t>(s.value[k] - (s.bias >> k & 1));
      along[k] = static_cast<std::uint32_t>(-s.step_u[k]);
      wrap[k] = static_cast<std::uint32_t>(s.step_v[k] + (s.width - 1) * s.step_u[k]);
    }
    std::int32_t i = 0;
#pragma unroll 1
    for (std::uint32_t base = 0; base < most; base += kWarp) {
      const std::uint32_t here = most - base < kWarp ? most - base : kWarp;
      const std::uint32_t wanted = base >= count ? 0 : count - base < kWarp ? count - base : kWarp;
      std::uint32_t outside = 0;  // the last sample is the highest bit
#pragma unroll 1
      for (std::uint32_t k = 0; k < here; ++k) {
        outside = outside >> 1 | ((f[0] | f[1] | f[2]) & 0x80000000u);
        const bool row_ends = ++i == s.width;
        i = row_ends ? 0 : i;
#pragma unroll
        for (int edge = 0; edge < 3; ++edge) f[edge] += row_ends ? wrap[edge] : along[edge];
      }
      const std::uint32_t mask = wanted == 0 ? 0 : 0xffffffffu >> (kWarp - wanted);
      put_covered(s, ~(outside >> (kWarp - here)) & mask, base, inverse_width, head, tag);
    }
  }

  /// Every `stride`-th row of a triangle of any size.
  template <class Int>
  __device__ void sample_rows(const LatticeVertex at[3], std::uint32_t head, NodeTag tag, std::uint32_t first,
                              std::uint32_t stride) const {
    RowTriangle<Int> r;
    if (!set_up_rows(at, target.window, r)) return;
    RowSpan span;
    for (std::int64_t row = r.first_row + first; row < r.last_row; row += stride) {
      if (!r.row(row, target.columns, span)) continue;
      const std::uint32_t node = kNear == Near::slots ? 0 : take(span.count);
#pragma unroll 1
      for (std::uint32_t i = 0; i < span.count; ++i) {
        const std::uint32_t key = key_at(span, i, r.depth, target.depth);
        if constexpr (kNear == Near::slots)
          put_in_slot(head + span.first_column + i, key, tag);
        else
          put(node + i, head + span.first_column + i, key, tag);
      }
    }
  }

  /// A small triangle that extends beyond the image, from set_up_cut(). As sample_rows(), but a row's first sample is
  /// found by the edge functions' signs, in 32 bits.
  __device__ void sample_cut(const SmallTriangle& s, std::uint32_t head, NodeTag tag) const {
    const Window& w = target.window;
    const auto from = [](std::uint32_t first, std::int32_t box) {
      return std::max(0, static_cast<std::int32_t>(first) - box);
    };
    const auto to = [](std::int32_t extent, std::uint32_t end, std::int32_t box) {
      return std::min(extent, static_cast<std::int32_t>(end) - box);
    };
    const std::int32_t first_i = from(w.first_u, s.first_u), end_i = to(s.width, w.end_u, s.first_u);
    const std::int32_t end_j = to(s.height, w.end_v, s.first_row);
    const double inverse = 1.0 / s.area;
#pragma unroll 1
    for (std::int32_t j = from(w.first_v, s.first_row); j < end_j; ++j) {
      EdgeValues e = edge_values(s, first_i, j), first{};
      std::uint32_t at =
          head + s.first_column + static_cast<std::uint32_t>(j) * target.columns + static_cast<std::uint32_t>(first_i);
      std::int32_t steps = 0;
#pragma unroll 1
      for (std::int32_t i = first_i; i < end_i; ++i, ++at) {
        const bool inside = is_covered(s, e);
        if (inside) {
          if (steps == 0) first = e;
          const float z = depth_in_row(first.f[1], first.f[2], s.step_u[1], s.step_u[2], steps, inverse, s.depth);
          put_one(at, make_key(z, s.depth, target.depth), tag);
          ++steps;
        } else if (steps != 0) {
          break;
        }
#pragma unroll
        for (int k = 0; k < 3; ++k) e.f[k] -= s.step_u[k];
      }
    }
  }

  /// A small part of a triangle that extends beyond the image. As sample_rows(), but a row's first sample is found by
  /// the edge functions' signs, which takes a fraction of the time of three divisions in 64 bits.
  __device__ void sample_clipped(const LatticeVertex at[3], std::uint32_t head, NodeTag tag) const {
    using Int = std::int64_t;
    RowTriangle<Int> r;
    if (!set_up_rows(at, target.window, r)) return;
    const auto not_owned = [](const RowEdge<Int>& e) { return e.dv < 0 || (e.dv == 0 && e.du > 0) ? Int{0} : Int{1}; };
    const Int bias0 = not_owned(r.e0), bias1 = not_owned(r.e1), bias2 = not_owned(r.e2);
    const Int step0 = r.e0.dv * kSubStep, step1 = r.e1.dv * kSubStep, step2 = r.e2.dv * kSubStep;
    RowSpan span{};
    span.b1_step = static_cast<float>(-to_double<Int>(r.e1.dv) * kSubStep * r.inverse);
    span.b2_step = static_cast<float>(-to_double<Int>(r.e2.dv) * kSubStep * r.inverse);
    for (std::int64_t row = r.first_row; row < r.last_row; ++row) {
      const Int u = (r.first_u + 1) * kSubStep, v = (row + 1) * kSubStep;
      Int f0 = r.e0.value(u, v), f1 = r.e1.value(u, v), f2 = r.e2.value(u, v);
      std::uint32_t i = 0;
      const std::uint32_t row_head = head + static_cast<std::uint32_t>(row * target.columns);
      for (std::int64_t at_u = r.first_u; at_u < r.last_u; ++at_u, f0 -= step0, f1 -= step1, f2 -= step2) {
        if (((f0 - bias0) | (f1 - bias1) | (f2 - bias2)) < 0) {
          if (i != 0) break;
          continue;
        }
        if (i == 0) {
          span.b1 = static_cast<float>(to_double<Int>(f1) * r.inverse);
          span.b2 = static_cast<float>(to_double<Int>(f2) * r.inverse);
        }
        put_one(row_head + static_cast<std::uint32_t>(at_u), key_at(span, i++, r.depth, target.depth), tag);
      }
    }
  }
};

// Functions that are called, not inlined: each has all registers for itself.

/// A triangle whose corners are so far from the image that edge functions need 128 bits.
template <Near kNear, Tag kTag>
__device__ __noinline__ void do_far(std::uint32_t view, std::uint32_t entry, std::uint32_t first,
                                    std::uint32_t stride) {
  const Raster<kNear, kTag> raster(view);
  Vec3 corner[3];
  LatticeVertex at[3];
  raster.corners(entry, corner);
  if (place_corners(corner, raster.target, at))
    raster.template sample_rows<Wide>(at, raster.first_head(entry), raster.tag_of(entry, corner), first, stride);
}

/// A triangle that extends beyond the image and is not small, by one thread.
template <Near kNear, Tag kTag>
__device__ __noinline__ void do_long_clipped(std::uint32_t view, std::uint32_t entry) {
  const Raster<kNear, kTag> raster(view);
  Vec3 corner[3];
  LatticeVertex at[3];
  raster.corners(entry, corner);
  if (!place_corners(corner, raster.target, at))
    raster.count_skipped(1);
  else if (is_near(at))
    raster.sample_clipped(at, raster.first_head(entry), raster.tag_of(entry, corner));
  else
    do_far<kNear, kTag>(view, entry, 0, 1);
}

/// A triangle that extends beyond the image, by one thread.
template <Near kNear, Tag kTag>
__device__ __noinline__ void do_clipped(std::uint32_t view, std::uint32_t entry) {
  const Raster<kNear, kTag> raster(view);
  Vec3 corner[3];
  raster.corners(entry, corner);
  if (!is_cut_small(corner, raster.target)) return do_long_clipped<kNear, kTag>(view, entry);
  SmallTriangle s;
  if (set_up_cut(corner, raster.target, s))
    raster.sample_cut(s, raster.first_head(entry), raster.tag_of(entry, corner));
}

/// By a warp: the same when much of the triangle is in the image, and triangles too large for 32 bits.
template <Near kNear, Tag kTag>
__device__ __noinline__ void do_large(std::uint32_t view, std::uint32_t entry) {
  const Raster<kNear, kTag> raster(view);
  const std::uint32_t lane = threadIdx.x % kWarp;
  Vec3 corner[3];
  raster.corners(entry, corner);
  LatticeVertex at[3];
  if (!place_corners(corner, raster.target, at)) {
    if (lane == 0) raster.count_skipped(1);
  } else if (is_near(at)) {
    raster.template sample_rows<std::int64_t>(at, raster.first_head(entry), raster.tag_of(entry, corner), lane, kWarp);
  } else {
    do_far<kNear, kTag>(view, entry, lane, kWarp);
  }
}

/// Puts a triangle aside. False when there is no room.
__device__ __forceinline__ bool put_aside(std::uint32_t entry, std::uint32_t* queue, std::uint32_t* count,
                                          std::uint32_t capacity) {
  const std::uint32_t i = atomicAdd(count, 1u);
  if (i >= capacity) return false;
  queue[i] = entry;
  return true;
}

/// Sets up a survivor of the cull. Returns how many samples of its box are to be tested: 0 when it was put aside. Sets
/// `left` when it should be put aside, but there was no room.
template <Near kNear, Tag kTag>
__device__ __forceinline__ std::uint32_t set_up_survivor(const Raster<kNear, kTag>& raster, std::uint32_t entry,
                                                         SmallTriangle& s, NodeTag& tag, bool& left) {
  Vec3 corner[3];
  raster.corners(entry, corner);
  tag = raster.tag_of(entry, corner);
  const Method method = set_up(corner, raster.target, s);
  if (method == Method::none) return 0;
  const std::int32_t count = s.width * s.height;
  if (method == Method::small) return static_cast<std::uint32_t>(count);
  left = count > kThreadSamples ? !put_aside(entry, large_queue(), &raster.counts().large, kLargeQueue)
                                : !put_aside(entry, clipped_queue(), &raster.counts().clipped, kClippedQueue);
  return 0;
}

/// Another lane's triangle.
__device__ __forceinline__ SmallTriangle of_lane(const SmallTriangle& s, int lane) {
  const auto from = [lane](auto x) { return __shfl_sync(kAllLanes, x, lane); };
  SmallTriangle t;
  for (int k = 0; k < 3; ++k) {
    t.value[k] = from(s.value[k]);
    t.step_u[k] = from(s.step_u[k]);
    t.step_v[k] = from(s.step_v[k]);
  }
  t.bias = from(s.bias);
  t.width = from(s.width);
  t.height = from(s.height);
  t.first_column = from(s.first_column);
  t.inverse = from(s.inverse);
  t.depth = {from(s.depth.z0),  from(s.depth.dz1),  from(s.depth.dz2),
             from(s.depth.low), from(s.depth.high), from(static_cast<int>(s.depth.entry)) != 0};
  return t;
}

/// Survivors of the cull, one for each lane that has one. All lanes take the time of the largest box among them: boxes
/// far above the mean are processed by the whole warp, one after the other.
template <Near kNear, Tag kTag>
__device__ __forceinline__ void do_survivors(const Raster<kNear, kTag>& raster, bool mine, std::uint32_t entry) {
  SmallTriangle s{};
  bool left = false;
  NodeTag tag{};
  const std::uint32_t count = mine ? set_up_survivor(raster, entry, s, tag, left) : 0;
  const std::uint32_t head = raster.first_head(entry), mean = __reduce_add_sync(kAllLanes, count) / kWarp;
  const bool is_large = count > kLaneSamples && count > 2 * mean;
#pragma unroll 1
  for (unsigned large = __ballot_sync(kAllLanes, is_large); large != 0; large &= large - 1) {
    const int lane = __ffs(static_cast<int>(large)) - 1;
    raster.sample_by_warp(of_lane(s, lane), __shfl_sync(kAllLanes, head, lane),
                          {__shfl_sync(kAllLanes, tag.face, lane), __shfl_sync(kAllLanes, tag.normal, lane)});
  }
  raster.sample_by_lanes(s, head, is_large ? 0 : count, tag);
  if (left) do_clipped<kNear, kTag>(raster.view, entry);
}

/// Culls both meshes' triangles by the codes of their corners; survivors are collected until there is one for every
/// lane of the warp.
template <Near kNear, Tag kTag>
__device__ __noinline__ void rasterize(std::uint32_t view) {
  const Raster<kNear, kTag> raster(view);
  const Order& order = raster.order;
  BlockState& s = block_state();
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const std::uint32_t count_a = order.mesh[0].triangle_count, count = count_a + order.mesh[1].triangle_count;
  std::uint32_t* queue = survivor_queue(warp);
  std::uint32_t queued = 0, skipped = 0;
  for (std::uint32_t base = warp * kWarp; base < count; base += blockDim.x) {
    const std::uint32_t i = base + lane;
    std::uint32_t entry = 0;
    bool survives = false;
    if (i < count) {
      const int m = i < count_a ? 0 : 1;
      const DeviceMesh& mesh = order.mesh[m];
      const std::uint32_t number = m == 0 ? i : i - count_a;
      entry = m == 0 ? number : number | kOfB;
      const Triangle t = mesh.triangles[number];
      const std::uint32_t most = t.a > t.b ? (t.a > t.c ? t.a : t.c) : (t.b > t.c ? t.b : t.c);
      if (most >= mesh.vertex_count) {
        atomicOr(&s.bad_index[m], 1u);
      } else {
        const std::uint32_t* of = codes<kNear>() + (m == 0 ? 0 : order.mesh[0].vertex_count);
        const std::uint32_t a = of[t.a], b = of[t.b], c = of[t.c];
        if (is_broken(a, b, c))
          ++skipped;
        else
          survives = may_cover(a, b, c);
      }
    }
    const unsigned mask = __ballot_sync(kAllLanes, survives);
    if (survives) queue[queued + static_cast<std::uint32_t>(__popc(mask & before_lane(lane)))] = entry;
    queued += static_cast<std::uint32_t>(__popc(mask));
    __syncwarp();
    if (queued < kWarp) continue;
    queued -= kWarp;
    do_survivors(raster, true, queue[queued + lane]);
    __syncwarp();
  }
  if (queued != 0) do_survivors(raster, lane < queued, lane < queued ? queue[lane] : 0);
  raster.count_skipped(skipped);
}

template <Near kNear, Tag kTag>
__device__ void rasterize_aside(std::uint32_t view) {
  const ViewCounts& counts = block_state().counts[view];
  const std::uint32_t large = counts.large < kLargeQueue ? counts.large : kLargeQueue;
  for (std::uint32_t i = threadIdx.x / kWarp; i < large; i += blockDim.x / kWarp)
    do_large<kNear, kTag>(view, large_queue()[i]);
  const std::uint32_t clipped = counts.clipped < kClippedQueue ? counts.clipped : kClippedQueue;
  // From the last thread down: the first warps may have had one large triangle more.
  for (std::uint32_t i = blockDim.x - 1 - threadIdx.x; i < clipped; i += blockDim.x)
    do_clipped<kNear, kTag>(view, clipped_queue()[i]);
}

/// When nothing was sampled: still counts the triangles that cannot be placed, if there may be any.
__device__ inline void count_broken() {
  BlockState& s = block_state();
  const Order& order = this_order();
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    const DeviceMesh& mesh = order.mesh[m];
    if (order.unusable[m] == 0 && mesh.vertex_count != 0) continue;
    const Vec3* points = order.points[m];
    std::uint32_t skipped = 0;
    for (std::uint32_t i = threadIdx.x; i < mesh.triangle_count; i += blockDim.x) {
      const Triangle t = mesh.triangles[i];
      if (t.a >= mesh.vertex_count || t.b >= mesh.vertex_count || t.c >= mesh.vertex_count)
        atomicOr(&s.bad_index[m], 1u);
      else if (!usable(points[t.a]) || !usable(points[t.b]) || !usable(points[t.c]))
        ++skipped;
    }
    if (skipped != 0) atomicAdd(&s.skipped, skipped);
  }
}

}  // namespace lamella::cuda::batch
