// SelfBatch and GradientBatch: the host's side of bodies.cu. As in batch.cpp, a run is one kernel, and is repeated with
// more room if a body had more crossings than there was room for.

#include <fmt/format.h>

#include <algorithm>

#include "engines/checks.hpp"
#include "engines/cuda/bodies_runner.hpp"
#include "engines/cuda/pointers.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// Scratch memory of all blocks; if a block needs much, fewer blocks are started.
constexpr std::size_t kScratchBudget = std::size_t{1} << 31;
/// First guess of the crossings of a body: per column, and at most.
constexpr std::size_t kNodesPerColumn = 6, kFirstNodes = std::size_t{1} << 22;

template <class T>
void upload(DeviceArray<T>& to, const std::vector<T>& from, const char* what) {
  to.reserve(from.size(), what);
  if (from.empty()) return;
  check(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "upload bodies");
  // Non-blocking streams do not wait for the default stream.
  check(cudaStreamSynchronize(nullptr), "upload bodies");
}

}  // namespace

BodyRunner::BodyRunner(const DeviceOptions& options, bool pairs, bool sums)
    : BodyRunner(choose_device(options.device), pairs) {
  check_options(options.for_query());
  options_ = options;
  with_sums_ = sums;
}

BodyRunner::BodyRunner(const DeviceFacts& device, bool pairs) : device_(device), pairs_(pairs) {
  const DeviceScope scope(device_.number);
  done_ = std::make_unique<Event>();
  report_.reserve(1, "the report of a batch");
  host_report_.reserve(1, "the report of a batch");
}

void BodyRunner::set_meshes(std::span<const DeviceMesh> meshes, Vec3* gradients) {
  const DeviceScope scope(device_.number);
  const std::size_t each = pairs_ ? 2 : 1;
  if (meshes.size() / each > 0x7fffffffu) throw Error("a batch may have at most 2^31 - 1 bodies; split it");
  meshes_.assign(meshes.begin(), meshes.end());
  count_ = static_cast<std::uint32_t>(meshes.size() / each);
  sizes_ = {.columns = std::size_t{options_.resolution} * options_.resolution,
            .resolution = options_.resolution,
            .lists = static_cast<std::uint32_t>(each),
            .tags = true};
  std::vector<std::uint64_t> first(count_ + 1);
  for (std::size_t i = 0; i < count_; ++i) {
    std::uint64_t vertices = 0, triangles = 0;
    for (std::size_t m = i * each; m < (i + 1) * each; ++m) {
      vertices += meshes[m].vertex_count;
      triangles += meshes[m].triangle_count;
    }
    if (triangles > kMaxBatchTriangles || vertices > kMaxBatchTriangles)
      throw Error(fmt::format("a body on CUDA may have at most {} triangles and as many vertices; split it",
                              kMaxBatchTriangles));
    sizes_.vertices = std::max(sizes_.vertices, static_cast<std::uint32_t>(vertices));
    sizes_.triangles = std::max(sizes_.triangles, static_cast<std::uint32_t>(triangles));
    first[i + 1] = first[i] + vertices;
  }
  upload(device_meshes_, meshes_, "the bodies of a batch");
  upload(first_vertex_, first, "the bodies of a batch");
  answers_.reserve(count_, "the answers of a batch");
  host_answers_.reserve(count_, "the answers of a batch");
  if (with_sums_) {
    sums_.reserve(count_, "the sums of a batch");
    host_sums_.reserve(count_, "the sums of a batch");
  }
  if (gradients == nullptr) own_gradients_.reserve(first.back(), "the gradients of a batch");
  gradients_ = gradients == nullptr ? own_gradients_.data() : gradients;
}

void BodyRunner::launch(CudaStream stream) {
  const DeviceScope scope(device_.number);
  try {
    if (under_way_) done_->wait();  // the memory that it uses is about to change
    under_way_ = false;
    failed_ = false;
    stream_ = stream;
    if (count_ != 0) start();
  } catch (...) {
    give_up();
    throw;
  }
}

void BodyRunner::give_up() {
  // Parts of a run may still be on the stream, and use memory that the next run changes.
  if (cudaStreamSynchronize(stream_) != cudaSuccess) (void)cudaGetLastError();
  under_way_ = false;
  failed_ = true;
  nodes_ = 0;
}

void BodyRunner::start() {
  BatchPlan plan = plan_batch(sizes_, count_, device_);
  if (with_sums_ && plan.near) {  // the lists are in scratch then
    plan.near = false;
    plan.near_nodes = 0;
  }
  const std::size_t first = std::min(kNodesPerColumn * sizes_.columns, kFirstNodes);
  const std::size_t nodes = std::max<std::size_t>(nodes_, first);
  const auto far = static_cast<std::uint32_t>(nodes > plan.near_nodes ? nodes - plan.near_nodes : 0);
  BodyJob job;
  job.vertex_sums = batch_scratch_bytes(plan, sizes_, far);
  const std::size_t stride = job.vertex_sums + vertex_sum_bytes(sizes_.vertices);
  plan.blocks = std::min(plan.blocks, static_cast<std::uint32_t>(std::max<std::size_t>(1, kScratchBudget / stride)));
  scratch_.reserve(plan.blocks * stride, "the crossings of a batch");
  job.meshes = device_meshes_.data();
  job.first_vertex = first_vertex_.data();
  job.answers = answers_.data();
  job.sums = with_sums_ ? sums_.data() : nullptr;
  job.gradients = gradients_;
  job.report = report_.data();
  job.count = count_;
  job.pairs = pairs_;
  job.resolution = options_.resolution;
  job.axis = options_.axis ? static_cast<std::int32_t>(*options_.axis) : -1;
  job.min_thickness = options_.min_thickness;
  job.max_crossings = options_.max_crossings;
  job.most_nodes = sizes_.lists * std::min<std::uint64_t>(options_.max_crossings, kMaxBatchNodes / sizes_.lists);
  job.memory = {.resolution = options_.resolution,
                .lists = sizes_.lists,
                .near = plan.near,
                .vertex_capacity = sizes_.vertices,
                .near_nodes = plan.near_nodes,
                .far_nodes = far,
                .scratch = scratch_.data(),
                .scratch_stride = stride};
  nodes_ = std::max(nodes_, plan.near_nodes + far);

  check(cudaMemsetAsync(report_.data(), 0, sizeof(BatchReport), stream_), "begin a batch");
  launch_bodies(job, plan, device_, stream_);
  under_way_ = true;
  const auto read = [&](auto& to, const auto& from, std::size_t count) {
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(*from.data()), cudaMemcpyDeviceToHost, stream_),
          "read the answers of a batch");
  };
  read(host_answers_, answers_, count_);
  if (with_sums_) read(host_sums_, sums_, count_);
  read(host_report_, report_, 1);
  done_->record(stream_);
}

void BodyRunner::fail(std::size_t unit, BatchFault fault) const {
  std::string what = too_many_crossings(std::min<std::uint64_t>(options_.max_crossings, kMaxBatchNodes / 2)).what();
  if (fault != BatchFault::too_many) {
    const std::size_t mesh = pairs_ ? 2 * unit + (fault == BatchFault::bad_index_b ? 1 : 0) : unit;
    what = fmt::format("a triangle names a vertex that the mesh does not have; it has only {}",
                       meshes_[mesh].vertex_count);
  }
  throw Error(count_ == 1 ? what : fmt::format("body {} of the batch: {}", unit, what));
}

/// Throws for the first body that fails. Returns false if that is not known yet, or if bodies have no answer yet.
bool BodyRunner::check_report() const {
  const BatchReport& report = *host_report_.data();
  const std::uint64_t first = BatchReport::kFirst - report.fault;
  const std::size_t failing = report.fault != 0 ? first / kBatchFaults : count_;
  const std::size_t undecided = report.undecided != 0 ? BatchReport::kFirst - report.undecided : count_;
  if (undecided < failing) return false;
  if (options_.strict)
    for (std::size_t i = 0; i < failing; ++i) require_health(host_answers_.data()[i].health, true);
  if (failing < count_) fail(failing, static_cast<BatchFault>(first % kBatchFaults));
  return true;
}

std::span<const BodyOverlap> BodyRunner::wait() {
  const DeviceScope scope(device_.number);
  try {
    while (under_way_) {
      done_->wait();
      under_way_ = false;
      if (check_report()) break;
      const std::uint64_t crossings = host_report_.data()->crossings;
      nodes_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(crossings + crossings / 16, kMaxBatchNodes));
      start();
    }
  } catch (...) {
    give_up();
    throw;
  }
  return {host_answers_.data(), failed_ ? 0 : count_};
}

void BodyRunner::read_gradients(std::size_t first, std::span<Vec3> out) const {
  if (out.empty()) return;
  const DeviceScope scope(device_.number);
  check(cudaMemcpyAsync(out.data(), gradients_ + first, out.size_bytes(), cudaMemcpyDeviceToHost, stream_),
        "read gradients");
  check(cudaStreamSynchronize(stream_), "read gradients");
}

struct SelfBatch::State {
  explicit State(const DeviceOptions& options) : runner(options, false, false) {}
  BodyRunner runner;
};

SelfBatch::SelfBatch(std::span<const DeviceMesh> bodies, const DeviceOptions& options, Vec3* gradients)
    : state_(std::make_unique<State>(options)) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    check_pointers(bodies[i], state_->runner.device(), fmt::format("body {}", i), "Detector");
  state_->runner.set_meshes(bodies, gradients);
}
SelfBatch::~SelfBatch() = default;
SelfBatch::SelfBatch(SelfBatch&&) noexcept = default;
SelfBatch& SelfBatch::operator=(SelfBatch&&) noexcept = default;
void SelfBatch::launch(Stream stream) { state_->runner.launch(stream); }
std::span<const BodyOverlap> SelfBatch::wait() { return state_->runner.wait(); }
const BodyOverlap* SelfBatch::device_answers() const { return state_->runner.device_answers(); }
const Vec3* SelfBatch::device_gradients() const { return state_->runner.device_gradients(); }

struct GradientBatch::State {
  explicit State(const DeviceOptions& options) : runner(options, true, true) {}
  BodyRunner runner;
};

GradientBatch::GradientBatch(std::span<const std::array<DeviceMesh, 2>> pairs, const DeviceOptions& options,
                             Vec3* gradients)
    : state_(std::make_unique<State>(options)) {
  std::vector<DeviceMesh> meshes;
  meshes.reserve(2 * pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const DeviceMesh& mesh : pairs[i]) {
      check_pointers(mesh, state_->runner.device(),
                     fmt::format("the {} mesh of pair {}", &mesh == pairs[i].data() ? "first" : "second", i),
                     "Detector");
      meshes.push_back(mesh);
    }
  state_->runner.set_meshes(meshes, gradients);
}
GradientBatch::~GradientBatch() = default;
GradientBatch::GradientBatch(GradientBatch&&) noexcept = default;
GradientBatch& GradientBatch::operator=(GradientBatch&&) noexcept = default;
void GradientBatch::launch(Stream stream) { state_->runner.launch(stream); }
std::span<const BodyOverlap> GradientBatch::wait() { return state_->runner.wait(); }
std::span<const GradientSums> GradientBatch::sums() const { return state_->runner.all_sums(); }
const BodyOverlap* GradientBatch::device_answers() const { return state_->runner.device_answers(); }
const Vec3* GradientBatch::device_gradients() const { return state_->runner.device_gradients(); }

}  // namespace lamella::cuda
