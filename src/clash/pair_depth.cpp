// How deep the parts of a pair are in each other, and which way is out.

#include <algorithm>
#include <cmath>

#include "clash/pair_tester.hpp"
#include "core/unit.hpp"
#include "measure/first_touch.hpp"

namespace lamella::clash {
namespace {

constexpr std::uint32_t kWayOut = 64;  ///< of the rays along a way out
/// Mean normals shorter than this say little about a way out.
constexpr double kClearNormal = 0.25;
/// Of positions that are moved and rounded to floats, as a part of the size of both parts.
constexpr double kRounding = 0x1p-22;

/// Along which a way out is looked for.
std::vector<Vec3d> directions_out(const GradientSums& sums) {
  std::vector<Vec3d> directions;
  const Vec3d normal = unit(-sums.a.translation);
  if (normal != Vec3d{}) directions.push_back(normal);
  if (std::max(length(sums.inner_a.normal), length(sums.inner_b.normal)) < kClearNormal)
    for (int axis = 0; axis < 3; ++axis) directions.emplace_back()[axis] = 1;
  return directions;
}

}  // namespace

/// The ways along all directions that are tried, as rays see them; the shortest first.
std::vector<FoundWay> PairTester::seen_ways(const Placed& placed, const OverlapGradient& detail) {
  std::vector<FoundWay> ways;
  for (const Vec3d d : directions_out(detail.sums)) {
    const FreeInterval free = separator_.free_shifts(placed.a, placed.b, d, kWayOut);
    if (!free.overlapping) continue;
    if (free.forward > 0) ways.push_back({d, free.forward, free.cell, free.room_forward});
    if (free.backward > 0) ways.push_back({-d, free.backward, free.cell, free.room_backward});
  }
  std::stable_sort(ways.begin(), ways.end(), [](const FoundWay& x, const FoundWay& y) { return x.length < y.length; });
  return ways;
}

/// Of the directions that are tried, the one with the shortest way: the mean normal where the surfaces have one, else
/// the axes. Rays miss corners, so ways are longer than they see, never shorter: exact arithmetic proves that a way
/// takes a out, or finds how long it is. Where nothing can be proved, as of open meshes, it is as rays see it.
void PairTester::find_way_out(const Placed& placed, const OverlapGradient& detail, ClashPair& pair) {
  if (options_.way_out == WayOut::shortest && take_shortest(placed, pair)) return;
  const std::vector<FoundWay> ways = seen_ways(placed, detail);
  if (ways.empty()) {  // too thin for those rays
    if (options_.way_out != WayOut::shortest) (void)take_shortest(placed, pair);
    return;
  }
  double least = HUGE_VAL;
  for (const FoundWay& way : ways) {
    if (way.length >= least) break;
    const double length = proved_length(placed, way);
    if (!(length > 0) || length >= least) continue;
    least = length;
    pair.way_out = way.direction;
  }
  pair.depth = least < HUGE_VAL ? least : ways.front().length;
  if (least == HUGE_VAL) pair.way_out = ways.front().direction;
}

/// What separation() finds, if that is proved.
bool PairTester::take_shortest(const Placed& placed, ClashPair& pair) {
  const Separation way = separator_.separation(placed.a, placed.b);
  if (way.after != Verdict::clear || !(way.length > 0)) return false;
  pair.depth = way.length;
  pair.way_out = way.direction;
  return true;
}

/// How far a must go along a way, by exact arithmetic: as far as rays see, if a hundredth more takes it out; 0 where
/// nothing can be proved.
double PairTester::proved_length(const Placed& placed, const FoundWay& way) {
  constexpr double kMore = 1.01;
  const double size = length(extent(bounds(placed.a))) + length(extent(bounds(placed.b)));
  const Vec3d shift = way.direction * (kMore * way.length + kRounding * size);
  if (placed.whole) {  // what is not quickly told to be apart is mostly not
    const Placed moved = moved_by(placed, shift);
    if (apart_.are_apart(moved.a, moved.b)) return way.length;
  } else if (is_apart_after(placed, shift)) {
    return way.length;
  }
  PairToPart pair{.a = placed.a, .b = placed.b, .rounding = 2 * kRounding * size};
  pair.solid_a = is_solid(placed.a, one_);
  pair.solid_b = is_solid(placed.b, one_);
  const Separation out = lengths_.measure(pair, way, one_);
  return out.after == Verdict::clear ? out.length : 0;
}

PairTester::Placed PairTester::moved_by(const Placed& placed, Vec3d shift) {
  moved_.assign(placed.a.positions.begin(), placed.a.positions.end());
  for (Vec3& p : moved_) p = to_float(to_double(p) + shift);
  const MeshView a{.positions = moved_, .triangles = placed.a.triangles, .origin = placed.a.origin};
  return {a, placed.b, placed.whole};
}

/// By exact arithmetic, of a moved.
bool PairTester::is_apart_after(const Placed& placed, Vec3d shift) {
  const Placed moved = moved_by(placed, shift);
  if (moved.whole && apart_.are_apart(moved.a, moved.b)) return true;
  return distances_.distance(moved.a, moved.b).verdict == Verdict::clear;
}

/// The way out of a film is along its normal, and as long as the film is thick. No other way is shorter: hardly any
/// other surface than its two walls bounds a film (film_normal), so it is much wider than it is thick. Rays along other
/// directions see the walls where the lattice moved them, and ways look shorter than they are. Exact arithmetic proves,
/// up to rounding, that the whole parts are apart after the move.
void PairTester::take_film_depth(const Placed& placed, const FilmWalls& film, ClashPair& pair) {
  const double size = length(extent(bounds(placed.a))) + length(extent(bounds(placed.b)));
  if (!is_apart_after(placed, film.way_out * (film.thickness + kRounding * size))) return;
  pair.depth = film.thickness;
  pair.way_out = film.way_out;
}

/// A depth that makes an overlap harmless, since it is not above the limit, must be proved: rays miss what is thinner
/// than their distance. Where it is not so, the depth is that of separation(), or unknown.
void PairTester::prove_depth(const Placed& placed, double limit, ClashPair& pair) {
  if (!(pair.depth > 0) || !(pair.depth <= limit) || is_apart_after(placed, pair.way_out * limit)) return;
  if (take_shortest(placed, pair)) return;
  pair.depth = 0;
  pair.way_out = {};
}

}  // namespace lamella::clash
