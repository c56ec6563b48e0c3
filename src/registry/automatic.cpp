// The engine behind "automatic".
//
// A context on a GPU takes some hundred milliseconds to make, and a mesh that is not there yet must be uploaded with
// its triangles: no single query wins that back. So a GPU is tried only for meshes that the caller asked to keep, which
// are to be used again, and only when a query comes that is large enough.

#include "registry/automatic.hpp"

#include "core/parallel.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/software/software.hpp"
#include "engines/whole_query.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// A copy on the CPU and, once a query has gone there, one on the GPU.
class AutomaticMesh final : public KeptMesh {
 public:
  AutomaticMesh(const Engine& owner, std::unique_ptr<KeptMesh> copy) : owner_(owner), copy_(std::move(copy)) {}

  [[nodiscard]] bool is_of(const Engine& engine) const { return &owner_ == &engine; }

  void update_vertices(std::span<const Vec3> positions) override {
    copy_->update_vertices(positions);
    stale_ = true;
  }
  [[nodiscard]] std::size_t triangle_count() const override { return copy_->triangle_count(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return copy_->broken_triangles(); }
  [[nodiscard]] MeshView view() const override { return copy_->view(); }

  [[nodiscard]] KeptMesh& on(Engine& gpu) {
    if (!on_gpu_)
      on_gpu_ = gpu.keep(view());
    else if (stale_)
      on_gpu_->update_vertices(view().positions);
    stale_ = false;
    return *on_gpu_;
  }

 private:
  const Engine& owner_;
  std::unique_ptr<KeptMesh> copy_, on_gpu_;
  bool stale_ = false;
};

/// An engine on a GPU; none when there is nothing to make it.
struct GpuChoice {
  GpuSpeed speed;
  EngineFactory make;
};

/// The faster of those that are here. Tries the devices.
GpuChoice choose_gpu(const Options& options) {
  if (cuda::unavailable().empty()) return {kCudaSpeed, cuda::make_engine};
  if (opengl::unavailable().empty() && opengl::is_hardware(options.device))
    return {kListsSpeed, opengl::make_lists_engine};
  return {};
}

class AutomaticEngine final : public Engine {
 public:
  AutomaticEngine(const Options& options, EngineFactory gpu)
      : options_(options),
        tried_(gpu != nullptr),
        choice_{GpuSpeed{}, std::move(gpu)},
        threads_(Workers(options.threads).running()),
        software_(software::make_software_engine(options.threads, options.max_crossings)) {}

  [[nodiscard]] std::string_view name() const override { return "automatic"; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override {
    return std::make_unique<AutomaticMesh>(*this, software_->keep(mesh));
  }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override { return software_->bounds(mesh); }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override { software_->build(mesh, grid, out); }

  void intersect(MeshRef a, MeshRef b, const Options& options, Overlap& out) override {
    const bool kept = a.kept != nullptr && b.kept != nullptr;
    const bool done = kept && try_gpu(a.kept->triangle_count() + b.kept->triangle_count(), options,
                                      [&](Engine& gpu) { gpu.intersect(moved(a, gpu), moved(b, gpu), options, out); });
    if (!done) software_->intersect(a, b, options, out);
  }

  void self_intersect(MeshRef mesh, const Options& options, SelfOverlap& out) override {
    const bool done = mesh.kept != nullptr && try_gpu(mesh.kept->triangle_count(), options, [&](Engine& gpu) {
                        gpu.self_intersect(moved(mesh, gpu), options, out);
                      });
    if (!done) software_->self_intersect(mesh, options, out);
  }

  void contains(MeshRef mesh, std::span<const Vec3> points, const Options& options, Containment& out) override {
    const bool done = mesh.kept != nullptr && try_gpu(mesh.kept->triangle_count(), options, [&](Engine& gpu) {
                        gpu.contains(moved(mesh, gpu), points, options, out);
                      });
    if (!done) software_->contains(mesh, points, options, out);
  }

 private:
  KeptMesh& moved(MeshRef mesh, Engine& gpu) const {
    auto* kept = dynamic_cast<AutomaticMesh*>(mesh.kept);
    if (kept == nullptr || !kept->is_of(*this)) throw Error("a kept mesh is for the engine that made it, and no other");
    return kept->on(gpu);
  }

  /// The GPU's engine, made when it is first wanted; none when there is no GPU, or when the query is too small for it.
  Engine* gpu_for(const QueryCost& cost) {
    if (!tried_) {
      if (!gpu_pays(kCudaSpeed, cost, threads_) && !gpu_pays(kListsSpeed, cost, threads_)) return nullptr;
      tried_ = true;
      choice_ = choose_gpu(options_);
    }
    if (!choice_.make || !gpu_pays(choice_.speed, cost, threads_)) return nullptr;
    if (!gpu_) gpu_ = choice_.make(options_);
    return gpu_.get();
  }

  /// False when the query is not for the GPU, or the GPU would not have it: then the software engine answers, and will
  /// answer from then on.
  template <class Ask>
  bool try_gpu(std::size_t triangles, const Options& options, const Ask& ask) {
    if (failed_) return false;
    try {
      Engine* engine = gpu_for({triangles, std::uint64_t{options.resolution} * options.resolution});
      if (engine == nullptr) return false;
      ask(*engine);
      return true;
    } catch (const Error& e) {
      if (e.kind() != Error::Kind::device) throw;
      failed_ = true;
      return false;
    }
  }

  Options options_;
  bool tried_, failed_ = false;
  GpuChoice choice_;  ///< once tried
  unsigned threads_;
  std::unique_ptr<Engine> software_;
  std::unique_ptr<Engine> gpu_;  ///< stays when it has failed: meshes on it are given back to it
};

}  // namespace

bool gpu_pays(const GpuSpeed& gpu, const QueryCost& cost, unsigned threads) {
  // Nanoseconds, fitted to the same table: a triangle and a column on one thread; what threads beyond the first are
  // worth.
  const auto triangles = static_cast<double>(cost.triangles), columns = static_cast<double>(cost.columns);
  const double on_cpu = (2.3 * triangles + 35 * columns) / (1 + 0.4 * (threads - 1));
  const double on_gpu = gpu.query + gpu.triangle * triangles + gpu.column * columns;
  // Other machines differ: a GPU must look clearly better.
  return on_cpu > 1.25 * on_gpu;
}

std::unique_ptr<Engine> make_automatic_engine(const Options& options, EngineFactory gpu) {
  // Asked for by number: that it is missing must be said.
  if (options.device)
    cuda::unavailable().empty() ? cuda::require_device(*options.device) : opengl::require_device(*options.device);
  return std::make_unique<AutomaticEngine>(options, std::move(gpu));
}

}  // namespace lamella
