// Coarse grids first: fewer rays forbid less, so that a direction whose way is long on a coarse grid need not be looked
// along on a fine one. Then the best few are refined: rings of directions around each, smaller and smaller, on finer
// grids towards the end. The length is smooth almost everywhere (along the normal n of a face of the forbidden region
// it is proportional to 1 / cos), but it jumps where a way out opens between two parts; so several are refined.

#include "measure/way_search.hpp"

#include <algorithm>

#include "measure/directions.hpp"

namespace lamella {
namespace {

constexpr std::size_t kBatch = 32;      ///< directions that are looked along before it is asked whether others can win
constexpr std::size_t kRefined = 12;    ///< ways that are refined
constexpr std::size_t kMeasured = 3;    ///< ways that are measured at the end
constexpr std::uint32_t kRing = 6;      ///< directions around each
constexpr int kRings = 6;               ///< each half as large as the one before
constexpr int kFineRings = 3;           ///< of these: around the ways that are measured alone, on a finer grid
constexpr std::uint32_t kFinest = 256;  ///< for the last measurement: triangles tell the length, rays the order

/// Ways shorter than so many cells of the last grid: coarser ones cannot tell which is the shortest.
constexpr double kUnsure = 4;

/// Directions of the first, coarse look.
std::uint32_t spread_count(const WaySearchOptions& options) { return std::max(1u, options.directions * 7 / 10); }

bool shorter(const WayOut& p, const WayOut& q) { return p.length < q.length; }

}  // namespace

void WaySearch::ask(std::span<const Vec3d> directions, std::uint32_t resolution) {
  looked_ += static_cast<std::uint32_t>(directions.size());
  if (options_.window)
    finder_->find_within(*options_.window, a_, b_, directions, resolution, shifts_);
  else
    finder_->find(a_, b_, directions, resolution, shifts_);
}

/// Appends both ways of each direction.
void WaySearch::look(std::span<const Vec3d> directions, std::uint32_t resolution, std::vector<WayOut>& ways) {
  ask(directions, resolution);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const FreeShift& s = shifts_[i];
    ways.push_back({directions[i], s.forward, s.cell, s.room_forward});
    ways.push_back({-directions[i], s.backward, s.cell, s.room_backward});
  }
}

/// Axes at once on the grid that was asked for, others on a coarse one.
void WaySearch::look_coarsely() {
  directions_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ways_.clear();
  look(directions_, options_.resolution, ways_);
  directions_.clear();
  add_spread(spread_count(options_), directions_);
  coarse_.clear();
  look(directions_, std::max(1u, options_.resolution / 4), coarse_);
  std::stable_sort(coarse_.begin(), coarse_.end(), shorter);
}

/// Those that may be shorter than the best, on the grid that was asked for.
void WaySearch::look_closer() {
  constexpr double kDoubt = 1.02;  // rays of the two grids differ
  const std::size_t most = std::max<std::size_t>(kBatch, options_.directions / 5);
  double best = std::min_element(ways_.begin(), ways_.end(), shorter)->length;
  for (std::size_t begin = 0; begin < std::min(most, coarse_.size()); begin += kBatch) {
    directions_.clear();
    for (std::size_t i = begin; i < std::min(begin + kBatch, coarse_.size()); ++i)
      if (coarse_[i].length <= best * kDoubt) directions_.push_back(coarse_[i].direction);
    if (directions_.empty()) break;
    look(directions_, options_.resolution, ways_);
    best = std::min_element(ways_.begin(), ways_.end(), shorter)->length;
  }
}

/// The shortest ways, no two of them closer than `angle` to each other.
void WaySearch::keep_apart(std::size_t most, double angle) {
  std::stable_sort(ways_.begin(), ways_.end(), shorter);
  const double least = std::cos(angle);
  std::vector<WayOut> kept;
  for (const WayOut& way : ways_) {
    if (kept.size() == most) break;
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const WayOut& k) { return dot(k.direction, way.direction) > least; }))
      kept.push_back(way);
  }
  ways_ = std::move(kept);
}

/// Each way on its own: it becomes the shortest of a ring around it, where that is shorter.
void WaySearch::climb(double angle, double turn, std::uint32_t resolution) {
  directions_.clear();
  for (const WayOut& way : ways_) add_ring(way.direction, angle, kRing, turn, directions_);
  ask(directions_, resolution);
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const FreeShift& s = shifts_[i];
    WayOut& way = ways_[i / kRing];
    if (s.forward < way.length) way = {directions_[i], s.forward, s.cell, s.room_forward};
  }
}

/// The same ways on another grid: lengths of different grids cannot be compared.
void WaySearch::measure_again(std::uint32_t resolution) {
  directions_.clear();
  for (const WayOut& way : ways_) directions_.push_back(way.direction);
  ask(directions_, resolution);
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const FreeShift& s = shifts_[i];
    ways_[i] = {directions_[i], s.forward, s.cell, s.room_forward};
  }
}

void WaySearch::refine() {
  double angle = spread_angle(spread_count(options_));
  keep_apart(kRefined, angle);
  std::uint32_t resolution = options_.resolution;
  for (int ring = 0; ring < kRings; ++ring) {
    angle *= 0.5;
    if (ring == kRings - kFineRings) {
      keep_apart(kMeasured, 2 * angle);
      resolution = std::min(2 * resolution, kFinest);
      measure_again(resolution);
    }
    climb(angle, 0.5 * (ring % 2), resolution);
  }
}

void WaySearch::measure() {
  measure_again(std::max(kFinest, options_.resolution));
  std::stable_sort(ways_.begin(), ways_.end(), shorter);
  if (ways_[0].length > kUnsure * ways_[0].cell) return;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      ways_.push_back({.cell = ways_[0].cell, .room = ways_[0].room});
      ways_.back().direction[axis] = sign;
    }
}

std::span<const WayOut> WaySearch::find(MeshView a, MeshView b, const WaySearchOptions& options, ShiftFinder& finder) {
  a_ = a;
  b_ = b;
  options_ = options;
  finder_ = &finder;
  looked_ = 0;
  look_coarsely();
  look_closer();
  refine();
  measure();
  return ways_;
}

}  // namespace lamella
