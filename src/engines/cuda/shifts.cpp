// The finder of free shifts on CUDA: the host's side of shifts.cu.

#include <algorithm>

#include "engines/checks.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/shifts_job.hpp"
#include "engines/cuda/uploaded_mesh.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// Scratch memory of all blocks; if a block needs much, fewer blocks are started.
constexpr std::size_t kScratchBudget = std::size_t{1} << 31;
/// First guess of the crossings of a direction: per column, and at most.
constexpr std::size_t kNodesPerColumn = 8, kFirstNodes = std::size_t{1} << 22;

/// The finder's objects on the device. Make and destroy them with the device current.
struct Objects {
  explicit Objects(Workers& workers) : meshes{{stream.get(), workers}, {stream.get(), workers}} {}

  OwnStream stream;
  UploadedMesh meshes[2];
  DeviceArray<Placement> views;
  DeviceArray<FreeShift> answers;
  DeviceArray<BatchReport> report;
  DeviceArray<unsigned char> scratch;
  PinnedArray<Placement> host_views;
  PinnedArray<FreeShift> host_answers;
  PinnedArray<BatchReport> host_report;
};

class CudaShifts final : public ShiftFinder {
 public:
  explicit CudaShifts(const EngineOptions& options)
      : device_(choose_device(options.device)), max_crossings_(options.max_crossings), workers_(options.threads) {
    const DeviceScope scope(device_.number);
    objects_ = std::make_unique<Objects>(workers_);
  }
  ~CudaShifts() override {
    try {
      const DeviceScope scope(device_.number);
      objects_.reset();
    } catch (const Error&) {
      objects_.reset();
    }
  }

  void find(MeshView a, MeshView b, std::span<const Vec3d> directions, std::uint32_t resolution,
            std::vector<FreeShift>& out) override {
    check_resolution(resolution);
    if (directions.size() > 0x7fffffffu) throw Error("at most 2^31 - 1 directions at a time; split them");
    out.resize(directions.size());
    if (directions.empty()) return;
    const DeviceScope scope(device_.number);
    Objects& o = *objects_;
    o.meshes[0].assign(a);
    o.meshes[1].assign(b);
    prepare(directions);
    try {
      while (!run(static_cast<std::uint32_t>(directions.size()), resolution)) {
      }
    } catch (...) {
      nodes_ = 0;  // there may be no memory for so many, and the next meshes may need fewer
      throw;
    }
    std::copy_n(o.host_answers.data(), directions.size(), out.data());
  }

 private:
  void prepare(std::span<const Vec3d> directions) {
    Objects& o = *objects_;
    o.host_views.reserve(directions.size(), "directions");
    o.views.reserve(directions.size(), "directions");
    o.answers.reserve(directions.size(), "free shifts");
    o.host_answers.reserve(directions.size(), "free shifts");
    o.report.reserve(1, "a report");
    o.host_report.reserve(1, "a report");
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const ViewRotation view = rotation_to(directions[i]);
      o.host_views.data()[i] = {{view.u, view.v, view.w}, {}};
    }
  }

  /// False if there was not enough room; then there is now.
  bool run(std::uint32_t count, std::uint32_t resolution) {
    Objects& o = *objects_;
    ShiftJob job;
    job.mesh[0] = o.meshes[0].on_device();
    job.mesh[1] = o.meshes[1].on_device();
    const std::uint64_t vertices = std::uint64_t{job.mesh[0].vertex_count} + job.mesh[1].vertex_count;
    const std::uint64_t triangles = std::uint64_t{job.mesh[0].triangle_count} + job.mesh[1].triangle_count;
    if (triangles > kMaxBatchTriangles || vertices > kMaxBatchTriangles)
      throw Error("the meshes of a separation on CUDA have too many triangles; use the engine software");
    const BatchSizes sizes{.vertices = static_cast<std::uint32_t>(vertices),
                           .triangles = static_cast<std::uint32_t>(triangles),
                           .columns = std::size_t{resolution} * resolution,
                           .resolution = resolution};
    BatchPlan plan = plan_shifts(sizes, count, device_);
    const std::size_t nodes = std::max<std::size_t>(nodes_, std::min(kNodesPerColumn * sizes.columns, kFirstNodes));
    const auto far = static_cast<std::uint32_t>(nodes > plan.near_nodes ? nodes - plan.near_nodes : 0);
    // Codes are in scratch in any case.
    BatchPlan far_lists = plan;
    far_lists.near = false;
    const std::size_t stride = batch_scratch_bytes(far_lists, sizes, far);
    plan.blocks = std::min(plan.blocks, static_cast<std::uint32_t>(std::max<std::size_t>(1, kScratchBudget / stride)));
    o.scratch.reserve(plan.blocks * stride, "the crossings of directions");
    job.views = o.views.data();
    job.answers = o.answers.data();
    job.report = o.report.data();
    job.count = count;
    job.resolution = resolution;
    job.max_crossings = max_crossings_;
    job.most_nodes = 2 * std::min<std::uint64_t>(max_crossings_, kMaxBatchNodes / 2);
    job.memory = {.resolution = resolution,
                  .near = false,
                  .vertex_capacity = sizes.vertices,
                  .near_nodes = plan.near_nodes,
                  .far_nodes = far,
                  .scratch = o.scratch.data(),
                  .scratch_stride = stride};
    nodes_ = std::max(nodes_, plan.near_nodes + far);
    run(job, plan);
    const BatchReport& report = *o.host_report.data();
    if (report.fault != 0) throw too_many_crossings(max_crossings_);
    if (report.undecided == 0) return true;
    nodes_ =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(report.crossings + report.crossings / 16, kMaxBatchNodes));
    return false;
  }

  void run(const ShiftJob& job, const BatchPlan& plan) {
    Objects& o = *objects_;
    cudaStream_t stream = o.stream.get();
    check(cudaMemcpyAsync(o.views.data(), o.host_views.data(), job.count * sizeof(Placement), cudaMemcpyHostToDevice,
                          stream),
          "upload directions");
    check(cudaMemsetAsync(o.report.data(), 0, sizeof(BatchReport), stream), "begin a search along directions");
    launch_shifts(job, plan, device_, stream);
    check(cudaMemcpyAsync(o.host_answers.data(), o.answers.data(), job.count * sizeof(FreeShift),
                          cudaMemcpyDeviceToHost, stream),
          "read free shifts");
    check(cudaMemcpyAsync(o.host_report.data(), o.report.data(), sizeof(BatchReport), cudaMemcpyDeviceToHost, stream),
          "read free shifts");
    check(cudaStreamSynchronize(stream), "find free shifts");
  }

  const DeviceFacts& device_;
  std::uint64_t max_crossings_;
  Workers workers_;
  std::unique_ptr<Objects> objects_;
  std::uint32_t nodes_ = 0;  ///< that directions have needed so far
};

}  // namespace

std::unique_ptr<ShiftFinder> make_shift_finder(const EngineOptions& options) {
  return std::make_unique<CudaShifts>(options);
}

}  // namespace lamella::cuda
