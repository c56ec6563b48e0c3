#pragma once

#include "core/face_crossing.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"

// One column of a group, for the one thread that has it: what SoftwarePairs (engines/software/pairs.cpp) finds, in the
// same order and by the same rules (engines/meetings.hpp), without tables by object: whose crossings come in a column
// is found by going through it once for every object that is in it. Columns hold few.

namespace lamella::cuda {
/// A column's keys, ascending once sorted, and room beside each; as is_consistent() and for_meetings() take it.
struct SweepColumn {
  unsigned long long* keys = nullptr;
  std::uint32_t* objects = nullptr;
  /// Of a key where a stretch begins: the place where it ends. Of other entries kNone; of exits room for next().
  std::uint32_t* ends = nullptr;
  std::uint32_t key_count = 0;

  [[nodiscard]] __device__ std::uint32_t count() const { return key_count; }
  [[nodiscard]] __device__ FaceCrossing crossing(std::uint32_t i) const { return {keys[i]}; }
  [[nodiscard]] __device__ std::uint32_t object(std::uint32_t i) const { return objects[i]; }
  [[nodiscard]] __device__ bool is_stretch(std::uint32_t i) const { return crossing(i).sign() > 0 && ends[i] != kNone; }
  [[nodiscard]] __device__ FaceCrossing begin(std::uint32_t i) const { return crossing(i); }
  [[nodiscard]] __device__ FaceCrossing end(std::uint32_t i) const { return crossing(ends[i]); }
  /// Kept at the place where the stretch ends, of which nothing else is kept.
  [[nodiscard]] __device__ std::uint32_t& next(std::uint32_t i) const { return ends[ends[i]]; }
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

/// Goes through the crossings of the object that the column has first at `first`.
__device__ inline RayState follow_object(const SweepColumn& c, std::uint32_t first, float thickness, bool& inside_out) {
  RayState s;
  const std::uint32_t object = c.objects[first];
#pragma unroll 1
  for (std::uint32_t i = first; i < c.key_count; ++i) {
    if (c.objects[i] != object) continue;
    c.ends[i] = kNone;
    const RayState::Passage passage = s.pass(c.crossing(i), thickness, inside_out);
    if (passage == RayState::Passage::begins) {
      if (s.last == kNone || c.end(s.last).depth() != c.crossing(i).depth()) {  // else the latest goes on
        s.last = i;
        c.ends[i] = i;
      }
    } else if (passage == RayState::Passage::ends) {
      c.ends[s.last] = i;
    }
  }
  return s;
}

__device__ inline void forget_object(const SweepColumn& c, std::uint32_t first) {
#pragma unroll 1
  for (std::uint32_t i = first; i < c.key_count; ++i)
    if (c.objects[i] == c.objects[first]) c.ends[i] = kNone;
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
  for (std::uint32_t i = 0; i < c.key_count; ++i) c.ends[i] = kNone - 1;  // not gone through yet
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.key_count; ++i) {
    if (c.ends[i] != kNone - 1) continue;
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
  for (std::uint32_t i = 0; i < c.key_count; ++i) {
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

/// Calls met(meeting) for overlapping stretches of candidate pairs.
template <class Met>
__device__ void for_column_meetings(const SceneFrame& f, const SweepColumn& c, float thickness, std::uint32_t column,
                                    const Met& met) {
  const auto find = [&](std::uint32_t a, std::uint32_t b) {
    const CandidateRow row = f.rows[a];
    return find_in([&](std::uint32_t i) { return f.partners[i]; }, row.begin, row.end, b);
  };
  for_meetings(c, thickness, column, find, met);
}

}  // namespace lamella::cuda
