#include "clash/pair_tester.hpp"

#include <algorithm>
#include <cmath>

#include "clash/classify.hpp"
#include "clash/measured.hpp"
#include "clash/regions.hpp"
#include "clash/rounding.hpp"
#include "core/placement.hpp"
#include "lamella/query.hpp"

namespace lamella::clash {
namespace {

/// Columns and rows of the views that tell regions and surfaces inside the other part: over the overlap alone, so that
/// even one that a single column met is several wide. More where they see no surface.
constexpr std::uint32_t kDetail = 24, kMostDetail = 512;
/// Of the look for an overlap that is proved, but that no ray met.
constexpr std::uint32_t kFine = 1024;
/// That a way out of an overlap that no ray meets is looked for along: any will do.
constexpr std::uint32_t kFewDirections = 128;

void take(const PairOverlap& from, ClashPair& to) {
  to.verdict = from.verdict;
  to.certain = from.certificate.certain;
  to.volume = from.volume;
  to.volume_error = from.volume_error;
  to.tolerance_met = from.tolerance_met;
  to.centroid = from.centroid;
  if (from.bounds.empty()) return;
  to.min = to_double(from.bounds.min) + from.origin;
  to.max = to_double(from.bounds.max) + from.origin;
}

/// What details are sampled in: the overlap, and more on every side, for it may reach up to the next column of the view
/// that found it, and as far along the rays as it slopes until there. Unset where nothing was sampled: all that the
/// parts' boxes share.
std::optional<Aabb> box_of_details(const MeshView& a, const MeshView& b, const ClashPair& pair, const Grid& sampled) {
  constexpr double kSteep = 4;  // columns along the rays
  if (!(pair.volume > 0) || sampled.columns == 0) return std::nullopt;
  const Aabb box_a = bounds(a), box_b = bounds(b);
  const double column = std::max(sampled.cell_u(), sampled.cell_v());
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const float low = std::max(box_a.min[k], box_b.min[k]), high = std::min(box_a.max[k], box_b.max[k]);
    const double more = k == static_cast<int>(sampled.axis) ? kSteep * column : column;
    box.min[k] = std::max(low, static_cast<float>(pair.min[k] - a.origin[k] - more));
    box.max[k] = std::min(high, static_cast<float>(pair.max[k] - a.origin[k] + more));
  }
  return box;
}

double box_volume(const Aabb& box) {
  const Vec3d size = to_double(box.max) - to_double(box.min);
  return box.empty() ? 0 : size.x * size.y * size.z;
}

/// Two views that differ by more than their error bars show that one of them is too short.
bool contradict(const Overlap& detail, const ClashPair& pair) {
  return std::abs(detail.volume - pair.volume) > detail.volume_error + pair.volume_error;
}

void widen_error(const Overlap& detail, ClashPair& pair) {
  if (contradict(detail, pair)) pair.volume_error = std::abs(detail.volume - pair.volume);
}

bool has_surfaces(const OverlapGradient& detail) {
  return detail.sums.inner_a.area > 0 || detail.sums.inner_b.area > 0;
}

/// Walls that face both ways, as those of a press fit, may be thinner than a column and parallel to the rays; round
/// ones in the middle of the grid then look alike to all of its parts, which error bars are made from.
bool may_be_thin_walls(const OverlapGradient& detail, const ClashPair& pair) {
  if (!faces_both_ways(detail.sums.inner_a, detail.sums.inner_b)) return false;
  return pair.volume_error > kLongBar * pair.volume || contradict(detail, pair);
}

}  // namespace

PairTester::PairTester(std::span<const AssemblyPart> parts, std::span<const MeshFacts> meshes,
                       const ClashOptions& options)
    : parts_(parts),
      meshes_(meshes),
      options_(options),
      fine_({.engine = "software", .resolution = kFine, .threads = 1, .close_holes = false}),
      details_(software::make_boxed_engine({.threads = 1})),
      one_(1),
      distances_(1),
      separator_({.engine = "software", .threads = 1}),
      quick_separator_({.engine = "software", .directions = kFewDirections, .threads = 1}) {}

MeshView PairTester::placed_in(std::vector<Vec3>& room, const MeshView& mesh, const Transform& pose, Vec3d origin) {
  if (room.size() < mesh.vertex_count()) room.resize(mesh.vertex_count());
  (void)place_mesh(mesh, pose, origin, room.data());
  return {.positions = std::span(room).first(mesh.vertex_count()), .triangles = mesh.triangles, .origin = origin};
}

PairTester::Placed PairTester::place(const Candidate& candidate, Vec3d origin) {
  const auto placed = [&](std::uint32_t part, std::vector<Vec3>& room) -> MeshView {
    const AssemblyPart& p = parts_[part];
    const MeshView mesh = meshes_[p.mesh].view;
    if (mesh.wide.empty() && is_identity(p.pose) && mesh.origin == origin) return mesh;
    return placed_in(room, mesh, p.pose, origin);
  };
  const auto is_whole = [&](std::uint32_t part) { return meshes_[parts_[part].mesh].whole; };
  return {placed(candidate.a, room_.a), placed(candidate.b, room_.b), is_whole(candidate.a) && is_whole(candidate.b)};
}

bool PairTester::wants_depth(const Candidate& candidate) const {
  return options_.way_out != WayOut::none || options_.touch > 0 || allows_depth(candidate);
}

bool PairTester::allows_depth(const Candidate& candidate) const {
  return candidate.rule != kNoRule && options_.rules[candidate.rule].allowed_depth > 0;
}

ClashPair PairTester::test(const Candidate& candidate, const PairOverlap& overlap) {
  ClashPair pair{.a = candidate.a, .b = candidate.b, .rule = candidate.rule};
  take(overlap, pair);
  unseen_ = {};
  unseen_.add(overlap.health);
  const Placed placed = place(candidate, overlap.origin);
  if (pair.verdict == Verdict::colliding || pair.volume > 0)
    measure_overlap(candidate, placed, overlap.grid, pair);
  else
    measure_gap(candidate, placed, pair);
  if (candidate.rule != kNoRule) pair.allowed = is_allowed(pair, options_.rules[candidate.rule], unseen_);
  if (pair.verdict == Verdict::undecided || !overlap.health.ok()) explain(candidate, pair);
  return pair;
}

ClashPair PairTester::test_gap(const Candidate& candidate) {
  const auto box = [&](std::uint32_t part) {
    const AssemblyPart& p = parts_[part];
    return wide_box(meshes_[p.mesh].box, p.pose);
  };
  ClashPair pair{.a = candidate.a, .b = candidate.b, .rule = candidate.rule};
  unseen_ = {};
  measure_gap(candidate, place(candidate, origin_for(shared_box(box(candidate.a), box(candidate.b)))), pair);
  if (candidate.rule != kNoRule) pair.allowed = is_allowed(pair, options_.rules[candidate.rule], unseen_);
  if (pair.verdict == Verdict::undecided) explain(candidate, pair);
  return pair;
}

void PairTester::measure_overlap(const Candidate& candidate, const Placed& placed, const Grid& sampled,
                                 ClashPair& pair) {
  const std::optional<Aabb> box = box_of_details(placed.a, placed.b, pair, sampled);
  sample_details(placed, box);
  std::optional<FilmWalls> across;
  const bool closer = !options_.tolerance && may_be_thin_walls(detail_, pair) && look_closer(placed, pair);
  if (!closer) {
    across = look_across_film(candidate, placed, box, pair);
    const bool better = across && across->better;
    if (!better && !options_.tolerance) {
      if (const auto axis = symmetric_axis(placed, sampled)) look_twice(placed, *axis, pair);
      widen_error(detail_, pair);
    }
    if (!better) find_detail_regions(placed, detail_, pair);
  }
  add_rounding(placed, box, across, pair);
  classify(placed, detail_, pair);
  if (!meets_tolerance(pair)) pair.tolerance_met = false;
  if (!wants_depth(candidate)) return;
  find_way_out(placed, detail_, pair);
  if (across) take_film_depth(placed, *across, pair);
  if (options_.touch > 0) {
    prove_depth(placed, options_.touch, pair);
    if (pair.depth > 0 && pair.depth <= options_.touch) pair.kind = ClashClass::touching;
  }
  if (candidate.rule != kNoRule) prove_depth(placed, options_.rules[candidate.rule].allowed_depth, pair);
}

/// The surfaces of thin walls may be seen by fine views alone.
void PairTester::sample_details(const Placed& placed, const std::optional<Aabb>& box) {
  details_->set_box(box);
  for (std::uint32_t columns = std::min(kDetail, options_.resolution);; columns = std::min(2 * columns, kMostDetail)) {
    details_->volume_gradient(placed.a, placed.b, {.resolution = columns}, {.vertices = false}, detail_);
    if (columns >= kMostDetail || has_surfaces(detail_)) return;
  }
}

bool PairTester::meets_tolerance(const ClashPair& pair) const {
  return !options_.tolerance || pair.volume_error <= options_.tolerance->of(pair.volume);
}

void PairTester::add_rounding(const Placed& placed, const std::optional<Aabb>& box,
                              const std::optional<FilmWalls>& across, ClashPair& pair) {
  double area = std::max(detail_.sums.inner_a.area, detail_.sums.inner_b.area);
  const bool better = across && across->better;
  const double placing = better ? across->moved : moved_by_placing(placed, box.value_or(bounds(placed.a)), pair);
  if (better) area = std::max(area, across->area);
  pair.volume_error += rounding_error(area, placing, pair);
}

/// What is sampled is in floats, which may move all of a flat wall one way; a mesh in floats may have been rounded by
/// whoever made it, too. `placing`: how far walls of both parts were moved when they were placed.
double PairTester::rounding_error(double area, double placing, const ClashPair& pair) const {
  constexpr double kRounding = 0x1p-24;
  for (const std::uint32_t part : {pair.a, pair.b}) {
    const MeshFacts& mesh = meshes_[parts_[part].mesh];
    const bool of_doubles = !mesh.view.wide.empty() && options_.engine != "cuda";  // which has none
    if (!of_doubles) placing += kRounding * largest_coordinate(mesh.box, mesh.view.origin);
  }
  return placing * area;
}

double PairTester::moved_by_placing(const Placed& placed, const Aabb& near, const ClashPair& pair) const {
  const auto moved = [&](std::uint32_t part, const MeshView& as_sampled) {
    return rounding_of(meshes_[parts_[part].mesh].view, parts_[part].pose, as_sampled, near);
  };
  return moved(pair.a, placed.a) + moved(pair.b, placed.b);
}

/// Rays see no overlap: exact arithmetic tells how far apart the parts are, and whether something thin was missed.
void PairTester::measure_gap(const Candidate& candidate, const Placed& placed, ClashPair& pair) {
  const MeshDistance& gap = distances_.distance(placed.a, placed.b);
  pair.distance = gap.distance;
  pair.on_a = gap.on_a;
  pair.on_b = gap.on_b;
  if (std::isfinite(gap.distance)) {
    pair.centroid = (gap.on_a + gap.on_b) * 0.5;
    for (int i = 0; i < 3; ++i) {
      pair.min[i] = std::min(gap.on_a[i], gap.on_b[i]);
      pair.max[i] = std::max(gap.on_a[i], gap.on_b[i]);
    }
  }
  if (gap.verdict == Verdict::colliding) return find_missed_overlap(candidate, placed, pair);
  if (gap.verdict == Verdict::undecided) pair.verdict = Verdict::undecided;
  // Of meshes that close, a doubt of rays that surfaces touch is settled.
  pair.certain = gap.verdict == Verdict::clear && pair.verdict == Verdict::clear;
  const double clearance = clearance_of(options_, candidate.rule);
  if (gap.distance <= options_.touch)
    pair.kind = ClashClass::touching;
  else if (gap.distance < clearance)
    pair.kind = ClashClass::near;
}

void PairTester::find_missed_overlap(const Candidate& candidate, const Placed& placed, ClashPair& pair) {
  const Overlap& fine = fine_.intersect(placed.a, placed.b);
  unseen_.add(fine.health);
  pair.verdict = Verdict::colliding;
  pair.certain = true;
  pair.kind = ClashClass::overlapping;
  pair.distance = 0;
  std::optional<FilmWalls> across;
  pair.volume_error = box_volume(fine.grid.box) / kFine;  // a film as wide as a column, right across
  if (fine.volume > 0) {
    take_sums(fine, pair);
    take_regions(find_regions(fine), fine.volume, pair);
    const std::optional<Aabb> box = box_of_details(placed.a, placed.b, pair, fine.grid);
    sample_details(placed, box);
    across = look_across_film(candidate, placed, box, pair);
    add_rounding(placed, box, across, pair);
  }
  pair.tolerance_met = fine.volume > 0 && meets_tolerance(pair);
  if (!wants_depth(candidate)) return;
  const bool matters = options_.touch > 0 || options_.way_out == WayOut::shortest || allows_depth(candidate);
  const Separation way = (matters ? separator_ : quick_separator_).separation(placed.a, placed.b);
  if (way.after != Verdict::clear || !(way.length > 0)) return;
  pair.depth = way.length;
  pair.way_out = way.direction;
  if (across) take_film_depth(placed, *across, pair);
  if (pair.depth <= options_.touch) pair.kind = ClashClass::touching;
}

void PairTester::explain(const Candidate& candidate, ClashPair& pair) {
  const auto placed = [&](std::uint32_t part) {
    const AssemblyPart& p = parts_[part];
    return transformed(meshes_[p.mesh].own, p.pose);
  };
  const Mesh a = placed(candidate.a), b = placed(candidate.b);
  const Overlap answer = intersect(a, b,
                                   {.engine = "software",
                                    .resolution = options_.resolution,
                                    .threads = 1,
                                    .keep_spans = false,
                                    .explain = true,
                                    .close_holes = options_.close_holes});
  pair.doubts = answer.doubts;
}

}  // namespace lamella::clash
