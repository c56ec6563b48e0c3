// Gaussian elimination in the order of a nested dissection, by fronts (Duff, Reid: "The multifrontal solution of
// indefinite sparse symmetric linear systems", 1983).
//
// Two departures make it accurate where a map's scales differ by many powers of ten, as they do in ears and fingers:
// - Nothing is subtracted. A row has the weights with which a vertex is the mean of others; eliminating a vertex
//   replaces it by its own mean, and the weight that a row then gives to itself is distributed over the others. The
//   diagonal is never formed: it is the sum of the rest (Grassmann, Taksar, Heyman: "Regenerative analysis and steady
//   state distributions for Markov chains", 1985). So every weight keeps its relative accuracy.
// - A vertex is computed as an offset from one of those it depends on, so the rounding is relative to the distances
//   there and not to the square.
//
// A triangle can be turned over by rounding only when it is about as small as the spacing of doubles. No pivoting is
// needed, so the order is found once.

#include "geometry_image/make/map_elimination.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry_image/make/map_dissection.hpp"
#include "lamella/error.hpp"

namespace lamella::gi {

namespace {

constexpr std::uint32_t kFixed = std::numeric_limits<std::uint32_t>::max();

/// row += what the first `count` pivots contribute, where pivot k is row k of `upper`; columns from k + 1 on.
void eliminate_row(double* row, const double* upper, std::size_t width, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *u0 = upper + k * width, *u1 = u0 + width, *u2 = u1 + width, *u3 = u2 + width;
    const double a = row[k], b = row[k + 1] + a * u0[k + 1], c = row[k + 2] + a * u0[k + 2] + b * u1[k + 2];
    const double d = row[k + 3] + a * u0[k + 3] + b * u1[k + 3] + c * u2[k + 3];
    for (std::size_t j = k + 4; j < width; ++j) row[j] += (a * u0[j] + b * u1[j]) + (c * u2[j] + d * u3[j]);
  }
  for (; k < count; ++k) {
    const double* u = upper + k * width;
    const double a = row[k];
    for (std::size_t j = k + 1; j < width; ++j) row[j] += a * u[j];
  }
}

}  // namespace

MapElimination::MapElimination(const Disc& disc, const MapWeights& pattern) {
  Dissection dissection = dissect(disc, pattern);
  order_ = std::move(dissection.order);
  place_.assign(disc.positions.size(), kFixed);
  for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = static_cast<std::uint32_t>(i);
  for (const Separator& each : dissection.separators)
    fronts_.push_back({.first = each.first, .pivots = each.count, .children = each.children});
  find_borders(pattern);
  link_twins(pattern);
  local_.resize(order_.size());
}

void MapElimination::find_borders(const MapWeights& pattern) {
  std::vector<std::uint32_t> mark(order_.size(), kFixed);
  std::vector<std::uint32_t> waiting;
  std::size_t factors = 0;
  for (std::size_t number = 0; number < fronts_.size(); ++number) {
    Front& front = fronts_[number];
    front.border_begin = borders_.size();
    const std::uint32_t end = front.first + front.pivots;
    const auto add = [&](std::uint32_t place) {
      if (place == kFixed || place < end || mark[place] == number) return;
      mark[place] = static_cast<std::uint32_t>(number);
      borders_.push_back(place);
    };
    for (std::uint32_t i = front.first; i < end; ++i)
      for (std::size_t k = pattern.start[order_[i]]; k < pattern.start[order_[i] + 1]; ++k)
        add(place_[pattern.neighbour[k]]);
    for (std::uint32_t child = 0; child < front.children; ++child, waiting.pop_back()) {
      const Front& below = fronts_[waiting.back()];
      for (std::size_t i = 0; i < below.border; ++i) add(borders_[below.border_begin + i]);
    }
    waiting.push_back(static_cast<std::uint32_t>(number));
    std::sort(borders_.begin() + static_cast<std::ptrdiff_t>(front.border_begin), borders_.end());
    front.border = borders_.size() - front.border_begin;
    front.factors = factors;
    factors += front.pivots * front.width();
  }
  factors_.resize(factors);
}

void MapElimination::link_twins(const MapWeights& pattern) {
  twin_.assign(pattern.neighbour.size(), 0);
  for (const std::uint32_t v : order_)
    for (std::size_t k = pattern.start[v]; k < pattern.start[v + 1]; ++k) {
      const std::uint32_t other = pattern.neighbour[k];
      for (std::size_t i = pattern.start[other]; i < pattern.start[other + 1]; ++i)
        if (pattern.neighbour[i] == v) twin_[k] = i;
    }
}

void MapElimination::solve(const MapWeights& weights, std::vector<Vec2d>& map) {
  rests_.clear();
  waiting_.clear();
  for (std::size_t number = 0; number < fronts_.size(); ++number) {
    const Front& front = fronts_[number];
    assemble(front, weights, map);
    for (std::uint32_t child = 0; child < front.children; ++child, waiting_.pop_back())
      add_rest(front, fronts_[waiting_.back()]);
    eliminate(front);
    waiting_.push_back(static_cast<std::uint32_t>(number));
  }
  for (std::size_t number = fronts_.size(); number-- > 0;) substitute(fronts_[number], map);
}

/// Sets the front's rows to the weights of its pivots, and of later vertices for its pivots.
void MapElimination::assemble(const Front& front, const MapWeights& weights, const std::vector<Vec2d>& map) {
  const std::size_t width = front.width();
  double* upper = factors_.data() + front.factors;
  std::fill_n(upper, front.pivots * width, 0.0);
  lower_.assign(front.border * width, 0.0);
  for (std::uint32_t i = 0; i < front.pivots; ++i) local_[front.first + i] = i;
  for (std::size_t i = 0; i < front.border; ++i)
    local_[borders_[front.border_begin + i]] = front.pivots + static_cast<std::uint32_t>(i);
  for (std::uint32_t i = 0; i < front.pivots; ++i) {
    const std::uint32_t v = order_[front.first + i];
    double* row = upper + i * width;
    for (std::size_t k = weights.start[v]; k < weights.start[v + 1]; ++k) {
      const std::uint32_t other = weights.neighbour[k];
      const std::uint32_t place = place_[other];
      if (place == kFixed) {
        row[width - 3] += weights.weight[k];
        row[width - 2] += weights.weight[k] * map[other].x;
        row[width - 1] += weights.weight[k] * map[other].y;
      } else if (place >= front.first) {
        const std::uint32_t column = local_[place];
        row[column] += weights.weight[k];
        if (column >= front.pivots) lower_[(column - front.pivots) * width + i] += weights.weight[twin_[k]];
      }
    }
  }
}

/// Pops what a child left on the stack and adds it to the rows of this front.
void MapElimination::add_rest(const Front& front, const Front& child) {
  const std::size_t width = front.width(), rest_width = child.border + 3;
  const double* rest = rests_.data() + rests_.size() - child.border * rest_width;
  const std::uint32_t* places = borders_.data() + child.border_begin;
  for (std::size_t i = 0; i < child.border; ++i, rest += rest_width) {
    const std::uint32_t line = local_[places[i]];
    double* row = line < front.pivots ? factors_.data() + front.factors + line * width
                                      : lower_.data() + (line - front.pivots) * width;
    for (std::size_t j = 0; j < child.border; ++j) row[local_[places[j]]] += rest[j];
    for (std::size_t j = 1; j <= 3; ++j) row[width - j] += rest[rest_width - j];
  }
  rests_.resize(rests_.size() - child.border * rest_width);
}

void MapElimination::eliminate(const Front& front) {
  const std::size_t width = front.width();
  double* upper = factors_.data() + front.factors;
  for (std::size_t i = 0; i < front.pivots; ++i) {
    double* row = upper + i * width;
    eliminate_row(row, upper, width, i);
    double sum = 0;
    for (std::size_t j = i + 1; j < width - 2; ++j) sum += row[j];
    if (!(sum > 0))
      throw Error("the map of a cut surface has no solution: a part of the surface has no path to its boundary");
    const double scale = 1 / sum;
    for (std::size_t j = i + 1; j < width; ++j) row[j] *= scale;
  }
  for (std::size_t i = 0; i < front.border; ++i) {
    double* row = lower_.data() + i * width;
    eliminate_row(row, upper, width, front.pivots);
    rests_.insert(rests_.end(), row + front.pivots, row + width);
  }
}

/// Computes the map of the front's pivots from that of its border.
void MapElimination::substitute(const Front& front, std::vector<Vec2d>& map) {
  const std::size_t width = front.width(), columns = front.pivots + front.border;
  known_.resize(columns);
  for (std::size_t i = 0; i < front.border; ++i)
    known_[front.pivots + i] = map[order_[borders_[front.border_begin + i]]];
  for (std::size_t i = front.pivots; i-- > 0;) {
    const double* row = factors_.data() + front.factors + i * width;
    // An offset from the last column; where there is none, from the origin.
    const Vec2d from = i + 1 < columns ? known_.back() : Vec2d{};
    double x = row[width - 2] - row[width - 3] * from.x, y = row[width - 1] - row[width - 3] * from.y;
    for (std::size_t j = i + 1; j < columns; ++j) {
      x += row[j] * (known_[j].x - from.x);
      y += row[j] * (known_[j].y - from.y);
    }
    known_[i] = map[order_[front.first + i]] = {from.x + x, from.y + y};
  }
}

}  // namespace lamella::gi
