// Ear clipping; holes are joined to the outline by bridges first (Eberly: "Triangulation by Ear Clipping", 2002).
// Departure: the bridge goes to the nearest corner of the outline that the hole's rightmost corner sees, found by
// trying all of them.

#include "scenes/polygon.hpp"

#include <algorithm>
#include <limits>

namespace lamella::scenes {
namespace {

double orient(Point2 a, Point2 b, Point2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

bool same(Point2 a, Point2 b) { return a.x == b.x && a.y == b.y; }

/// Whether segments cross or touch, other than at shared ends.
bool cross(Point2 a, Point2 b, Point2 c, Point2 d) {
  if (same(a, c) || same(a, d) || same(b, c) || same(b, d)) return false;
  const double p = orient(a, b, c) * orient(a, b, d), q = orient(c, d, a) * orient(c, d, b);
  return p <= 0 && q <= 0;
}

struct Corners {
  std::vector<Point2> points;
  std::vector<std::vector<std::uint32_t>> holes;
  std::vector<std::uint32_t> loop;  ///< the outline with the holes joined so far
};

/// Whether the ray from the loop's corner i towards p leaves into the polygon there.
bool inside_corner(const Corners& c, std::size_t i, Point2 p) {
  const std::size_t count = c.loop.size();
  const Point2 at = c.points[c.loop[i]], before = c.points[c.loop[(i + count - 1) % count]],
               after = c.points[c.loop[(i + 1) % count]];
  if (orient(before, at, after) > 0) return orient(before, at, p) > 0 && orient(at, after, p) > 0;
  return orient(before, at, p) > 0 || orient(at, after, p) > 0;
}

void join(Corners& c, std::size_t number) {
  std::vector<std::uint32_t>& hole = c.holes[number];
  std::rotate(hole.begin(),
              std::max_element(hole.begin(), hole.end(),
                               [&](std::uint32_t a, std::uint32_t b) { return c.points[a].x < c.points[b].x; }),
              hole.end());
  const Point2 from = c.points[hole.front()];
  const auto seen = [&](std::size_t i) {
    const Point2 to = c.points[c.loop[i]];
    if (!inside_corner(c, i, from)) return false;
    const auto blocked = [&](const std::vector<std::uint32_t>& loop) {
      for (std::size_t k = 0; k < loop.size(); ++k)
        if (cross(from, to, c.points[loop[k]], c.points[loop[(k + 1) % loop.size()]])) return true;
      return false;
    };
    if (blocked(c.loop)) return false;
    for (std::size_t k = number; k < c.holes.size(); ++k)
      if (blocked(c.holes[k])) return false;
    return true;
  };
  std::vector<std::pair<double, std::size_t>> nearest;
  for (std::size_t i = 0; i < c.loop.size(); ++i) {
    const Point2 p = c.points[c.loop[i]];
    nearest.emplace_back((p.x - from.x) * (p.x - from.x) + (p.y - from.y) * (p.y - from.y), i);
  }
  std::sort(nearest.begin(), nearest.end());
  const auto at = std::find_if(nearest.begin(), nearest.end(), [&](const auto& each) { return seen(each.second); });
  std::vector<std::uint32_t> bridge{hole.begin(), hole.end()};
  bridge.push_back(hole.front());
  bridge.push_back(c.loop[at->second]);
  c.loop.insert(c.loop.begin() + static_cast<std::ptrdiff_t>(at->second) + 1, bridge.begin(), bridge.end());
}

bool is_ear(const Corners& c, std::size_t i) {
  const std::size_t count = c.loop.size();
  const Point2 p = c.points[c.loop[(i + count - 1) % count]], q = c.points[c.loop[i]],
               r = c.points[c.loop[(i + 1) % count]];
  if (!(orient(p, q, r) > 0)) return false;
  for (const std::uint32_t v : c.loop) {
    const Point2 at = c.points[v];
    if (same(at, p) || same(at, q) || same(at, r)) continue;
    if (orient(p, q, at) >= 0 && orient(q, r, at) >= 0 && orient(r, p, at) >= 0) return false;
  }
  return true;
}

}  // namespace

std::vector<Triangle> triangulate(const Polygon& outline, std::span<const Polygon> holes) {
  Corners c;
  const auto add = [&](const Polygon& polygon) {
    std::vector<std::uint32_t> loop;
    for (const Point2 p : polygon) {
      loop.push_back(static_cast<std::uint32_t>(c.points.size()));
      c.points.push_back(p);
    }
    return loop;
  };
  c.loop = add(outline);
  for (const Polygon& hole : holes) c.holes.push_back(add(hole));
  const auto right = [&](const std::vector<std::uint32_t>& hole) {
    double most = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t v : hole) most = std::max(most, c.points[v].x);
    return most;
  };
  std::stable_sort(c.holes.begin(), c.holes.end(), [&](const auto& a, const auto& b) { return right(a) > right(b); });
  for (std::size_t i = 0; i < c.holes.size(); ++i) join(c, i);

  std::vector<Triangle> triangles;
  std::size_t i = 0;
  while (c.loop.size() > 3) {
    const std::size_t count = c.loop.size();
    std::size_t tried = 0;
    for (; tried < count && !is_ear(c, i); ++tried) i = (i + 1) % count;
    triangles.push_back({c.loop[(i + count - 1) % count], c.loop[i], c.loop[(i + 1) % count]});
    c.loop.erase(c.loop.begin() + static_cast<std::ptrdiff_t>(i));
    i %= c.loop.size();
  }
  triangles.push_back({c.loop[0], c.loop[1], c.loop[2]});
  return triangles;
}

}  // namespace lamella::scenes
