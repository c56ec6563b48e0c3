// Gu, Gortler, Hoppe: "Geometry Images" (2002), section 4.2: map the disc to a circle with Floater's weights, add the
// shortest path from the vertex of highest stretch to the cut, and repeat while the stretch falls. Departures:
// - The vertex with the highest stretch times distance from the cut is taken. The stretch alone is soon highest right
//   beside the cut, where a path of one or two edges only does harm.
// - Several vertices a round, if they are further from each other than from the cut.
// - A round without gain does not end the search: extremities come in groups (fingers), and often only the last cut of
//   a group pays.
// - The cut is spread over the border not by length alone but with weights, found by a few maps of the same kind: that
//   halves the distance of many images from their surfaces.

#include "geometry_image/make/extend_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/paths.hpp"
#include "lamella/elementary.hpp"

namespace lamella::gi {
namespace {

constexpr int kPlacesPerRound = 3;  ///< at most
constexpr int kPatience = 3;        ///< rounds without gain before the search ends

std::vector<std::uint32_t> cut_vertices(const Surface& s) {
  std::vector<std::uint32_t> vertices;
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v)
    if (degrees[v] != 0) vertices.push_back(v);
  return vertices;
}

/// The root mean square stretch of the triangles at each vertex, weighted by area.
std::vector<double> stretch_at_vertices(const Surface& s, const OpenSurface& open, const Stretch& stretch) {
  constexpr double kMost = 1e100;
  std::vector<double> sums(s.vertex_count(), 0), areas(s.vertex_count(), 0);
  for (std::size_t i = 0; i < open.disc.triangles.size(); ++i) {
    const Triangle& t = open.disc.triangles[i];
    const Vec3d a = open.disc.positions[t.a];
    const Vec3d normal = cross(open.disc.positions[t.b] - a, open.disc.positions[t.c] - a);
    const double area = std::sqrt(dot(normal, normal)), each = std::min(stretch.triangles[i], kMost);
    for (int k = 0; k < 3; ++k) {
      sums[open.vertices[t[k]]] += area * each * each;
      areas[open.vertices[t[k]]] += area;
    }
  }
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v) sums[v] = areas[v] > 0 ? std::sqrt(sums[v] / areas[v]) : 0;
  return sums;
}

/// Adds paths to the worst vertices; returns how many.
int add_paths(Surface& s, std::vector<double> stretch, int most) {
  std::vector<std::uint32_t> on_cut = cut_vertices(s);
  int added = 0;
  for (double first = 0; added < most; ++added) {
    const PathTree tree = grow_paths(s, on_cut);
    std::uint32_t worst = kNone;
    double score = 0;
    for (std::uint32_t v = 0; v < s.vertex_count(); ++v)
      if (stretch[v] * tree.distances[v] > score) {
        score = stretch[v] * tree.distances[v];
        worst = v;
      }
    constexpr double kWorthwhile = 0.3;  // of the worst score; around lower ones the map will still change much
    if (worst == kNone || score < kWorthwhile * first) break;
    first = std::max(first, score);
    std::vector<std::uint32_t> path;
    for (const std::uint32_t h : tree.path(s, worst)) {
      s.set_cut(h, true);
      path.push_back(s.end(h));
    }
    on_cut.insert(on_cut.end(), path.begin(), path.end());
    const double reach = tree.distances[worst];
    const PathTree near = grow_paths(s, path, reach);
    for (std::uint32_t v = 0; v < s.vertex_count(); ++v)
      if (near.distances[v] <= reach) stretch[v] = 0;
  }
  return added;
}

/// Gives more of the border to parts of a path with high stretch beside them. Nodes keep their weight.
void widen_path(const Surface& s, const CutPath& path, const std::vector<double>& stretch, CutWeights& weights) {
  std::vector<double> logs;
  for (const std::uint32_t h : path) logs.push_back(elementary::log(std::clamp(stretch[s.end(h)], 1e-3, 1e3)));
  // Single triangles vary too much: average over about ten edges.
  constexpr int kPasses = 10;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<double> smooth = logs;
    for (std::size_t i = 0; i < logs.size(); ++i)
      smooth[i] = (logs[i > 0 ? i - 1 : i] + 2 * logs[i] + logs[std::min(i + 1, logs.size() - 1)]) / 4;
    logs = std::move(smooth);
  }
  constexpr double kPower = 0.4;  // with 1 it oscillates
  for (std::size_t i = 0; i + 1 < path.size(); ++i) weights[s.end(path[i])] *= elementary::exp(kPower * logs[i]);
}

}  // namespace

int extend_cut(Surface& s, int most, const std::function<void(double part)>& progress) {
  std::vector<std::uint8_t> best_cut = s.cut;
  double best = std::numeric_limits<double>::infinity();
  int best_count = 0, count = 0, rounds = 0;
  const CutWeights even(s.vertex_count(), 1.0);
  for (int misses = 0; misses < kPatience;) {
    OpenSurface open = open_on_circle(s, even);
    solve_map(open.disc, {});
    const Stretch stretch = stretch_of(open.disc);
    ++rounds;
    progress(rounds / (rounds + 4.0));
    if (stretch.total < best) {
      best = stretch.total;
      best_cut = s.cut;
      best_count = count;
      misses = 0;
    } else if (std::isfinite(stretch.total)) {
      ++misses;
    }
    const int added = add_paths(s, stretch_at_vertices(s, open, stretch), std::min(kPlacesPerRound, most - count));
    if (added == 0) break;
    count += added;
  }
  // If no map was valid, the longest cut is the best.
  if (std::isfinite(best)) s.cut = best_cut;
  return std::isfinite(best) ? best_count : count;
}

CutWeights weigh_cut(const Surface& s, const std::function<void(double part)>& progress) {
  constexpr int kMaps = 4, kRelaxSteps = 1;
  const std::vector<CutPath> paths = cut_paths(s);
  CutWeights weights(s.vertex_count(), 1.0), best_weights = weights;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaps; ++i) {
    OpenSurface open = open_on_circle(s, weights);
    solve_map(open.disc, {kRelaxSteps});
    const Stretch stretch = stretch_of(open.disc);
    if (stretch.total < best) {
      best = stretch.total;
      best_weights = weights;
    }
    const std::vector<double> at = stretch_at_vertices(s, open, stretch);
    for (const CutPath& path : paths) widen_path(s, path, at, weights);
    progress((i + 1.0) / kMaps);
  }
  return best_weights;
}

void cut_towards(Surface& s, std::uint32_t v) {
  const PathTree tree = grow_paths(s, cut_vertices(s));
  for (const std::uint32_t h : tree.path(s, v)) s.set_cut(h, true);
}

}  // namespace lamella::gi
