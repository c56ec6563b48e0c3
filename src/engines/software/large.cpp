// Triangles too large for the batches, or with corners outside the image: one at a time, the samples of each row found
// by exact division, the row then filled by a vector kernel. Coverage follows the same tie rule as the batches (samples
// moved by (e, e^2)), so that a large triangle and a small one that share an edge neither overlap nor leave a gap.

#include "engines/software/large.hpp"

#include <algorithm>
#include <cstdlib>

namespace lamella::software {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // __int128
using Wide = __int128;
#pragma GCC diagnostic pop

template <class Int>
Int floor_div(Int n, Int d) {  // d > 0
  const Int q = n / d;
  return q * d > n ? q - 1 : q;
}

/// Samples before lattice coordinate x, of those from `first` to before `end`.
std::int64_t samples_before(std::int64_t x, std::uint32_t first, std::uint32_t end) {
  return std::clamp<std::int64_t>((x - 1) >> kSubBits, first, end);
}

/// Edge p -> q of a counter-clockwise triangle; the inside is to its left.
template <class Int>
struct RowEdge {
  Int pu, pv, du, dv;

  [[nodiscard]] Int value(Int u, Int v) const { return du * (v - pv) - dv * (u - pu); }

  /// Narrows [first, last) to the samples of the row at lattice coordinate v that lie inside this edge.
  void narrow(Int v, std::int64_t& first, std::int64_t& last) const {
    if (dv > 0) {  // inside is u < the edge, strictly
      const Int most = pu + floor_div<Int>(du * (v - pv) - 1, dv);
      last = static_cast<std::int64_t>(std::min<Int>(last, most >> kSubBits));
    } else if (dv < 0) {  // inside is u >= the edge
      const Int least = pu - floor_div<Int>(du * (v - pv), -dv);
      first = static_cast<std::int64_t>(std::max<Int>(first, (least - 1) >> kSubBits));
    }  // a horizontal edge bounds the rows, which are already bounded
  }
};

template <class Int>
void rasterize_rows(const LatticeVertex* corners, std::uint32_t id, const RasterTarget& target, FragmentBuffer& out) {
  const Grid& grid = target.grid;
  const Window& window = target.window;
  Int u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = corners[k].u;
    v[k] = corners[k].v;
  }
  const Int signed_area = (u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0]);
  if (signed_area == 0) return;
  // Made counter-clockwise by exchanging the roles of corners 1 and 2.
  const bool entry = signed_area < 0;
  const int i1 = entry ? 2 : 1, i2 = entry ? 1 : 2;
  const auto edge = [&](int p, int q) { return RowEdge<Int>{u[p], v[p], u[q] - u[p], v[q] - v[p]}; };
  const RowEdge<Int> e0 = edge(i1, i2), e1 = edge(i2, 0), e2 = edge(0, i1);
  const double inverse = 1.0 / static_cast<double>(entry ? -signed_area : signed_area);

  const auto z = std::minmax({corners[0].depth, corners[1].depth, corners[2].depth});
  const TriangleDepth depth{corners[0].depth,
                            corners[i1].depth - corners[0].depth,
                            corners[i2].depth - corners[0].depth,
                            z.first,
                            z.second,
                            entry,
                            id};
  const auto us = std::minmax({corners[0].u, corners[1].u, corners[2].u});
  const auto vs = std::minmax({corners[0].v, corners[1].v, corners[2].v});
  const std::int64_t first_row = samples_before(vs.first, window.first_v, window.end_v);
  const std::int64_t last_row = samples_before(vs.second, window.first_v, window.end_v);
  const std::int64_t first_u = samples_before(us.first, window.first_u, window.end_u);
  const std::int64_t last_u = samples_before(us.second, window.first_u, window.end_u);

  for (std::int64_t row = first_row; row < last_row; ++row) {
    const Int sample_v = static_cast<Int>(row + 1) << kSubBits;
    std::int64_t first = first_u, last = last_u;
    e0.narrow(sample_v, first, last);
    e1.narrow(sample_v, first, last);
    e2.narrow(sample_v, first, last);
    if (first >= last) continue;
    const Int sample_u = static_cast<Int>(first + 1) << kSubBits;
    const auto barycentric = [&](const RowEdge<Int>& e) {
      return static_cast<float>(static_cast<double>(e.value(sample_u, sample_v)) * inverse);
    };
    const auto step = [&](const RowEdge<Int>& e) {
      return static_cast<float>(-static_cast<double>(e.dv) * kSubStep * inverse);
    };
    const auto count = static_cast<std::uint32_t>(last - first);
    out.make_room(count);
    fill_row({static_cast<std::uint32_t>(row * grid.columns + first), count, barycentric(e1), barycentric(e2), step(e1),
              step(e2)},
             depth, target.depth, out);
  }
}

}  // namespace

void rasterize_large(const LatticeVertex corners[3], std::uint32_t id, const RasterTarget& target,
                     FragmentBuffer& out) {
  constexpr std::int64_t kNear = std::int64_t{1} << 30;  // differences below 2^31: edge functions fit 64 bits
  bool near = true;
  for (int k = 0; k < 3; ++k) near = near && std::abs(corners[k].u) < kNear && std::abs(corners[k].v) < kNear;
  if (near)
    rasterize_rows<std::int64_t>(corners, id, target, out);
  else
    rasterize_rows<Wide>(corners, id, target, out);
}

}  // namespace lamella::software
