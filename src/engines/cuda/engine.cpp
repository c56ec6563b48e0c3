// The engine "cuda": queries on the GPU for meshes in main memory. Kept meshes are on the GPU already; a query then
// uploads only the positions that changed, and reads back spans or flags.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/frame_runner.hpp"
#include "engines/cuda/gradient.hpp"
#include "engines/cuda/uploaded_mesh.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// The most runners that are kept, each with the graph of one query.
constexpr std::size_t kMostRunners = 8;

bool same_mesh(const DeviceMesh& a, const DeviceMesh& b) {
  return a.positions == b.positions && a.triangles == b.triangles && a.vertex_count == b.vertex_count &&
         a.triangle_count == b.triangle_count;
}

bool same_meshes(const Frame& a, const Frame& b) {
  return a.mesh_count == b.mesh_count && same_mesh(a.mesh[0], b.mesh[0]) && same_mesh(a.mesh[1], b.mesh[1]);
}

/// Whether both queries run the same kernels with the same arguments.
bool same_question(const Frame& a, const Frame& b) {
  return a.kind == b.kind && same_meshes(a, b) && a.points.positions == b.points.positions &&
         a.points.count == b.points.count && a.resolution == b.resolution && a.axis == b.axis &&
         a.min_thickness == b.min_thickness && a.with_ends == b.with_ends && a.given_grid == b.given_grid &&
         a.grid == b.grid;
}

bool refers_to(const Frame& frame, const Vec3* positions) {
  return frame.mesh[0].positions == positions || frame.mesh[1].positions == positions;
}

/// A copy of a device array in main memory.
template <class T>
class ReadBack {
 public:
  void begin(const T* from, std::size_t count, cudaStream_t stream) {
    staged_.reserve(count, "an answer");
    count_ = count;
    if (count == 0) return;
    check(cudaMemcpyAsync(staged_.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "read an answer");
  }
  [[nodiscard]] std::span<const T> get() const { return {staged_.data(), count_}; }

 private:
  PinnedArray<T> staged_;
  std::size_t count_ = 0;
};

/// The engine's objects on the device. Make and destroy them with the device current.
struct Objects {
  explicit Objects(Workers& workers)
      : views{{stream.get(), workers}, {stream.get(), workers}}, points(stream.get(), workers) {}

  OwnStream stream;
  FrameMemory memory;
  UploadedMesh views[2];
  Upload points;
  ReadBack<Span> spans[2];
  ReadBack<SpanEnds> ends;
  ReadBack<std::uint8_t> flags;
  FrameGradient gradient;
  std::vector<std::unique_ptr<FrameRunner>> runners;  ///< the last used first
};

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(const EngineOptions& options)
      : Engine(options.threads),
        device_(choose_device(options.device)),
        max_crossings_(options.max_crossings),
        workers_(options.threads) {
    const DeviceScope scope(device_.number);
    objects_.emplace(workers_);
  }
  ~CudaEngine() override {
    try {
      const DeviceScope scope(device_.number);
      objects_.reset();
    } catch (const Error&) {
      objects_.reset();
    }
  }

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override;
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;

 private:
  [[nodiscard]] bool samples_on_lattice() const override { return true; }
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) override;
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override;
  void find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                     OverlapGradient& out) override;
  void find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                          SelfGradient& out) override;
  void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) override;

  class Kept;
  [[nodiscard]] Kept* kept_of(MeshRef mesh) const;
  [[nodiscard]] DeviceMesh on_device(MeshRef mesh, int slot);
  [[nodiscard]] static Frame make_frame(Kind kind, const QueryOptions& options);
  [[nodiscard]] Frame pair_frame(MeshRef a, MeshRef b, const QueryOptions& options);
  [[nodiscard]] Frame self_frame(MeshRef mesh, const QueryOptions& options);
  [[nodiscard]] FrameRunner& runner_for(const Frame& asked);
  void forget(const Vec3* positions);
  FrameRunner& run_with_spans(const Frame& asked, bool read_ends, std::uint64_t& bytes);
  void take(const FrameRunner& runner, bool with_ends, Overlap& out) const;
  void take_self(const FrameRunner& runner, bool with_ends, SelfOverlap& out) const;
  void sum_up_gradient(const Frame& asked, const FrameRunner& overlap, bool vertices, Overlap& out, GradientSums& sums);
  void read_vertices(unsigned mesh, std::vector<Vec3>& vertices, Overlap& out);
  void finish(const FrameRunner& runner, Stopwatch& watch, Timings& ms) const;

  const DeviceFacts& device_;
  std::uint64_t max_crossings_;
  Workers workers_;
  std::optional<Objects> objects_;
};

/// Triangles are in main memory too, for counting the broken ones when vertices break.
class CudaEngine::Kept final : public KeptMesh {
 public:
  Kept(CudaEngine& owner, MeshView mesh)
      : KeptMesh(owner),
        owner_(owner),
        triangles_(mesh.triangles.begin(), mesh.triangles.end()),
        vertices_(mesh.positions.size()),
        mesh_(std::in_place, owner.objects_->stream.get(), owner.workers_) {
    mesh_->assign(mesh);
  }
  ~Kept() override {
    try {
      const DeviceScope scope(owner_.device_.number);
      owner_.forget(mesh_->positions_on_device());
      mesh_.reset();
    } catch (const Error&) {
      mesh_.reset();
    }
  }

  void deform(std::span<const Vec3> positions) override {
    check_vertex_count(vertices_, positions.size());
    const DeviceScope scope(owner_.device_.number);
    mesh_->assign_positions(positions);
  }
  [[nodiscard]] std::size_t triangle_count() const override { return triangles_.size(); }
  [[nodiscard]] std::size_t broken_triangles() const override {
    return mesh_->facts().usable ? 0 : count_broken({mesh_->positions(), triangles_});
  }
  [[nodiscard]] MeshView view() const override { return {}; }
  [[nodiscard]] std::span<const Triangle> triangles() const override { return triangles_; }
  void read_positions(std::vector<Vec3>& out) override {
    out.assign(mesh_->positions().begin(), mesh_->positions().end());
  }

  [[nodiscard]] const UploadedMesh& mesh() const { return *mesh_; }

 private:
  CudaEngine& owner_;
  std::vector<Triangle> triangles_;
  std::size_t vertices_;
  std::optional<UploadedMesh> mesh_;
};

std::unique_ptr<KeptMesh> CudaEngine::keep(MeshView mesh) {
  const DeviceScope scope(device_.number);
  return std::make_unique<Kept>(*this, mesh);
}

CudaEngine::Kept* CudaEngine::kept_of(MeshRef mesh) const {
  if (mesh.kept == nullptr) return nullptr;
  check_owner(mesh);
  return static_cast<Kept*>(mesh.kept);
}

/// A kept mesh as it is; a view is uploaded now into slot 0 or 1.
DeviceMesh CudaEngine::on_device(MeshRef mesh, int slot) {
  if (const Kept* kept = kept_of(mesh)) return kept->mesh().on_device();
  objects_->views[slot].assign(mesh.view);
  return objects_->views[slot].on_device();
}

Aabb CudaEngine::bounds(MeshRef mesh) {
  if (const Kept* kept = kept_of(mesh)) return kept->mesh().facts().box;
  return inspect_positions(mesh.view.positions, workers_).box;
}

Frame CudaEngine::make_frame(Kind kind, const QueryOptions& options) {
  Frame frame;
  frame.kind = kind;
  frame.resolution = options.resolution;
  frame.axis = options.axis ? static_cast<std::int32_t>(*options.axis) : -1;
  frame.min_thickness = options.min_thickness;
  frame.with_ends = options.ends && kind != Kind::contains;
  frame.column_count = options.resolution * options.resolution;
  return frame;
}

/// The runner of the same query, or a new one that starts with the sizes that other runners of the same meshes needed.
FrameRunner& CudaEngine::runner_for(const Frame& asked) {
  auto& runners = objects_->runners;
  const auto found =
      std::find_if(runners.begin(), runners.end(), [&](const auto& r) { return same_question(r->asked(), asked); });
  if (found != runners.end()) {
    std::rotate(runners.begin(), found, found + 1);
    return *runners.front();
  }
  const auto similar = std::find_if(runners.begin(), runners.end(), [&](const auto& r) {
    return r->asked().kind == asked.kind && same_meshes(r->asked(), asked);
  });
  const bool spans = asked.kind == Kind::intersect || asked.kind == Kind::self_intersect;
  auto runner = std::make_unique<FrameRunner>(
      device_, objects_->memory, asked, RunnerOptions{.spans = spans, .timed = true, .max_crossings = max_crossings_});
  if (similar != runners.end()) runner->learn_from(**similar);
  if (runners.size() == kMostRunners) runners.pop_back();
  runners.insert(runners.begin(), std::move(runner));
  return *runners.front();
}

void CudaEngine::forget(const Vec3* positions) {
  std::erase_if(objects_->runners, [&](const auto& runner) { return refers_to(runner->asked(), positions); });
}

/// The stages' times: the query as the device measured it, the rest of the wall clock for uploading and reading back.
void CudaEngine::finish(const FrameRunner& runner, Stopwatch& watch, Timings& ms) const {
  double all = 0;
  watch.lap(all);
  ms.gpu = runner.gpu_ms();
  ms.query = std::min(ms.gpu, all);
  ms.ldi = all - ms.query;
}

/// Spans and their ends are fetched together with the frame: as many as last time and some more. Usually that is all of
/// them, and one wait is enough.
FrameRunner& CudaEngine::run_with_spans(const Frame& asked, bool read_ends, std::uint64_t& bytes) {
  Objects& o = *objects_;
  FrameRunner& runner = runner_for(asked);
  const auto fetch = [&](std::size_t k, std::uint64_t count) {
    const Frame& frame = runner.frame();
    const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(count, frame.span_capacity[k]));
    o.spans[k].begin(frame.spans[k], there, o.stream.get());
    bytes += there * sizeof(Span);
    if (k != 0 || !read_ends) return;
    o.ends.begin(frame.ends, there, o.stream.get());
    bytes += there * sizeof(SpanEnds);
  };
  const auto counts = [&]() -> std::array<std::uint64_t, 2> {
    const Answer& answer = runner.report().answer;
    return {answer.span_count, answer.inside_out_count};
  };
  const auto before = counts();
  runner.launch(o.stream.get());
  for (std::size_t k = 0; k < 2; ++k) fetch(k, before[k] + before[k] / 8);
  check(cudaStreamSynchronize(o.stream.get()), "finish a frame");
  const FrameReport& report = runner.wait();
  bytes += sizeof report;
  bool again = false;
  for (std::size_t k = 0; k < 2; ++k) {
    if (runner.repeats() == 0 && counts()[k] <= o.spans[k].get().size()) continue;
    fetch(k, counts()[k]);
    again = true;
  }
  if (again) check(cudaStreamSynchronize(o.stream.get()), "read an answer");
  return runner;
}

void CudaEngine::take(const FrameRunner& runner, bool with_ends, Overlap& out) const {
  const Answer& answer = runner.report().answer;
  const auto spans = objects_->spans[0].get().first(answer.span_count);
  out.grid = answer.grid;
  out.spans.assign(spans.begin(), spans.end());
  if (with_ends) {
    const auto ends = objects_->ends.get().first(answer.span_count);
    out.ends.assign(ends.begin(), ends.end());
  }
  out.volume = answer.volume;
  out.volume_error = answer.volume_error;
  out.centroid = answer.centroid;
  out.bounds = answer.bounds;
  out.health = answer.health;
}

void CudaEngine::take_self(const FrameRunner& runner, bool with_ends, SelfOverlap& out) const {
  take(runner, with_ends, out);
  const Answer& answer = runner.report().answer;
  const auto inside_out = objects_->spans[1].get().first(answer.inside_out_count);
  out.inside_out.assign(inside_out.begin(), inside_out.end());
  out.inside_out_volume = answer.inside_out_volume;
}

Frame CudaEngine::pair_frame(MeshRef a, MeshRef b, const QueryOptions& options) {
  Frame frame = make_frame(Kind::intersect, options);
  frame.mesh_count = 2;
  frame.mesh[0] = on_device(a, 0);
  frame.mesh[1] = on_device(b, 1);
  return frame;
}

Frame CudaEngine::self_frame(MeshRef mesh, const QueryOptions& options) {
  Frame frame = make_frame(Kind::self_intersect, options);
  frame.mesh[0] = on_device(mesh, 0);
  return frame;
}

void CudaEngine::find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) {
  Stopwatch watch;
  const DeviceScope scope(device_.number);
  const FrameRunner& runner = run_with_spans(pair_frame(a, b, options), options.ends, out.read_back_bytes);
  take(runner, options.ends, out);
  finish(runner, watch, out.ms);
}

void CudaEngine::find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) {
  Stopwatch watch;
  const DeviceScope scope(device_.number);
  const FrameRunner& runner = run_with_spans(self_frame(mesh, options), options.ends, out.read_back_bytes);
  take_self(runner, options.ends, out);
  finish(runner, watch, out.ms);
}

// Gradients: the overlap as without them, but with ends, which stay on the device; then a frame along each of the other
// two axes, whose boxes are the same.

/// `overlap`: the runner of the overlap itself, whose frame was the last one.
void CudaEngine::sum_up_gradient(const Frame& asked, const FrameRunner& overlap, bool vertices, Overlap& out,
                                 GradientSums& sums) {
  Stopwatch watch;
  const cudaStream_t stream = objects_->stream.get();
  FrameGradient& gradient = objects_->gradient;
  gradient.start({asked.mesh, asked.mesh_count}, vertices, stream);
  gradient.add_view(overlap.frame(), overlap.report().answer, stream);
  Frame frame = asked;
  for (int i = 1; i < 3; ++i) {
    frame.axis = (out.grid.w() + i) % 3;
    FrameRunner& runner = runner_for(frame);
    runner.launch(stream);
    const Answer& answer = runner.wait().answer;
    gradient.add_view(runner.frame(), answer, stream);
    out.ms.gpu += runner.gpu_ms();
    out.read_back_bytes += sizeof(FrameReport);
  }
  out.read_back_bytes += gradient.sum_up(out.centroid, sums, stream);
  double ms = 0;
  watch.lap(ms);
  out.ms.query += ms;
}

/// After sum_up_gradient().
void CudaEngine::read_vertices(unsigned mesh, std::vector<Vec3>& vertices, Overlap& out) {
  Stopwatch watch;
  objects_->gradient.read_vertices(mesh, vertices, objects_->stream.get());
  out.read_back_bytes += vertices.size() * sizeof(Vec3);
  double ms = 0;
  watch.lap(ms);
  out.ms.query += ms;
}

void CudaEngine::find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                               OverlapGradient& out) {
  Stopwatch watch;
  const DeviceScope scope(device_.number);
  Frame frame = pair_frame(a, b, options);
  frame.with_ends = true;
  const FrameRunner& runner = run_with_spans(frame, options.ends, out.read_back_bytes);
  take(runner, options.ends, out);
  finish(runner, watch, out.ms);
  if (parts.vertices) {
    out.vertices_a.assign(frame.mesh[0].vertex_count, Vec3{});
    out.vertices_b.assign(frame.mesh[1].vertex_count, Vec3{});
  }
  if (out.spans.empty()) return;
  sum_up_gradient(frame, runner, parts.vertices, out, out.sums);
  if (!parts.vertices) return;
  read_vertices(0, out.vertices_a, out);
  read_vertices(1, out.vertices_b, out);
}

void CudaEngine::find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                                    SelfGradient& out) {
  Stopwatch watch;
  const DeviceScope scope(device_.number);
  Frame frame = self_frame(mesh, options);
  frame.with_ends = true;
  const FrameRunner& runner = run_with_spans(frame, options.ends, out.read_back_bytes);
  take_self(runner, options.ends, out);
  finish(runner, watch, out.ms);
  if (parts.vertices) out.vertices.assign(frame.mesh[0].vertex_count, Vec3{});
  if (out.spans.empty()) return;
  sum_up_gradient(frame, runner, parts.vertices, out, out.sums);
  if (parts.vertices) read_vertices(0, out.vertices, out);
}

void CudaEngine::find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options,
                             Containment& out) {
  if (points.size() > 0xffffffffu) throw Error("at most 2^32 - 1 points at a time; split them");
  Stopwatch watch;
  const DeviceScope scope(device_.number);
  Objects& o = *objects_;
  Frame frame = make_frame(Kind::contains, options);
  frame.min_thickness =
      QueryOptions{}.min_thickness;  // as in all engines: it only decides which columns are inside out
  frame.mesh[0] = on_device(mesh, 0);
  (void)o.points.put(points, "points");
  frame.points = {o.points.on_device(), static_cast<std::uint32_t>(points.size())};
  FrameRunner& runner = runner_for(frame);
  runner.launch(o.stream.get());
  o.flags.begin(runner.frame().flags, points.size(), o.stream.get());
  check(cudaStreamSynchronize(o.stream.get()), "finish a frame");
  const Answer& answer = runner.wait().answer;
  out.read_back_bytes = sizeof(FrameReport) + points.size();
  if (runner.repeats() != 0) {
    o.flags.begin(runner.frame().flags, points.size(), o.stream.get());
    check(cudaStreamSynchronize(o.stream.get()), "read an answer");
    out.read_back_bytes += points.size();
  }
  std::copy(o.flags.get().begin(), o.flags.get().end(), out.inside.begin());
  out.grid = answer.grid;
  out.inside_count = answer.inside_count;
  out.health = answer.health;
  finish(runner, watch, out.ms);
}

void CudaEngine::build(MeshRef mesh, const Grid& grid, Ldi& out) {
  if (grid.columns > kMaxResolution || grid.rows > kMaxResolution)
    throw Error(
        fmt::format("a grid of {} x {} columns: at most {} along each axis", grid.columns, grid.rows, kMaxResolution));
  const DeviceScope scope(device_.number);
  Objects& o = *objects_;
  Frame frame;
  frame.kind = Kind::build;
  frame.mesh[0] = on_device(mesh, 0);
  frame.given_grid = true;
  frame.grid = grid;
  frame.column_count = static_cast<std::uint32_t>(grid.column_count());
  FrameRunner& runner = runner_for(frame);
  runner.launch(o.stream.get());
  const FrameReport& report = runner.wait();
  const ColumnStore& columns = runner.frame().columns[0];
  out.grid = grid;
  out.outside = End::both;
  out.skipped_triangles = report.answer.health.skipped_triangles;
  out.dropped_crossings = 0;
  out.alternating = false;
  out.offsets.resize(grid.column_count() + 1);
  out.crossings.resize(report.crossings[0]);
  check(cudaMemcpyAsync(out.offsets.data(), columns.counts, out.offsets.size() * sizeof(std::uint32_t),
                        cudaMemcpyDeviceToHost, o.stream.get()),
        "read columns");
  if (!out.crossings.empty())
    check(cudaMemcpyAsync(out.crossings.data(), columns.keys, out.crossings.size() * sizeof(Crossing),
                          cudaMemcpyDeviceToHost, o.stream.get()),
          "read columns");
  check(cudaStreamSynchronize(o.stream.get()), "read columns");
  gpu_cost_.ms += runner.gpu_ms();
  gpu_cost_.read_back_bytes +=
      sizeof report + out.offsets.size() * sizeof(std::uint32_t) + out.crossings.size() * sizeof(Crossing);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return std::make_unique<CudaEngine>(options); }

}  // namespace lamella::cuda
