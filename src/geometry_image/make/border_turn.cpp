// Where the corners of the square fall on the cut. A node where the opened surface is narrow fits a corner: a straight
// side through it would spread what lies between two paths over 180 degrees, and flatten it.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/paths.hpp"
#include "lamella/elementary.hpp"

namespace lamella::gi {
namespace {

/// For each place of the border, before any turn, the number of its point of the cut.
std::vector<std::uint32_t> points_of(const Border& border, std::uint32_t vertex_count) {
  std::vector<std::uint32_t> points(border.size()), first;
  std::uint32_t next = vertex_count;  // nodes have the number of their vertex
  for (const BorderPath& p : border.paths) {
    first.push_back(next);
    next += p.intervals - 1;
  }
  for (const BorderSide& side : border.sides) {
    const BorderPath& p = border.paths[side.path];
    points[side.start] = side.backwards ? p.vertices.back() : p.vertices.front();
    for (std::uint32_t j = 1; j < p.intervals; ++j)
      points[side.start + j] = first[side.path] + (side.backwards ? p.intervals - j : j) - 1;
  }
  return points;
}

/// Whether the image is a closed manifold once places with the same point are joined. Only quads at the border matter:
/// vertices of the others have no copies.
bool closes(const std::vector<std::uint32_t>& points, int n, std::uint32_t turn) {
  const std::uint32_t quarter = 1u << n, size = 4 * quarter;
  std::vector<std::pair<std::size_t, std::uint32_t>> at_pixel;
  for (std::uint32_t place = 0; place < size; ++place)
    at_pixel.emplace_back(border_pixel(n, place), points[(place + size - turn) % size]);
  std::sort(at_pixel.begin(), at_pixel.end());
  const auto name = [&](std::uint32_t pixel) -> std::uint64_t {
    const auto found =
        std::lower_bound(at_pixel.begin(), at_pixel.end(), std::pair<std::size_t, std::uint32_t>(pixel, 0));
    if (found != at_pixel.end() && found->first == pixel) return found->second;
    return (std::uint64_t{1} << 31) + pixel;
  };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  const auto add_quad = [&](std::uint32_t x, std::uint32_t y) {
    for (const std::uint32_t number : {2 * (y * quarter + x), 2 * (y * quarter + x) + 1}) {
      const Triangle t = image_triangle(n, number);
      for (int k = 0; k < 3; ++k) edges.emplace_back(name(t[k]), name(t[(k + 1) % 3]));
    }
  };
  for (std::uint32_t k = 0; k < quarter; ++k) {
    add_quad(k, 0);
    add_quad(k, quarter - 1);
    if (k > 0 && k + 1 < quarter) {
      add_quad(0, k);
      add_quad(quarter - 1, k);
    }
  }
  std::sort(edges.begin(), edges.end());
  return std::adjacent_find(edges.begin(), edges.end()) == edges.end() &&
         std::none_of(edges.begin(), edges.end(), [](const auto& e) { return e.first == e.second; });
}

/// For each place, before any shift: by how many radians the surface is narrower than 180 degrees there; 0 inside
/// paths, below 0 at dead ends.
std::vector<double> narrowness(const Surface& s, const Border& border) {
  const OpenSurface open = open_along_cut(s);
  std::vector<double> angles(open.disc.positions.size(), 0);
  for (const Triangle& t : open.disc.triangles)
    for (int k = 0; k < 3; ++k) {
      if (open.border[t[k]] == kNone) continue;
      const Vec3d p = open.disc.positions[t[k]];
      const Vec3d a = open.disc.positions[t[(k + 1) % 3]] - p, b = open.disc.positions[t[(k + 2) % 3]] - p;
      const Vec3d normal = cross(a, b);
      angles[t[k]] += elementary::atan2(std::sqrt(dot(normal, normal)), dot(a, b));
    }
  // Sides start where the loop starts, up to a shift to the first node.
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  std::size_t i = 0;
  while (degrees[s.origins[open.loop[i]]] == 2) ++i;
  std::vector<double> narrow(border.size(), 0);
  for (const BorderSide& side : border.sides) {
    narrow[side.start] = std::numbers::pi - angles[open.disc.boundary[i]];
    i = (i + border.paths[side.path].vertices.size() - 1) % open.loop.size();
  }
  return narrow;
}

}  // namespace

std::vector<std::uint32_t> turns_that_close(const Surface& s, const Border& border, std::uint32_t most) {
  const std::vector<std::uint32_t> points = points_of(border, s.vertex_count());
  const std::vector<double> narrow = narrowness(s, border);
  const std::uint32_t quarter = border.quarter(), windows = std::min(most, quarter);
  std::vector<std::uint32_t> turns;
  for (std::uint32_t w = 0; w < windows; ++w) {
    std::vector<std::pair<double, std::uint32_t>> scores;
    for (std::uint32_t turn = w * quarter / windows; turn < (w + 1) * quarter / windows; ++turn) {
      double score = 0;
      for (std::uint32_t corner = 0; corner < 4; ++corner)
        score += narrow[(corner * quarter + border.size() - turn) % border.size()];
      scores.emplace_back(-score, turn);
    }
    // Among equals the middle of a window comes first, so that windows without nodes do not all use their beginning.
    const double middle = (w + 0.5) * quarter / windows;
    std::sort(scores.begin(), scores.end(), [&](const auto& x, const auto& y) {
      if (x.first != y.first) return x.first < y.first;
      const double dx = std::abs(x.second - middle), dy = std::abs(y.second - middle);
      return dx != dy ? dx < dy : x.second < y.second;
    });
    const auto closing = std::find_if(scores.begin(), scores.end(),
                                      [&](const auto& score) { return closes(points, border.n, score.second); });
    if (closing != scores.end()) turns.push_back(closing->second);
  }
  return turns;
}

}  // namespace lamella::gi
