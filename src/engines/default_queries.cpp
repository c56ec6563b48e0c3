// The whole queries as every engine has them unless it knows better: bounds, volume of interest, LDIs, answer.

#include <fmt/format.h>

#include <chrono>

#include "core/lattice.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "query/column_sums.hpp"

namespace lamella {

struct Engine::Scratch {
  explicit Scratch(unsigned threads) : workers(threads) {}
  Workers workers;
  QueryScratch query;
  Ldi a, b;
};

Engine::Engine() = default;
Engine::~Engine() = default;

namespace {

/// Adds the time since the last call to one stage after another.
class Stopwatch {
 public:
  void lap(double& ms) {
    const auto now = std::chrono::steady_clock::now();
    ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void check_options(const Options& options) {
  if (options.resolution < 1 || options.resolution > kMaxResolution)
    throw Error(fmt::format("resolution {} is outside 1 to {}", options.resolution, kMaxResolution));
}

/// Nothing was sampled: no columns, no answer. Triangles that could not be placed still count.
std::uint32_t skipped_without_box(MeshView mesh, const Aabb& box) {
  return box.empty() ? static_cast<std::uint32_t>(mesh.triangles.size()) : 0;
}

void require_health(const Health& health, bool strict) {
  if (!strict || health.ok()) return;
  throw Error(
      fmt::format("strict: {} of {} columns do not close and {} triangles were skipped; `lamella info` shows where "
                  "the mesh is open",
                  health.open_columns, health.occupied_columns, health.skipped_triangles));
}

Grid make_grid(const Aabb& box, Axis axis, std::uint32_t resolution) { return {box, axis, resolution, resolution}; }

/// Samples one mesh in its own box. False when that encloses no volume: there is nothing to ask.
template <class Result>
bool build_in_own_box(Engine& engine, MeshView mesh, const Options& options, Stopwatch& watch, Ldi& ldi, Result& out) {
  const Aabb box = engine.bounds(mesh);
  const auto axis = choose_axis(box);
  watch.lap(out.ms.voi);
  if (!axis) {
    out.health.skipped_triangles = skipped_without_box(mesh, box);
    return false;
  }
  engine.build(mesh, make_grid(box, options.axis.value_or(*axis), options.resolution), ldi);
  watch.lap(out.ms.ldi);
  return true;
}

void clear(Overlap& out) {
  out.grid = {};
  out.spans.clear();
  out.volume = 0;
  out.centroid = {};
  out.bounds = {};
  out.health = {};
  out.ms = {};
}

}  // namespace

void Engine::intersect(MeshView a, MeshView b, const Options& options, Overlap& out) {
  check_options(options);
  if (!scratch_) scratch_ = std::make_unique<Scratch>(options.threads);
  clear(out);
  out.engine = name();
  Stopwatch watch;
  const Aabb box_a = bounds(a), box_b = bounds(b);
  const auto voi = choose_pair_voi(box_a, box_b, options.axis);
  watch.lap(out.ms.voi);
  if (voi) {
    const Grid grid = make_grid(voi->box, voi->axis, options.resolution);
    build(a, grid, scratch_->a);
    build(b, grid, scratch_->b);
    watch.lap(out.ms.ldi);
    lamella::intersect(scratch_->a, scratch_->b, options.min_thickness, scratch_->workers, scratch_->query, out);
    watch.lap(out.ms.query);
  } else {
    out.health.skipped_triangles = skipped_without_box(a, box_a) + skipped_without_box(b, box_b);
  }
  require_health(out.health, options.strict);
}

void Engine::self_intersect(MeshView mesh, const Options& options, SelfOverlap& out) {
  check_options(options);
  if (!scratch_) scratch_ = std::make_unique<Scratch>(options.threads);
  clear(out);
  out.inside_out.clear();
  out.inside_out_volume = 0;
  out.engine = name();
  Stopwatch watch;
  if (build_in_own_box(*this, mesh, options, watch, scratch_->a, out)) {
    lamella::self_intersect(scratch_->a, options.min_thickness, scratch_->workers, scratch_->query, out);
    watch.lap(out.ms.query);
  }
  require_health(out.health, options.strict);
}

void Engine::contains(MeshView mesh, std::span<const Vec3> points, const Options& options, Containment& out) {
  check_options(options);
  if (!scratch_) scratch_ = std::make_unique<Scratch>(options.threads);
  out.grid = {};
  out.inside.assign(points.size(), 0);
  out.count = 0;
  out.health = {};
  out.ms = {};
  out.engine = name();
  Stopwatch watch;
  if (build_in_own_box(*this, mesh, options, watch, scratch_->a, out)) {
    lamella::contains(scratch_->a, points, scratch_->workers, out);
    watch.lap(out.ms.query);
  }
  require_health(out.health, options.strict);
}

}  // namespace lamella
