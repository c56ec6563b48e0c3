#pragma once

// How the columns of a scene become meetings, on the CPU and in CUDA kernels: Jang, Jeong, Han, "GPU-based Image-space
// Approach to Collision Detection among Closed Objects", sections 3 to 5. engines/software/pairs.cpp says where this
// departs from the paper. Each object's stretches inside are built from its own crossings; two objects meet where
// stretches overlap.

#include <cstdint>

#include "core/face_crossing.hpp"
#include "core/host_device.hpp"
#include "query/column_walk.hpp"

namespace lamella {

inline constexpr std::uint32_t kNone = ~0u;

/// Two stretches of a candidate pair that overlap on one ray.
struct Meeting {
  std::uint32_t candidate = 0, column = 0;
  FaceCrossing begin_a, end_a, begin_b, end_b;

  [[nodiscard]] LAMELLA_HOST_DEVICE float begin() const { return max_of(begin_a.depth(), begin_b.depth()); }
  [[nodiscard]] LAMELLA_HOST_DEVICE float end() const { return min_of(end_a.depth(), end_b.depth()); }
};

/// Calls point(a, b) for each two surfaces of a meeting that are close to each other, of all four combinations of front
/// and back.
template <class Point>
LAMELLA_HOST_DEVICE void for_points(const Meeting& m, float threshold, const Point& point) {
  LAMELLA_UNROLLED
  for (int way = 0; way < 4; ++way) {
    const FaceCrossing a = way < 2 ? m.begin_a : m.end_a, b = way % 2 == 0 ? m.begin_b : m.end_b;
    if (abs_of(a.depth() - b.depth()) <= threshold) point(a, b);
  }
}

/// The state of one object along one ray, updated at each crossing.
struct RayState {
  int winding = 0;
  std::uint32_t last = kNone;  ///< its latest stretch
  float self_begin = 0;        ///< where the winding reached 2
  float below_begin = 0;       ///< where it went below 0
  SpanJoiner self_span;        ///< with winding 2 or more; the latest one is not in `self_length` yet
  double self_length = 0;      ///< of those longer than `thickness`

  /// Effect of a crossing on the stretch inside the object.
  enum class Passage : std::uint8_t { goes_on, begins, ends };

  /// Sets `inside_out` where the winding was below 0 for longer than `thickness`, which must be the same in all calls.
  LAMELLA_HOST_DEVICE Passage pass(FaceCrossing c, float thickness, bool& inside_out) {
    const int before = winding, after = before + c.sign();
    winding = after;
    if (before == 0 && after == 1) return Passage::begins;
    if (before == 1 && after == 0) return Passage::ends;
    if (before == 1 && after == 2) self_begin = c.depth();
    if (before == 2 && after == 1) self_span.stretch(self_begin, c.depth(), thickness, SumInto{self_length});
    if (before == 0 && after == -1) below_begin = c.depth();
    if (before == -1 && after == 0) inside_out = inside_out || is_thick(below_begin, c.depth(), thickness);
    return Passage::goes_on;
  }

  /// Call it after the last crossing.
  LAMELLA_HOST_DEVICE void finish(float thickness) { self_span.close(thickness, SumInto{self_length}); }

 private:
  struct SumInto {
    double& length;
    LAMELLA_HOST_DEVICE void operator()(float begin, float end) const { length += static_cast<double>(end) - begin; }
  };
};

/// Whether the ray leaves every object before it enters another: it has only consistent pairs of front and back faces,
/// as the paper calls them. Most rays are consistent, and have no meeting. A Column has count, crossing(i) and
/// object(i).
template <class Column>
LAMELLA_HOST_DEVICE bool is_consistent(const Column& c) {
  if (c.count() % 2 != 0) return false;
  LAMELLA_KEEP_ROLLED
  for (std::uint32_t i = 0; i < c.count(); i += 2)
    if (c.crossing(i).sign() < 0 || c.crossing(i + 1).sign() > 0 || c.object(i) != c.object(i + 1)) return false;
  return true;
}

/// The index of `value` in an ascending range of a table, or kNone.
template <class Table>
LAMELLA_HOST_DEVICE std::uint32_t find_in(const Table& at, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t value) {
  std::uint32_t low = begin, high = end;
  LAMELLA_KEEP_ROLLED
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (at(middle) < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && at(low) == value ? low : kNone;
}

/// Calls met(meeting) for the stretches of candidate pairs that overlap by more than `thickness`, sorted by where the
/// later stretch begins, then the earlier one. find_candidate(a, b) returns the number of the pair of objects a < b, or
/// kNone.
///
/// Stretches has entries 0 to count(), ascending by depth. If is_stretch(k), a stretch of object(k) begins at begin(k)
/// and ends at end(k). next(k) is storage for a number: the stretches that the ray is currently in form a linked list.
template <class Stretches, class Find, class Met>
LAMELLA_HOST_DEVICE void for_meetings(const Stretches& s, float thickness, std::uint32_t column,
                                      const Find& find_candidate, const Met& met) {
  std::uint32_t head = kNone;
  LAMELLA_KEEP_ROLLED
  for (std::uint32_t k = 0; k < s.count(); ++k) {
    if (!s.is_stretch(k)) continue;
    std::uint32_t last = kNone;
    LAMELLA_KEEP_ROLLED
    for (std::uint32_t i = head; i != kNone;) {
      const std::uint32_t next = s.next(i);
      const float end = s.end(i).depth(), begin = s.begin(k).depth();
      if (end > begin) {
        if (min_of(end, s.end(k).depth()) - begin > thickness) {
          const bool swapped = s.object(i) > s.object(k);
          const std::uint32_t a = swapped ? k : i, b = swapped ? i : k;
          const std::uint32_t candidate = find_candidate(s.object(a), s.object(b));
          if (candidate != kNone) met(Meeting{candidate, column, s.begin(a), s.end(a), s.begin(b), s.end(b)});
        }
        last = i;
      } else if (last == kNone) {
        head = next;
      } else {
        s.next(last) = next;
      }
      i = next;
    }
    s.next(k) = kNone;
    if (last == kNone)
      head = k;
    else
      s.next(last) = k;
  }
}

}  // namespace lamella
