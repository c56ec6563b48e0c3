// Gu, Gortler, Hoppe: "Geometry Images" (2002), section 4.3. They snap the nodes of the cut to samples after laying out
// the lengths; here every path is assigned its samples first, so that both copies of a path agree by construction.

#include "geometry_image/make/border.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "geometry_image/image_codes.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "lamella/elementary.hpp"
#include "lamella/error.hpp"

namespace lamella::gi {
namespace {

/// Distances along a path that strictly ascend even where edges have no length.
std::vector<double> measures_along(const Surface& s, const CutWeights& weights,
                                   const std::vector<std::uint32_t>& vertices) {
  std::vector<double> along{0};
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const Vec3d d = s.positions[vertices[i + 1]] - s.positions[vertices[i]];
    along.push_back(std::sqrt(dot(d, d)) * (weights[vertices[i]] + weights[vertices[i + 1]]) / 2);
  }
  const double total = std::accumulate(along.begin(), along.end(), 0.0);
  const double least = total > 0 ? 1e-3 * total / static_cast<double>(vertices.size() - 1) : 1;
  for (std::size_t i = 1; i < along.size(); ++i) along[i] = along[i - 1] + along[i] + least;
  return along;
}

/// Divides the loop at the nodes into sides, and finds which two are copies of one path.
void find_sides(const Surface& s, Border& border) {
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  std::vector<std::uint32_t> loop = open_along_cut(s).loop;
  const auto is_node = [&](std::uint32_t h) { return degrees[s.origins[h]] != 2; };
  std::rotate(loop.begin(), std::find_if(loop.begin(), loop.end(), is_node), loop.end());
  std::map<std::uint32_t, std::uint32_t> copies;  // the first half-edge of a side's other copy, and the path
  for (std::size_t begin = 0, end; begin < loop.size(); begin = end) {
    for (end = begin + 1; end < loop.size() && !is_node(loop[end]);) ++end;
    const auto copy = copies.find(loop[begin]);
    if (copy != copies.end()) {
      border.sides.push_back({copy->second, true, 0});
      continue;
    }
    const auto path = static_cast<std::uint32_t>(border.paths.size());
    copies[s.twins[loop[end - 1]]] = path;
    border.sides.push_back({path, false, 0});
    BorderPath& p = border.paths.emplace_back();
    for (std::size_t i = begin; i < end; ++i) p.vertices.push_back(s.origins[loop[i]]);
    p.vertices.push_back(s.end(loop[end - 1]));
  }
}

/// The fewest intervals with which the samples of the cut are a graph without loops and double edges, so that the image
/// is manifold; one more for paths that share both ends, to keep away from the limit.
std::vector<std::uint32_t> least_intervals(const Border& border) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> parallel;
  const auto ends = [](const BorderPath& p) { return std::minmax(p.vertices.front(), p.vertices.back()); };
  for (const BorderPath& p : border.paths) ++parallel[ends(p)];
  std::vector<std::uint32_t> least;
  for (const BorderPath& p : border.paths)
    least.push_back(p.vertices.front() == p.vertices.back() ? 4 : parallel[ends(p)] > 1 ? 2 : 1);
  return least;
}

/// Distributes 2N intervals over the paths in proportion to length, by largest remainders.
void deal_intervals(const Surface& s, const CutWeights& weights, Border& border) {
  const std::vector<std::uint32_t> least = least_intervals(border);
  const std::uint32_t all = border.size() / 2, needed = std::accumulate(least.begin(), least.end(), 0u);
  if (needed > all)
    throw Error(
        fmt::format("a cut of {} paths needs {} samples on the border of the image, but at n = {} it has {}: "
                    "use a larger n",
                    border.paths.size(), 2 * needed, border.n, border.size()));
  std::vector<double> shares;
  for (const BorderPath& p : border.paths) shares.push_back(measures_along(s, weights, p.vertices).back());
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::uint32_t dealt = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] *= all / total;
    border.paths[i].intervals = std::max(least[i], static_cast<std::uint32_t>(shares[i]));
    dealt += border.paths[i].intervals;
  }
  // One by one to the path furthest below its share. If paths that needed their minimum took too many, one by one from
  // the path furthest above its share that can spare one.
  while (dealt != all) {
    const bool more = dealt < all;
    std::size_t next = shares.size();
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double lack = shares[i] - border.paths[i].intervals;
      if (!more && border.paths[i].intervals == least[i]) continue;
      if ((more ? lack : -lack) > most) {
        most = more ? lack : -lack;
        next = i;
      }
    }
    border.paths[next].intervals += more ? 1 : -1u;
    dealt += more ? 1 : -1u;
  }
}

/// The path's point at a position along it.
Vec3 point_at(const Surface& s, const BorderPath& p, double place) {
  const auto i =
      static_cast<std::size_t>(std::lower_bound(p.places.begin() + 1, p.places.end(), place) - p.places.begin());
  const double t = (place - p.places[i - 1]) / (p.places[i] - p.places[i - 1]);
  return to_float(s.positions[p.vertices[i - 1]] * (1 - t) + s.positions[p.vertices[i]] * t);
}

/// How points are moved within a box: along the axis on which files and floats distinguish the most positions.
struct Steps {
  int axis = 0;
  double step = 0, places = 0;
};

Steps finest_steps(const Aabb& box) {
  Steps best;
  for (int axis = 0; axis < 3; ++axis) {
    const float far = std::max(std::abs(box.min[axis]), std::abs(box.max[axis]));
    const double rounding = double{std::nextafter(far, std::numeric_limits<float>::infinity())} - far;
    const double extent = double{box.max[axis]} - box.min[axis], step = std::max(extent / io::kTopCode, rounding);
    if (extent / step > best.places) best = {axis, step, extent / step};
  }
  return best;
}

/// Points of the cut that coincide, or that a file would round to the same codes, would count as copies of each other.
/// Moves later ones to the nearest free position along an axis; where the box has none, by roundings out of the box.
/// Returns whether any moved.
bool keep_apart(std::vector<Vec3>& points, const Aabb& box) {
  const io::BoxCodes codes(box);
  const auto as_read = [&](Vec3 p) {
    std::array<std::uint16_t, 3> code{};
    codes.encode(p, code.data());
    return codes.decode(code.data());
  };
  const auto less = [](Vec3 a, Vec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; };
  std::set<Vec3, decltype(less)> taken(less), taken_as_read(less);
  const Steps steps = finest_steps(box);
  const auto find_place = [&](Vec3& p) {
    for (double k = 1; k <= steps.places; ++k)
      for (const double sign : {1.0, -1.0}) {
        Vec3 q = p;
        q[steps.axis] = static_cast<float>(p[steps.axis] + sign * k * steps.step);
        if (q[steps.axis] < box.min[steps.axis] || q[steps.axis] > box.max[steps.axis]) continue;
        if (!taken_as_read.insert(as_read(q)).second) continue;
        p = q;
        return;
      }
    while (taken.contains(p)) p.x = std::nextafter(p.x, std::numeric_limits<float>::infinity());
    taken_as_read.insert(as_read(p));
  };
  bool moved = false;
  for (Vec3& p : points) {
    if (!taken_as_read.insert(as_read(p)).second) {
      find_place(p);
      moved = true;
    }
    taken.insert(p);
  }
  return moved;
}

}  // namespace

std::size_t border_pixel(int n, std::uint32_t place) {
  const std::uint32_t quarter = 1u << n, k = place % quarter;
  const std::array<std::pair<std::uint32_t, std::uint32_t>, 4> at{
      {{k, 0}, {quarter, k}, {quarter - k, quarter}, {0, quarter - k}}};
  const auto [x, y] = at[place / quarter];
  return std::size_t{y} * (quarter + 1) + x;
}

std::uint32_t fewest_intervals(const Surface& s) {
  Border border;
  find_sides(s, border);
  const std::vector<std::uint32_t> least = least_intervals(border);
  return std::accumulate(least.begin(), least.end(), 0u);
}

Border lay_border(const Surface& s, const CutWeights& weights, int n) {
  Border border;
  border.n = n;
  find_sides(s, border);
  deal_intervals(s, weights, border);
  for (BorderPath& p : border.paths) {
    p.places = measures_along(s, weights, p.vertices);
    const double length = p.places.back();
    for (double& place : p.places) place = place / length * p.intervals;
  }
  std::uint32_t at = 0;
  for (BorderSide& side : border.sides) {
    side.start = at;
    at += border.paths[side.path].intervals;
  }
  return border;
}

CutWeights tube_weights(const Surface& s, double end) {
  const CutPath path = cut_paths(s).front();
  const double length = length_of(s, path);
  CutWeights weights(s.vertex_count(), 1.0);
  // A quarter of the path's samples for each end, half of them for the middle.
  const auto weight = [&](double t) { return t < end || t > 1 - end ? 0.25 / end : 0.5 / (1 - 2 * end); };
  double along = 0;
  for (const std::uint32_t h : path) {
    weights[s.origins[h]] = weight(along / length);
    along += s.length(h);
  }
  weights[s.end(path.back())] = weight(1);
  return weights;
}

OpenSurface open_on_circle(const Surface& s, const CutWeights& weights) {
  OpenSurface open = open_along_cut(s);
  std::vector<std::uint32_t> vertices;
  for (const std::uint32_t h : open.loop) vertices.push_back(s.origins[h]);
  vertices.push_back(vertices.front());
  const std::vector<double> along = measures_along(s, weights, vertices);
  const double pi = std::numbers::pi, radius = std::sqrt(1 / pi);
  for (std::size_t i = 0; i < open.loop.size(); ++i) {
    const double angle = 2 * pi * along[i] / along.back();
    open.disc.map[open.disc.boundary[i]] = {radius * elementary::cos(angle), radius * elementary::sin(angle)};
  }
  return open;
}

void write_border(const Surface& s, const Border& border, std::vector<Vec3>& positions) {
  std::vector<Vec3> points;  // of the cut, each once; nodes first
  std::map<std::uint32_t, std::size_t> nodes;
  for (const BorderPath& p : border.paths)
    for (const std::uint32_t v : {p.vertices.front(), p.vertices.back()})
      if (nodes.emplace(v, points.size()).second) points.push_back(to_float(s.positions[v]));
  std::vector<std::vector<std::size_t>> paths;
  for (const BorderPath& p : border.paths) {
    std::vector<std::size_t>& path = paths.emplace_back();
    path.push_back(nodes[p.vertices.front()]);
    for (std::uint32_t j = 1; j < p.intervals; ++j) {
      path.push_back(points.size());
      points.push_back(point_at(s, p, j));
    }
    path.push_back(nodes[p.vertices.back()]);
  }
  const auto write = [&] {
    for (const BorderSide& side : border.sides) {
      const std::vector<std::size_t>& path = paths[side.path];
      for (std::uint32_t j = 0; j < path.size(); ++j) {
        const std::uint32_t place = (side.start + (side.backwards ? path.size() - 1 - j : j)) % border.size();
        positions[border_pixel(border.n, place)] = points[path[j]];
      }
    }
  };
  write();
  // Moving points may change the box, and with it the file's steps: repeat until none moves.
  constexpr int kRounds = 8;
  const auto box = [&] { return std::accumulate(positions.begin(), positions.end(), Aabb{}, extend); };
  for (int round = 0; round < kRounds && keep_apart(points, box()); ++round) write();
}

}  // namespace lamella::gi
