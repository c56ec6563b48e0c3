// The shortest way out: rays find the direction (way_search.hpp), triangles the length (way_length.hpp).

#include "lamella/separation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "measure/first_touch.hpp"
#include "measure/frame.hpp"
#include "measure/side_by_side.hpp"
#include "measure/way_length.hpp"
#include "measure/way_search.hpp"
#include "registry/registry.hpp"

namespace lamella {
namespace {

/// Of positions moved and rounded to floats, with room, as a part of the largest coordinate.
constexpr double kRounding = 0x1p-21;

/// An order of meshes that does not depend on which is given first: the same search is made for (a, b) and (b, a).
bool comes_first(MeshView a, MeshView b) {
  if (a.triangles.size() != b.triangles.size()) return a.triangles.size() < b.triangles.size();
  if (a.positions.size() != b.positions.size()) return a.positions.size() < b.positions.size();
  for (std::size_t i = 0; i < a.positions.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (a.positions[i][k] != b.positions[i][k]) return a.positions[i][k] < b.positions[i][k];
  return true;
}

/// The largest coordinate of either, and of `a` once it is moved.
double reach_of(MeshView a, MeshView b) {
  double reach = 0;
  for (const MeshView& mesh : {a, b}) {
    const Aabb box = bounds(mesh);
    if (box.empty()) continue;
    for (int i = 0; i < 3; ++i) reach = std::max({reach, std::abs(double{box.min[i]}), std::abs(double{box.max[i]})});
  }
  return reach;
}

bool is_small(const Aabb& part, const Aabb& whole) {
  constexpr float kSmall = 0.35f;
  return !part.empty() && length(extent(part)) < kSmall * length(extent(whole));
}

Aabb with_room(const Aabb& box) {
  const float room = 0.1f * length(extent(box));
  return {box.min - Vec3{room, room, room}, box.max + Vec3{room, room, room}};
}

/// Squares of a direction that is very long or very short do not fit a double: its largest component is 1 first.
Vec3d unit(Vec3d direction) {
  const double largest = std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)});
  const bool finite = std::isfinite(direction.x) && std::isfinite(direction.y) && std::isfinite(direction.z);
  if (!finite || largest == 0)
    throw Error("the direction of free shifts is 0 or not finite: give a direction of any length but 0");
  const Vec3d scaled{direction.x / largest, direction.y / largest, direction.z / largest};
  return scaled * (1 / length(scaled));
}

}  // namespace

struct Separator::State {
  explicit State(const SeparationOptions& o)
      : options(o),
        workers(options.threads),
        finder(make_shift_finder(options.engine, {.threads = options.threads, .device = options.device})),
        engine(make_engine({.engine = "software", .threads = options.threads})),
        lengths(WaySearch::kMostWays) {
    check_resolution(options.resolution);
  }

  /// The box of the overlap that rays see in a part of space; empty where they see none.
  Aabb overlap_in(const Aabb& window, MeshView a, MeshView b) {
    const Vec3 size = extent(window);
    const Axis axis = size.x < size.y ? (size.x < size.z ? Axis::x : Axis::z) : (size.y < size.z ? Axis::y : Axis::z);
    const Grid grid = square_grid(window, axis, options.resolution);
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return {};
    engine->build(a, grid, ldi_a);
    engine->build(b, grid, ldi_b);
    intersect(ldi_a, ldi_b, QueryOptions{}.min_thickness, part);
    return part.bounds;
  }

  /// Where to send the rays, if the overlap is a small part of what the images share. Where the usual rays do not see
  /// it, it is looked for around a point that is proved to be inside both.
  std::optional<Aabb> window_of_overlap(MeshView a, MeshView b) {
    constexpr int kZooms = 10;
    Aabb seen = overlap.bounds, around = overlap.grid.box;
    Vec3 half = extent(around) * 0.125f;
    for (int i = 0; i < kZooms && seen.empty() && overlap.certificate.witness; ++i, half = half * 0.25f) {
      const Vec3 at = to_float(*overlap.certificate.witness - overlap.origin);
      around = {at - half, at + half};
      seen = overlap_in(around, a, b);
    }
    for (int i = 0; i < kZooms && is_small(seen, around); ++i) {
      around = with_room(seen);
      if (const Aabb closer = overlap_in(around, a, b); !closer.empty()) seen = closer;
    }
    if (seen.empty() || !is_small(seen, overlap.grid.box)) return std::nullopt;
    return with_room(seen);
  }

  Separation separate(MeshView a, MeshView b) {
    Stopwatch watch;
    check_indices(a);
    check_indices(b);
    given.settle(a, b);
    const bool in_order = comes_first(given.a(), given.b());
    const MeshView first = in_order ? given.a() : given.b(), second = in_order ? given.b() : given.a();
    engine->intersect(first, second, {.resolution = 128, .keep_spans = false, .certify = true}, overlap);
    Separation best;
    best.before = best.after = overlap.verdict;
    best.certificate = overlap.certificate;
    if (!in_order && best.certificate.triangles)
      std::swap((*best.certificate.triangles)[0], (*best.certificate.triangles)[1]);
    best.engine = options.engine == "automatic" ? "software" : options.engine;
    watch.lap(best.ms.ldi);
    if (overlap.verdict == Verdict::clear || overlap.grid.column_count() == 0) return best;
    const std::optional<Aabb> window = window_of_overlap(first, second);
    const auto ways = search.find(first, second, {options.resolution, options.directions, window},
                                  window ? on_cpu() : *finder, workers);  // others would look past the window
    watch.lap(best.ms.query);
    PairToPart pair{.a = a, .b = b, .rounding = kRounding * reach_of(first, second)};
    side_by_side(
        workers, [&] { pair.solid_a = is_solid(in_order ? first : second, workers); },
        [&] { pair.solid_b = is_solid(in_order ? second : first, workers); });
    candidates.clear();
    for (FoundWay way : ways) {
      if (overlap.verdict == Verdict::undecided && way.length == 0) continue;
      if (!in_order) way.direction = -way.direction;
      candidates.push_back(way);
    }
    const std::optional<Separation> found = shortest(pair);
    watch.lap(best.ms.contacts);
    best.directions = search.looked();
    if (found) {
      best.direction = found->direction;
      best.length = found->length;
      best.margin = found->margin;
      best.translation = found->translation;
      best.after = found->after;
      best.certificate = found->certificate;
    }
    return best;
  }

  /// The shortest of the candidates, by exact lengths. With several threads they are measured side by side.
  std::optional<Separation> shortest(const PairToPart& pair) {
    measured.assign(candidates.size(), std::nullopt);
    if (workers.count() > 1) measure_together(pair);
    std::optional<Separation> found;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (found && found->after == Verdict::clear && candidates[i].length >= found->length)
        continue;  // rays need less, never more
      if (!measured[i]) measured[i] = lengths[i].measure(pair, candidates[i], workers);
      if (!found || is_better(*measured[i], *found)) found = measured[i];
    }
    return found;
  }

  /// Leaves out what can be told to be longer by the time its turn comes: which ones depends on the threads, the answer
  /// does not.
  void measure_together(const PairToPart& pair) {
    std::atomic<double> best = std::numeric_limits<double>::infinity();
    workers.for_chunks(
        candidates.size(), 1,
        [&](std::size_t i, std::size_t, unsigned) {
          if (candidates[i].length >= best.load()) return;
          measured[i] = lengths[i].measure(pair, candidates[i], workers);
          if (measured[i]->after != Verdict::clear) return;
          double before = best.load();
          while (measured[i]->length < before && !best.compare_exchange_weak(before, measured[i]->length)) {
          }
        },
        1);
  }

  /// Not by rounding alone: the order of the search decides between ways that are equally long.
  static bool is_better(const Separation& p, const Separation& q) {
    if ((p.after == Verdict::clear) != (q.after == Verdict::clear)) return p.after == Verdict::clear;
    return p.length + p.margin < (q.length + q.margin) * (1 - 1e-6);
  }

  ShiftFinder& on_cpu() {
    if (!software) software = make_shift_finder("software", {.threads = options.threads});
    return *software;
  }

  FreeInterval free_along(MeshView a, MeshView b, Vec3d direction, std::uint32_t resolution) {
    check_resolution(resolution);
    check_indices(a);
    check_indices(b);
    const Vec3d along = unit(direction);
    frame.settle(a, b);
    on_cpu().find(frame.a(), frame.b(), {&along, 1}, resolution, shifts);
    const FreeShift& s = shifts[0];
    return {.overlapping = s.forward > 0,
            .forward = s.forward,
            .backward = s.backward,
            .room_forward = s.room_forward,
            .room_backward = s.room_backward,
            .cell = s.cell,
            .open = s.open};
  }

  SeparationOptions options;
  Workers workers;
  std::unique_ptr<ShiftFinder> finder, software;
  std::unique_ptr<Engine> engine;
  std::vector<WayLength> lengths;  ///< one for each way
  WaySearch search;
  PairFrame frame, given;
  std::vector<FoundWay> candidates;
  std::vector<std::optional<Separation>> measured;
  Overlap overlap, part;
  Ldi ldi_a, ldi_b;
  std::vector<FreeShift> shifts;
};

Separator::Separator(const SeparationOptions& options) : state_(std::make_unique<State>(options)) {}
Separator::~Separator() = default;
Separator::Separator(Separator&&) noexcept = default;
Separator& Separator::operator=(Separator&&) noexcept = default;

Separation Separator::separation(MeshView a, MeshView b) { return state_->separate(a, b); }
FreeInterval Separator::free_shifts(MeshView a, MeshView b, Vec3d direction, std::uint32_t resolution) {
  return state_->free_along(a, b, direction, resolution);
}

Separation separation(MeshView a, MeshView b, const SeparationOptions& options) {
  return Separator(options).separation(a, b);
}
FreeInterval free_shifts(MeshView a, MeshView b, Vec3d direction, std::uint32_t resolution) {
  return Separator().free_shifts(a, b, direction, resolution);
}

}  // namespace lamella
