// The engine behind "automatic", for queries and for batches.
//
// A context on a GPU takes some hundred milliseconds to make, and a mesh that is not there yet must be uploaded with
// its triangles: no single query is worth that. So a GPU is used only for meshes that the caller asked to keep, since
// they will be used again, and only from the first query that is large enough.

#include "registry/automatic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/software/engines.hpp"
#include "lamella/error.hpp"
#include "registry/registry.hpp"

namespace lamella {
namespace {

/// The engine to use on a GPU and its speed; the maker is null when there is none.
template <class Maker>
struct GpuChoice {
  GpuSpeed speed;
  Maker make;
};

/// An engine on a GPU: chosen at the first query that is large enough, made when it is expected to be faster, given up
/// when the device fails. The object itself is kept after that, because its meshes refer to it.
template <class T>
class OnGpu {
 public:
  using Choice = GpuChoice<std::function<std::unique_ptr<T>()>>;

  /// `choose` tests the devices; it is called once.
  explicit OnGpu(std::function<Choice()> choose) : choose_(std::move(choose)) {}
  explicit OnGpu(Choice choice) : choice_(std::move(choice)) {}

  /// Calls ask(gpu) if there is a GPU engine and `pays(speed)` is true for its speed. False when the query is not for
  /// the GPU, or when the GPU failed: the software engine then answers, after a failure always.
  template <class Pays, class Ask>
  bool try_to(const Pays& pays, const Ask& ask) {
    // Nothing is faster than cuda: where it does not pay, no device is tested.
    if (failed_ || (!choice_ && !pays(kCudaSpeed))) return false;
    try {
      if (!choice_) choice_ = choose_();
      if (!choice_->make || !pays(choice_->speed)) return false;
      if (!gpu_) gpu_ = choice_->make();
      ask(*gpu_);
      return true;
    } catch (const Error& e) {
      if (e.kind() != Error::Kind::device) throw;
      failed_ = true;
      return false;
    }
  }

 private:
  std::function<Choice()> choose_;
  std::optional<Choice> choice_;
  std::unique_ptr<T> gpu_;
  bool failed_ = false;
};

/// The fastest GPU engine available. Tests the devices.
OnGpu<Engine>::Choice choose_engine(const EngineOptions& options) {
  if (cuda::unavailable().empty()) return {kCudaSpeed, [=] { return cuda::make_engine(options); }};
  if (opengl::unavailable().empty() && opengl::is_hardware(options.device))
    return {kListsSpeed, [=] { return opengl::make_lists_engine(options); }};
  return {};
}

OnGpu<BatchEngine>::Choice choose_batch(const EngineOptions& engine, const QueryOptions& query) {
  if (cuda::unavailable().empty()) return {kCudaSpeed, [=] { return cuda::make_batch_engine(engine, query); }};
  return {};
}

/// A device given by number must exist.
void check_device(const EngineOptions& options) {
  if (!options.device) return;
  cuda::unavailable().empty() ? cuda::require_device(*options.device) : opengl::require_device(*options.device);
}

/// A copy on the CPU and, after the first query on the GPU, one there.
class AutomaticMesh final : public KeptMesh {
 public:
  AutomaticMesh(const Engine& owner, std::unique_ptr<KeptMesh> copy) : KeptMesh(owner), copy_(std::move(copy)) {}

  void deform(std::span<const Vec3> positions) override {
    copy_->deform(positions);
    stale_ = true;
  }
  [[nodiscard]] std::size_t triangle_count() const override { return copy_->triangle_count(); }
  [[nodiscard]] std::size_t broken_triangles() const override { return copy_->broken_triangles(); }
  [[nodiscard]] MeshView view() const override { return copy_->view(); }

  [[nodiscard]] KeptMesh& on_cpu() {
    copy_->set_origin(origin());
    return *copy_;
  }
  [[nodiscard]] KeptMesh& on(Engine& gpu) {
    if (!on_gpu_)
      on_gpu_ = gpu.keep(view());
    else if (stale_)
      on_gpu_->deform(view().positions);
    stale_ = false;
    on_gpu_->set_origin(origin());
    return *on_gpu_;
  }

 private:
  std::unique_ptr<KeptMesh> copy_, on_gpu_;
  bool stale_ = false;
};

class AutomaticEngine final : public Engine {
 public:
  AutomaticEngine(const EngineOptions& options, OnGpu<Engine> gpu)
      : Engine(options.threads),
        threads_(Workers(options.threads).count()),
        software_(software::make_engine(options)),
        gpu_(std::move(gpu)) {}

  [[nodiscard]] std::string_view name() const override { return "automatic"; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override {
    return std::make_unique<AutomaticMesh>(*this, software_->keep(mesh));
  }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override { return software_->bounds(on_cpu(mesh)); }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override { software_->build(on_cpu(mesh), grid, out); }

 protected:
  [[nodiscard]] bool asks_another() const override { return true; }
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) override {
    if (!try_gpu({a, b}, options, [&](Engine& gpu) { gpu.intersect(on(gpu, a), on(gpu, b), options, out); }))
      software_->intersect(on_cpu(a), on_cpu(b), options, out);
  }
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override {
    if (!try_gpu({mesh}, options, [&](Engine& gpu) { gpu.self_intersect(on(gpu, mesh), options, out); }))
      software_->self_intersect(on_cpu(mesh), options, out);
  }
  void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) override {
    const auto ask = [&](Engine& gpu) { gpu.contains(in_own_frame(on(gpu, mesh)), points, options, out); };
    // Exact flags need the mesh in main memory, and mostly the CPU's time.
    if (options.exact || !try_gpu({mesh}, options, ask))
      software_->contains(in_own_frame(on_cpu(mesh)), points, options, out);
  }
  // A gradient is three queries with ends, on either device: what pays for one pays for three.
  void find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                     OverlapGradient& out) override {
    const auto ask = [&](Engine& gpu) { gpu.volume_gradient(on(gpu, a), on(gpu, b), options, parts, out); };
    if (!try_gpu({a, b}, with_ends(options), ask))
      software_->volume_gradient(on_cpu(a), on_cpu(b), options, parts, out);
  }
  void find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                          SelfGradient& out) override {
    const auto ask = [&](Engine& gpu) { gpu.self_gradient(on(gpu, mesh), options, parts, out); };
    if (!try_gpu({mesh}, with_ends(options), ask)) software_->self_gradient(on_cpu(mesh), options, parts, out);
  }
  // The CPU answers these: a GPU would have to send the LDIs back.
  void find_inside_box(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                       Containment& out) override {
    software_->contains(in_own_frame(on_cpu(mesh)), points, box, options, out);
  }
  void find_vertices(MeshRef a, MeshRef b, const QueryOptions& options, VerticesInside& out) override {
    software_->vertices_inside(on_cpu(a), on_cpu(b), options, out);
  }
  void find_vertices(MeshRef a, const RigidMesh& b, const Transform& pose_b, const QueryOptions& options,
                     VerticesInside& out) override {
    software_->vertices_inside(on_cpu(a), b, pose_b, options, out);
  }
  void find_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out) override {
    software_->sample_rigid(on_cpu(mesh), options, out);
  }

 private:
  [[nodiscard]] MeshRef on_cpu(MeshRef mesh) const {
    check_owner(mesh);
    return mesh.kept == nullptr ? mesh : MeshRef(static_cast<AutomaticMesh&>(*mesh.kept).on_cpu());
  }
  /// Points come relative to the mesh's origin already.
  [[nodiscard]] static MeshRef in_own_frame(MeshRef mesh) {
    mesh.view.origin = {};
    if (mesh.kept != nullptr) mesh.kept->set_origin({});
    return mesh;
  }
  [[nodiscard]] static KeptMesh& on(Engine& gpu, MeshRef mesh) {
    return static_cast<AutomaticMesh&>(*mesh.kept).on(gpu);
  }

  [[nodiscard]] static QueryOptions with_ends(QueryOptions options) {
    options.ends = true;
    return options;
  }

  template <class Ask>
  bool try_gpu(std::initializer_list<MeshRef> meshes, const QueryOptions& options, const Ask& ask) {
    QueryCost cost{0, std::uint64_t{options.resolution} * options.resolution};
    for (const MeshRef& mesh : meshes) {
      if (mesh.kept == nullptr) return false;
      cost.triangles += mesh.kept->triangle_count();
    }
    const auto pays = [&](const GpuSpeed& speed) {
      return (speed.ends || !options.ends) && gpu_pays(speed, cost, threads_);
    };
    return gpu_.try_to(pays, ask);
  }

  unsigned threads_;
  std::unique_ptr<Engine> software_;
  OnGpu<Engine> gpu_;
};

/// Meshes are uploaded when a batch first runs on the GPU.
class AutomaticBatch final : public BatchEngine {
 public:
  AutomaticBatch(const EngineOptions& engine, const QueryOptions& query, OnGpu<BatchEngine> gpu)
      : columns_(std::uint64_t{query.resolution} * query.resolution),
        software_(software::make_batch_engine(engine, query)),
        gpu_(std::move(gpu)) {}

  void add(MeshView mesh) override {
    software_->add(mesh);
    stale_.push_back(false);
  }
  void deform(std::uint32_t mesh, std::span<const Vec3> positions) override {
    software_->deform(mesh, positions);
    stale_[mesh] = true;
  }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    std::span<const PairOverlap> answers;
    QueryCost cost{0, columns_ * pairs.size()};
    for (const BatchPair& p : pairs)
      cost.triangles += software_->view(p.a.number).triangles.size() + software_->view(p.b.number).triangles.size();
    const bool done = gpu_.try_to([&](const GpuSpeed&) { return gpu_pays_for_batch(pairs.size(), cost); },
                                  [&](BatchEngine& gpu) {
                                    upload(gpu);
                                    answers = gpu.intersect(pairs);
                                  });
    return done ? answers : software_->intersect(pairs);
  }
  std::span<const PairGradient> volume_gradients(std::span<const BatchPair> pairs) override {
    return software_->volume_gradients(pairs);
  }

 private:
  void upload(BatchEngine& gpu) {
    for (std::uint32_t mesh = 0; mesh < uploaded_; ++mesh)
      if (stale_[mesh]) gpu.deform(mesh, software_->view(mesh).positions);
    for (; uploaded_ < stale_.size(); ++uploaded_) gpu.add(software_->view(uploaded_));
    stale_.assign(stale_.size(), false);
  }

  std::uint64_t columns_;
  std::unique_ptr<software::CpuBatch> software_;
  OnGpu<BatchEngine> gpu_;
  std::uint32_t uploaded_ = 0;  ///< number of meshes uploaded, from the first on
  std::vector<bool> stale_;     ///< per mesh: whether it deformed since the upload
};

}  // namespace

bool gpu_pays(const GpuSpeed& gpu, const QueryCost& cost, unsigned threads) {
  // Nanoseconds, fitted to the same table: per triangle and per column on one thread; then the gain from each further
  // thread.
  const auto triangles = static_cast<double>(cost.triangles), columns = static_cast<double>(cost.columns);
  const double on_cpu = (2.3 * triangles + 35 * columns) / (1 + 0.4 * (threads - 1));
  const double on_gpu = gpu.query + gpu.triangle * triangles + gpu.column * columns;
  // Other machines differ: a GPU must be clearly faster.
  return on_cpu > 1.25 * on_gpu;
}

bool gpu_pays_for_batch(std::size_t pairs, const QueryCost& cost) {
  // For pairs of any size: a pair is the work of one block, and a block is about as fast as a thread of a CPU. On an
  // H200 10,000 pairs of two 5k-face meshes at 64 x 64 take 0.67 us each, with 264 blocks at work: 0.18 ms for one
  // block.
  constexpr std::size_t kFewestPairs = 32;
  constexpr std::uint64_t kLeastWork = 200'000;
  return pairs >= kFewestPairs && cost.triangles + cost.columns >= kLeastWork;
}

std::string_view engine_for_large_batches() { return cuda::unavailable().empty() ? "cuda" : "software"; }

std::unique_ptr<Engine> make_automatic_engine(const EngineOptions& options, EngineFactory gpu, const GpuSpeed& speed) {
  check_device(options);
  if (!gpu) return std::make_unique<AutomaticEngine>(options, OnGpu<Engine>([=] { return choose_engine(options); }));
  return std::make_unique<AutomaticEngine>(options,
                                           OnGpu<Engine>(OnGpu<Engine>::Choice{speed, [=] { return gpu(options); }}));
}

std::unique_ptr<BatchEngine> make_automatic_batch(const EngineOptions& engine, const QueryOptions& query,
                                                  BatchFactory gpu) {
  check_device(engine);
  using Gpu = OnGpu<BatchEngine>;
  if (!gpu) return std::make_unique<AutomaticBatch>(engine, query, Gpu([=] { return choose_batch(engine, query); }));
  return std::make_unique<AutomaticBatch>(engine, query, Gpu(Gpu::Choice{{}, [=] { return gpu(engine, query); }}));
}

}  // namespace lamella
