// The whole queries as every engine has them unless it knows better: bounds, volume of interest, LDIs, answer.

#include <algorithm>

#include "engines/whole_query.hpp"
#include "lamella/engine.hpp"
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
KeptMesh::~KeptMesh() = default;

namespace {

/// A copy in main memory: all that a CPU engine can keep.
class CopiedMesh final : public KeptMesh {
 public:
  explicit CopiedMesh(MeshView mesh)
      : mesh_{{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}} {}
  void update_vertices(std::span<const Vec3> positions) override {
    check_vertex_count(mesh_.positions.size(), positions.size());
    std::copy(positions.begin(), positions.end(), mesh_.positions.begin());
  }
  [[nodiscard]] std::size_t triangle_count() const override { return mesh_.triangles.size(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return count_broken(mesh_); }
  [[nodiscard]] MeshView view() const override { return mesh_; }

 private:
  Mesh mesh_;
};

/// Samples one mesh in its own box. False when that encloses no volume: there is nothing to ask.
template <class Result>
bool build_in_own_box(Engine& engine, MeshRef mesh, const Options& options, Stopwatch& watch, Ldi& ldi, Result& out) {
  const Aabb box = engine.bounds(mesh);
  const auto axis = choose_axis(box);
  watch.lap(out.ms.voi);
  if (!axis) {
    out.health.skipped_triangles = skipped_unsampled(mesh);
    return false;
  }
  engine.build(mesh, make_grid(box, options.axis.value_or(*axis), options.resolution), ldi);
  watch.lap(out.ms.ldi);
  return true;
}

}  // namespace

std::unique_ptr<KeptMesh> Engine::keep(MeshView mesh) { return std::make_unique<CopiedMesh>(mesh); }

void Engine::build_cut(MeshRef mesh, const Grid& grid, End, Ldi& out) { build(mesh, grid, out); }

std::vector<DepthLayer> Engine::layers(MeshRef mesh, const Grid& grid) {
  Ldi ldi;
  build(mesh, grid, ldi);
  return depth_layers(ldi);
}

void Engine::intersect(MeshRef a, MeshRef b, const Options& options, Overlap& out) {
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
    build_cut(a, grid, voi->outside_a, scratch_->a);
    build_cut(b, grid, voi->outside_b, scratch_->b);
    watch.lap(out.ms.ldi);
    lamella::intersect(scratch_->a, scratch_->b, options.min_thickness, scratch_->workers, scratch_->query, out);
    watch.lap(out.ms.query);
  } else {
    out.health.skipped_triangles = skipped_unsampled(a) + skipped_unsampled(b);
  }
  require_health(out.health, options.strict);
}

void Engine::self_intersect(MeshRef mesh, const Options& options, SelfOverlap& out) {
  check_options(options);
  if (!scratch_) scratch_ = std::make_unique<Scratch>(options.threads);
  clear(out);
  out.engine = name();
  Stopwatch watch;
  if (build_in_own_box(*this, mesh, options, watch, scratch_->a, out)) {
    lamella::self_intersect(scratch_->a, options.min_thickness, scratch_->workers, scratch_->query, out);
    watch.lap(out.ms.query);
  }
  require_health(out.health, options.strict);
}

void Engine::contains(MeshRef mesh, std::span<const Vec3> points, const Options& options, Containment& out) {
  check_options(options);
  if (!scratch_) scratch_ = std::make_unique<Scratch>(options.threads);
  clear(out, points.size());
  out.engine = name();
  Stopwatch watch;
  if (build_in_own_box(*this, mesh, options, watch, scratch_->a, out)) {
    lamella::contains(scratch_->a, points, scratch_->workers, out);
    watch.lap(out.ms.query);
  }
  require_health(out.health, options.strict);
}

}  // namespace lamella
