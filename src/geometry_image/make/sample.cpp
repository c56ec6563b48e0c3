// Rasterises the triangles of the map over the grid, one after the other. Whether a grid point is in a triangle, border
// included, is decided exactly. So if the boundary runs once around the square, every grid point is in a triangle that
// is not turned over, however thin the triangles are and even where others are turned over (the map's degree is 1).
// Weights are clamped, so that a sample lies on its triangle despite rounding.

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/map_orient.hpp"

namespace lamella::gi {

namespace {

/// The grid points ((x + shift) / 2^n, (y + shift) / 2^n), count of them along either axis.
struct SampleGrid {
  int n;
  double shift;
  std::int64_t count;
};

Vec2d scaled(Vec2d p, const SampleGrid& grid) {
  return {std::ldexp(p.x, grid.n) - grid.shift, std::ldexp(p.y, grid.n) - grid.shift};
}

/// Integers from low to high, within [0, count).
struct Interval {
  std::int64_t begin = 0, end = 0;

  Interval(double low, double high, std::int64_t count) {
    const double most = static_cast<double>(count);
    begin = static_cast<std::int64_t>(std::clamp(std::ceil(low), 0.0, most));
    end = static_cast<std::int64_t>(std::clamp(std::floor(high) + 1, 0.0, most));
  }
};

/// The point of the surface's triangle with these weights; negative ones count as 0.
Vec3d weighted(const Disc& disc, const Triangle& t, double a, double b, double c) {
  a = std::max(a, 0.0), b = std::max(b, 0.0), c = std::max(c, 0.0);
  const double sum = a + b + c;
  if (!(sum > 0)) return disc.positions[t.a];
  const Vec3d &p = disc.positions[t.a], &q = disc.positions[t.b], &r = disc.positions[t.c];
  // As offsets from one corner, so that a triangle with coinciding corners gives exactly that point.
  return p + (q - p) * (b / sum) + (r - p) * (c / sum);
}

/// Calls found(x, y, point of the surface) for every grid point in the triangle.
template <class Found>
void rasterise(const Disc& disc, const Triangle& t, const SampleGrid& grid, const Found& found) {
  const Vec2d a = scaled(disc.map[t.a], grid), b = scaled(disc.map[t.b], grid), c = scaled(disc.map[t.c], grid);
  const Interval rows(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), grid.count);
  const double left = std::min({a.x, b.x, c.x}), right = std::max({a.x, b.x, c.x});
  if (rows.begin >= rows.end || std::ceil(left) > std::floor(right) || !(orient(a, b, c) > 0)) return;
  for (std::int64_t y = rows.begin; y < rows.end; ++y) {
    const double height = static_cast<double>(y);
    // Where the row enters and leaves, with room for rounding: the exact test below decides.
    double low = right, high = left;
    const auto cross_edge = [&](Vec2d p, Vec2d q) {
      if (std::max(p.y, q.y) < height || std::min(p.y, q.y) > height) return;
      const double step = q.y - p.y, along = step != 0 ? std::clamp((height - p.y) / step, 0.0, 1.0) : 0.0;
      const double x = p.x + (q.x - p.x) * along, other = step != 0 ? x : q.x;
      const double slack = 1e-12 * (std::abs(p.x) + std::abs(q.x));
      low = std::min({low, x - slack, other - slack});
      high = std::max({high, x + slack, other + slack});
    };
    cross_edge(a, b);
    cross_edge(b, c);
    cross_edge(c, a);
    const Interval columns(std::max(low, left), std::min(high, right), grid.count);
    for (std::int64_t x = columns.begin; x < columns.end; ++x) {
      const Vec2d p{static_cast<double>(x), height};
      const double to_a = orient(p, b, c), to_b = orient(a, p, c), to_c = orient(a, b, p);
      if (to_a >= 0 && to_b >= 0 && to_c >= 0) found(x, y, weighted(disc, t, to_a, to_b, to_c));
    }
  }
}

double squared(Vec2d p) { return p.x * p.x + p.y * p.y; }

/// How far along the edge from p to q the point nearest to `to` is, in [0, 1].
double nearest_along(Vec2d p, Vec2d q, Vec2d to) {
  const Vec2d edge{q.x - p.x, q.y - p.y};
  const double length = squared(edge);
  return length > 0 ? std::clamp(((to.x - p.x) * edge.x + (to.y - p.y) * edge.y) / length, 0.0, 1.0) : 0.0;
}

/// The surface's point nearest in the map to `to`, which is in no triangle. Takes time linear in the triangles.
Vec3d nearest(const Disc& disc, Vec2d to) {
  double best = std::numeric_limits<double>::infinity();
  Vec3d point{};
  for (const Triangle& t : disc.triangles) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = t[i], next = t[(i + 1) % 3];
      const Vec2d p = disc.map[from], q = disc.map[next];
      const double along = nearest_along(p, q, to);
      const double distance = squared({p.x + (q.x - p.x) * along - to.x, p.y + (q.y - p.y) * along - to.y});
      if (!(distance < best)) continue;
      best = distance;
      point = disc.positions[from] + (disc.positions[next] - disc.positions[from]) * along;
    }
  }
  return point;
}

double distance(Vec3d a, Vec3d b) { return std::sqrt(dot(a - b, a - b)); }

/// The image's surface at a point of the map.
Vec3d image_point(int n, const std::vector<Vec3>& positions, Vec2d place) {
  const std::size_t quads = std::size_t{1} << n, side = quads + 1;
  const double most = static_cast<double>(quads);
  const double x = std::clamp(std::ldexp(place.x, n), 0.0, most), y = std::clamp(std::ldexp(place.y, n), 0.0, most);
  const auto column = std::min(static_cast<std::size_t>(x), quads - 1);
  const auto row = std::min(static_cast<std::size_t>(y), quads - 1);
  const double u = x - static_cast<double>(column), v = y - static_cast<double>(row);
  const std::size_t low = row * side + column;
  const Vec3d from = to_double(positions[low]), far = to_double(positions[low + side + 1]);
  const Vec3d corner = to_double(positions[u >= v ? low + 1 : low + side]);
  const double along = std::min(u, v), beside = std::max(u, v) - along;
  return from + (far - from) * along + (corner - from) * beside;
}

}  // namespace

void sample(const Disc& disc, int n, std::vector<Vec3>& positions) {
  const SampleGrid grid{n, 0.0, (std::int64_t{1} << n) + 1};
  const float none = std::numeric_limits<float>::quiet_NaN();
  positions.assign(static_cast<std::size_t>(grid.count * grid.count), {none, none, none});
  for (const Triangle& t : disc.triangles)
    rasterise(disc, t, grid, [&](std::int64_t x, std::int64_t y, Vec3d point) {
      positions[static_cast<std::size_t>(y * grid.count + x)] = to_float(point);
    });
  // Only where the boundary is not the square's border.
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!std::isnan(positions[i].x)) continue;
    const auto side = static_cast<std::size_t>(grid.count);
    positions[i] = to_float(
        nearest(disc, {std::ldexp(static_cast<double>(i % side), -n), std::ldexp(static_cast<double>(i / side), -n)}));
  }
}

double map_distance(const Disc& disc, int n, const std::vector<Vec3>& positions) {
  double furthest = 0;
  for (std::size_t i = 0; i < disc.positions.size(); ++i)
    furthest = std::max(furthest, distance(disc.positions[i], image_point(n, positions, disc.map[i])));
  const SampleGrid middles{n, 0.5, std::int64_t{1} << n};
  const std::size_t side = (std::size_t{1} << n) + 1;
  for (const Triangle& t : disc.triangles)
    rasterise(disc, t, middles, [&](std::int64_t x, std::int64_t y, Vec3d point) {
      const std::size_t low = static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x);
      const Vec3d middle = (to_double(positions[low]) + to_double(positions[low + side + 1])) * 0.5;
      furthest = std::max(furthest, distance(point, middle));
    });
  return furthest;
}

}  // namespace lamella::gi
