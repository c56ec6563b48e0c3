#pragma once

#include "core/face_crossing.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"

// One column of a group, for the one thread that has it: SoftwarePairs' collect_stretches() and collect_meetings()
// (scene/software_pairs.cpp), which say what is found and in what order, without tables by object: whose crossings come
// in a column is found by looking through it once for every object that is in it. Columns hold few.

namespace lamella::cuda {

inline constexpr std::uint32_t kNoEnd = ~0u;

/// A column's keys, ascending once sorted, and room beside each.
struct SweepColumn {
  unsigned long long* keys = nullptr;
  std::uint32_t* objects = nullptr;
  /// Of a key where a stretch begins: the place where it ends. Of other entries kNoEnd; of exits see for_meetings().
  std::uint32_t* ends = nullptr;
  std::uint32_t count = 0;

  [[nodiscard]] __device__ FaceCrossing operator[](std::uint32_t i) const { return {keys[i]}; }
  [[nodiscard]] __device__ float depth(std::uint32_t i) const { return FaceCrossing{keys[i]}.depth(); }
};

__device__ inline void sift_down(unsigned long long* keys, std::uint32_t at, std::uint32_t count) {
  const unsigned long long key = keys[at];
#pragma unroll 1
  for (std::uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && keys[child + 1] > keys[child]) ++child;
    if (keys[child] <= key) break;
    keys[at] = keys[child];
    at = child;
  }
  keys[at] = key;
}

/// Few by insertion, many by a heap.
__device__ inline void sort_keys(unsigned long long* keys, std::uint32_t count) {
  constexpr std::uint32_t kFew = 64;
  if (count <= kFew) {
#pragma unroll 1
    for (std::uint32_t i = 1; i < count; ++i) {
      const unsigned long long key = keys[i];
      std::uint32_t at = i;
#pragma unroll 1
      for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
      keys[at] = key;
    }
    return;
  }
#pragma unroll 1
  for (std::uint32_t i = count / 2; i-- > 0;) sift_down(keys, i, count);
#pragma unroll 1
  for (std::uint32_t end = count; end-- > 1;) {
    const unsigned long long largest = keys[0];
    keys[0] = keys[end];
    keys[end] = largest;
    sift_down(keys, 0, end);
  }
}

/// Whether the ray leaves every object before it enters another: then there is nothing to tell of it.
__device__ inline bool is_consistent(const SweepColumn& c) {
  if (c.count % 2 != 0) return false;
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.count; i += 2)
    if (c[i].sign() < 0 || c[i + 1].sign() > 0 || c.objects[i] != c.objects[i + 1]) return false;
  return true;
}

/// What one ray tells of one object.
struct RayState {
  int winding = 0;
  std::uint32_t last = kNoEnd;  ///< where its latest stretch begins
  float self_begin = 0, below_begin = 0;
  double self_length = 0;
};

/// Goes through the crossings of the object that the column has first at `first`.
__device__ inline RayState follow_object(const SweepColumn& c, std::uint32_t first, float thickness, bool& inside_out) {
  RayState s;
  const std::uint32_t object = c.objects[first];
#pragma unroll 1
  for (std::uint32_t i = first; i < c.count; ++i) {
    if (c.objects[i] != object) continue;
    c.ends[i] = kNoEnd;
    const int before = s.winding, after = before + c[i].sign();
    const float depth = c.depth(i);
    s.winding = after;
    if (before == 0 && after == 1) {
      if (s.last == kNoEnd || c.depth(c.ends[s.last]) != depth) {  // else the latest goes on
        s.last = i;
        c.ends[i] = i;
      }
    } else if (before == 1 && after == 0) {
      c.ends[s.last] = i;
    } else if (before == 1 && after == 2) {
      s.self_begin = depth;
    } else if (before == 2 && after == 1) {
      s.self_length += static_cast<double>(depth) - s.self_begin;
    }
    if (before == 0 && after == -1) s.below_begin = depth;
    if (before == -1 && after == 0) inside_out = inside_out || depth - s.below_begin > thickness;
  }
  return s;
}

__device__ inline void forget_object(const SweepColumn& c, std::uint32_t first) {
#pragma unroll 1
  for (std::uint32_t i = first; i < c.count; ++i)
    if (c.objects[i] == c.objects[first]) c.ends[i] = kNoEnd;
}

/// What a column tells beside its meetings.
struct ColumnFacts {
  bool open = false, inside_out = false;
  std::uint32_t self_records = 0;
  bool meets = false;  ///< whether two objects are left that could
};

/// Finds every object's stretches. Objects that do not close are left out.
__device__ inline ColumnFacts find_stretches(const SceneFrame& f, const SweepColumn& c, float thickness) {
  ColumnFacts facts;
  if (is_consistent(c)) return facts;
  std::uint32_t closed = 0;
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.count; ++i) c.ends[i] = kNoEnd - 1;  // not gone through yet
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.count; ++i) {
    if (c.ends[i] != kNoEnd - 1) continue;
    const RayState s = follow_object(c, i, thickness, facts.inside_out);
    if (s.winding == 0) {
      ++closed;
      if (s.self_length > 0 && f.self_lengths) ++facts.self_records;
      continue;
    }
    facts.open = true;
    if (f.open != nullptr) atomicAdd(f.open + c.objects[i], 1u);
    forget_object(c, i);
  }
  facts.meets = closed > 1;
  return facts;
}

/// Calls told(object, length) for what objects overlap themselves. Only where find_stretches() told of some: it comes
/// to the same ends again.
template <class Told>
__device__ void for_self_lengths(const SweepColumn& c, const Told& told) {
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.count; ++i) {
    bool first = true, ignored = false;
#pragma unroll 1
    for (std::uint32_t k = 0; k < i && first; ++k) first = c.objects[k] != c.objects[i];
    if (!first) continue;
    const RayState s = follow_object(c, i, 0, ignored);
    if (s.winding != 0)
      forget_object(c, i);
    else if (s.self_length > 0)
      told(c.objects[i], s.self_length);
  }
}

/// Number of the candidate pair a < b, or kNoEnd.
__device__ inline std::uint32_t find_candidate(const SceneFrame& f, std::uint32_t a, std::uint32_t b) {
  const CandidateRow row = f.rows[a];
  std::uint32_t low = row.begin, high = row.end;
#pragma unroll 1
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (f.partners[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low < row.end && f.partners[low] == b ? low : kNoEnd;
}

/// Two stretches, by the places where they begin; `earlier` begins first.
template <class Met>
__device__ void meet(const SceneFrame& f, const SweepColumn& c, std::uint32_t earlier, std::uint32_t later,
                     float thickness, std::uint32_t column, const Met& met) {
  const float end_earlier = c.depth(c.ends[earlier]), end_later = c.depth(c.ends[later]);
  if ((end_earlier < end_later ? end_earlier : end_later) - c.depth(later) <= thickness) return;
  const bool swapped = c.objects[earlier] > c.objects[later];
  const std::uint32_t a = swapped ? later : earlier, b = swapped ? earlier : later;
  const std::uint32_t candidate = find_candidate(f, c.objects[a], c.objects[b]);
  if (candidate == kNoEnd) return;
  met(Meeting{candidate, column, c.keys[a], c.keys[c.ends[a]], c.keys[b], c.keys[c.ends[b]]});
}

/// Calls met(meeting) for overlapping stretches of candidate pairs, in SoftwarePairs' order. Stretches that the ray is
/// in are a list in the order of their beginnings; the next of one is kept at the place where it ends, of which nothing
/// else is kept.
template <class Met>
__device__ void for_meetings(const SceneFrame& f, const SweepColumn& c, float thickness, std::uint32_t column,
                             const Met& met) {
  const auto next_of = [&](std::uint32_t begin) -> std::uint32_t& { return c.ends[c.ends[begin]]; };
  std::uint32_t head = kNoEnd;
#pragma unroll 1
  for (std::uint32_t k = 0; k < c.count; ++k) {
    if (c[k].sign() < 0 || c.ends[k] == kNoEnd) continue;
    std::uint32_t last = kNoEnd;
#pragma unroll 1
    for (std::uint32_t i = head; i != kNoEnd;) {
      const std::uint32_t next = next_of(i);
      if (c.depth(c.ends[i]) > c.depth(k)) {
        meet(f, c, i, k, thickness, column, met);
        last = i;
      } else if (last == kNoEnd) {
        head = next;
      } else {
        next_of(last) = next;
      }
      i = next;
    }
    next_of(k) = kNoEnd;
    if (last == kNoEnd)
      head = k;
    else
      next_of(last) = k;
  }
}

/// Calls point(a, b) for the surfaces of a meeting that are close to one another, of all four kinds.
template <class Point>
__device__ void for_points(const Meeting& m, float threshold, const Point& point) {
#pragma unroll
  for (int way = 0; way < 4; ++way) {
    const FaceCrossing a{way < 2 ? m.begin_a : m.end_a}, b{way % 2 == 0 ? m.begin_b : m.end_b};
    if (fabsf(a.depth() - b.depth()) <= threshold) point(a, b);
  }
}

}  // namespace lamella::cuda
