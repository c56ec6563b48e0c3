// The shortest way out: rays find the direction (way_search.hpp), triangles the length. Along the best directions a is
// moved as far as rays need and a little further, until it is proved to be clear; from there a sweep back tells where
// it first touches b, exactly to rounding. So what lies between rays costs no length.

#include "lamella/separation.hpp"

#include <algorithm>
#include <cmath>
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
#include "measure/frame.hpp"
#include "measure/way_search.hpp"
#include "proof/prove.hpp"
#include "registry/registry.hpp"

namespace lamella {
namespace {

/// Of positions moved and rounded to floats, with room, as a part of the largest coordinate.
constexpr double kRounding = 0x1p-21;
constexpr int kMoves = 12;            ///< to reach a place that is clear, each twice as far as the one before
constexpr int kTighter = 4;           ///< margins for rounding that are tried, each 16 times the one before
constexpr std::uint32_t kFine = 512;  ///< columns and rows of the grid that looks where to go on to

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
        sweeper(options.threads) {
    check_resolution(options.resolution);
  }

  /// The pair once a is moved. Proofs are about exactly what transformed() gives.
  struct Moved {
    Mesh mesh;
    proof::Proof proof;
  };
  Moved move(MeshView a, MeshView b, Vec3d translation) {
    Moved moved{transformed(a, {.translation = translation, .rotation = {}}), {}};
    frame.settle(moved.mesh, b);
    moved.proof = proof::prove_pair(frame.a(), frame.b(), {}, workers, scratch);
    if (moved.proof.certificate.witness)
      moved.proof.certificate.witness = *moved.proof.certificate.witness + frame.origin();
    return moved;
  }

  void set_way(Separation& out, Vec3d direction, double length, double margin, const proof::Proof& proof) const {
    out.direction = direction;
    out.length = length;
    out.margin = margin;
    out.translation = direction * (length + margin);
    out.after = proof.verdict;
    out.certificate = proof.certificate;
  }

  /// Along one way: first to where it is proved to be clear, then back to just before they touch.
  Separation leave(MeshView a, MeshView b, const WayOut& way, double rounding) {
    Separation out;
    double shift = way.length, step = std::max(way.cell, rounding);
    for (int i = 0; i < kMoves; ++i) {
      const double room = std::min(step, 0.5 * way.room);
      const double total = shift + (i == 0 && room > rounding ? room : step);
      Moved moved = move(a, b, way.direction * total);
      set_way(out, way.direction, way.length, total - way.length, moved.proof);
      if (moved.proof.verdict == Verdict::clear) {
        tighten(a, b, moved.mesh, total, rounding, out);
        break;
      }
      if (moved.proof.open[0] || moved.proof.open[1]) break;  // nothing can be proved
      finder->find(frame.a(), frame.b(), {&way.direction, 1}, kFine, shifts);
      shift = total + shifts[0].forward;
      step *= 2;
    }
    return out;
  }

  /// `moved` is a after a shift of `total`, where it is clear.
  void tighten(MeshView a, MeshView b, const Mesh& moved, double total, double rounding, Separation& out) {
    const Vec3d direction = out.direction;
    const auto hit = sweeper.sweep_clear(moved, b, direction * -total);
    if (!hit) return;
    const double needed = total * (1 - hit->time);
    out.length = needed;
    out.margin = total - needed;
    double margin = rounding;
    for (int i = 0; i < kTighter && margin < out.margin; ++i, margin *= 16) {
      const Moved closer = move(a, b, direction * (needed + margin));
      if (closer.proof.verdict != Verdict::clear) continue;
      set_way(out, direction, needed, margin, closer.proof);
      break;
    }
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
                                  window ? on_cpu() : *finder);  // others would look past the window
    watch.lap(best.ms.query);
    const double rounding = kRounding * reach_of(first, second);
    std::optional<Separation> found;
    for (WayOut way : ways) {
      if (overlap.verdict == Verdict::undecided && way.length == 0) continue;
      if (found && found->after == Verdict::clear && way.length >= found->length)
        continue;  // rays need less, never more
      if (!in_order) way.direction = -way.direction;
      Separation next = leave(a, b, way, rounding);
      if (!found || is_better(next, *found)) found = std::move(next);
    }
    watch.lap(best.ms.contacts);
    best.directions = search.looked();
    if (found) set_way(best, found->direction, found->length, found->margin, {found->after, found->certificate, {}});
    return best;
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
  Sweeper sweeper;
  WaySearch search;
  PairFrame frame, given;
  proof::ProofScratch scratch;
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
