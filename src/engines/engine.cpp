// The whole queries: the checks of all engines, and the default implementation: bounds, volume of interest, LDIs,
// query.

#include "lamella/engine.hpp"

#include <algorithm>
#include <utility>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/answer.hpp"
#include "engines/query_parts.hpp"
#include "lamella/error.hpp"

namespace lamella {

Engine::Engine(unsigned threads) : threads_(threads) {}
Engine::~Engine() = default;
KeptMesh::~KeptMesh() = default;

void KeptMesh::read_positions(std::vector<Vec3>& out) {
  const auto positions = view().positions;
  out.assign(positions.begin(), positions.end());
}

Engine::Scratch& Engine::scratch() {
  if (!scratch_) scratch_ = std::make_unique<Scratch>(threads_);
  return *scratch_;
}

namespace {

/// A copy in main memory: all that a CPU engine can keep.
class CopiedMesh final : public KeptMesh {
 public:
  CopiedMesh(const Engine& owner, MeshView mesh)
      : KeptMesh(owner),
        mesh_{{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}} {}
  void deform(std::span<const Vec3> positions) override {
    check_vertex_count(mesh_.positions.size(), positions.size());
    std::copy(positions.begin(), positions.end(), mesh_.positions.begin());
  }
  [[nodiscard]] std::size_t triangle_count() const override { return mesh_.triangles.size(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return count_broken(mesh_); }
  [[nodiscard]] MeshView view() const override { return mesh_; }

 private:
  Mesh mesh_;
};

}  // namespace

std::unique_ptr<KeptMesh> Engine::keep(MeshView mesh) { return std::make_unique<CopiedMesh>(*this, mesh); }

void Engine::check_owner(MeshRef mesh) const {
  if (mesh.kept != nullptr && !mesh.kept->belongs_to(*this))
    throw Error("a kept mesh can be used only with the engine that made it");
}

void Engine::build_cut(MeshRef mesh, const Grid& grid, End, Ldi& out) { build(mesh, grid, out); }

std::vector<DepthLayer> Engine::layers(MeshRef mesh, const Grid& grid) {
  Ldi ldi;
  build(mesh, grid, ldi);
  return depth_layers(ldi);
}

void Engine::intersect(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) {
  check_options(options);
  check_owner(a);
  check_owner(b);
  const Vec3d origin = settle(a, b);
  const MeshRef meshes[] = {a, b};
  answer(meshes, origin, options, out, [&](const QueryOptions& once) { find_overlap(a, b, once, out); });
}

void Engine::self_intersect(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) {
  check_options(options);
  check_owner(mesh);
  const Vec3d origin = settle(mesh);
  answer({&mesh, 1}, origin, options, out, [&](const QueryOptions& once) { find_self_overlap(mesh, once, out); });
}

void Engine::find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) {
  if (options.ends) refuse_ends(name());
  Stopwatch watch;
  const Aabb box_a = bounds(a), box_b = bounds(b);
  const bool whole = samples_whole_columns();
  const auto voi = whole ? choose_shared_voi(box_a, box_b, options.axis) : choose_pair_voi(box_a, box_b, options.axis);
  watch.lap(out.ms.voi);
  if (!voi) {
    out.health.skipped_triangles = skipped_unsampled(a) + skipped_unsampled(b);
    return;
  }
  Scratch& s = scratch();
  const Grid grid = square_grid(voi->box, voi->axis, options.resolution);
  if (whole) {
    build(a, grid, s.a);
    build(b, grid, s.b);
  } else {
    build_cut(a, grid, voi->outside_a, s.a);
    build_cut(b, grid, voi->outside_b, s.b);
  }
  watch.lap(out.ms.ldi);
  lamella::intersect(s.a, s.b, options.min_thickness, s.workers, s.query, out);
  watch.lap(out.ms.query);
}

void Engine::find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) {
  if (options.ends) refuse_ends(name());
  Stopwatch watch;
  Scratch& s = scratch();
  if (!build_in_own_box(*this, mesh, options, watch, s.a, out)) return;
  lamella::self_intersect(s.a, options.min_thickness, s.workers, s.query, out);
  watch.lap(out.ms.query);
}

void Engine::find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) {
  Stopwatch watch;
  Scratch& s = scratch();
  if (!build_in_own_box(*this, mesh, options, watch, s.a, out)) return;
  lamella::contains(s.a, points, s.workers, out);
  watch.lap(out.ms.query);
}

}  // namespace lamella
