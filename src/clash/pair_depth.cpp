// How deep the parts of a pair are in each other, and which way is out.

#include <algorithm>
#include <cmath>

#include "clash/pair_tester.hpp"
#include "core/unit.hpp"

namespace lamella::clash {
namespace {

constexpr std::uint32_t kWayOut = 64;  ///< of the rays along a way out
/// Mean normals shorter than this say little about a way out.
constexpr double kClearNormal = 0.25;

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

/// Of all directions that are tried, the one with the shortest way: the mean normal where the surfaces have one, else
/// the axes; and what separation() finds.
void PairTester::find_way_out(const Placed& placed, const OverlapGradient& detail, ClashPair& pair) {
  double least = HUGE_VAL;
  const auto offer = [&](double length, Vec3d direction) {
    if (!(length > 0) || length >= least) return;
    least = length;
    pair.depth = length;
    pair.way_out = direction;
  };
  for (const Vec3d d : directions_out(detail.sums)) {
    const FreeInterval free = separator_.free_shifts(placed.a, placed.b, d, kWayOut);
    if (!free.overlapping) continue;
    offer(free.forward, d);
    offer(free.backward, -d);
  }
  if (options_.way_out != WayOut::shortest) return;
  const Separation way = separator_.separation(placed.a, placed.b);
  offer(way.length, way.direction);
}

/// By exact arithmetic, of a moved.
bool PairTester::is_apart_after(const Placed& placed, Vec3d shift) {
  moved_.assign(placed.a.positions.begin(), placed.a.positions.end());
  for (Vec3& p : moved_) p = to_float(to_double(p) + shift);
  const MeshView a{.positions = moved_, .triangles = placed.a.triangles, .origin = placed.a.origin};
  return distances_.distance(a, placed.b).verdict == Verdict::clear;
}

/// The way out of a film is along its normal, and as long as the film is thick. No other way is shorter: hardly any
/// other surface than its two walls bounds a film (film_normal), so it is much wider than it is thick. Rays along other
/// directions see the walls where the lattice moved them, and ways look shorter than they are. Exact arithmetic proves,
/// up to rounding, that the whole parts are apart after the move.
void PairTester::take_film_depth(const Placed& placed, const FilmWalls& film, ClashPair& pair) {
  constexpr double kRounding = 0x1p-22;
  const double size = length(extent(bounds(placed.a))) + length(extent(bounds(placed.b)));
  if (!is_apart_after(placed, film.way_out * (film.thickness + kRounding * size))) return;
  pair.depth = film.thickness;
  pair.way_out = film.way_out;
}

/// A depth that makes an overlap harmless, since it is not above the limit, must be proved: rays miss what is thinner
/// than their distance. Where it is not so, the depth is that of separation(), or unknown.
void PairTester::prove_depth(const Placed& placed, double limit, ClashPair& pair) {
  if (!(pair.depth > 0) || !(pair.depth <= limit) || is_apart_after(placed, pair.way_out * limit)) return;
  const Separation way = separator_.separation(placed.a, placed.b);
  const bool known = way.after == Verdict::clear && way.length > 0;
  pair.depth = known ? way.length : 0;
  pair.way_out = known ? way.direction : Vec3d{};
}

}  // namespace lamella::clash
