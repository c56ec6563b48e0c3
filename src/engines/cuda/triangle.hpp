#pragma once

// One triangle against the samples of a grid, for one thread: the software engine's arithmetic (stream-inl.hpp,
// raster-inl.hpp, core/rows.hpp) operation by operation, so that both make the same crossings, bit by bit. The choice
// of method is the same too, since the two methods round depths differently: boxes of up to kMaxSmallExtent samples
// within the window use edge functions in 32 bits, all others are sampled row by row.

#include <bit>
#include <cstdint>

#include "core/host_device.hpp"
#include "core/lattice.hpp"
#include "core/rows.hpp"
#include "core/window.hpp"
#include "lamella/ldi.hpp"

namespace lamella::cuda {

/// What sampling needs to know about a grid.
struct Target {
  Lattice lattice;
  float depth = 0;  ///< of the box: crossings beyond either face are moved onto it
  std::uint32_t columns = 0;
  Window window;  ///< cells outside it are not sampled
  std::int32_t u = 0, v = 0, w = 0;
  /// Lattice coordinates are clamped to these, which lie just outside the window; see snap_clamped().
  float low_u = 0, high_u = 0, low_v = 0, high_v = 0;
};

/// The same for another window of the grid.
LAMELLA_HOST_DEVICE inline Target in_window(Target t, const Window& window) {
  const auto low = [](std::uint32_t first) {
    return static_cast<float>(static_cast<std::int32_t>(first << kSubBits) + 1);
  };
  const auto high = [](std::uint32_t end) {
    return static_cast<float>(static_cast<std::int32_t>(end << kSubBits) + kSubStep);
  };
  t.window = window;
  t.low_u = low(window.first_u);
  t.high_u = high(window.end_u);
  t.low_v = low(window.first_v);
  t.high_v = high(window.end_v);
  return t;
}

LAMELLA_HOST_DEVICE inline Target make_target(const Grid& grid, const Window& window) {
  const Target whole_image{make_lattice(grid), grid.depth(), grid.columns, {}, grid.u(), grid.v(), grid.w()};
  return in_window(whole_image, window);
}

/// As in software/kernels.hpp: how many samples come before a vertex along either image axis, u in the low half. Bits
/// 15 and 31 are free.
inline constexpr std::uint32_t kBrokenCode = 0x8000u;  ///< of a vertex that is not usable
inline constexpr std::int32_t kMaxSmallExtent = (1 << (15 - kSubBits)) - 2;

/// Lattice coordinate minus one, clamped to limits just outside the window's cells.
LAMELLA_HOST_DEVICE inline std::int32_t snap_clamped(float x, float origin, float scale, float low, float high) {
  const float c = lattice_coordinate(x, origin, scale);
  return round_to_int(::fminf(::fmaxf(c, low), high)) - 1;
}
LAMELLA_HOST_DEVICE inline std::int32_t snap_u(float x, const Target& t) {
  return snap_clamped(x, t.lattice.origin_u, t.lattice.scale_u, t.low_u, t.high_u);
}
LAMELLA_HOST_DEVICE inline std::int32_t snap_v(float x, const Target& t) {
  return snap_clamped(x, t.lattice.origin_v, t.lattice.scale_v, t.low_v, t.high_v);
}

LAMELLA_HOST_DEVICE inline std::uint32_t cell_code(Vec3 p, const Target& t) {
  if (!usable(p)) return kBrokenCode;
  return static_cast<std::uint32_t>(snap_u(p[t.u], t) >> kSubBits) |
         static_cast<std::uint32_t>(snap_v(p[t.v], t) >> kSubBits) << 16;
}

LAMELLA_HOST_DEVICE constexpr bool is_broken(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return ((a | b | c) & kBrokenCode) != 0;
}
/// Whether a triangle's box contains a sample: only then can it cover one.
LAMELLA_HOST_DEVICE constexpr bool may_cover(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t differ = (a ^ b) | (a ^ c);
  return (differ & 0xffffu) != 0 && (differ >> 16) != 0;
}

/// A crossing's key: the depth is clamped to the triangle's own range, then to the box. Adding zero turns negative zero
/// into positive: the key uses the sign bit.
LAMELLA_HOST_DEVICE inline std::uint32_t make_key(float z, const TriangleDepth& d, float box_depth) {
  const float in_triangle = ::fminf(::fmaxf(z, d.low), d.high);
  const float in_box = ::fminf(::fmaxf(in_triangle, 0.0f), box_depth) + 0.0f;
  return Crossing::make(in_box, d.entry).key;
}

/// A triangle with a small box.
struct SmallTriangle {
  std::int32_t value[3];                           ///< edge functions at the box's first sample
  std::int32_t step_u[3];                          ///< their decrease per sample along u
  std::int32_t step_v[3];                          ///< their increase per sample along v
  std::int32_t bias;                               ///< bit k: samples on edge k do not count as inside
  std::int32_t first_u, first_row, width, height;  ///< of the box, in samples
  std::uint32_t first_column;                      ///< row-major index of the box's first sample
  std::int32_t area;                               ///< twice the area
  float inverse;                                   ///< of `area`
  TriangleDepth depth;
};

/// How a triangle is to be sampled.
enum class Method : std::uint8_t { none, small, rows };

/// Corners on the lattice, their coordinates less one, and their depths.
struct SnappedCorners {
  std::int32_t u[3], v[3];
  float z[3];
};

template <class T>
LAMELLA_HOST_DEVICE constexpr T least_of(const T (&x)[3]) {
  const T first = x[0] < x[1] ? x[0] : x[1];
  return first < x[2] ? first : x[2];
}
template <class T>
LAMELLA_HOST_DEVICE constexpr T most_of(const T (&x)[3]) {
  const T first = x[0] > x[1] ? x[0] : x[1];
  return first > x[2] ? first : x[2];
}

/// Where the box of samples lies: first_u, first_row, width and height.
LAMELLA_HOST_DEVICE inline void set_up_box(const SnappedCorners& c, SmallTriangle& out) {
  out.first_u = least_of(c.u) >> kSubBits;
  out.first_row = least_of(c.v) >> kSubBits;
  out.width = (most_of(c.u) >> kSubBits) - out.first_u;
  out.height = (most_of(c.v) >> kSubBits) - out.first_row;
}

/// Sets everything except the box, which must have at most kMaxSmallExtent samples along each axis. False when the
/// triangle has no area.
LAMELLA_HOST_DEVICE inline bool set_up_edges(SnappedCorners c, const Target& t, SmallTriangle& out) {
  std::int32_t(&u)[3] = c.u, (&v)[3] = c.v;
  // Relative to the box's first sample, which lies at lattice coordinate (first + 1) << kSubBits.
  for (int k = 0; k < 3; ++k) {
    u[k] -= ((out.first_u + 1) << kSubBits) - 1;
    v[k] -= ((out.first_row + 1) << kSubBits) - 1;
  }
  const std::int32_t value[3] = {u[1] * v[2] - v[1] * u[2], u[2] * v[0] - v[2] * u[0], u[0] * v[1] - v[0] * u[1]};
  const std::int32_t area = value[0] + value[1] + value[2];
  if (area == 0) return false;
  // A triangle clockwise in (u, v) faces the ray's start: an entry, whose edges run in the opposite direction.
  const bool entry = area < 0;
  out.bias = 0;
  for (int k = 0; k < 3; ++k) {
    const int p = k == 2 ? 0 : k + 1, q = k == 0 ? 2 : k - 1;
    const std::int32_t du = entry ? u[p] - u[q] : u[q] - u[p], dv = entry ? v[p] - v[q] : v[q] - v[p];
    // Samples count as moved by (e, e^2): on an edge they are inside if dv < 0, or dv = 0 and du > 0.
    const bool owned = dv < 0 || (dv == 0 && du > 0);
    out.bias |= owned ? 0 : 1 << k;
    out.value[k] = entry ? -value[k] : value[k];
    out.step_u[k] = dv * kSubStep;
    out.step_v[k] = du * kSubStep;
  }
  out.first_column = static_cast<std::uint32_t>(out.first_row) * t.columns + static_cast<std::uint32_t>(out.first_u);
  out.area = entry ? -area : area;
  out.inverse = 1.0f / static_cast<float>(out.area);
  out.depth = {c.z[0], c.z[1] - c.z[0], c.z[2] - c.z[0], least_of(c.z), most_of(c.z), entry};
  return true;
}

/// Clamped to the window, see snap_clamped(). `corner` must be usable.
LAMELLA_HOST_DEVICE inline SnappedCorners snap_corners(const Vec3 corner[3], const Target& t) {
  SnappedCorners c;
  for (int k = 0; k < 3; ++k) {
    c.u[k] = snap_u(corner[k][t.u], t);
    c.v[k] = snap_v(corner[k][t.v], t);
    c.z[k] = corner[k][t.w] - t.lattice.origin_w;
  }
  return c;
}

/// Finds the box and the method. For Method::small, the edges must still be set up.
LAMELLA_HOST_DEVICE inline Method set_up_method(const SnappedCorners& c, const Target& t, SmallTriangle& out) {
  set_up_box(c, out);
  if (out.width == 0 || out.height == 0) return Method::none;
  const Window& w = t.window;
  const auto low = [](std::uint32_t first) { return static_cast<std::int32_t>(first << kSubBits); };
  const auto high = [](std::uint32_t end) { return static_cast<std::int32_t>(end << kSubBits) + (kSubStep - 1); };
  if (least_of(c.u) == low(w.first_u) || most_of(c.u) == high(w.end_u) || least_of(c.v) == low(w.first_v) ||
      most_of(c.v) == high(w.end_v))
    return Method::rows;
  if (out.width <= kMaxSmallExtent && out.height <= kMaxSmallExtent) return Method::small;
  const auto cross = [](std::int64_t au, std::int64_t av, std::int64_t bu, std::int64_t bv) {
    return au * bv - av * bu;
  };
  return cross(c.u[1] - c.u[0], c.v[1] - c.v[0], c.u[2] - c.u[0], c.v[2] - c.v[0]) == 0 ? Method::none : Method::rows;
}

/// `corner` must be usable.
LAMELLA_HOST_DEVICE inline Method set_up(const Vec3 corner[3], const Target& t, SmallTriangle& out) {
  const SnappedCorners c = snap_corners(corner, t);
  const Method method = set_up_method(c, t, out);
  return method == Method::small && !set_up_edges(c, t, out) ? Method::none : method;
}

/// For a triangle with Method::rows: whether its whole box is small, and only the window cuts it. Its edges then fit 32
/// bits; its depths are still those of its rows, see depth_in_row().
LAMELLA_HOST_DEVICE inline bool is_cut_small(const Vec3 corner[3], const Target& t) {
  constexpr float kFar = 1 << 24;
  float u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = lattice_coordinate(corner[k][t.u], t.lattice.origin_u, t.lattice.scale_u);
    v[k] = lattice_coordinate(corner[k][t.v], t.lattice.origin_v, t.lattice.scale_v);
    if (!(::fabsf(u[k]) < kFar && ::fabsf(v[k]) < kFar)) return false;
  }
  const auto samples = [](const float(&x)[3]) {
    const auto before = [](float y) { return (round_to_int(y) - 1) >> kSubBits; };
    return before(most_of(x)) - before(least_of(x));
  };
  return samples(u) <= kMaxSmallExtent && samples(v) <= kMaxSmallExtent;
}

/// Likewise, for triangles with is_cut_small(). False when it has no area.
LAMELLA_HOST_DEVICE inline bool set_up_cut(const Vec3 corner[3], const Target& t, SmallTriangle& out) {
  SnappedCorners c;
  for (int k = 0; k < 3; ++k) {
    c.u[k] = round_to_int(lattice_coordinate(corner[k][t.u], t.lattice.origin_u, t.lattice.scale_u)) - 1;
    c.v[k] = round_to_int(lattice_coordinate(corner[k][t.v], t.lattice.origin_v, t.lattice.scale_v)) - 1;
    c.z[k] = corner[k][t.w] - t.lattice.origin_w;
  }
  set_up_box(c, out);
  return set_up_edges(c, t, out);
}

/// Depth `steps` samples after the first covered sample of a row, where the edge functions of corners 1 and 2 are f1
/// and f2 and fall by step1 and step2 per sample; `inverse` is the inverse of twice the area. The arithmetic of
/// RowTriangle::row() and of key_at() of a RowSpan.
LAMELLA_HOST_DEVICE inline float depth_in_row(std::int32_t f1, std::int32_t f2, std::int32_t step1, std::int32_t step2,
                                              std::int32_t steps, double inverse, const TriangleDepth& d) {
  const auto many = static_cast<float>(steps);
  const float b1 = static_cast<float>(f1 * inverse) + many * static_cast<float>(-static_cast<double>(step1) * inverse);
  const float b2 = static_cast<float>(f2 * inverse) + many * static_cast<float>(-static_cast<double>(step2) * inverse);
  const float weighted = b1 * d.dz1 + b2 * d.dz2;
  return d.z0 + weighted;
}

/// Edge functions at a sample of the box.
struct EdgeValues {
  std::int32_t f[3];
};
LAMELLA_HOST_DEVICE constexpr EdgeValues edge_values(const SmallTriangle& s, std::int32_t i, std::int32_t j) {
  EdgeValues e{};
  for (int k = 0; k < 3; ++k) e.f[k] = s.value[k] - i * s.step_u[k] + j * s.step_v[k];
  return e;
}
LAMELLA_HOST_DEVICE constexpr bool is_covered(const SmallTriangle& s, const EdgeValues& e) {
  return ((e.f[0] - (s.bias & 1)) | (e.f[1] - (s.bias >> 1 & 1)) | (e.f[2] - (s.bias >> 2 & 1))) >= 0;
}
LAMELLA_HOST_DEVICE inline std::uint32_t key_at(const SmallTriangle& s, const EdgeValues& e, float box_depth) {
  const TriangleDepth& d = s.depth;
  const float weighted = static_cast<float>(e.f[1]) * d.dz1 + static_cast<float>(e.f[2]) * d.dz2;
  return make_key(d.z0 + weighted * s.inverse, d, box_depth);
}

/// The relation of a box's only sample to its triangle.
struct OnlySample {
  bool covered;
  bool on_edge;  ///< set_up_edges() must decide whether it is covered
  std::uint32_t key;
};
/// The same as set_up_edges(), is_covered() and key_at(), without the work for further samples.
LAMELLA_HOST_DEVICE inline OnlySample look_at_only_sample(const SnappedCorners& c, const SmallTriangle& box,
                                                          const Target& t) {
  std::int32_t u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = c.u[k] - (((box.first_u + 1) << kSubBits) - 1);
    v[k] = c.v[k] - (((box.first_row + 1) << kSubBits) - 1);
  }
  const std::int32_t value[3] = {u[1] * v[2] - v[1] * u[2], u[2] * v[0] - v[2] * u[0], u[0] * v[1] - v[0] * u[1]};
  const std::int32_t area = value[0] + value[1] + value[2];
  const bool entry = area < 0;
  const std::int32_t f[3] = {entry ? -value[0] : value[0], entry ? -value[1] : value[1], entry ? -value[2] : value[2]};
  const TriangleDepth d{c.z[0], c.z[1] - c.z[0], c.z[2] - c.z[0], least_of(c.z), most_of(c.z), entry};
  const float weighted = static_cast<float>(f[1]) * d.dz1 + static_cast<float>(f[2]) * d.dz2;
  const float inverse = 1.0f / static_cast<float>(entry ? -area : area);
  return {least_of(f) > 0, area != 0 && least_of(f) == 0, make_key(d.z0 + weighted * inverse, d, t.depth)};
}

/// Key of sample `i` of a row.
LAMELLA_HOST_DEVICE inline std::uint32_t key_at(const RowSpan& span, std::uint32_t i, const TriangleDepth& d,
                                                float box_depth) {
  const auto steps = static_cast<float>(static_cast<std::int32_t>(i));
  const float b1 = span.b1 + steps * span.b1_step, b2 = span.b2 + steps * span.b2_step;
  const float weighted = b1 * d.dz1 + b2 * d.dz2;
  return make_key(d.z0 + weighted, d, box_depth);
}

/// Corners on the lattice, not clamped, for RowTriangle. False when one cannot be placed there: the triangle is
/// skipped.
LAMELLA_HOST_DEVICE inline bool place_corners(const Vec3 corner[3], const Target& t, LatticeVertex out[3]) {
  for (int k = 0; k < 3; ++k) {
    const float u = lattice_coordinate(corner[k][t.u], t.lattice.origin_u, t.lattice.scale_u);
    const float v = lattice_coordinate(corner[k][t.v], t.lattice.origin_v, t.lattice.scale_v);
    if (!(::fabsf(u) < kLatticeLimit && ::fabsf(v) < kLatticeLimit)) return false;
    out[k] = {snap(u), snap(v), corner[k][t.w] - t.lattice.origin_w};
  }
  return true;
}

}  // namespace lamella::cuda
