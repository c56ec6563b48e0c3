// Free shifts along directions. Directions are distributed over the threads, one at a time; each worker turns both
// meshes into the view, samples the rectangle that their images share with a sampler of one thread, and gathers what
// the columns forbid.
//
// Most columns of a pair that overlaps forbid shifts around 0: they move the ends of the gap at once and are forgotten.
// Only intervals that the gap may still reach are kept.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "engines/software/engines.hpp"
#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"
#include "query/column_walk.hpp"

namespace lamella::software {
namespace {

/// Forbidden shifts of one sign, mirrored so that they are positive: finds the least t >= 0 in none of them. An
/// interval that contains t moves it to its end; the order in which they come does not matter.
class FreeEnd {
 public:
  void start() {
    end_ = 0;
    waiting_.clear();
  }
  /// Forbids from < t < to.
  void forbid(float from, float to) {
    if (to <= end_) return;
    if (from < end_)
      end_ = to;
    else
      waiting_.push_back({from, to});
  }
  /// Forbids an interval around 0.
  void forbid_from_0(float to) { end_ = std::max(end_, to); }

  /// The least free t, once all intervals have come.
  float finish() {
    constexpr int kPasses = 6;
    for (int pass = 0; pass < kPasses; ++pass)
      if (!absorb()) return end_;
    std::sort(waiting_.begin(), waiting_.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
    absorb();
    return end_;
  }
  /// From the least free t to the next one that is forbidden.
  [[nodiscard]] float room() const {
    float next = std::numeric_limits<float>::infinity();
    for (const Interval& i : waiting_) next = std::min(next, i.from);
    return next - end_;
  }

 private:
  struct Interval {
    float from, to;
  };
  /// Whether t moved.
  bool absorb() {
    const float before = end_;
    std::size_t kept = 0;
    for (const Interval& i : waiting_) {
      if (i.from < end_)
        end_ = std::max(end_, i.to);
      else
        waiting_[kept++] = i;
    }
    waiting_.resize(kept);
    return end_ != before;
  }

  float end_ = 0;
  std::vector<Interval> waiting_;  ///< that begin at or beyond the end
};

struct Stretch {
  float begin, end;
};

/// Gathers what the columns of one view forbid.
class ForbiddenShifts : public TileConsumer {
 public:
  FreeShift finish() {
    FreeShift shift;
    shift.forward = ahead_.finish();
    shift.backward = back_.finish();
    shift.room_forward = ahead_.room();
    shift.room_backward = back_.room();
    shift.open = open_;
    return shift;
  }

  void start(const Tiling& tiling) override {
    tiling_ = tiling;
    lengths_[0].resize(tiling.width());
    lengths_[1].resize(tiling.width());
    ahead_.start();
    back_.start();
    open_ = false;
  }
  void begin_rows(std::uint32_t, std::uint32_t) override {}
  void finish_rows(std::uint32_t, std::uint32_t) override {}

  void take(std::size_t tile, std::span<Layers> sides, unsigned) override {
    const Window w = tiling_.window(tile);
    for (std::uint32_t row = 0; row < w.end_v - w.first_v; ++row) {
      for (int side = 0; side < 2; ++side) {
        crossings_[side].clear();
        sort_row(sides[side], row, crossings_[side], lengths_[side].data());
      }
      const Crossing* at[2] = {crossings_[0].data(), crossings_[1].data()};
      for (std::uint32_t u = 0; u < w.end_u - w.first_u; ++u) {
        if (lengths_[0][u] != 0 || lengths_[1][u] != 0) take_column(at, u);
        for (int side = 0; side < 2; ++side) at[side] += lengths_[side][u];
      }
    }
  }

 private:
  void take_column(const Crossing* const at[2], std::uint32_t u) {
    bool closed = true;
    for (int side = 0; side < 2; ++side) closed = find_inside(at[side], lengths_[side][u], inside_[side]) && closed;
    if (!closed) open_ = true;
    if (!closed) return;
    for (const Stretch& a : inside_[0])
      for (const Stretch& b : inside_[1]) forbid(b.begin - a.end, b.end - a.begin);
  }

  /// The stretches of a column inside the mesh. False when it does not close.
  static bool find_inside(const Crossing* at, std::uint32_t count, std::vector<Stretch>& out) {
    out.clear();
    if (count == 2 && at[0].entry() && !at[1].entry()) {  // most columns
      if (at[1].depth() > at[0].depth()) out.push_back({at[0].depth(), at[1].depth()});
      return true;
    }
    if (count == 0) return true;
    if (balance({at, count}) != 0) return false;
    const KeyCursor<> cursor(&at->key, count);
    sweep_inside(cursor, WholeColumn{}, 0.0f, [&](float begin, float end) { out.push_back({begin, end}); });
    return true;
  }

  void forbid(float from, float to) {
    if (from < 0 && to > 0) {
      ahead_.forbid_from_0(to);
      back_.forbid_from_0(-from);
    } else if (from >= 0) {
      ahead_.forbid(from, to);
    } else {
      back_.forbid(-to, -from);
    }
  }

  Tiling tiling_;
  std::vector<std::uint32_t> lengths_[2];
  RecordList<Crossing> crossings_[2];
  std::vector<Stretch> inside_[2];
  FreeEnd ahead_, back_;
  bool open_ = false;
};
static_assert(sizeof(Crossing) == sizeof(std::uint32_t));

/// State of one worker; kept between calls.
struct Worker {
  explicit Worker(std::uint64_t max_crossings) : sampler(1, max_crossings, false) {}
  TileSampler sampler;
  ForbiddenShifts shifts;
  std::vector<Vec3> turned[2];
};

/// The rectangle that both images share, as deep as both meshes together. Without area where they share none.
Aabb view_box(const Aabb& a, const Aabb& b) {
  Aabb box = unite(a, b);
  for (int i = 0; i < 2; ++i) {
    box.min[i] = std::max(a.min[i], b.min[i]);
    box.max[i] = std::min(a.max[i], b.max[i]);
  }
  return box;
}

/// Cuts the rectangle to where a box of the world is in the image.
void cut(Aabb& view, const Aabb& window, const Placement& placement) {
  const Vec3d middle = (to_double(window.min) + to_double(window.max)) * 0.5;
  const Vec3d half = (to_double(window.max) - to_double(window.min)) * 0.5;
  for (int i = 0; i < 2; ++i) {
    const Vec3d r = placement.rows[i];
    const double at = dot(r, middle);
    const double reach = std::abs(r.x) * half.x + std::abs(r.y) * half.y + std::abs(r.z) * half.z;
    view.min[i] = std::max(view.min[i], static_cast<float>(at - reach));
    view.max[i] = std::min(view.max[i], static_cast<float>(at + reach));
  }
}

class SoftwareShifts final : public ShiftFinder {
 public:
  explicit SoftwareShifts(const EngineOptions& options) : workers_(options.threads) {
    for (unsigned i = 0; i < workers_.count(); ++i) scratch_.push_back(std::make_unique<Worker>(options.max_crossings));
  }

  void find(MeshView a, MeshView b, std::span<const Vec3d> directions, std::uint32_t resolution,
            std::vector<FreeShift>& out) override {
    look({a, b, nullptr, resolution}, directions, out);
  }
  void find_within(const Aabb& window, MeshView a, MeshView b, std::span<const Vec3d> directions,
                   std::uint32_t resolution, std::vector<FreeShift>& out) override {
    look({a, b, &window, resolution}, directions, out);
  }

 private:
  struct Question {
    MeshView a, b;
    const Aabb* window;
    std::uint32_t resolution;
  };
  void look(const Question& question, std::span<const Vec3d> directions, std::vector<FreeShift>& out) {
    out.resize(directions.size());
    LowestFailure failure;
    const auto look_along_one = [&](std::size_t i, std::size_t, unsigned worker) {
      failure.run(i, [&] { out[i] = look_along(directions[i], question, *scratch_[worker]); });
    };
    workers_.for_chunks(directions.size(), 1, look_along_one, 1);
    failure.rethrow();
  }

  static FreeShift look_along(Vec3d direction, const Question& question, Worker& w) {
    const std::uint32_t resolution = question.resolution;
    const ViewRotation view = rotation_to(direction);
    const Placement placement{{view.u, view.v, view.w}, {}};
    Aabb boxes[2];
    SampledMesh meshes[2];
    for (unsigned side = 0; side < 2; ++side) {
      const MeshView mesh = side == 0 ? question.a : question.b;
      std::vector<Vec3>& turned = w.turned[side];
      if (turned.size() < mesh.positions.size()) turned.resize(mesh.positions.size());
      boxes[side] = place_positions(mesh.positions, placement, turned.data()).box;
      meshes[side] = {
          .mesh = {.positions = std::span(turned).first(mesh.positions.size()), .triangles = mesh.triangles},
          .window = {0, 0, resolution, resolution},
          .side = side};
    }
    if (boxes[0].empty() || boxes[1].empty()) return {};
    Aabb box = view_box(boxes[0], boxes[1]);
    if (question.window != nullptr) cut(box, *question.window, placement);
    const Grid grid = square_grid(box, Axis::z, resolution);
    const Vec3 size = extent(grid.box);
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return {};
    w.sampler.sample(meshes, grid, w.shifts);
    FreeShift shift = w.shifts.finish();
    shift.cell = static_cast<float>(std::max(grid.cell_u(), grid.cell_v()));
    return shift;
  }

  Workers workers_;
  std::vector<std::unique_ptr<Worker>> scratch_;
};

}  // namespace

std::unique_ptr<ShiftFinder> make_shift_finder(const EngineOptions& options) {
  return std::make_unique<SoftwareShifts>(options);
}

}  // namespace lamella::software
