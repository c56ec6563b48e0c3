#pragma once

// The walk along a column that every query uses, on the CPU and in CUDA kernels: what counts as overlap, how stretches
// join into spans, and in which order two columns are merged. gl-lists has a copy in GLSL (spans.comp), which the tests
// compare with this one. A stretch is an interval between two crossings.

#include <cstdint>

#include "core/host_device.hpp"
#include "lamella/ldi.hpp"

namespace lamella {

// ---- what a winding means: the rules, separate from the walk

inline constexpr int kInside = 1, kCoveredTwice = 2;
LAMELLA_HOST_DEVICE constexpr bool is_inside(int winding) { return winding >= kInside; }
LAMELLA_HOST_DEVICE constexpr bool is_covered_twice(int winding) { return winding >= kCoveredTwice; }
LAMELLA_HOST_DEVICE constexpr bool is_inside_out(int winding) { return winding < 0; }
/// A stretch or span not longer than `thickness` is not an overlap: depth rounding alone could make it.
LAMELLA_HOST_DEVICE constexpr bool is_thick(float begin, float end, float thickness) { return end - begin > thickness; }

/// Joins stretches into spans, and drops those that are too thin. Where two stretches meet at one depth (an exit and an
/// entry there), the span continues. Calls emit(begin, end) for each span.
struct SpanJoiner {
  float begin = -1, end = -1;  // depths are never negative

  /// Stretches come in order; `to` must be above `from`.
  template <class Emit>
  LAMELLA_HOST_DEVICE void stretch(float from, float to, float thickness, const Emit& emit) {
    if (from != end) {
      close(thickness, emit);
      begin = from;
    }
    end = to;
  }
  /// After the last stretch.
  template <class Emit>
  LAMELLA_HOST_DEVICE void close(float thickness, const Emit& emit) const {
    if (is_thick(begin, end, thickness)) emit(begin, end);
  }
};

// ---- cursors: a column's sorted crossings, one after another
//
// A Cursor has the key of its current crossing (kNoKey after the last one) and advance().

/// Larger than the key of any crossing.
inline constexpr std::uint32_t kNoKey = 0xfffffffeu;

/// Keys in memory, `kStride` apart. Pointers, not an index: with an index, nvcc 13.0 made code of
/// sweep_pair() that gives wrong answers on a GPU, which test_cuda shows.
template <std::uint32_t kStride = 1>
struct KeyCursor {
  const std::uint32_t* at;
  const std::uint32_t* end;
  std::uint32_t key;

  LAMELLA_HOST_DEVICE KeyCursor(const std::uint32_t* first, std::uint32_t count)
      : at(first), end(first + count * kStride), key(count == 0 ? kNoKey : *first) {}
  LAMELLA_HOST_DEVICE void advance() {
    at += kStride;
    key = at == end ? kNoKey : *at;
  }
};

// ---- walks
//
// `Ends` is WholeColumn where columns reach from outside to outside, so that the winding is 0 at both ends, and
// CutColumn where they were cut at the box.

struct WholeColumn {
  static constexpr bool kCut = false;
  static constexpr int winding = 0;
  static constexpr float depth = 0;
};
struct CutColumn {
  static constexpr bool kCut = true;
  int winding = 0;  ///< before the first crossing
  float depth = 0;  ///< where the column ends
};

/// Calls emit(begin, end) for each span inside both columns. Returns whether either is inside out for longer than
/// `thickness`. Both columns must close.
template <class Cursor, class Ends, class Emit>
LAMELLA_HOST_DEVICE bool sweep_pair(Cursor a, Cursor b, const Ends& ends_a, const Ends& ends_b, float thickness,
                                    const Emit& emit) {
  SpanJoiner overlap;
  bool inside_out = false;
  int winding_a = ends_a.winding, winding_b = ends_b.winding;
  float from = 0;
  const auto stretch_to = [&](float to) {
    if (!(to > from)) return;
    if (is_inside(winding_a) && is_inside(winding_b)) overlap.stretch(from, to, thickness, emit);
    inside_out =
        inside_out || ((is_inside_out(winding_a) || is_inside_out(winding_b)) && is_thick(from, to, thickness));
  };
  while (true) {
    const bool take_a = a.key <= b.key;
    const Crossing c{take_a ? a.key : b.key};
    if (c.key == kNoKey) break;
    stretch_to(c.depth());
    from = c.depth();
    if (take_a) {
      winding_a += c.sign();
      a.advance();
    } else {
      winding_b += c.sign();
      b.advance();
    }
  }
  if constexpr (Ends::kCut) stretch_to(ends_a.depth);
  overlap.close(thickness, emit);
  return inside_out;
}

/// Calls emit(begin, end) for each span that the mesh covers more than once, and emit_inside_out(begin, end) for each
/// where its winding is below 0. The column must close.
template <class Cursor, class Ends, class Emit, class EmitInsideOut>
LAMELLA_HOST_DEVICE void sweep_self(Cursor column, const Ends& ends, float thickness, const Emit& emit,
                                    const EmitInsideOut& emit_inside_out) {
  SpanJoiner overlap, inside_out;
  int winding = ends.winding;
  float from = 0;
  const auto stretch_to = [&](float to) {
    if (!(to > from)) return;
    if (is_covered_twice(winding)) overlap.stretch(from, to, thickness, emit);
    if (is_inside_out(winding)) inside_out.stretch(from, to, thickness, emit_inside_out);
    from = to;
  };
  LAMELLA_KEEP_ROLLED
  for (; column.key != kNoKey; column.advance()) {
    const Crossing c{column.key};
    stretch_to(c.depth());
    winding += c.sign();
  }
  if constexpr (Ends::kCut) stretch_to(ends.depth);
  overlap.close(thickness, emit);
  inside_out.close(thickness, emit_inside_out);
}

/// Calls emit(begin, end) for each span inside the solid. The column must close.
template <class Cursor, class Ends, class Emit>
LAMELLA_HOST_DEVICE void sweep_inside(Cursor column, const Ends& ends, float thickness, const Emit& emit) {
  SpanJoiner inside;
  int winding = ends.winding;
  float from = 0;
  const auto stretch_to = [&](float to) {
    if (!(to > from)) return;
    if (is_inside(winding)) inside.stretch(from, to, thickness, emit);
    from = to;
  };
  for (; column.key != kNoKey; column.advance()) {
    const Crossing c{column.key};
    stretch_to(c.depth());
    winding += c.sign();
  }
  if constexpr (Ends::kCut) stretch_to(ends.depth);
  inside.close(thickness, emit);
}

/// Whether the winding is below 0 for longer than `thickness` between two crossings, as contains() counts it.
template <class Cursor, class Ends>
LAMELLA_HOST_DEVICE bool turns_inside_out(Cursor column, const Ends& ends, float thickness) {
  int winding = ends.winding;
  float from = 0;
  LAMELLA_KEEP_ROLLED
  for (; column.key != kNoKey; column.advance()) {
    const Crossing c{column.key};
    if (is_inside_out(winding) && is_thick(from, c.depth(), thickness)) return true;
    winding += c.sign();
    from = c.depth();
  }
  return Ends::kCut && is_inside_out(winding) && is_thick(from, ends.depth, thickness);
}

}  // namespace lamella
