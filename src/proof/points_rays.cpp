#include "proof/points_rays.hpp"

#include <algorithm>

#include "proof/points_crossing.hpp"

namespace lamella::proof {
namespace {

/// Below these it costs less to test the boxes of all triangles against every point.
constexpr std::size_t kFewTriangles = 32, kFewPoints = 16;
constexpr int kMostSplits = 40;

struct PointBox {
  Vec3 low, high;
};
PointBox box_of(std::span<const RayStart> points) {
  PointBox box{points[0].at, points[0].at};
  for (const RayStart& p : points)
    for (int k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], p.at[k]);
      box.high[k] = std::max(box.high[k], p.at[k]);
    }
  return box;
}

}  // namespace

void RayCaster::start(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3]) {
  triangles_.resize(ids.size());
  lists_.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Triangle& t = mesh.triangles[ids[i]];
    Corners& c = triangles_[i];
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = mesh.positions[t[k]];
      c.at[k] = {p[axes[0]], p[axes[1]], p[axes[2]]};
    }
    for (int k = 0; k < 3; ++k) {
      c.low[k] = std::min({c.at[0][k], c.at[1][k], c.at[2][k]});
      c.high[k] = std::max({c.at[0][k], c.at[1][k], c.at[2][k]});
    }
    lists_[i] = static_cast<std::uint32_t>(i);
  }
}

std::span<const RayWinding> RayCaster::cast(std::span<RayStart> points) {
  windings_.assign(points.size(), {});
  first_point_ = points.data();
  if (!points.empty()) split(points, 0, triangles_.size(), kMostSplits);
  return windings_;
}

/// Halves the points, and gives each half the triangles that their rays can meet, for as long as that leaves some out.
/// The triangles are those of lists_ from `first` to `end`.
void RayCaster::split(std::span<RayStart> points, std::size_t first, std::size_t end, int depth) {
  if (end - first <= kFewTriangles || points.size() <= kFewPoints || depth == 0) return meet_all(points, first, end);
  const PointBox box = box_of(points);
  const int axis = box.high.x - box.low.x < box.high.y - box.low.y ? 1 : 0;
  const float middle = box.low[axis] + (box.high[axis] - box.low[axis]) / 2;
  const auto at = std::partition(points.begin(), points.end(), [&](const RayStart& p) { return p.at[axis] < middle; });
  const auto lower = static_cast<std::size_t>(at - points.begin());
  if (lower == 0 || lower == points.size()) return meet_all(points, first, end);
  for (const auto half : {points.first(lower), points.subspan(lower)}) {
    const PointBox b = box_of(half);
    const std::size_t next = lists_.size();
    for (std::size_t i = first; i < end; ++i) {
      const Corners& c = triangles_[lists_[i]];
      const bool meets = c.low.x <= b.high.x && c.high.x >= b.low.x && c.low.y <= b.high.y && c.high.y >= b.low.y;
      if (meets) lists_.push_back(lists_[i]);
    }
    // A list that hardly shrinks is not worth another split: triangles lie across all points.
    const bool shrinks = (lists_.size() - next) * 4 < (end - first) * 3;
    split(half, next, lists_.size(), shrinks ? depth - 1 : std::min(depth - 1, 2));
    lists_.resize(next);
  }
}

void RayCaster::meet_all(std::span<RayStart> points, std::size_t first, std::size_t end) {
  RayWinding* const out = windings_.data() + (points.data() - first_point_);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i].at;
    const bool down = points[i].way() == Way::down;
    for (std::size_t k = first; k < end; ++k) {
      const Corners& t = triangles_[lists_[k]];
      if (!(t.low.x <= p.x && p.x <= t.high.x && t.low.y <= p.y && p.y <= t.high.y)) continue;
      const PointCrossing c = cross_triangle(p, t.at);
      out[i].on_surface += c.on_surface ? 1 : 0;
      out[i].unbalanced += c.turn;
      if (c.above != down) out[i].winding += down ? -c.turn : c.turn;
    }
  }
}

}  // namespace lamella::proof
