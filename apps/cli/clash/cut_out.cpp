// Sutherland and Hodgman, Reentrant Polygon Clipping, Communications of the ACM 17 (1974), for triangles and a cube.

#include "cli/clash/cut_out.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace lamella::cli {
namespace {

constexpr std::uint32_t kNotYet = std::numeric_limits<std::uint32_t>::max();

using Polygon = std::vector<Vec3d>;

/// How far inside the face of the cube: along `axis`, at its high or low end.
double inside(Vec3d p, int axis, bool high, double reach) { return reach - (high ? p[axis] : -p[axis]); }

void clip(Polygon& polygon, Polygon& scratch, int axis, bool high, double reach) {
  scratch.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3d from = polygon[i], to = polygon[(i + 1) % polygon.size()];
    const double a = inside(from, axis, high, reach), b = inside(to, axis, high, reach);
    if (a >= 0) scratch.push_back(from);
    if ((a >= 0) != (b >= 0)) scratch.push_back(from + (to - from) * (a / (a - b)));
  }
  polygon.swap(scratch);
}

class CutOut {
 public:
  CutOut(MeshView mesh, Vec3d center, double reach) : mesh_(mesh), shift_(mesh.origin - center), reach_(reach) {
    numbers_.assign(mesh.positions.size(), kNotYet);
  }

  Mesh make() {
    for (const Triangle t : mesh_.triangles) add(t);
    return std::move(out_);
  }

 private:
  void add(Triangle t) {
    const Polygon corners{at(t.a), at(t.b), at(t.c)};
    int within = 0;
    for (const Vec3d p : corners) {
      if (!std::isfinite(dot(p, p))) return;
      if (is_within(p)) ++within;
    }
    if (within == 3) {
      out_.triangles.push_back({number(t.a), number(t.b), number(t.c)});
    } else if (!beside(corners)) {
      add_cut(corners);
    }
  }

  /// Whether all corners are beyond one face.
  [[nodiscard]] bool beside(const Polygon& corners) const {
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool high : {false, true}) {
        int beyond = 0;
        for (const Vec3d p : corners) beyond += inside(p, axis, high, reach_) < 0 ? 1 : 0;
        if (beyond == 3) return true;
      }
    }
    return false;
  }

  void add_cut(const Polygon& corners) {
    polygon_ = corners;
    for (int axis = 0; axis < 3 && !polygon_.empty(); ++axis) {
      clip(polygon_, scratch_, axis, false, reach_);
      if (!polygon_.empty()) clip(polygon_, scratch_, axis, true, reach_);
    }
    if (polygon_.size() < 3) return;
    const auto first = static_cast<std::uint32_t>(out_.positions.size());
    for (const Vec3d p : polygon_) out_.positions.push_back(to_float(p));
    for (std::uint32_t i = 2; i < polygon_.size(); ++i) out_.triangles.push_back({first, first + i - 1, first + i});
  }

  [[nodiscard]] Vec3d at(std::uint32_t vertex) const { return to_double(mesh_.positions[vertex]) + shift_; }
  [[nodiscard]] bool is_within(Vec3d p) const {
    return std::abs(p.x) <= reach_ && std::abs(p.y) <= reach_ && std::abs(p.z) <= reach_;
  }
  /// Triangles that are whole share their vertices, so that they are drawn smooth.
  std::uint32_t number(std::uint32_t vertex) {
    if (numbers_[vertex] == kNotYet) {
      numbers_[vertex] = static_cast<std::uint32_t>(out_.positions.size());
      out_.positions.push_back(to_float(at(vertex)));
    }
    return numbers_[vertex];
  }

  MeshView mesh_;
  Vec3d shift_;
  double reach_;
  std::vector<std::uint32_t> numbers_;
  Polygon polygon_, scratch_;
  Mesh out_;
};

}  // namespace

Mesh cut_out(MeshView mesh, Vec3d center, double reach) { return CutOut(mesh, center, reach).make(); }

}  // namespace lamella::cli
