#pragma once

// From the ends of spans to gradients, for the CPU and CUDA kernels.
//
// Along a ray axis w a span's length changes as the two triangles that end it move: the sampled volume changes by the
// area of a cell for each unit that the end's triangle moves along w, and by minus that for the begin's. Spread over
// the triangle's corners by the weights of the sample, this is the exact gradient of the sampled volume along w. Three
// views, along x, y and z, give the three components. It is the discrete form of "the gradient of an intersection
// volume is the area vector of the surfaces that bound it" (Faure et al. 2008, "Image-based collision detection and
// response between arbitrary volume objects"), whose images have no weights and three views as well.
//
// All sums are integers: signs, positions of cells in half cells, weights and normals in steps of 2^-30. So neither the
// order of threads nor a GPU's atomic additions change a bit, and the sums of both meshes of a pair cancel exactly.
// Sums are kept as unsigned numbers, which wrap: what is stored is two's complement. 2^33 ends fit.

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "lamella/gradient.hpp"
#include "lamella/grid.hpp"
#include "query/span_ends.hpp"

namespace lamella {

using SignedSum = std::uint64_t;  ///< two's complement

LAMELLA_HOST_DEVICE constexpr double value_of(SignedSum sum) {
  return static_cast<double>(static_cast<std::int64_t>(sum));
}
/// A number between -1 and 1 in steps of 2^-30.
LAMELLA_HOST_DEVICE constexpr SignedSum in_weight_steps(double x) {
  const double steps = x * kWholeWeight;
  return static_cast<SignedSum>(static_cast<std::int64_t>(steps < 0 ? steps - 0.5 : steps + 0.5));
}

/// Of a triangle's front; 0 where it has no area.
LAMELLA_HOST_DEVICE inline Vec3d unit_normal(Vec3 a, Vec3 b, Vec3 c) {
  const double x1 = static_cast<double>(b.x) - a.x, y1 = static_cast<double>(b.y) - a.y;
  const double z1 = static_cast<double>(b.z) - a.z, x2 = static_cast<double>(c.x) - a.x;
  const double y2 = static_cast<double>(c.y) - a.y, z2 = static_cast<double>(c.z) - a.z;
  const double x = y1 * z2 - z1 * y2, y = z1 * x2 - x1 * z2, z = x1 * y2 - y1 * x2;
  const double squared = x * x + y * y + z * z;
  if (!(squared > 0)) return {};
  const double scale = 1 / ::sqrt(squared);
  return {x * scale, y * scale, z * scale};
}

/// Sums over the ends of one view that lie on one mesh. They can be added in any order, member by member.
struct EndSums {
  SignedSum count = 0;                 ///< ends less begins
  SignedSum twice_u = 0, twice_v = 0;  ///< the same times 2 u + 1 and 2 v + 1, with the end's cell (u, v)
  SignedSum area = 0;                  ///< of all, in cells: what the surface there is wider than its image, 1 / |n_w|,
                                       ///< times n_w^2, so that three views sum up to it
  SignedSum normal[3] = {0, 0, 0};     ///< the same times the normal

  /// `sign`: 1 for the end of a span, -1 for its begin. `n`: of the triangle, n_w along the rays.
  LAMELLA_HOST_DEVICE void add(int sign, std::uint32_t u, std::uint32_t v, Vec3d n, double n_w) {
    add_place(sign, u, v);
    const double part = n_w < 0 ? -n_w : n_w;
    area += in_weight_steps(part);
    normal[0] += in_weight_steps(part * n.x);
    normal[1] += in_weight_steps(part * n.y);
    normal[2] += in_weight_steps(part * n.z);
  }
  LAMELLA_HOST_DEVICE void add_place(int sign, std::uint32_t u, std::uint32_t v) { add_places(sign, 1, u, v); }
  /// Several of one sign, with the sums of their cells.
  LAMELLA_HOST_DEVICE void add_places(int sign, std::uint64_t ends, std::uint64_t sum_u, std::uint64_t sum_v) {
    const auto s = static_cast<SignedSum>(static_cast<std::int64_t>(sign));
    count += s * ends;
    twice_u += s * (2 * sum_u + ends);
    twice_v += s * (2 * sum_v + ends);
  }
  LAMELLA_HOST_DEVICE void add(const EndSums& other) {
    count += other.count;
    twice_u += other.twice_u;
    twice_v += other.twice_v;
    area += other.area;
    for (int k = 0; k < 3; ++k) normal[k] += other.normal[k];
  }
};

// ---- what ends add to the corners of their triangles

/// The weight of a corner as a linear function of the cell, in steps of 2^-30 (kWholeWeight is 1): its steps from cell
/// to cell are rounded, its values are not. So the sum over many cells is the function of the sums of cells, bit for
/// bit: ends may be added one at a time, or all that lie on one triangle at once. It misses the true weight by half a
/// step for each cell between the triangle's first one and the end's, and one.
struct LinearWeight {
  std::int64_t at_first = 0, along_u = 0, along_v = 0;

  bool operator==(const LinearWeight&) const = default;
  /// Over `count` ends. `from_u`, `from_v`: sums of their cells less the first cell.
  [[nodiscard]] LAMELLA_HOST_DEVICE SignedSum sum(std::uint64_t count, std::uint64_t from_u,
                                                  std::uint64_t from_v) const {
    return count * static_cast<SignedSum>(at_first) + from_u * static_cast<SignedSum>(along_u) +
           from_v * static_cast<SignedSum>(along_v);
  }
};

/// Of corners b and c; a has the rest. The first cell is the one at corner a, or the nearest to it in the image.
struct CornerWeights {
  std::uint32_t first_u = 0, first_v = 0;
  LinearWeight b, c;

  bool operator==(const CornerWeights&) const = default;
};

/// What ends on a triangle add to the components of its corners along the rays, in steps of 2^-30 of a cell's area.
struct CornerParts {
  SignedSum a = 0, b = 0, c = 0;
};
/// `count` ends (`sign` 1) or begins (-1) of spans, with the sums of their cells.
LAMELLA_HOST_DEVICE inline CornerParts corner_parts(const CornerWeights& w, int sign, std::uint64_t count,
                                                    std::uint64_t sum_u, std::uint64_t sum_v) {
  const std::uint64_t from_u = sum_u - count * w.first_u, from_v = sum_v - count * w.first_v;
  const SignedSum b = w.b.sum(count, from_u, from_v), c = w.c.sum(count, from_u, from_v);
  const SignedSum a = count * kWholeWeight - b - c;
  if (sign > 0) return {a, b, c};
  return {SignedSum{0} - a, SignedSum{0} - b, SignedSum{0} - c};
}

/// Beyond this a weight changes so fast from cell to cell that the triangle is a sliver, which hardly any sample meets:
/// its ends count for corner a alone.
inline constexpr double kSteepest = 0x1p50;
/// Added to a number below kSteepest it leaves the nearest integer in the lowest bits, ties to even.
inline constexpr double kToInteger = 0x1.8p52;

/// `Int` is 64 bits where is_near() says so, else 128. Integers are exact, and so are the doubles in their place where
/// all differences are below 2^26.
template <class Int>
LAMELLA_HOST_DEVICE CornerWeights corner_weights_of(const LatticeVertex corner[3], const Grid& grid) {
  const auto first = [](std::int64_t x, std::uint32_t cells) {
    const std::int64_t cell = (x >> kSubBits) - 1, last = std::int64_t{cells} - 1;
    return static_cast<std::uint32_t>(cell < 0 ? 0 : cell < last ? cell : last);
  };
  CornerWeights out{first(corner[0].u, grid.columns), first(corner[0].v, grid.rows), {}, {}};
  const Int pu = ((std::int64_t{out.first_u} + 1) << kSubBits) - static_cast<Int>(corner[0].u);
  const Int pv = ((std::int64_t{out.first_v} + 1) << kSubBits) - static_cast<Int>(corner[0].v);
  const Int bu = static_cast<Int>(corner[1].u) - corner[0].u, bv = static_cast<Int>(corner[1].v) - corner[0].v;
  const Int cu = static_cast<Int>(corner[2].u) - corner[0].u, cv = static_cast<Int>(corner[2].v) - corner[0].v;
  const Int area = bu * cv - bv * cu;
  if (area == 0) return out;  // covers nothing
  const double scale = static_cast<double>(kWholeWeight) / to_double<Int>(area), step = scale * kSubStep;
  const double of[6] = {
      to_double<Int>(pu * cv - pv * cu) * scale, to_double<Int>(cv) * step,  to_double<Int>(-cu) * step,
      to_double<Int>(bu * pv - bv * pu) * scale, to_double<Int>(-bv) * step, to_double<Int>(bu) * step};
  bool steep = false;
  LAMELLA_UNROLLED
  for (int k = 0; k < 6; ++k) steep = steep || !(-kSteepest < of[k] && of[k] < kSteepest);
  if (steep) return out;
  const auto nearest = [](double x) { return static_cast<std::int64_t>((x + kToInteger) - kToInteger); };
  out.b = {nearest(of[0]), nearest(of[1]), nearest(of[2])};
  out.c = {nearest(of[3]), nearest(of[4]), nearest(of[5])};
  return out;
}
LAMELLA_HOST_DEVICE inline CornerWeights corner_weights(const EndTriangle& t, const Grid& grid) {
  return is_near(t.corner) ? corner_weights_of<std::int64_t>(t.corner, grid) : corner_weights_of<Wide>(t.corner, grid);
}

/// A vertex's component along the rays of a view, from the sum of its parts.
LAMELLA_HOST_DEVICE inline float vertex_component(SignedSum sum, double cell_area) {
  return static_cast<float>(value_of(sum) * (1.0 / kWholeWeight) * cell_area);
}

/// One view: a grid along axis w, and its ends by mesh.
struct ViewSums {
  Grid grid;
  EndSums mesh[2];
};

/// What one view says about one mesh: adds to `motion` and `inner`, whose normal is not divided by the area yet. The
/// pivot is in the grids' frame.
LAMELLA_HOST_DEVICE inline void add_view(const Grid& grid, const EndSums& sums, Vec3d pivot, MotionGradient& motion,
                                         InnerSurface& inner) {
  const int u = grid.u(), v = grid.v(), w = grid.w();
  const double cell_u = grid.cell_u(), cell_v = grid.cell_v(), area = cell_u * cell_v;
  const double count = value_of(sums.count);
  const double arm_u = value_of(sums.twice_u) * 0.5 * cell_u + (grid.box.min[u] - pivot[u]) * count;
  const double arm_v = value_of(sums.twice_v) * 0.5 * cell_v + (grid.box.min[v] - pivot[v]) * count;
  motion.translation[w] += count * area;
  motion.rotation[u] += arm_v * area;  // cross(r, e_w)
  motion.rotation[v] -= arm_u * area;
  const double step = area * (1.0 / kWholeWeight);
  inner.area += value_of(sums.area) * step;
  for (int k = 0; k < 3; ++k) inner.normal[k] += value_of(sums.normal[k]) * step;
}

LAMELLA_HOST_DEVICE inline void finish_inner(InnerSurface& inner) {
  const double scale = inner.area > 0 ? 1 / inner.area : 0;
  for (int k = 0; k < 3; ++k) inner.normal[k] *= scale;
}

/// Rigid motions and surfaces from all three views, which are one for each axis in any order; not the moments.
LAMELLA_HOST_DEVICE inline void sum_up_views(const ViewSums (&views)[3], Vec3d pivot, GradientSums& out) {
  out.a = out.b = {};
  out.inner_a = out.inner_b = {};
  for (const ViewSums& view : views) {
    add_view(view.grid, view.mesh[0], pivot, out.a, out.inner_a);
    add_view(view.grid, view.mesh[1], pivot, out.b, out.inner_b);
  }
  finish_inner(out.inner_a);
  finish_inner(out.inner_b);
}

/// Second moments of the spans of one view about the middle of the box's low face: in cells along u and v, in depth
/// along w. Doubles, so their order matters: the CPU adds them up by chunks of rows.
struct MomentSums {
  double length = 0, u = 0, v = 0, w = 0;
  double uu = 0, uv = 0, vv = 0, uw = 0, vw = 0, ww = 0;

  /// A span of the column at (u, v), in cells from the middle of the image.
  LAMELLA_HOST_DEVICE void add(double at_u, double at_v, float begin, float end) {
    const double from = begin, to = end, l = to - from, middle = 0.5 * (from + to);
    const double first = l * middle;
    length += l;
    u += at_u * l;
    v += at_v * l;
    w += first;
    uu += at_u * at_u * l;
    uv += at_u * at_v * l;
    vv += at_v * at_v * l;
    uw += at_u * first;
    vw += at_v * first;
    ww += l * (middle * middle + l * l * (1.0 / 12));
  }
  LAMELLA_HOST_DEVICE void add(const MomentSums& o) {
    length += o.length;
    u += o.u, v += o.v, w += o.w;
    uu += o.uu, uv += o.uv, vv += o.vv, uw += o.uw, vw += o.vw, ww += o.ww;
  }
};
/// Where a column is for MomentSums::add.
LAMELLA_HOST_DEVICE constexpr double from_middle(std::uint32_t cell, std::uint32_t cells) {
  return cell + 0.5 - 0.5 * cells;
}

/// About the centroid of the same spans. Every cell has its own extent: its square / 12.
LAMELLA_HOST_DEVICE inline void sum_up_moments(const Grid& grid, const MomentSums& m, GradientSums& out) {
  out.moments = {};
  if (!(m.length > 0)) return;
  const int u = grid.u(), v = grid.v(), w = grid.w();
  const double cell_u = grid.cell_u(), cell_v = grid.cell_v(), area = cell_u * cell_v, inverse = 1 / m.length;
  const auto set = [&](int i, int k, double x) {
    out.moments[static_cast<std::size_t>(i)][k] = out.moments[static_cast<std::size_t>(k)][i] = x * area;
  };
  set(u, u, (m.uu - m.u * m.u * inverse + m.length * (1.0 / 12)) * cell_u * cell_u);
  set(v, v, (m.vv - m.v * m.v * inverse + m.length * (1.0 / 12)) * cell_v * cell_v);
  set(w, w, m.ww - m.w * m.w * inverse);
  set(u, v, (m.uv - m.u * m.v * inverse) * cell_u * cell_v);
  set(u, w, (m.uw - m.u * m.w * inverse) * cell_u);
  set(v, w, (m.vw - m.v * m.w * inverse) * cell_v);
}

}  // namespace lamella
