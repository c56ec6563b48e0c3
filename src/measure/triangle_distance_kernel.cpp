// Distances of pairs of triangles, a pair in each lane: the same features as in triangle_distance.cpp, all of them
// tried.

#include "measure/triangle_distance.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/triangle_distance_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F64 = hn::ScalableTag<double>;
using VD = hn::Vec<F64>;

struct V3 {
  VD x, y, z;
};
HWY_INLINE V3 Subtract(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
HWY_INLINE V3 Scale(const V3& a, VD s) { return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)}; }
HWY_INLINE VD Dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V3 Cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// 1 / x, or 0.
HWY_INLINE VD InverseOrZero(VD x) {
  const F64 d;
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Div(hn::Set(d, 1), x));
}

/// From a corner to an edge, which is given by its start seen from the corner.
HWY_INLINE VD CornerEdge(const V3& start, const V3& edge, VD inverse) {
  const F64 d;
  const VD at = hn::Min(hn::Max(hn::Neg(hn::Mul(Dot(start, edge), inverse)), hn::Zero(d)), hn::Set(d, 1));
  const V3 away = Subtract(start, Scale(edge, hn::Neg(at)));
  return Dot(away, away);
}

/// Of two lines, where they are nearest within both edges.
HWY_INLINE VD EdgeEdge(const V3& between, const V3& e, const V3& f, VD best) {
  const F64 d;
  const VD zero = hn::Zero(d);
  const V3 normal = Cross(e, f);
  const VD size = Dot(normal, normal), s = Dot(Cross(between, f), normal), t = Dot(Cross(between, e), normal);
  const auto inside = hn::And(hn::And(hn::Gt(s, zero), hn::Lt(s, size)), hn::And(hn::Gt(t, zero), hn::Lt(t, size)));
  const VD height = Dot(between, normal);
  return hn::IfThenElse(inside, hn::Min(best, hn::Div(hn::Mul(height, height), size)), best);
}

struct Face {
  V3 u, v, normal;
  VD size, inverse;
};
HWY_INLINE Face FaceOf(const V3& u, const V3& v) {
  const V3 normal = Cross(u, v);
  const VD size = Dot(normal, normal);
  return {u, v, normal, size, InverseOrZero(size)};
}
/// A point, seen from the face's first corner.
HWY_INLINE VD CornerFace(const V3& p, const Face& face, VD best) {
  const VD zero = hn::Zero(F64());
  const VD v = Dot(Cross(p, face.v), face.normal), w = Dot(Cross(face.u, p), face.normal);
  const auto inside = hn::And(hn::And(hn::Gt(v, zero), hn::Gt(w, zero)), hn::Lt(hn::Add(v, w), face.size));
  const VD height = Dot(p, face.normal);
  return hn::IfThenElse(inside, hn::Min(best, hn::Mul(hn::Mul(height, height), face.inverse)), best);
}

inline void SquaresBetween(const TrianglePairs& pairs, double* squares) {
  const F64 d;
  for (std::size_t lane = 0; lane < TrianglePairs::kMost; lane += hn::Lanes(d)) {
    const auto corner = [&](const double(&of)[9][TrianglePairs::kMost], int c) {
      return V3{hn::LoadU(d, of[3 * c] + lane), hn::LoadU(d, of[3 * c + 1] + lane), hn::LoadU(d, of[3 * c + 2] + lane)};
    };
    V3 a[3], b[3], e[3], f[3];
    VD inverse_e[3], inverse_f[3];
    for (int i = 0; i < 3; ++i) {
      a[i] = corner(pairs.a, i);
      b[i] = corner(pairs.b, i);
    }
    for (int i = 0; i < 3; ++i) {
      e[i] = Subtract(a[(i + 1) % 3], a[i]);
      f[i] = Subtract(b[(i + 1) % 3], b[i]);
      inverse_e[i] = InverseOrZero(Dot(e[i], e[i]));
      inverse_f[i] = InverseOrZero(Dot(f[i], f[i]));
    }
    const Face face_a = FaceOf(e[0], Subtract(a[2], a[0])), face_b = FaceOf(f[0], Subtract(b[2], b[0]));
    VD best = hn::Set(d, HUGE_VAL);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const V3 to_b = Subtract(b[k], a[i]), to_a = Subtract(a[i], b[k]);
        best = hn::Min(best, hn::Min(CornerEdge(to_b, f[k], inverse_f[k]), CornerEdge(to_a, e[i], inverse_e[i])));
        best = EdgeEdge(to_b, e[i], f[k], best);
        if (i == 0) best = CornerFace(to_b, face_a, best);
        if (k == 0) best = CornerFace(to_a, face_b, best);
      }
    hn::StoreU(best, d, squares + lane);
  }
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(SquaresBetween);

void squares_between(const TrianglePairs& pairs, double* squares) {
  HWY_DYNAMIC_DISPATCH(SquaresBetween)(pairs, squares);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
