#pragma once

// Rasterises a triangle of any size, row by row. Exact division finds the samples of each row; steps of the barycentric
// weights give the depths along it. Coverage follows the same tie rule as the batches of small triangles (samples moved
// by (e, e^2)), so that a large triangle and a small one that share an edge neither overlap nor leave a gap.

#include <cstdint>

#include "core/host_device.hpp"
#include "core/lattice.hpp"
#include "core/window.hpp"

namespace lamella {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // __int128
using Wide = __int128;
using UnsignedWide = unsigned __int128;
#pragma GCC diagnostic pop

template <class Int>
LAMELLA_HOST_DEVICE constexpr Int floor_div(Int n, Int d) {  // d > 0
  const Int q = n / d;
  return q * d > n ? q - 1 : q;
}

#if defined(__CUDA_ARCH__)
/// The same result. A GPU divides doubles much faster than 64-bit integers. The remainder shows the error of the
/// rounded quotient: one or two, unless the quotient has more than 52 bits.
template <>
__device__ inline std::int64_t floor_div<std::int64_t>(std::int64_t n, std::int64_t d) {
  auto q = static_cast<std::int64_t>(floor(static_cast<double>(n) / static_cast<double>(d)));
  std::int64_t rest = n - q * d;
  for (; rest < 0; rest += d) --q;
  for (; rest >= d; rest -= d) ++q;
  return q;
}
#endif

template <class Int>
LAMELLA_HOST_DEVICE constexpr double to_double(Int x) {
  return static_cast<double>(x);
}
/// Rounds to nearest, like other conversions. Written out because some compilers round such numbers twice.
template <>
LAMELLA_HOST_DEVICE constexpr double to_double<Wide>(Wide x) {
  const bool negative = x < 0;
  auto magnitude = negative ? UnsignedWide{0} - static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x);
  double scale = negative ? -1 : 1;
  bool lost = false;
  while ((magnitude >> 64) != 0) {
    lost = lost || (magnitude & 1) != 0;
    magnitude >>= 1;
    scale *= 2;
  }
  // The lost bits matter only when the rest is a tie; then it is enough that one of them is set.
  return static_cast<double>(static_cast<std::uint64_t>(magnitude) | (lost ? 1u : 0u)) * scale;
}

/// Number of samples before lattice coordinate x, out of [first, end).
LAMELLA_HOST_DEVICE constexpr std::int64_t samples_before(std::int64_t x, std::uint32_t first, std::uint32_t end) {
  const std::int64_t before = (x - 1) >> kSubBits, low = first, high = end;
  return before < low ? low : before > high ? high : before;
}

/// Edge p -> q of a counter-clockwise triangle; the inside is to its left.
template <class Int>
struct RowEdge {
  Int pu, pv, du, dv;

  [[nodiscard]] LAMELLA_HOST_DEVICE constexpr Int value(Int u, Int v) const { return du * (v - pv) - dv * (u - pu); }

  /// Narrows [first, last) to the samples of the row at lattice coordinate v that lie inside this edge.
  LAMELLA_HOST_DEVICE constexpr void narrow(Int v, std::int64_t& first, std::int64_t& last) const {
    if (dv > 0) {  // inside is u < the edge, strictly
      const Int most = (pu + floor_div<Int>(du * (v - pv) - 1, dv)) >> kSubBits;
      if (most < last) last = static_cast<std::int64_t>(most);
    } else if (dv < 0) {  // inside is u >= the edge
      const Int least = (pu - floor_div<Int>(du * (v - pv), -dv) - 1) >> kSubBits;
      if (least > first) first = static_cast<std::int64_t>(least);
    }  // a horizontal edge limits only the rows, which are already limited
  }
};

/// Samples of one row of one triangle: the depth of sample i follows from b1 + b1_step * i and b2 + b2_step * i.
struct RowSpan {
  std::uint32_t first_column;  ///< row-major index
  std::uint32_t count;
  float b1, b2;            ///< barycentrics of corners 1 and 2 at the first sample
  float b1_step, b2_step;  ///< per sample
};

/// Coefficients of the depths inside a triangle.
struct TriangleDepth {
  float z0, dz1, dz2;  ///< depth of corner 0 and differences of the others from it
  float low, high;     ///< depth range of the triangle
  bool entry;
};

/// `Int` is 64 bits where is_near() says so, else 128.
template <class Int>
struct RowTriangle {
  RowEdge<Int> e0, e1, e2;
  double inverse;  ///< of twice the area
  TriangleDepth depth;
  std::int64_t first_row, last_row, first_u, last_u;

  /// False when the row has no sample inside. The row must be one of [first_row, last_row).
  LAMELLA_HOST_DEVICE constexpr bool row(std::int64_t number, std::uint32_t columns, RowSpan& out) const {
    const Int sample_v = static_cast<Int>(number + 1) << kSubBits;
    std::int64_t first = first_u, last = last_u;
    e0.narrow(sample_v, first, last);
    e1.narrow(sample_v, first, last);
    e2.narrow(sample_v, first, last);
    if (first >= last) return false;
    const Int sample_u = static_cast<Int>(first + 1) << kSubBits;
    out.first_column = static_cast<std::uint32_t>(number * columns + first);
    out.count = static_cast<std::uint32_t>(last - first);
    out.b1 = static_cast<float>(to_double<Int>(e1.value(sample_u, sample_v)) * inverse);
    out.b2 = static_cast<float>(to_double<Int>(e2.value(sample_u, sample_v)) * inverse);
    out.b1_step = step_of(e1);
    out.b2_step = step_of(e2);
    return true;
  }

  [[nodiscard]] LAMELLA_HOST_DEVICE constexpr float step_of(const RowEdge<Int>& edge) const {
    return static_cast<float>(-to_double<Int>(edge.dv) * kSubStep * inverse);
  }
};

/// RowEdge::narrow() for one row after the other: quotient and remainder are stepped, as Bresenham (1965) steps along a
/// line, so that rows after the first take no division.
template <class Int>
class EdgeWalk {
 public:
  constexpr EdgeWalk(const RowEdge<Int>& e, Int v) : pu_(e.pu), upper_(e.dv > 0), divisor_(e.dv > 0 ? e.dv : -e.dv) {
    if (divisor_ == 0) return;
    const Int first = e.du * (v - e.pv) - (upper_ ? 1 : 0), step = e.du * kSubStep;
    quotient_ = floor_div<Int>(first, divisor_);
    rest_ = first - quotient_ * divisor_;
    quotient_step_ = floor_div<Int>(step, divisor_);
    rest_step_ = step - quotient_step_ * divisor_;
  }

  constexpr void narrow(std::int64_t& first, std::int64_t& last) const {
    if (divisor_ == 0) return;
    if (upper_) {
      const Int most = (pu_ + quotient_) >> kSubBits;
      if (most < last) last = static_cast<std::int64_t>(most);
    } else {
      const Int least = (pu_ - quotient_ - 1) >> kSubBits;
      if (least > first) first = static_cast<std::int64_t>(least);
    }
  }

  constexpr void step() {
    quotient_ += quotient_step_;
    rest_ += rest_step_;
    const Int carry = -static_cast<Int>(rest_ >= divisor_);  // no branch: it would be a coin toss
    rest_ -= carry & divisor_;
    quotient_ -= carry;
  }

 private:
  Int pu_;
  bool upper_;   ///< the samples end here; else they begin
  Int divisor_;  ///< 0: a horizontal edge, which limits only the rows
  Int quotient_ = 0, rest_ = 0, quotient_step_ = 0, rest_step_ = 0;
};

/// RowTriangle::row() for one row after the other. Has copies of what each row needs, so that it stays in registers.
template <class Int>
class RowWalk {
 public:
  constexpr RowWalk(const RowTriangle<Int>& triangle, std::int64_t first_row)
      : first_u_(triangle.first_u),
        last_u_(triangle.last_u),
        row_(first_row),
        inverse_(triangle.inverse),
        b1_step_(triangle.step_of(triangle.e1)),
        b2_step_(triangle.step_of(triangle.e2)),
        of_b1_(triangle.e1),
        of_b2_(triangle.e2),
        e0_(triangle.e0, static_cast<Int>(first_row + 1) << kSubBits),
        e1_(triangle.e1, static_cast<Int>(first_row + 1) << kSubBits),
        e2_(triangle.e2, static_cast<Int>(first_row + 1) << kSubBits) {}

  constexpr bool next(std::uint32_t columns, RowSpan& out) {
    std::int64_t first = first_u_, last = last_u_;
    e0_.narrow(first, last);
    e1_.narrow(first, last);
    e2_.narrow(first, last);
    e0_.step();
    e1_.step();
    e2_.step();
    const std::int64_t row = row_++;
    if (first >= last) return false;
    const Int sample_u = static_cast<Int>(first + 1) << kSubBits, sample_v = static_cast<Int>(row + 1) << kSubBits;
    out.first_column = static_cast<std::uint32_t>(row * columns + first);
    out.count = static_cast<std::uint32_t>(last - first);
    out.b1 = static_cast<float>(to_double<Int>(of_b1_.value(sample_u, sample_v)) * inverse_);
    out.b2 = static_cast<float>(to_double<Int>(of_b2_.value(sample_u, sample_v)) * inverse_);
    out.b1_step = b1_step_;
    out.b2_step = b2_step_;
    return true;
  }

 private:
  std::int64_t first_u_, last_u_, row_;
  double inverse_;
  float b1_step_, b2_step_;
  RowEdge<Int> of_b1_, of_b2_;
  EdgeWalk<Int> e0_, e1_, e2_;
};

/// Whether edge functions of these corners fit 64 bits: differences below 2^31.
LAMELLA_HOST_DEVICE constexpr bool is_near(const LatticeVertex corners[3]) {
  constexpr std::int64_t kNear = std::int64_t{1} << 30;
  for (int k = 0; k < 3; ++k)
    if (corners[k].u <= -kNear || corners[k].u >= kNear || corners[k].v <= -kNear || corners[k].v >= kNear)
      return false;
  return true;
}

/// Whether doubles hold all numbers of RowTriangle::row() exactly, products and their differences too: products below
/// 2^52, in any window (kMaxResolution).
LAMELLA_HOST_DEVICE constexpr bool fits_doubles(const LatticeVertex corners[3]) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 25;
  static_assert(std::int64_t{kMaxResolution} << kSubBits <= kLimit);
  for (int k = 0; k < 3; ++k)
    if (corners[k].u <= -kLimit || corners[k].u >= kLimit || corners[k].v <= -kLimit || corners[k].v >= kLimit)
      return false;
  return true;
}

/// False when the triangle has no area and covers nothing.
template <class Int>
LAMELLA_HOST_DEVICE constexpr bool set_up_rows(const LatticeVertex corners[3], const Window& window,
                                               RowTriangle<Int>& out) {
  Int u[3] = {}, v[3] = {};
  for (int k = 0; k < 3; ++k) {
    u[k] = corners[k].u;
    v[k] = corners[k].v;
  }
  const Int area = (u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0]);
  if (area == 0) return false;
  // Clockwise triangles become counter-clockwise by exchanging corners 1 and 2.
  const bool entry = area < 0;
  const int i1 = entry ? 2 : 1, i2 = entry ? 1 : 2;
  out.e0 = {u[i1], v[i1], u[i2] - u[i1], v[i2] - v[i1]};
  out.e1 = {u[i2], v[i2], u[0] - u[i2], v[0] - v[i2]};
  out.e2 = {u[0], v[0], u[i1] - u[0], v[i1] - v[0]};
  out.inverse = 1.0 / to_double<Int>(entry ? -area : area);
  const auto least = [](auto a, auto b, auto c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); };
  const auto most = [](auto a, auto b, auto c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); };
  const float z0 = corners[0].depth, z1 = corners[1].depth, z2 = corners[2].depth;
  out.depth = {z0, corners[i1].depth - z0, corners[i2].depth - z0, least(z0, z1, z2), most(z0, z1, z2), entry};
  const std::int64_t low_u = least(corners[0].u, corners[1].u, corners[2].u);
  const std::int64_t high_u = most(corners[0].u, corners[1].u, corners[2].u);
  const std::int64_t low_v = least(corners[0].v, corners[1].v, corners[2].v);
  const std::int64_t high_v = most(corners[0].v, corners[1].v, corners[2].v);
  out.first_row = samples_before(low_v, window.first_v, window.end_v);
  out.last_row = samples_before(high_v, window.first_v, window.end_v);
  out.first_u = samples_before(low_u, window.first_u, window.end_u);
  out.last_u = samples_before(high_u, window.first_u, window.end_u);
  return true;
}

}  // namespace lamella
