// PairBatch, and Batch on CUDA: the host's side of batch.cu.
//
// A run uploads the pairs, starts one kernel and reads the answers back. They are put on the stream directly: a graph
// would have to change for every number of pairs, and could save only a few of some hundred microseconds.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engines/checks.hpp"
#include "engines/cuda/batch_runner.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/pointers.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// Scratch memory of all blocks; if a block needs much, fewer blocks are started.
constexpr std::size_t kScratchBudget = std::size_t{1} << 30;
/// First guess of the crossings of a pair: per column, and at most.
constexpr std::size_t kNodesPerColumn = 6, kFirstNodes = std::size_t{1} << 22;

}  // namespace

BatchRunner::BatchRunner(const DeviceOptions& options) : options_(options), device_(choose_device(options.device)) {
  check_options(options.for_query());
  const DeviceScope scope(device_.number);
  done_ = std::make_unique<Event>();
  report_.reserve(1, "the report of a batch");
  host_report_.reserve(1, "the report of a batch");
}

void BatchRunner::set_meshes(std::span<const DeviceMesh> meshes) {
  for (const DeviceMesh& m : meshes)
    if (m.triangle_count > kMaxBatchTriangles || m.vertex_count > kMaxBatchTriangles)
      throw Error(fmt::format("a mesh of a batch on CUDA may have at most {} triangles and as many vertices; split it",
                              kMaxBatchTriangles));
  const DeviceScope scope(device_.number);
  meshes_.assign(meshes.begin(), meshes.end());
  device_meshes_.reserve(meshes_.size(), "the meshes of a batch");
  if (meshes_.empty()) return;
  check(cudaMemcpy(device_meshes_.data(), meshes_.data(), meshes_.size() * sizeof(DeviceMesh), cudaMemcpyHostToDevice),
        "upload the meshes of a batch");
  // Non-blocking streams do not wait for the default stream.
  check(cudaStreamSynchronize(nullptr), "upload the meshes of a batch");
}

void BatchRunner::launch(std::span<const BatchPair> pairs, bool gradients, CudaStream stream) {
  if (pairs.size() > 0x7fffffffu) throw Error("a batch may have at most 2^31 - 1 pairs; split it");
  const DeviceScope scope(device_.number);
  try {
    if (under_way_) done_->wait();  // the memory that it uses is about to change
    under_way_ = false;
    with_gradients_ = gradients;
    count_ = static_cast<std::uint32_t>(pairs.size());
    stream_ = stream;
    if (count_ == 0) return;
    prepare(pairs);
    start();
  } catch (...) {
    give_up();
    throw;
  }
}

/// After a failed call: nothing is in progress, and there are no answers.
void BatchRunner::give_up() {
  // Parts of a run may still be on the stream, and use memory that the next run changes.
  if (cudaStreamSynchronize(stream_) != cudaSuccess) (void)cudaGetLastError();
  under_way_ = false;
  count_ = 0;
  nodes_ = 0;  // there may be no memory for so many, and the next pairs may need fewer
}

/// Memory for the pairs, and for the needs of the largest.
void BatchRunner::prepare(std::span<const BatchPair> pairs) {
  host_pairs_.reserve(count_, "the pairs of a batch");
  pairs_.reserve(count_, "the pairs of a batch");
  if (with_gradients_) {
    host_gradients_.reserve(count_, "the gradients of a batch");
    gradients_.reserve(count_, "the gradients of a batch");
  } else {
    host_answers_.reserve(count_, "the answers of a batch");
    answers_.reserve(count_, "the answers of a batch");
  }
  sizes_ = {.columns = std::size_t{options_.resolution} * options_.resolution,
            .resolution = options_.resolution,
            .tags = with_gradients_};
  for (std::uint32_t i = 0; i < count_; ++i) {
    const BatchPair& p = host_pairs_.data()[i] = pairs[i];
    const DeviceMesh &a = meshes_[p.a.number], &b = meshes_[p.b.number];
    sizes_.vertices = std::max(sizes_.vertices, a.vertex_count + b.vertex_count);
    sizes_.triangles = std::max(sizes_.triangles, a.triangle_count + b.triangle_count);
  }
}

void BatchRunner::start() {
  sizes_.slots = nodes_ < kMaxSlotNodes;
  plan_ = plan_batch(sizes_, count_, device_);
  const std::size_t first = std::min(kNodesPerColumn * sizes_.columns, kFirstNodes);
  const std::size_t nodes = std::max<std::size_t>(nodes_, first);
  const auto far = static_cast<std::uint32_t>(nodes > plan_.near_nodes ? nodes - plan_.near_nodes : 0);
  const std::size_t stride = batch_scratch_bytes(plan_, sizes_, far);
  plan_.blocks = std::min(plan_.blocks, static_cast<std::uint32_t>(std::max<std::size_t>(1, kScratchBudget / stride)));
  scratch_.reserve(plan_.blocks * stride, "the crossings of a batch");

  BatchJob job;
  job.meshes = device_meshes_.data();
  job.pairs = pairs_.data();
  job.answers = with_gradients_ ? nullptr : answers_.data();
  job.gradients = with_gradients_ ? gradients_.data() : nullptr;
  job.report = report_.data();
  job.pair_count = count_;
  job.resolution = options_.resolution;
  job.axis = options_.axis ? static_cast<std::int32_t>(*options_.axis) : -1;
  job.min_thickness = options_.min_thickness;
  job.max_crossings = options_.max_crossings;
  job.most_nodes = 2 * std::min<std::uint64_t>(options_.max_crossings, kMaxBatchNodes / 2);
  job.memory = {.resolution = options_.resolution,
                .lists = plan_.slots ? 4u : 2u,
                .near = plan_.near,
                .vertex_capacity = sizes_.vertices,
                .near_nodes = plan_.near_nodes,
                .far_nodes = far,
                .scratch = scratch_.data(),
                .scratch_stride = stride};
  nodes_ = std::max(nodes_, plan_.near_nodes + far);

  check(cudaMemcpyAsync(pairs_.data(), host_pairs_.data(), count_ * sizeof(BatchPair), cudaMemcpyHostToDevice, stream_),
        "upload the pairs of a batch");
  check(cudaMemsetAsync(report_.data(), 0, sizeof(BatchReport), stream_), "begin a batch");
  launch_batch(job, plan_, device_, stream_);
  under_way_ = true;
  read_answers();
  check(cudaMemcpyAsync(host_report_.data(), report_.data(), sizeof(BatchReport), cudaMemcpyDeviceToHost, stream_),
        "read the report of a batch");
  done_->record(stream_);
}

void BatchRunner::read_answers() {
  const void* from = answers_.data();
  void* to = host_answers_.data();
  std::size_t each = sizeof(PairOverlap);
  if (with_gradients_) {
    from = gradients_.data();
    to = host_gradients_.data();
    each = sizeof(PairGradient);
  }
  check(cudaMemcpyAsync(to, from, count_ * each, cudaMemcpyDeviceToHost, stream_), "read the answers of a batch");
}

const PairOverlap& BatchRunner::answer(std::size_t pair) const {
  if (with_gradients_) return host_gradients_.data()[pair];
  return host_answers_.data()[pair];
}

void BatchRunner::fail(std::size_t pair, BatchFault fault) const {
  std::string what = too_many_crossings(std::min<std::uint64_t>(options_.max_crossings, kMaxBatchNodes / 2)).what();
  if (fault != BatchFault::too_many) {
    const BatchPair& meshes = host_pairs_.data()[pair];
    const std::uint32_t mesh = (fault == BatchFault::bad_index_a ? meshes.a : meshes.b).number;
    what = fmt::format("a triangle of mesh {} names a vertex that the mesh does not have; it has only {}", mesh,
                       meshes_[mesh].vertex_count);
  }
  throw Error(fmt::format("pair {} of the batch: {}", pair, what));
}

/// Of the first `count` pairs, which must have answers.
void BatchRunner::require_healthy(std::size_t count) const {
  if (!options_.strict) return;
  for (std::size_t i = 0; i < count; ++i) try {
      require_health(answer(i).health, true);
    } catch (const Error& e) {
      throw Error(fmt::format("pair {} of the batch: {}", i, e.what()), e.kind());
    }
}

/// Throws for the first pair that fails. Returns false if that is not known yet, or if pairs have no answer yet.
bool BatchRunner::check_report() const {
  const BatchReport& report = *host_report_.data();
  const std::uint64_t first = BatchReport::kFirst - report.fault;
  const std::size_t failing = report.fault != 0 ? first / kBatchFaults : count_;
  const std::size_t undecided = report.undecided != 0 ? BatchReport::kFirst - report.undecided : count_;
  if (undecided < failing) return false;
  require_healthy(failing);
  if (failing < count_) fail(failing, static_cast<BatchFault>(first % kBatchFaults));
  return true;
}

/// Until there are answers.
void BatchRunner::finish() {
  const DeviceScope scope(device_.number);
  try {
    while (under_way_) {
      done_->wait();
      under_way_ = false;
      if (check_report()) break;
      // At most BatchJob::most_nodes, so that nothing is undecided after the next run.
      const std::uint64_t crossings = host_report_.data()->crossings;
      nodes_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(crossings + crossings / 16, kMaxBatchNodes));
      start();
    }
  } catch (...) {
    give_up();
    throw;
  }
}

std::span<const PairOverlap> BatchRunner::wait() {
  finish();
  if (with_gradients_ && count_ != 0) throw Error("the last run was one with gradients; call wait_gradients()");
  return {host_answers_.data(), count_};
}

std::span<const PairGradient> BatchRunner::wait_gradients() {
  finish();
  if (!with_gradients_ && count_ != 0) throw Error("the last run was one without gradients; call wait()");
  return {host_gradients_.data(), count_};
}

// ---- meshes in the caller's device memory

struct PairBatch::State {
  explicit State(const DeviceOptions& options) : runner(options) {}
  BatchRunner runner;
};

PairBatch::PairBatch(std::span<const DeviceMesh> meshes, const DeviceOptions& options)
    : state_(std::make_unique<State>(options)) {
  for (std::size_t i = 0; i < meshes.size(); ++i)
    check_pointers(meshes[i], state_->runner.device(), fmt::format("mesh {}", i), "Batch");
  state_->runner.set_meshes(meshes);
}
PairBatch::~PairBatch() = default;
PairBatch::PairBatch(PairBatch&&) noexcept = default;
PairBatch& PairBatch::operator=(PairBatch&&) noexcept = default;

void PairBatch::launch(std::span<const BatchPair> pairs, Stream stream) {
  check_pairs(pairs, state_->runner.mesh_count());
  state_->runner.launch(pairs, false, stream);
}
void PairBatch::launch_gradients(std::span<const BatchPair> pairs, Stream stream) {
  check_pairs(pairs, state_->runner.mesh_count());
  state_->runner.launch(pairs, true, stream);
}
std::span<const PairOverlap> PairBatch::wait() { return state_->runner.wait(); }
std::span<const PairGradient> PairBatch::wait_gradients() { return state_->runner.wait_gradients(); }
const PairGradient* PairBatch::device_gradients() const { return state_->runner.device_gradients(); }
const PairOverlap* PairBatch::device_answers() const { return state_->runner.device_answers(); }

// ---- meshes in host memory

namespace {

/// An array on the device that keeps its contents when it grows.
template <class T>
class GrowingArray {
 public:
  [[nodiscard]] T* data() const { return array_.data(); }

  /// Appends; returns where it begins.
  std::size_t append(std::span<const T> items, cudaStream_t stream) {
    const std::size_t begin = size_;
    if (begin + items.size() > array_.capacity()) {
      DeviceArray<T> larger;
      larger.reserve(std::max(begin + items.size(), array_.capacity() * 2), "the meshes of a batch");
      if (begin != 0)
        check(cudaMemcpyAsync(larger.data(), array_.data(), begin * sizeof(T), cudaMemcpyDeviceToDevice, stream),
              "move the meshes of a batch");
      check(cudaStreamSynchronize(stream), "move the meshes of a batch");
      array_ = std::move(larger);
    }
    write(begin, items, stream);
    size_ += items.size();
    return begin;
  }
  void write(std::size_t begin, std::span<const T> items, cudaStream_t stream) {
    if (!items.empty())
      check(cudaMemcpyAsync(array_.data() + begin, items.data(), items.size_bytes(), cudaMemcpyHostToDevice, stream),
            "upload a mesh of a batch");
  }

 private:
  DeviceArray<T> array_;
  std::size_t size_ = 0;
};

class CudaBatch final : public BatchEngine {
 public:
  explicit CudaBatch(const DeviceOptions& options) : runner_(options) {
    const DeviceScope scope(runner_.device().number);
    stream_ = std::make_unique<OwnStream>();
  }

  void add(MeshView mesh) override {
    if (!mesh.wide.empty()) {
      std::vector<Vec3> floats;  // relative to the same origin, which deform() counts on
      for (const Vec3d& p : mesh.wide) floats.push_back(narrow(p));
      return add({.positions = floats, .triangles = mesh.triangles, .origin = mesh.origin});
    }
    if (mesh.positions.size() > kMaxBatchTriangles || mesh.triangles.size() > kMaxBatchTriangles)
      throw Error(fmt::format("a mesh of a batch on CUDA may have at most {} triangles and as many vertices; split it",
                              kMaxBatchTriangles));
    const DeviceScope scope(runner_.device().number);
    moved_ = true;  // even if only one of the arrays can grow
    const Place place{
        positions_.append(mesh.positions, stream_->get()), triangles_.append(mesh.triangles, stream_->get()),
        static_cast<std::uint32_t>(mesh.positions.size()), static_cast<std::uint32_t>(mesh.triangles.size())};
    finish_upload();
    places_.push_back(place);
    origins_.push_back(mesh.origin);
    boxes_.push_back(wide_box(mesh));
  }

  void deform(std::uint32_t mesh, std::span<const Vec3> positions) override {
    const DeviceScope scope(runner_.device().number);
    positions_.write(places_[mesh].first_position, positions, stream_->get());
    finish_upload();
    boxes_[mesh] = wide_box({.positions = positions, .triangles = {}, .origin = origins_[mesh]});
  }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    start(pairs, false);
    return in_world(runner_.wait(), answers_);
  }
  std::span<const PairGradient> volume_gradients(std::span<const BatchPair> pairs) override {
    start(pairs, true);
    return in_world(runner_.wait_gradients(), gradients_);
  }

 private:
  void start(std::span<const BatchPair> pairs, bool gradients) {
    if (moved_) {
      table_.clear();
      for (const Place& p : places_)
        table_.push_back({positions_.data() + p.first_position, triangles_.data() + p.first_triangle, p.vertex_count,
                          p.triangle_count});
      runner_.set_meshes(table_);
      moved_ = false;
    }
    shift(pairs);
    runner_.launch(shifted_, gradients, stream_->get());
  }

  /// Copies of answers, with their origins.
  template <class Answer>
  std::span<const Answer> in_world(std::span<const Answer> from, std::vector<Answer>& to) const {
    to.assign(from.begin(), from.end());
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].origin = shared_[i];
      if (to[i].span_count != 0) to[i].centroid += shared_[i];
    }
    return to;
  }

  /// Poses relative to the origin that the meshes of a pair share, as the CPU places them.
  void shift(std::span<const BatchPair> pairs) {
    shifted_.assign(pairs.begin(), pairs.end());
    shared_.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      BatchPair& p = shifted_[i];
      shared_[i] = pair_origin(p, boxes_[p.a.number], boxes_[p.b.number], origins_[p.a.number], origins_[p.b.number]);
      p.pose_a.translation = placement_between(p.pose_a, origins_[p.a.number], shared_[i]).translation;
      p.pose_b.translation = placement_between(p.pose_b, origins_[p.b.number], shared_[i]).translation;
    }
  }

  /// If the caller's memory is pinned, it is read after the copy call has returned.
  void finish_upload() { check(cudaStreamSynchronize(stream_->get()), "upload a mesh of a batch"); }

  struct Place {
    std::size_t first_position, first_triangle;
    std::uint32_t vertex_count, triangle_count;
  };

  std::unique_ptr<OwnStream> stream_;
  BatchRunner runner_;
  GrowingArray<Vec3> positions_;
  GrowingArray<Triangle> triangles_;
  std::vector<Place> places_;
  std::vector<DeviceMesh> table_;
  std::vector<Vec3d> origins_;  ///< of the meshes
  std::vector<WideBox> boxes_;  ///< of the meshes, before they are placed
  std::vector<BatchPair> shifted_;
  std::vector<Vec3d> shared_;  ///< the origin of each pair
  std::vector<PairOverlap> answers_;
  std::vector<PairGradient> gradients_;
  bool moved_ = true;
};

}  // namespace

std::unique_ptr<BatchEngine> make_batch_engine(const EngineOptions& engine, const QueryOptions& query) {
  // With a tolerance: most pairs are within it on this grid; the others get a second look (detect/batch.cpp). Where
  // nothing is found on it, the CPU would not look any closer.
  constexpr std::uint32_t kFirstGrid = QueryOptions{}.resolution;
  return std::make_unique<CudaBatch>(DeviceOptions{.resolution = query.tolerance ? kFirstGrid : query.resolution,
                                                   .axis = query.axis,
                                                   .device = engine.device,
                                                   .strict = query.strict,
                                                   .min_thickness = query.min_thickness,
                                                   .max_crossings = engine.max_crossings});
}

}  // namespace lamella::cuda
