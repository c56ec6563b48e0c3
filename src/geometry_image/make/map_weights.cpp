// Floater: "Mean value coordinates", 2003. The weight of the neighbour at the end of edge e is
// (tan(a / 2) + tan(b / 2)) / |e|, where a and b are the angles between e and the edges beside it. It is positive for
// any triangle with area; for others the formula may give 0, infinity or NaN, so tangents, lengths and finally the
// share of a neighbour are bounded, far outside the values of normal triangles.

#include "geometry_image/make/map_weights.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::gi {

namespace {

constexpr double kMostTangent = 1e6, kLeastTangent = 1e-6;  // half angles within a millionth of 90 and 0 degrees
constexpr double kLeastLength = 1e-6;                       // of the mean edge
constexpr double kLeastShare = 1e-9;                        // of a row

/// Tangent of half the angle between two edges; of 30 degrees where there is no angle.
double half_tangent(Vec3d u, Vec3d v) {
  const double tangent = length(cross(u, v)) / (length(u) * length(v) + dot(u, v));
  return std::isnan(tangent) ? 0.577 : std::clamp(tangent, kLeastTangent, kMostTangent);
}

void normalise_rows(MapWeights& weights) {
  for (std::size_t v = 0; v + 1 < weights.start.size(); ++v) {
    double most = 0;
    for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i) most = std::max(most, weights.weight[i]);
    double sum = 0;
    for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i) {
      const double share = most > 0 ? weights.weight[i] / most : 1.0;
      weights.weight[i] = std::max(share, kLeastShare);
      sum += weights.weight[i];
    }
    for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i) weights.weight[i] /= sum;
  }
}

/// Rows of the right size. Each triangle's corner gets the next corner as a neighbour, so that each neighbour is listed
/// once.
MapWeights rows_of(const Disc& disc) {
  MapWeights rows;
  std::vector<bool> interior(disc.positions.size(), true);
  for (const std::uint32_t v : disc.boundary) interior[v] = false;
  rows.start.assign(disc.positions.size() + 1, 0);
  for (const Triangle& t : disc.triangles)
    for (int i = 0; i < 3; ++i)
      if (interior[t[i]]) ++rows.start[t[i] + 1];
  for (std::size_t v = 0; v < disc.positions.size(); ++v) rows.start[v + 1] += rows.start[v];
  rows.neighbour.resize(rows.start.back());
  rows.weight.assign(rows.start.back(), 0.0);
  std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
  for (const Triangle& t : disc.triangles)
    for (int i = 0; i < 3; ++i)
      if (interior[t[i]]) rows.neighbour[next[t[i]]++] = t[(i + 1) % 3];
  return rows;
}

double mean_edge(const Disc& disc) {
  double sum = 0;
  for (const Triangle& t : disc.triangles)
    for (int i = 0; i < 3; ++i) sum += length(disc.positions[t[(i + 1) % 3]] - disc.positions[t[i]]);
  return sum / (3.0 * static_cast<double>(std::max<std::size_t>(disc.triangles.size(), 1)));
}

}  // namespace

MapWeights mean_value_weights(const Disc& disc) {
  MapWeights weights = rows_of(disc);
  const auto add = [&](std::uint32_t from, std::uint32_t to, double value) {
    for (std::size_t i = weights.start[from]; i < weights.start[from + 1]; ++i)
      if (weights.neighbour[i] == to) {
        weights.weight[i] += value;
        return;
      }
  };
  const double mean = mean_edge(disc), least = mean > 0 ? kLeastLength * mean : 1.0;
  for (const Triangle& t : disc.triangles) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t v = t[i], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
      if (weights.start[v] == weights.start[v + 1]) continue;
      const Vec3d to_b = disc.positions[b] - disc.positions[v], to_c = disc.positions[c] - disc.positions[v];
      const double tangent = half_tangent(to_b, to_c);
      add(v, b, tangent / std::max(length(to_b), least));
      add(v, c, tangent / std::max(length(to_c), least));
    }
  }
  normalise_rows(weights);
  return weights;
}

MapWeights divided(const MapWeights& weights, const std::vector<double>& divisor) {
  MapWeights result = weights;
  for (std::size_t i = 0; i < result.weight.size(); ++i) result.weight[i] /= divisor[result.neighbour[i]];
  normalise_rows(result);
  return result;
}

}  // namespace lamella::gi
