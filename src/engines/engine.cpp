// The whole queries: the checks of all engines, and the default implementation: bounds, volume of interest, LDIs,
// query.

#include "lamella/engine.hpp"

#include <algorithm>
#include <utility>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "engines/query_parts.hpp"
#include "engines/tolerance.hpp"
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

/// An engine that leaves the spans out by itself has counted them.
void count_spans(Overlap& out) {
  if (out.grid.column_count() == 0) out.spans.clear();  // nothing was sampled
  if (!out.spans.empty()) out.span_count = out.spans.size();
}

/// Makes the call; where it throws, no spans of an earlier result are left.
template <class Find>
void find_or_empty(Overlap& out, const Find& find) {
  try {
    find();
  } catch (...) {
    out.spans.clear();
    throw;
  }
}

/// Makes an empty result of the named engine, in the memory of an earlier result.
void restart(Overlap& out, std::string_view engine, bool keep_old_spans) {
  Overlap fresh;
  fresh.doubts = std::move(out.doubts);
  fresh.doubts.clear();
  fresh.spans = std::move(out.spans);
  if (!keep_old_spans) fresh.spans.clear();
  fresh.engine = engine;
  out = std::move(fresh);
}

void restart(SelfOverlap& out, std::string_view engine, bool keep_old_spans) {
  restart(static_cast<Overlap&>(out), engine, keep_old_spans);
  out.inside_out.clear();
  out.inside_out_volume = 0;
}

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

/// Answers by `find`, which may sample several times: `out` is then started afresh each time.
template <class Result, class Find>
void Engine::answer(std::span<const MeshRef> meshes, Vec3d origin, const QueryOptions& options, Result& out,
                    const Find& find) {
  const auto ask = [&](const QueryOptions& once) {
    restart(out, name(), replaces_spans());
    longest_spans_.clear();
    out.origin = origin;
    find(once);
    if (asks_another()) return;
    count_spans(out);
    options.certify ? certify(meshes, once, out) : judge(meshes, once, out);
    out.centroid = out.centroid + (out.colliding() ? out.origin : Vec3d{});
  };
  find_or_empty(out, [&] {
    if (options.tolerance && !asks_another())
      sample_to_tolerance(options, ask, out);
    else
      ask(options);
  });
  if (!options.keep_spans) out.spans.clear();
  require_answer(out, options.strict);
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
