// The smallest distance of two triangles is that of a corner and an edge, of two edges, or of a corner and a face. All
// of them are tried, and every distance is measured between two points that were put on the triangles: a wrong decision
// by rounding can only choose between points that are equally near. Where two edges, or a corner and a face, are
// nearest inside both is found by cross products: of differences of floats these lose almost nothing, also where edges
// are nearly parallel or a triangle is very thin.

#include "measure/triangle_distance.hpp"

#include <algorithm>
#include <limits>

namespace lamella::measure {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double square(Vec3d v) { return dot(v, v); }

/// Where on the segment from `from` along `edge` the point nearest to p is: 0 to 1.
double nearest_on_edge(Vec3d p, Vec3d from, Vec3d edge) {
  const double length = square(edge);
  return length > 0 ? std::clamp(dot(p - from, edge) / length, 0.0, 1.0) : 0.0;
}
/// Exactly `to` at 1.
Vec3d along(Vec3d from, Vec3d to, double at) { return at == 1 ? to : from + (to - from) * at; }

/// The weights of corners b and c where the plane's point nearest to p is. False when that is not inside.
bool project(Vec3d p, const Vec3d t[3], double& b, double& c) {
  const Vec3d ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const Vec3d normal = cross(ab, ac);
  const double area = square(normal);
  b = dot(cross(ap, ac), normal);
  c = dot(cross(ab, ap), normal);
  if (!(b > 0 && c > 0 && b + c < area)) return false;
  b /= area;
  c /= area;
  return true;
}

class PairOfTriangles {
 public:
  PairOfTriangles(const Vec3d a[3], const Vec3d b[3]) : a_(a), b_(b) {}

  NearestPair find() {
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const int i1 = (i + 1) % 3, k1 = (k + 1) % 3;
        const Vec3d e = a_[i1] - a_[i], f = b_[k1] - b_[k];
        take(a_[i], along(b_[k], b_[k1], nearest_on_edge(a_[i], b_[k], f)));
        take(along(a_[i], a_[i1], nearest_on_edge(b_[k], a_[i], e)), b_[k]);
        take_edges(i, i1, e, k, k1, f);
      }
    double v = 0, w = 0;
    for (int i = 0; i < 3; ++i) {
      if (project(a_[i], b_, v, w)) take(a_[i], b_[0] + (b_[1] - b_[0]) * v + (b_[2] - b_[0]) * w);
      if (project(b_[i], a_, v, w)) take(a_[0] + (a_[1] - a_[0]) * v + (a_[2] - a_[0]) * w, b_[i]);
    }
    return best_;
  }

 private:
  void take(Vec3d on_a, Vec3d on_b) {
    const double found = square(on_a - on_b);
    if (found < best_.square) best_ = {found, on_a, on_b};
  }

  /// Where the lines of two edges are nearest, if that is inside both.
  void take_edges(int i, int i1, Vec3d e, int k, int k1, Vec3d f) {
    const Vec3d normal = cross(e, f), between = b_[k] - a_[i];
    const double size = square(normal);
    const double s = dot(cross(between, f), normal), t = dot(cross(between, e), normal);
    if (!(s > 0 && s < size && t > 0 && t < size)) return;
    take(along(a_[i], a_[i1], s / size), along(b_[k], b_[k1], t / size));
  }

  const Vec3d *a_, *b_;
  NearestPair best_{kInfinity, {}, {}};
};

/// Where an edge of `edges` passes through `face`.
bool pierces(const Vec3d edges[3], const Vec3d face[3], Vec3d& at) {
  const Vec3d normal = cross(face[1] - face[0], face[2] - face[0]);
  for (int i = 0; i < 3; ++i) {
    const Vec3d from = edges[i], to = edges[(i + 1) % 3];
    const double low = dot(from - face[0], normal), high = dot(to - face[0], normal);
    if (!((low <= 0 && high >= 0) || (low >= 0 && high <= 0)) || low == high) continue;
    at = from + (to - from) * (low / (low - high));
    const double scale = square(to - from) + square(face[1] - face[0]) + square(face[2] - face[0]);
    if (nearest_on_triangle(at, face).square <= scale * 0x1p-80) return true;
  }
  return false;
}

}  // namespace

NearestOnTriangle nearest_on_triangle(Vec3d p, const Vec3d t[3]) {
  NearestOnTriangle best{kInfinity, {}, {}};
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const double s = nearest_on_edge(p, t[i], t[k] - t[i]);
    const Vec3d at = along(t[i], t[k], s);
    const double found = square(p - at);
    if (!(found < best.square)) continue;
    best.square = found;
    best.at = at;
    best.weights = {};
    best.weights[i] = 1 - s;
    best.weights[k] = s;
  }
  double v = 0, w = 0;
  if (!project(p, t, v, w)) return best;
  const Vec3d at = t[0] + (t[1] - t[0]) * v + (t[2] - t[0]) * w;
  if (const double found = square(p - at); found < best.square) best = {found, at, {1 - v - w, v, w}};
  return best;
}

NearestPair nearest_of_triangles(const Vec3d a[3], const Vec3d b[3]) { return PairOfTriangles(a, b).find(); }

Vec3d shared_point(const Vec3d a[3], const Vec3d b[3]) {
  Vec3d at;
  if (pierces(a, b, at) || pierces(b, a, at)) return at;
  const NearestPair pair = nearest_of_triangles(a, b);
  return (pair.on_a + pair.on_b) * 0.5;
}

}  // namespace lamella::measure
