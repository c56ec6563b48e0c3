#include "lamella/batch.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/check_pose.hpp"
#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "engines/batch_engine.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/whole_query.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// As scenes take them.
constexpr double kPoseTolerance = 1e-3;
/// Pairs times (triangles + columns) from which on a GPU is faster, its first use left aside.
constexpr double kWorthAGpu = 2e5;
/// However large they are: a pair is one block's work, and a block is about as fast as a thread of a CPU. On an H200
/// 10,000 pairs of two 5k-face meshes at 64 x 64 take 0.67 us each, with 264 blocks at work: 0.18 ms for one block.
constexpr std::size_t kFewestPairs = 32;

/// Software, and CUDA where it is there and pays. Meshes go to the GPU when a batch first does. A GPU that fails is not
/// asked again.
class AutomaticBatch final : public BatchEngine {
 public:
  explicit AutomaticBatch(const Options& options) : options_(options), software_(make_software_batch(options)) {}

  void add(MeshView mesh) override {
    software_->add(mesh);
    stale_.push_back(false);
  }
  void update_vertices(std::uint32_t mesh, std::span<const Vec3> positions) override {
    software_->update_vertices(mesh, positions);
    stale_[mesh] = true;
  }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    if (pairs.size() >= kFewestPairs && work_of(pairs) >= kWorthAGpu) {
      try {
        if (has_gpu()) {
          upload();
          return gpu_->intersect(pairs);
        }
      } catch (const Error& e) {
        if (e.kind() != Error::Kind::device) throw;
        gpu_.reset();
      }
    }
    return software_->intersect(pairs);
  }

 private:
  [[nodiscard]] double work_of(std::span<const BatchPair> pairs) const {
    const double columns = static_cast<double>(options_.resolution) * options_.resolution;
    double work = 0;
    for (const BatchPair& p : pairs)
      work +=
          columns + static_cast<double>(software_->view(p.a).triangles.size() + software_->view(p.b).triangles.size());
    return work;
  }

  bool has_gpu() {
    if (!tried_) {
      tried_ = true;
      if (cuda::unavailable().empty()) gpu_ = cuda::make_batch_engine(options_);
    }
    return gpu_ != nullptr;
  }

  void upload() {
    for (std::uint32_t mesh = 0; mesh < uploaded_; ++mesh)
      if (stale_[mesh]) gpu_->update_vertices(mesh, software_->view(mesh).positions);
    for (; uploaded_ < stale_.size(); ++uploaded_) gpu_->add(software_->view(uploaded_));
    stale_.assign(stale_.size(), false);
  }

  Options options_;
  std::unique_ptr<SoftwareBatchEngine> software_;
  std::unique_ptr<BatchEngine> gpu_;
  bool tried_ = false;
  std::uint32_t uploaded_ = 0;  ///< meshes, the first ones
  std::vector<bool> stale_;     ///< of every mesh: it moved since
};

std::unique_ptr<BatchEngine> make_batch_engine(const Options& options) {
  if (options.engine == "automatic") {
    // Asked for by number: that it is missing must be said, as a Detector does.
    if (options.device)
      cuda::unavailable().empty() ? cuda::require_device(*options.device) : opengl::require_device(*options.device);
    return std::make_unique<AutomaticBatch>(options);
  }
  if (options.engine == "software") return make_software_batch(options);
  if (options.engine != "cuda")
    throw Error(fmt::format("engine {} makes no batches: use automatic, software or cuda", options.engine));
  const std::string why = cuda::unavailable();
  if (!why.empty()) throw Error(fmt::format("engine cuda is not available here: {}", why), Error::Kind::device);
  return cuda::make_batch_engine(options);
}

void check_mesh(std::uint32_t mesh, std::size_t mesh_count) {
  if (mesh >= mesh_count) throw Error(fmt::format("there is no mesh {} in this batch of {} meshes", mesh, mesh_count));
}

}  // namespace

void check_pairs(std::span<const BatchPair> pairs, std::size_t mesh_count) {
  std::size_t i = 0;
  try {
    for (; i < pairs.size(); ++i) {
      const BatchPair& p = pairs[i];
      check_mesh(p.a, mesh_count);
      check_mesh(p.b, mesh_count);
      check_pose(p.pose_a, kPoseTolerance);
      check_pose(p.pose_b, kPoseTolerance);
    }
  } catch (const Error& e) {
    throw Error(fmt::format("pair {} of the batch: {}", i, e.what()), e.kind());
  }
}

struct Batch::State {
  Options options;
  std::unique_ptr<BatchEngine> engine;
  std::vector<std::size_t> vertex_counts;
};

Batch::Batch(Options options) : state_(std::make_unique<State>()) {
  check_options(options);
  state_->engine = make_batch_engine(options);
  state_->options = std::move(options);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

std::uint32_t Batch::add(MeshView mesh) {
  check_triangle_count(mesh);
  if (!mesh.triangles.empty() && max_index(mesh.triangles) >= mesh.positions.size()) fail_index(mesh);
  state_->engine->add(mesh);
  state_->vertex_counts.push_back(mesh.positions.size());
  return static_cast<std::uint32_t>(state_->vertex_counts.size() - 1);
}

void Batch::update_vertices(std::uint32_t mesh, std::span<const Vec3> positions) {
  check_mesh(mesh, mesh_count());
  check_vertex_count(state_->vertex_counts[mesh], positions.size());
  state_->engine->update_vertices(mesh, positions);
}

std::size_t Batch::mesh_count() const { return state_->vertex_counts.size(); }

std::span<const PairOverlap> Batch::intersect(std::span<const BatchPair> pairs) {
  check_pairs(pairs, mesh_count());
  return state_->engine->intersect(pairs);
}

const Options& Batch::options() const { return state_->options; }

}  // namespace lamella
