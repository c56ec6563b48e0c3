#include "bench/gi/hull.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

using Face = std::array<std::uint32_t, 3>;

class Builder {
 public:
  explicit Builder(std::span<const Vec3> points) {
    for (const Vec3 p : points) points_.push_back(to_double(p));
    // Those far out first: most others are then inside, and few that lie on a flat side become vertices.
    Vec3d middle;
    for (const Vec3d p : points_) middle = middle + p * (1.0 / static_cast<double>(points_.size()));
    std::stable_sort(points_.begin(), points_.end(),
                     [&](Vec3d p, Vec3d q) { return dot(p - middle, p - middle) > dot(q - middle, q - middle); });
  }

  Hull run() {
    begin();
    for (std::uint32_t i = 0; i < points_.size(); ++i) add(i);
    return finish();
  }

 private:
  struct Plane {
    Face face;
    Vec3d normal;  ///< of unit length
    double offset = 0;
  };

  [[nodiscard]] double above(const Plane& plane, Vec3d p) const { return dot(plane.normal, p) - plane.offset; }

  /// False for a triangle without area.
  bool add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec3d normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
    const double length = std::sqrt(dot(normal, normal));
    if (!(length > 0)) return false;
    const Vec3d unit = normal * (1 / length);
    planes_.push_back({{a, b, c}, unit, dot(unit, points_[a])});
    return true;
  }

  template <class Measure>
  [[nodiscard]] std::uint32_t furthest(const Measure& measure) const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < points_.size(); ++i) best = measure(points_[i]) > measure(points_[best]) ? i : best;
    return best;
  }

  /// A tetrahedron of points far from each other.
  void begin() {
    if (points_.size() < 4) fail();
    const Vec3d first = points_[0];
    const auto square = [](Vec3d v) { return dot(v, v); };
    const std::uint32_t a = furthest([&](Vec3d p) { return square(p - first); });
    const std::uint32_t b = furthest([&](Vec3d p) { return square(p - points_[a]); });
    const Vec3d line = points_[b] - points_[a];
    least_ = 1e-9 * std::sqrt(square(line));
    const std::uint32_t c = furthest([&](Vec3d p) { return square(cross(line, p - points_[a])); });
    if (!add_face(a, b, c)) fail();
    const Plane base = planes_.front();
    const std::uint32_t d = furthest([&](Vec3d p) { return std::abs(above(base, p)); });
    const double height = above(base, points_[d]);
    if (!(std::abs(height) > least_)) fail();
    planes_.clear();
    const auto [s, t] = height > 0 ? std::pair(c, b) : std::pair(b, c);  // d is below the first face
    add_face(a, s, t);
    add_face(a, d, s);
    add_face(s, d, t);
    add_face(t, d, a);
  }

  /// Replaces the faces that a point is above of by those that join it to their border.
  void add(std::uint32_t point) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    const auto hidden = std::stable_partition(
        planes_.begin(), planes_.end(), [&](const Plane& plane) { return above(plane, points_[point]) <= least_; });
    for (auto plane = hidden; plane != planes_.end(); ++plane) {
      for (unsigned k = 0; k < 3; ++k) edges.insert({plane->face[k], plane->face[(k + 1) % 3]});
    }
    planes_.erase(hidden, planes_.end());
    for (const auto& [from, to] : edges) {
      if (!edges.contains({to, from})) add_face(from, to, point);
    }
  }

  [[nodiscard]] Hull finish() const {
    constexpr std::uint32_t kUnused = 0xffffffffu;
    Hull hull;
    std::vector<std::uint32_t> number(points_.size(), kUnused);
    for (const Plane& plane : planes_) {
      Face& face = hull.faces.emplace_back(plane.face);
      for (std::uint32_t& v : face) {
        if (number[v] == kUnused) {
          number[v] = static_cast<std::uint32_t>(hull.vertices.size());
          hull.vertices.push_back(points_[v]);
        }
        v = number[v];
      }
    }
    return hull;
  }

  [[noreturn]] static void fail() {
    throw Error("convex hull: the points lie in one plane; give a surface that encloses a volume");
  }

  std::vector<Vec3d> points_;
  std::vector<Plane> planes_;
  double least_ = 0;  ///< a point must be higher above a face to count
};

}  // namespace

Hull convex_hull(std::span<const Vec3> points) { return Builder(points).run(); }

}  // namespace lamella::bench
