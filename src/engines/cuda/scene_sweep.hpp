#pragma once

// One column of a group, processed by one thread: finds what SoftwarePairs (engines/software/pairs.cpp) finds, in the
// same order and by the same rules (engines/meetings.hpp), but without tables by object: the thread walks the column
// once for every object in it. Columns contain few objects.

#include "core/face_crossing.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {
/// A column's keys, ascending once sorted, with storage for each; as is_consistent() and for_meetings() expect it.
struct SweepColumn {
  unsigned long long* keys = nullptr;
  std::uint32_t* objects = nullptr;
  /// For a key where a stretch begins: the index where it ends. For other entries kNone; for exits storage of next().
  std::uint32_t* ends = nullptr;
  std::uint32_t key_count = 0;

  [[nodiscard]] __device__ std::uint32_t count() const { return key_count; }
  [[nodiscard]] __device__ FaceCrossing crossing(std::uint32_t i) const { return {keys[i]}; }
  [[nodiscard]] __device__ std::uint32_t object(std::uint32_t i) const { return objects[i]; }
  [[nodiscard]] __device__ bool is_stretch(std::uint32_t i) const { return crossing(i).sign() > 0 && ends[i] != kNone; }
  [[nodiscard]] __device__ FaceCrossing begin(std::uint32_t i) const { return crossing(i); }
  [[nodiscard]] __device__ FaceCrossing end(std::uint32_t i) const { return crossing(ends[i]); }
  /// Stored at the index where the stretch ends, which has no other use.
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

/// Insertion sort for few keys, heap sort for many.
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

/// Walks the crossings of the object whose first crossing in the column is at `first`.
__device__ inline RayState follow_object(const SweepColumn& c, std::uint32_t first, float thickness, bool& inside_out) {
  RayState s;
  const std::uint32_t object = c.objects[first];
#pragma unroll 1
  for (std::uint32_t i = first; i < c.key_count; ++i) {
    if (c.objects[i] != object) continue;
    c.ends[i] = kNone;
    const RayState::Passage passage = s.pass(c.crossing(i), thickness, inside_out);
    if (passage == RayState::Passage::begins) {
      if (s.last == kNone || c.end(s.last).depth() != c.crossing(i).depth()) {  // else the latest continues
        s.last = i;
        c.ends[i] = i;
      }
    } else if (passage == RayState::Passage::ends) {
      c.ends[s.last] = i;
    }
  }
  s.finish(thickness);
  return s;
}

__device__ inline void forget_object(const SweepColumn& c, std::uint32_t first) {
#pragma unroll 1
  for (std::uint32_t i = first; i < c.key_count; ++i)
    if (c.objects[i] == c.objects[first]) c.ends[i] = kNone;
}

/// Facts about a column, besides its meetings.
struct StretchFacts {
  bool open = false, inside_out = false;
  std::uint32_t self_records = 0;
  bool meets = false;  ///< whether at least two objects are left
};

/// Finds every object's stretches. Objects that do not close are left out.
__device__ inline StretchFacts find_stretches(const SceneFrame& f, const SweepColumn& c, float thickness) {
  StretchFacts facts;
  if (is_consistent(c)) return facts;
  std::uint32_t closed = 0;
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.key_count; ++i) c.ends[i] = kNone - 1;  // not visited yet
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.key_count; ++i) {
    if (c.ends[i] != kNone - 1) continue;
    bool inside_out = false;
    const RayState s = follow_object(c, i, thickness, inside_out);
    if (s.winding == 0) {
      ++closed;
      if (inside_out) {
        facts.inside_out = true;
        if (f.inside_out != nullptr) atomicAdd(f.inside_out + c.objects[i], 1u);
      }
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

/// Calls told(object, length) for objects that overlap themselves by more than `thickness`. Call it only if
/// find_stretches() reported some: it computes the same ends again.
template <class Told>
__device__ void for_self_lengths(const SweepColumn& c, float thickness, const Told& told) {
#pragma unroll 1
  for (std::uint32_t i = 0; i < c.key_count; ++i) {
    bool first = true, ignored = false;
#pragma unroll 1
    for (std::uint32_t k = 0; k < i && first; ++k) first = c.objects[k] != c.objects[i];
    if (!first) continue;
    const RayState s = follow_object(c, i, thickness, ignored);
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
