// Rays along an axis, with exact orientations. Rays count as moved by (e, e^2) across, for an infinitely small e, so
// that none passes through an edge; a triangle that the point lies on is found before that.

#include "proof/winding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/exact.hpp"
#include "proof/outcodes.hpp"

namespace lamella::proof {
namespace {

struct Axes {
  int u, v, w;
};

/// Which way a, b, p turn once p is moved. 0 only when a and b are one point as the ray sees them.
int turn(Vec3 a, Vec3 b, Vec3d p, const Axes& axes) {
  if (const int sign = orient2d_wide(a, b, p, axes.w); sign != 0) return sign;
  const float av = a[axes.v], bv = b[axes.v], au = a[axes.u], bu = b[axes.u];
  if (av != bv) return bv < av ? 1 : -1;
  return (bu > au) - (bu < au);
}

/// Of a point in the triangle's plane: whether it lies on the triangle. False for triangles without area.
bool on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3d p) {
  for (int axis = 0; axis < 3; ++axis) {
    const int turns = orient2d(a, b, c, axis);
    if (turns == 0) continue;
    return orient2d_wide(a, b, p, axis) != -turns && orient2d_wide(b, c, p, axis) != -turns &&
           orient2d_wide(c, a, p, axis) != -turns;
  }
  return false;
}

/// Adds the crossing of the ray up from p with a triangle.
void cross(Vec3 a, Vec3 b, Vec3 c, Vec3d p, const Axes& axes, int& winding) {
  const auto [low, high] = std::minmax({a[axes.w], b[axes.w], c[axes.w]});
  if (winding == kOnSurface || high < p[axes.w]) return;
  int side = 0;
  if (low <= p[axes.w]) {
    side = orient3d_wide(a, b, c, p);
    if (side == 0 && on_triangle(a, b, c, p)) {
      winding = kOnSurface;
      return;
    }
  }
  const int first = turn(a, b, p, axes);
  if (first == 0 || turn(b, c, p, axes) != first || turn(c, a, p, axes) != first) return;
  if (low > p[axes.w] || side == -first) winding += first;
}

/// Which points a triangle may matter to: those in its box, seen along the ray.
class PointsAlongU {
 public:
  PointsAlongU(std::span<const WindingPoint> points, const Axes& axes, std::vector<std::uint32_t>& order)
      : points_(points), axes_(axes), order_(order) {
    order_.resize(points.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
      const double x = points[i].at[axes.u], y = points[j].at[axes.u];
      return x != y ? x < y : i < j;
    });
  }

  template <class Visit>
  void for_box(Vec3 a, Vec3 b, Vec3 c, const Visit& visit) const {
    const auto [low_u, high_u] = std::minmax({a[axes_.u], b[axes_.u], c[axes_.u]});
    const auto [low_v, high_v] = std::minmax({a[axes_.v], b[axes_.v], c[axes_.v]});
    auto i = std::lower_bound(order_.begin(), order_.end(), static_cast<double>(low_u),
                              [this](std::uint32_t k, double at) { return points_[k].at[axes_.u] < at; });
    for (; i != order_.end() && points_[*i].at[axes_.u] <= high_u; ++i)
      if (const double v = points_[*i].at[axes_.v]; v >= low_v && v <= high_v) visit(*i);
  }

 private:
  std::span<const WindingPoint> points_;
  Axes axes_;
  std::vector<std::uint32_t>& order_;
};

/// Rejects what no ray of these points can meet.
Outcodes beyond_rays(std::span<const WindingPoint> points, const Axes& axes) {
  const double inf = std::numeric_limits<double>::infinity();
  Vec3d low{inf, inf, inf}, high{-inf, -inf, -inf};
  for (const WindingPoint& p : points)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p.at[k]), high[k] = std::max(high[k], p.at[k]);
  high[axes.w] = inf;
  return outcodes_of(low, high);
}

}  // namespace

bool lies_on(Vec3d p, const Vec3 t[3]) {
  return orient3d_wide(t[0], t[1], t[2], p) == 0 && on_triangle(t[0], t[1], t[2], p);
}

Vec3d settled(Vec3d p) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(p[k]) < 0x1p-180) p[k] = std::nearbyint(p[k] / kFinestDouble) * kFinestDouble;
  return p;
}

void find_windings(MeshView mesh, std::span<const WindingPoint> points, int axis, Workers& workers,
                   WindingScratch& scratch, std::span<int> out, EdgeSums* sums) {
  std::fill(out.begin(), out.end(), 0);
  if (points.empty()) return;
  const Axes axes{(axis + 1) % 3, (axis + 2) % 3, axis};
  find_inside_candidates(mesh, beyond_rays(points, axes), workers, scratch.codes, scratch.chunks, sums);
  const PointsAlongU along(points, axes, scratch.order);
  const std::size_t chunks = (mesh.triangles.size() + kOutcodeChunk - 1) / kOutcodeChunk;
  for (std::size_t i = 0; i < chunks; ++i)
    for (const std::uint32_t t : scratch.chunks[i]) {
      const Triangle& corners = mesh.triangles[t];
      const Vec3 a = mesh.positions[corners.a], b = mesh.positions[corners.b], c = mesh.positions[corners.c];
      along.for_box(a, b, c, [&](std::uint32_t k) {
        if (points[k].without != t) cross(a, b, c, points[k].at, axes, out[k]);
      });
    }
}

}  // namespace lamella::proof
