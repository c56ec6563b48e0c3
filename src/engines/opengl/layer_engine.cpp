#include "engines/opengl/layer_engine.hpp"

namespace lamella::opengl {
namespace {

/// The depth range of the box, or of the whole mesh: surfaces beyond the box then stay distinct from surfaces on its
/// faces until each is known to be a separate layer.
DepthCode choose_code(const Grid& grid, const Aabb& mesh, bool cut) {
  float low = 0, high = grid.depth();
  if (!cut && !mesh.empty()) {
    low = std::min(low, mesh.min[grid.w()] - grid.box.min[grid.w()]);
    high = std::max(high, mesh.max[grid.w()] - grid.box.min[grid.w()]);
  }
  return {low, high - low};
}

/// Whether a part of the mesh lies before or behind the box, seen along the rays.
bool leaves_box(const Aabb& mesh, const Grid& grid) {
  const int w = grid.w();
  return mesh.min[w] < grid.box.min[w] || mesh.max[w] > grid.box.max[w];
}

}  // namespace

void LayerEngine::make_objects(Session& session) {
  block_.emplace(session.context.gl());
  timer_.emplace(session.context.gl());
}

void LayerEngine::drop_objects() {
  block_.reset();
  timer_.reset();
}

void LayerEngine::build_on_device(MeshRef ref, const Grid& grid, std::optional<End> outside, Ldi& out) {
  on_device([&](Session& session) {
    check_grid(grid);
    // The two meshes of a pair look from opposite ends: each gets its own slot, with its own remembered layer counts.
    GpuMesh& mesh = on_gpu(ref, outside == End::high ? 1 : 0);
    const Job job{session, mesh, grid, choose_code(grid, mesh.box(), outside.has_value()), outside};
    Sampling sampling = make_sampling(grid);
    sampling.low = job.code.low;
    sampling.z_scale = job.code.scale();
    sampling.cut = outside.has_value() ? 1 : 0;
    block_->set(sampling);
    out.grid = grid;
    // A mesh that ends within the box loses nothing: its columns are whole, and can be checked.
    out.outside = outside && leaves_box(mesh.box(), grid) ? *outside : End::both;
    out.dropped_crossings = 0;
    out.alternating = false;
    timer_->mark(0);
    mesh.cull(cull_program(), grid);
    out.skipped_triangles = mesh.skipped_triangles();
    const std::uint64_t read_before = read_back_;
    make_layers(job, out);
    const double gpu_ms = timer_->between(0, 1);
    gpu_ms_ += gpu_ms;
    gpu_cost_.ms += gpu_ms;
    gpu_cost_.read_back_bytes += read_back_ - read_before;
  });
}

void LayerEngine::build(MeshRef mesh, const Grid& grid, Ldi& out) { build_on_device(mesh, grid, std::nullopt, out); }

void LayerEngine::build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out) {
  build_on_device(mesh, grid, outside, out);
}

void LayerEngine::begin_query() {
  read_back_ = 0;
  gpu_ms_ = 0;
}

template <class Result>
void LayerEngine::end_query(Result& out) const {
  out.ms.gpu = gpu_ms_;
  out.read_back_bytes = read_back_;
}

void LayerEngine::find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) {
  begin_query();
  GlEngine::find_overlap(a, b, options, out);
  end_query(out);
}

void LayerEngine::find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) {
  begin_query();
  GlEngine::find_self_overlap(mesh, options, out);
  end_query(out);
}

void LayerEngine::find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options,
                              Containment& out) {
  begin_query();
  GlEngine::find_inside(mesh, points, options, out);
  end_query(out);
}

}  // namespace lamella::opengl
