// The looks of a PairTester at an overlap that its first view does not know well: regions, thin walls, symmetric
// overlaps, films.

#include <algorithm>
#include <cmath>

#include "clash/film.hpp"
#include "clash/measured.hpp"
#include "clash/pair_tester.hpp"
#include "clash/regions.hpp"
#include "clash/rounding.hpp"

namespace lamella::clash {
namespace {

/// Columns and rows of the views that count regions, until two agree how many there are; volumes of several need more
/// than the first of them.
constexpr std::uint32_t kRegionColumns[] = {48, 96, 192};
/// Of a closer look: times the resolution, up to so many columns.
constexpr std::uint32_t kCloser = 4, kMostForCloser = 2048;
/// How often the box of a film is widened: each time by at least half.
constexpr int kMostWidened = 10;

/// Makes the box of a film wider along x and y (its normal is z) where what was seen reaches a side of the box. The box
/// comes from a view that may have missed the thin parts of the film. Returns false if nothing reaches a side, or if
/// the parts end there.
bool widen_film(const Aabb& whole, const Overlap& seen, Aabb& film) {
  constexpr double kColumns = 2;
  bool wider = false;
  for (const int k : {0, 1}) {
    const double size = double{film.max[k]} - film.min[k];
    const double near = kColumns * (k == seen.grid.u() ? seen.grid.cell_u() : seen.grid.cell_v());
    const bool low = film.min[k] > whole.min[k] && seen.bounds.min[k] < film.min[k] + near;
    const bool high = film.max[k] < whole.max[k] && seen.bounds.max[k] > film.max[k] - near;
    if (low) film.min[k] = std::max(whole.min[k], static_cast<float>(film.min[k] - size));
    if (high) film.max[k] = std::min(whole.max[k], static_cast<float>(film.max[k] + size));
    wider = wider || low || high;
  }
  return wider;
}

/// A pose, and then a turn about `middle`, which is then 0.
Transform turned(const Transform& pose, Vec3d middle, const Quaternion& turn) {
  return {rotate(turn, pose.translation - middle), turn * pose.rotation};
}

/// Depths along a ray are floats, rounded relative to the size of the parts. For a film that is thinner than this, the
/// rounding is more than a thousandth of its thickness.
bool is_thin(const MeshView& a, const MeshView& b, const OverlapGradient& film) {
  constexpr double kThin = 0x1p-14;
  const double area = std::max(film.sums.inner_a.area, film.sums.inner_b.area);
  return film.volume < kThin * area * std::max(length(extent(bounds(a))), length(extent(bounds(b))));
}

}  // namespace

PairTester::Placed PairTester::place_turned(const Candidate& candidate, Vec3d middle, const Quaternion& turn) {
  const auto placed = [&](std::uint32_t part, std::vector<Vec3>& room) {
    const AssemblyPart& p = parts_[part];
    return placed_in(room, meshes_[p.mesh].view, turned(p.pose, middle, turn), {});
  };
  return {placed(candidate.a, turned_.a), placed(candidate.b, turned_.b)};
}

/// Views are made finer until two agree how many regions there are: a coarse one may miss small ones.
void PairTester::find_detail_regions(const Placed& placed, const Overlap& detail, ClashPair& pair) {
  Regions regions = find_regions(detail);
  double sampled = detail.volume;
  for (const std::uint32_t columns : kRegionColumns) {
    if (columns <= detail.grid.columns) continue;
    details_->intersect(placed.a, placed.b, {.resolution = columns, .axis = detail.grid.axis}, closer_);
    if (!(closer_.volume > 0)) break;
    const std::uint32_t before = regions.count;
    regions = find_regions(closer_);
    sampled = closer_.volume;
    if (regions.count == before && (regions.count == 1 || columns > kRegionColumns[0])) break;
  }
  take_regions(std::move(regions), sampled, pair);
}

/// Samples along all three axes, and more finely along the best. What that changed tells how far off it still is: the
/// error falls at least as the width of columns does, so that about a third of the change is left. False: nothing seen.
bool PairTester::look_closer(const Placed& placed, ClashPair& pair) {
  Overlap& best = coarse_;
  best.volume = 0;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    views_.sample(placed.a, placed.b, axis, options_.resolution, closer_);
    const bool better =
        best.volume > 0 ? closer_.volume_error * best.volume < best.volume_error * closer_.volume : closer_.volume > 0;
    if (better) std::swap(best, closer_);
  }
  if (!(best.volume > 0)) return false;
  const std::uint32_t columns = std::max(options_.resolution, std::min(kCloser * options_.resolution, kMostForCloser));
  views_.sample_twice(placed.a, placed.b, best.grid.axis, columns, closer_);
  if (!(closer_.volume > 0)) return false;
  take_sums(closer_, pair);
  pair.volume_error = std::max(closer_.volume_error, 0.5 * std::abs(closer_.volume - best.volume));
  take_regions(find_regions(closer_, Walls::thin), closer_.volume, pair);
  return true;
}

/// Along which the overlap looks symmetric: in the view of details, or in one along the axis that the pair was sampled
/// along.
std::optional<Axis> PairTester::symmetric_axis(const Placed& placed, const Grid& sampled) {
  const Grid& grid = detail_.grid;
  if (is_mirrored(grid, detail_.spans)) return grid.axis;
  if (sampled.columns == 0 || sampled.axis == grid.axis) return std::nullopt;
  details_->intersect(placed.a, placed.b, {.resolution = grid.columns, .axis = sampled.axis}, closer_);
  return closer_.volume > 0 && is_mirrored(closer_.grid, closer_.spans) ? std::optional(sampled.axis) : std::nullopt;
}

/// Error bars of symmetric views are too short: samples again, off centre.
void PairTester::look_twice(const Placed& placed, Axis axis, ClashPair& pair) {
  views_.sample_twice(placed.a, placed.b, axis, options_.resolution, closer_);
  if (closer_.volume > 0) take_sums(closer_, pair);
}

/// Takes volume, bounds and regions of the pair from the view across its film.
void PairTester::take_film(const Transform& to_world, ClashPair& pair) {
  pair.volume = closer_.volume;
  pair.volume_error = closer_.volume_error;
  pair.tolerance_met = true;
  pair.centroid = apply(to_world, closer_.centroid);
  Regions regions = find_regions(closer_.grid, closer_.spans, to_world);
  pair.min = regions.min;
  pair.max = regions.max;
  take_regions(std::move(regions), closer_.volume, pair);
}

/// Samples a film along its walls' normal. Unset if the overlap is no film, is known well enough, or was not seen.
std::optional<PairTester::FilmWalls> PairTester::look_across_film(const Candidate& candidate, const Placed& placed,
                                                                  const std::optional<Aabb>& box, ClashPair& pair) {
  const auto mean = film_normal(detail_.sums.inner_a, detail_.sums.inner_b);
  if (!mean || !box || !(pair.volume_error > kLongBar * pair.volume || is_thin(placed.a, placed.b, detail_)))
    return std::nullopt;
  const Vec3d normal = refined_normal(placed.a, placed.b, *box, *mean);
  const Quaternion turn = turn_to_z(normal);
  const Vec3d middle = pair.centroid;
  const Placed across = place_turned(candidate, middle, turn);
  const WideBox around = wide_box(wide_box(*box, placed.a.origin), turned({}, middle, turn));
  Aabb film, whole;
  const Aabb box_a = bounds(across.a), box_b = bounds(across.b);
  for (int k = 0; k < 3; ++k) {
    whole.min[k] = std::max(box_a.min[k], box_b.min[k]);
    whole.max[k] = std::min(box_a.max[k], box_b.max[k]);
    film.min[k] = std::max(static_cast<float>(around.min[k]), whole.min[k]);
    film.max[k] = std::min(static_cast<float>(around.max[k]), whole.max[k]);
  }
  const std::uint32_t columns = std::max(options_.resolution, std::min(kCloser * options_.resolution, kMostForCloser));
  views_.sample_twice(across.a, across.b, film, Axis::z, columns, closer_);
  for (int i = 0; i < kMostWidened && closer_.volume > 0 && widen_film(whole, closer_, film); ++i)
    views_.sample_twice(across.a, across.b, film, Axis::z, columns, closer_);
  if (!(closer_.volume > 0)) return std::nullopt;
  const bool better = closer_.volume_error < pair.volume_error;
  if (better) take_film({middle, conjugate(turn)}, pair);
  const auto moved = [&](std::uint32_t part, const MeshView& as_sampled) {
    const AssemblyPart& p = parts_[part];
    return rounding_of(meshes_[p.mesh].view, turned(p.pose, middle, turn), as_sampled, film, Frame::film);
  };
  float thickness = 0;
  for (const Span& span : closer_.spans) thickness = std::max(thickness, span.end - span.begin);
  return FilmWalls{.better = better,
                   .moved = moved(pair.a, across.a) + moved(pair.b, across.b),
                   .area = static_cast<double>(closer_.span_count) * closer_.grid.cell_area(),
                   .thickness = thickness,
                   .way_out = -normal};
}

}  // namespace lamella::clash
