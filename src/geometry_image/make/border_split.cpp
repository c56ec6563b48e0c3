// What a map to the square needs: a vertex at each corner, and no edge along a side except those of the cut. Only then
// do positive weights guarantee that no triangle is turned over (Floater 1997; Tutte 1963).

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/paths.hpp"

namespace lamella::gi {
namespace {

std::uint32_t half_edge_between(const Surface& s, std::uint32_t a, std::uint32_t b) {
  std::uint32_t h = s.leaving[a];
  while (s.end(h) != b) h = s.turn(h);
  return h;
}

/// Splits the path's edge at a corner's place, or moves a vertex that is very near.
void put_corner(Surface& s, BorderPath& p, double corner) {
  const auto after = std::lower_bound(p.places.begin(), p.places.end(), corner);
  const auto i = static_cast<std::size_t>(after - p.places.begin());
  constexpr double kNear = 0.02;          // of the edge
  const auto free = [&](std::size_t k) {  // neither a node nor another corner
    return k > 0 && k + 1 < p.places.size() && p.places[k] != std::floor(p.places[k]);
  };
  if (*after == corner) return;
  const double t = (corner - p.places[i - 1]) / (p.places[i] - p.places[i - 1]);
  if (t < kNear && free(i - 1)) {
    p.places[i - 1] = corner;
  } else if (t > 1 - kNear && free(i)) {
    p.places[i] = corner;
  } else {
    const std::uint32_t m = split_edge(s, half_edge_between(s, p.vertices[i - 1], p.vertices[i]), t);
    p.vertices.insert(p.vertices.begin() + static_cast<std::ptrdiff_t>(i), m);
    p.places.insert(p.places.begin() + static_cast<std::ptrdiff_t>(i), corner);
  }
}

void put_corners(Surface& s, Border& border) {
  const std::uint32_t quarter = border.quarter();
  for (const BorderSide& side : border.sides) {
    BorderPath& p = border.paths[side.path];
    for (std::uint32_t j = 1; j < p.intervals; ++j)
      if ((side.start + j) % quarter == 0) put_corner(s, p, side.backwards ? p.intervals - j : j);
  }
}

/// Places on the border of all boundary vertices of the opened surface, in the order of its loop.
std::vector<double> places_of(const Surface& s, const Border& border, const OpenSurface& open) {
  const BorderSide& first = border.sides.front();
  const BorderPath& path = border.paths[first.path];
  const std::uint32_t h = half_edge_between(s, path.vertices[0], path.vertices[1]);  // sides start forwards
  auto i = static_cast<std::size_t>(std::find(open.loop.begin(), open.loop.end(), h) - open.loop.begin());
  std::vector<double> places(open.loop.size());
  for (const BorderSide& side : border.sides) {
    const BorderPath& p = border.paths[side.path];
    for (std::size_t k = 0; k + 1 < p.places.size(); ++k, i = (i + 1) % places.size()) {
      const double along = side.backwards ? p.intervals - p.places[p.places.size() - 1 - k] : p.places[k];
      places[i] = std::fmod(side.start + along, border.size());
    }
  }
  return places;
}

bool on_one_side(double a, double b, double quarter) {
  const auto sides = [&](double p) {
    const auto k = static_cast<unsigned>(p / quarter) % 4;
    return p == k * quarter ? (1u << k | 1u << ((k + 3) % 4)) : 1u << k;
  };
  return (sides(a) & sides(b)) != 0;
}

/// Splits every uncut edge with both ends on the same side of the square: it would lie on the border, too.
void split_chords(Surface& s, const Border& border) {
  const OpenSurface open = open_along_cut(s);
  const std::vector<double> places = places_of(s, border, open);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chords;
  for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) {
    if (s.cut[h] != 0 || h > s.twins[h]) continue;
    const std::uint32_t a = open.border[open.disc.triangles[h / 3][static_cast<int>(h % 3)]];
    const std::uint32_t b = open.border[open.disc.triangles[h / 3][static_cast<int>(Surface::next(h) % 3)]];
    if (a == kNone || b == kNone || !on_one_side(places[a], places[b], border.quarter())) continue;
    chords.emplace_back(s.origins[h], s.end(h));
  }
  for (const auto& [a, b] : chords) split_edge(s, half_edge_between(s, a, b), 0.5);
}

Vec2d square_point(double place, double quarter) {
  const auto side = static_cast<int>(place / quarter);
  const double t = (place - side * quarter) / quarter;
  switch (side) {
    case 0:
      return {t, 0};
    case 1:
      return {1, t};
    case 2:
      return {1 - t, 1};
    default:
      return {0, 1 - t};
  }
}

}  // namespace

void turn_border(Surface& s, Border& border, std::uint32_t turn) {
  for (BorderSide& side : border.sides) side.start = (side.start + turn) % border.size();
  put_corners(s, border);
  split_chords(s, border);
}

OpenSurface open_on_square(const Surface& s, const Border& border) {
  OpenSurface open = open_along_cut(s);
  const std::vector<double> places = places_of(s, border, open);
  for (std::size_t i = 0; i < places.size(); ++i)
    open.disc.map[open.disc.boundary[i]] = square_point(places[i], border.quarter());
  return open;
}

}  // namespace lamella::gi
