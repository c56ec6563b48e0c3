// A part of the surface whose whole rim lies on one side of the square, but for a narrow neck, becomes thinner by a
// factor with every row of triangles from the neck: a positive mean of points near a straight line is nearer still.
// Flat faces between the holes of a plate have hundreds of rows. Sides that bulge have no straight line, so the map is
// solved there, and the sides are straightened afterwards.

#include "geometry_image/make/map_bulge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geometry_image/make/map_descent.hpp"
#include "geometry_image/make/map_repair.hpp"
#include "geometry_image/make/map_split.hpp"

namespace lamella::gi {

namespace {

/// Takes the square to one with round sides: `bulge` is how far the middle of a side is outside; below 1/4 all corners
/// are convex. Parabolas: no function that rounds differently elsewhere.
Vec2d bulged(Vec2d p, double bulge) {
  return {p.x - 4 * bulge * p.y * (1 - p.y) * (1 - 2 * p.x), p.y - 4 * bulge * p.x * (1 - p.x) * (1 - 2 * p.y)};
}

/// The inverse, by Newton's method from the point itself.
Vec2d straightened(Vec2d to, double bulge) {
  Vec2d p{std::clamp(to.x, 0.0, 1.0), std::clamp(to.y, 0.0, 1.0)};
  constexpr int kSteps = 30;
  for (int i = 0; i < kSteps; ++i) {
    const Vec2d at = bulged(p, bulge), off{to.x - at.x, to.y - at.y};
    const double xx = 1 + 8 * bulge * p.y * (1 - p.y), yy = 1 + 8 * bulge * p.x * (1 - p.x);
    const double mixed = -4 * bulge * (1 - 2 * p.x) * (1 - 2 * p.y), determinant = xx * yy - mixed * mixed;
    const Vec2d step{(yy * off.x - mixed * off.y) / determinant, (xx * off.y - mixed * off.x) / determinant};
    p = {p.x + step.x, p.y + step.y};
    if (std::abs(step.x) + std::abs(step.y) < 1e-17) break;
  }
  return p;
}

std::vector<Vec2d> bulged(const std::vector<Vec2d>& points, double bulge) {
  std::vector<Vec2d> result;
  for (const Vec2d& p : points) result.push_back(bulged(p, bulge));
  return result;
}

void set_boundary(Disc& disc, const std::vector<Vec2d>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) disc.map[disc.boundary[i]] = places[i];
}

/// Straightens the sides from one bulge to another; returns whether no triangle is turned over. Otherwise the disc is
/// as it was.
bool straighten(Disc& disc, const std::vector<Vec2d>& square, double from, double to, std::size_t most) {
  Disc next = disc;
  if (!remap(
          next, bulged(square, to), [&](Vec2d p) { return bulged(straightened(p, from), to); }, most))
    return false;
  disc = std::move(next);
  return true;
}

/// Straightens the sides step by step, with some sweeps in between that make thin triangles in the map wider. Steps
/// that would need many splits are shortened. Returns false when they get too short.
bool straighten_slowly(Disc& disc, const std::vector<Vec2d>& square, double bulge) {
  constexpr int kSteps = 16, kSweeps = 4, kMostAttempts = 24;
  constexpr double kGrowth = 1.05;
  constexpr std::size_t kFew = 2000;
  const std::size_t most = 3 * disc.triangles.size();
  double step = bulge / kSteps;
  for (int attempt = 0; attempt < kMostAttempts && bulge > 0; ++attempt) {
    const double to = bulge < 1.5 * step ? 0 : bulge - step;
    const auto grown = static_cast<std::size_t>(kGrowth * static_cast<double>(disc.triangles.size())) + kFew;
    if (!straighten(disc, square, bulge, to, std::min(grown, most))) {
      step /= 2;
      continue;
    }
    bulge = to;
    step *= 1.5;
    lower_stretch(disc, kSweeps, [](double) {});
  }
  return bulge == 0;
}

/// By way of one bulge; returns whether no triangle is turned over but such as are too thin to matter.
bool solve_by(Disc& disc, const std::vector<Vec2d>& square, double bulge, const MapOptions& options) {
  constexpr double kRound = 0.1;  // from here on it is worth the time to straighten slowly
  set_boundary(disc, bulged(square, bulge));
  solve_map(disc, options);
  if (!flipped_triangles(disc).empty()) return false;
  return straighten(disc, square, bulge, 0, 2 * disc.triangles.size()) ||
         (bulge > kRound && straighten_slowly(disc, square, bulge));
}

}  // namespace

bool solve_map_bulged(Disc& disc, const MapOptions& options) {
  // The rounder the sides are, the more of the square do parts get that hang on one of them, and the harder it is to
  // straighten them.
  constexpr std::array kBulges{0.2, 1e-2, 1e-4, 1e-6};
  std::vector<Vec2d> square;
  for (const std::uint32_t v : disc.boundary) square.push_back(disc.map[v]);
  for (const double bulge : kBulges) {
    Disc attempt = disc;
    if (!solve_by(attempt, square, bulge, options)) continue;
    disc = std::move(attempt);
    set_boundary(disc, square);
    repair(disc, mean_value_weights(disc));
    constexpr int kSweepsPerStep = 12;
    lower_stretch(disc, kSweepsPerStep * options.relax_steps, [](double) {});
    return true;
  }
  return false;
}

}  // namespace lamella::gi
