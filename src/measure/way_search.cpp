// From coarse to fine. Directions all over the sphere are looked along on a coarse grid, for which meshes with fewer
// triangles are good enough (merged_mesh.hpp). The length is smooth almost everywhere (along the normal n of a face of
// the forbidden region it is proportional to 1 / cos), but it jumps where a way out opens between two parts, and it has
// many local minima; so many ways are refined: each becomes the shortest of a ring of directions around it, and rings
// become smaller and smaller. On the way grids become finer and the worst ways are dropped. Ways that are kept are
// apart from each other: without that, neighbours of the best one take the places of other minima.

#include "measure/way_search.hpp"

#include <algorithm>
#include <cmath>

#include "lamella/elementary.hpp"
#include "measure/directions.hpp"
#include "measure/side_by_side.hpp"

namespace lamella {
namespace {

/// Ways that are kept from stage to stage: of 1,000 directions, and of few ones at least.
struct Kept {
  std::uint32_t of_1000, least;
};
constexpr Kept kExplored{42, 12}, kExploredAgain{32, 10}, kLookedAt{32, 8};
constexpr std::size_t kRefined = 8, kRefinedAgain = 5, kMeasured = 3;

constexpr std::uint32_t kRing = 6;  ///< directions around each
constexpr std::uint32_t kFineRing =
    5;  ///< the same on the finer grid: with kMeasured fewer than 16, for as many threads
constexpr int kFineRings = 2;
constexpr std::uint32_t kFinest = 256;  ///< for the last measurement: triangles tell the length, rays the order

/// Ways shorter than so many cells of the last grid: coarser ones cannot tell which is the shortest.
constexpr double kUnsure = 4;

/// Directions of the first, coarse look. More of them, which leaves smaller rings, find fewer of the narrow ways.
std::uint32_t spread_count(const WaySearchOptions& options) { return std::max(1u, options.directions / 2); }

std::size_t count_of(Kept kept, const WaySearchOptions& options) {
  return std::max<std::size_t>(kept.least, std::size_t{options.directions} * kept.of_1000 / 1000);
}

/// A part of the resolution that was asked for.
std::uint32_t coarser(const WaySearchOptions& options, std::uint32_t quarters) {
  return std::max(1u, options.resolution * quarters / 4);
}

bool shorter(const FoundWay& p, const FoundWay& q) { return p.length < q.length; }

}  // namespace

void WaySearch::ask(std::span<const Vec3d> directions, const Look& look) {
  looked_ += static_cast<std::uint32_t>(directions.size());
  const auto& [a, b] = *look.pair;
  if (options_.window)
    finder_->find_within(*options_.window, a, b, directions, look.resolution, shifts_);
  else
    finder_->find(a, b, directions, look.resolution, shifts_);
}

/// Both ways of each of the directions become the ways.
void WaySearch::look_along(const Look& look) {
  ask(directions_, look);
  ways_.clear();
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const FreeShift& s = shifts_[i];
    ways_.push_back({directions_[i], s.forward, s.cell, s.room_forward});
    ways_.push_back({-directions_[i], s.backward, s.cell, s.room_backward});
  }
}

/// Not finer than coarse rays see, and not so coarse that the overlap is lost.
void WaySearch::merge_meshes(Workers& workers) {
  merged_ = given_;
  if (options_.window) return;  // rays are closer together there
  constexpr double kPartOfSize = 1.0 / 48, kPartOfWay = 1.0 / 12;
  const double way = std::min_element(axes_.begin(), axes_.end(), shorter)->length;
  const auto size_of = [](MeshView mesh) { return double{length(extent(bounds(mesh)))}; };
  const double cell = std::min(kPartOfSize * std::min(size_of(given_.a), size_of(given_.b)), kPartOfWay * way);
  if (!(cell > 0)) return;
  const auto merge = [&](MeshView given, MergedMesh& room, MeshView& out) {
    room.merge(given, static_cast<float>(cell));
    if (2 * room.view().triangles.size() < given.triangles.size()) out = room.view();
  };
  side_by_side(
      workers, [&] { merge(given_.a, small_[0], merged_.a); }, [&] { merge(given_.b, small_[1], merged_.b); });
}

void WaySearch::look_around() {
  directions_.clear();
  add_spread(spread_count(options_), directions_);
  angle_ = spread_angle(spread_count(options_));
  look_along({&merged_, coarser(options_, 1)});
}

/// The shortest ways, no two of them closer than `angle` to each other.
void WaySearch::keep_apart(std::size_t most, double angle) {
  std::stable_sort(ways_.begin(), ways_.end(), shorter);
  const double least = elementary::cos(angle);
  std::vector<FoundWay> kept;
  for (const FoundWay& way : ways_) {
    if (kept.size() == most) break;
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const FoundWay& k) { return dot(k.direction, way.direction) > least; }))
      kept.push_back(way);
  }
  ways_ = std::move(kept);
}

/// Each way on its own: it becomes the shortest of a ring around it, half as large as the last one, where that is
/// shorter.
void WaySearch::climb(std::uint32_t ring, double turn, const Look& look) {
  angle_ *= 0.5;
  directions_.clear();
  for (const FoundWay& way : ways_) add_ring(way.direction, angle_, ring, turn, directions_);
  ask(directions_, look);
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const FreeShift& s = shifts_[i];
    FoundWay& way = ways_[i / ring];
    if (s.forward < way.length) way = {directions_[i], s.forward, s.cell, s.room_forward};
  }
}

/// The same ways by another look: lengths of different grids cannot be compared.
void WaySearch::measure_again(const Look& look) {
  directions_.clear();
  for (const FoundWay& way : ways_) directions_.push_back(way.direction);
  ask(directions_, look);
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const FreeShift& s = shifts_[i];
    ways_[i] = {directions_[i], s.forward, s.cell, s.room_forward};
  }
}

/// Many ways, still coarsely.
void WaySearch::explore() {
  const Look look{&merged_, coarser(options_, 3)};
  const double spread = angle_;
  keep_apart(count_of(kExplored, options_), 1.2 * spread);  // one of neighbours
  measure_again(look);
  climb(kRing, 0, look);
  keep_apart(count_of(kExploredAgain, options_), 0.5 * spread);
  climb(kRing, 0.5, look);
  keep_apart(count_of(kLookedAt, options_), angle_);
}

void WaySearch::refine() {
  Look look{&given_, options_.resolution};
  measure_again(look);
  ways_.insert(ways_.end(), axes_.begin(), axes_.end());
  keep_apart(kRefined, angle_);
  climb(kRing, 0, look);
  keep_apart(kRefinedAgain, angle_);
  climb(kRing, 0.5, look);
  keep_apart(kMeasured, 2 * angle_);
  look.resolution = std::min(2 * look.resolution, kFinest);
  measure_again(look);
  for (int ring = 0; ring < kFineRings; ++ring) climb(kFineRing, 0.5 * (ring % 2), look);
}

void WaySearch::measure() {
  measure_again({&given_, std::max(kFinest, options_.resolution)});
  std::stable_sort(ways_.begin(), ways_.end(), shorter);
  if (ways_[0].length > kUnsure * ways_[0].cell) return;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      ways_.push_back({.cell = ways_[0].cell, .room = ways_[0].room});
      ways_.back().direction[axis] = sign;
    }
}

std::span<const FoundWay> WaySearch::find(MeshView a, MeshView b, const WaySearchOptions& options, ShiftFinder& finder,
                                          Workers& workers) {
  given_ = {a, b};
  options_ = options;
  finder_ = &finder;
  looked_ = 0;
  directions_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  look_along({&given_, options_.resolution});
  axes_ = ways_;
  merge_meshes(workers);
  look_around();
  explore();
  refine();
  measure();
  return ways_;
}

}  // namespace lamella
