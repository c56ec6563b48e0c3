// Floater: "Mean value coordinates", 2003, for the plain map; Yoshizawa, Belyaev, Seidel: "A fast and simple
// stretch-minimizing mesh parameterization", 2004, for the relaxation. Departures:
// - Where the first division of the weights raises the stretch, its exponent is halved, at most twice. Smaller
//   exponents in later steps gain less than they cost.
// - Yoshizawa's steps lower the stretch of large parts at once, but stop well above the minimum. From there vertices
//   are moved one by one (map_descent.cpp). On maps of 40,000 to 50,000 vertices that takes a second and lowers the
//   stretch by another 6 to 20 %.

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/map_descent.hpp"
#include "geometry_image/make/map_elimination.hpp"
#include "geometry_image/make/map_repair.hpp"
#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

namespace {

constexpr int kSweepsPerStep = 12;
// About a second for 40,000 vertices. Smaller discs get more sweeps in less time.
constexpr std::size_t kManyVertices = 40'000, kMostTimes = 3;

/// Quality of a map: fewer turned triangles, then less stretch of the others.
struct Judgement {
  std::size_t turned = 0;
  double sum = 0;
  friend auto operator<=>(const Judgement&, const Judgement&) = default;
};

double twice_area(const Disc& disc, const Triangle& t) {
  const Vec3d normal = cross(disc.positions[t.b] - disc.positions[t.a], disc.positions[t.c] - disc.positions[t.a]);
  return std::sqrt(dot(normal, normal));
}

Judgement judge(const Disc& disc, const Stretch& stretch) {
  Judgement judgement;
  for (std::size_t i = 0; i < disc.triangles.size(); ++i) {
    const double each = stretch.triangles[i];
    if (std::isfinite(each))
      judgement.sum += twice_area(disc, disc.triangles[i]) * each * each;
    else
      ++judgement.turned;
  }
  return judgement;
}

/// At each vertex the root mean square of its triangles' stretch, weighted by area on the surface. Where the map has no
/// area, the largest stretch found elsewhere is used.
std::vector<double> vertex_stretch(const Disc& disc, const Stretch& stretch) {
  double most = 0;
  for (const double each : stretch.triangles)
    if (std::isfinite(each)) most = std::max(most, each);
  std::vector<double> sum(disc.positions.size(), 0.0), area(disc.positions.size(), 0.0);
  for (std::size_t i = 0; i < disc.triangles.size(); ++i) {
    const Triangle& t = disc.triangles[i];
    const double weight = twice_area(disc, t), each = std::min(stretch.triangles[i], most);
    for (int corner = 0; corner < 3; ++corner) {
      sum[t[corner]] += weight * each * each;
      area[t[corner]] += weight;
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] = sum[v] > 0 ? std::sqrt(sum[v] / area[v]) : 1.0;
  return sum;
}

/// Calls done(step) after each of the steps.
template <class Done>
void relax(Disc& disc, MapWeights& weights, MapElimination& elimination, int steps, const Done& done) {
  Stretch stretch = stretch_of(disc);
  Judgement best = judge(disc, stretch);
  int roots = 0;  // exponent 1, 1/2 or 1/4: other powers would not have the same bits on every machine
  bool lowered = false;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> divisor = vertex_stretch(disc, stretch);
    for (int i = 0; i < roots; ++i)
      for (double& each : divisor) each = std::sqrt(each);
    MapWeights next = divided(weights, divisor);
    std::vector<Vec2d> before = disc.map;
    elimination.solve(next, disc.map);
    Stretch relaxed = stretch_of(disc);
    const Judgement judgement = judge(disc, relaxed);
    if (judgement < best) {
      best = judgement;
      weights = std::move(next);
      stretch = std::move(relaxed);
      lowered = true;
    } else {
      disc.map = std::move(before);
      if (lowered || ++roots > 2) return;
    }
    done(step);
  }
}

}  // namespace

void solve_map(Disc& disc, const MapOptions& options) {
  // The first solution, which orders the equations, takes about as long as three steps; the sweeps of a step take as
  // long as the step.
  constexpr int kFirst = 3;
  const double whole = kFirst + 2.0 * options.relax_steps;
  const auto report = [&](double done) {
    if (options.progress) options.progress(done / whole);
  };
  MapWeights weights = mean_value_weights(disc);
  MapElimination elimination(disc, weights);
  elimination.solve(weights, disc.map);
  report(kFirst);
  const auto relaxed = [&](int step) { report(kFirst + step + 1); };
  if (options.relax_steps > 0) relax(disc, weights, elimination, options.relax_steps, relaxed);
  repair(disc, weights);
  if (options.relax_steps <= 0) return;
  const std::size_t times = std::clamp<std::size_t>(kManyVertices / disc.positions.size(), 1, kMostTimes);
  const double before = kFirst + options.relax_steps;
  report(before);
  lower_stretch(disc, kSweepsPerStep * static_cast<int>(times) * options.relax_steps,
                [&](double part) { report(before + part * options.relax_steps); });
}

}  // namespace lamella::gi
