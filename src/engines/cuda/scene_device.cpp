// DeviceScene: captures a frame's kernels as a graph, and allocates more memory when a frame needs it. The kernels
// choose grids, candidates and windows, so that the same graph serves all frames.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engines/checks.hpp"
#include "engines/cuda/pointers.hpp"
#include "engines/cuda/scene_memory.hpp"
#include "lamella/cuda.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// All pairs of boxes are tested, with 32-bit numbers.
constexpr std::size_t kMostObjects = 65536;

std::vector<SceneJob> make_jobs(std::span<const DeviceMesh> objects, const DeviceFacts& device) {
  if (objects.size() > kMostObjects)
    throw Error(fmt::format("{} objects: a DeviceScene can have at most {}", objects.size(), kMostObjects));
  std::vector<SceneJob> jobs;
  std::uint64_t face = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const DeviceMesh& mesh = objects[i];
    check_pointers(mesh, device, fmt::format("object {}", i), "Scene");
    jobs.push_back({mesh, static_cast<std::uint32_t>(face), static_cast<std::uint32_t>(i)});
    face += (std::uint64_t{mesh.triangle_count} + kFaceBlock - 1) / kFaceBlock * kFaceBlock;
    if (face > ~0u) throw Error("the objects have more than 2^32 triangles in total");
  }
  return jobs;
}

/// Splits each object's `count(mesh)` items into chunks of `length`.
template <class Count>
std::vector<SceneChunk> make_chunks(const std::vector<SceneJob>& jobs, std::uint32_t length, const Count& count) {
  std::vector<SceneChunk> chunks;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const std::uint64_t end = count(jobs[j].mesh);
    for (std::uint64_t begin = 0; begin < end; begin += length)
      chunks.push_back(
          {j, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, begin + length))});
  }
  return chunks;
}

std::vector<std::uint32_t> make_owners(const std::vector<SceneJob>& jobs) {
  std::vector<std::uint32_t> owners;
  for (const SceneJob& job : jobs)
    owners.insert(owners.end(), (std::size_t{job.mesh.triangle_count} + kFaceBlock - 1) / kFaceBlock, job.object);
  return owners;
}

/// First guess: eight per column, fewer on large grids, where that is much memory. Too few cost one repeated frame.
std::uint64_t first_crossings(std::uint64_t columns, std::uint64_t most) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 23;
  return std::max<std::uint64_t>(1, std::min(most, std::max(columns, std::min(8 * columns, kMuch))));
}

/// How much memory of each kind to reserve.
struct Wanted {
  SceneRoom room;
  std::uint64_t candidates = 0, points = 0;
};

}  // namespace

/// Must be used with its device current.
struct DeviceScene::State {
  State(const DeviceFacts& facts, std::span<const DeviceMesh> objects, const DeviceSceneOptions& given);

  void prepare();
  void put(cudaStream_t stream) const;
  void launch(cudaStream_t on);
  const DeviceSceneAnswer& wait();
  void grow(const SceneReport& report);
  template <class T>
  void upload(DeviceArray<T>& to, const std::vector<T>& from, const char* what);
  template <class T>
  void make_zero(DeviceArray<T>& array, std::size_t count);

  const DeviceFacts& device;
  DeviceSceneOptions options;
  OwnStream own;
  Event done;
  SceneFrame frame;
  Graph graph;  ///< empty: prepare() must be called
  Wanted wanted;
  cudaStream_t stream = nullptr;  ///< of the last launch
  bool launched = false;
  DeviceSceneAnswer answer;

  // Made once.
  DeviceArray<SceneJob> jobs;
  DeviceArray<SceneChunk> triangle_chunks, vertex_chunks;
  DeviceArray<std::uint32_t> owners, skipped, unusable;
  DeviceArray<SceneState> state;
  DeviceArray<OrderedBox> boxes;
  DeviceArray<Aabb> shared;
  DeviceArray<Vec3d> depths;
  DeviceArray<CandidateRow> rows;
  DeviceArray<Window> windows;
  DeviceArray<SceneReport> report;
  PinnedArray<SceneReport> host_report;
  // These grow with what frames need.
  SceneMemory memory;
  DeviceArray<std::uint32_t> partners, pair_of;
  DeviceArray<PairSums> sums;
  DeviceArray<DevicePair> pairs;
  DeviceArray<CollisionPoint> points;
};

template <class T>
void DeviceScene::State::upload(DeviceArray<T>& to, const std::vector<T>& from, const char* what) {
  if (from.empty()) return;
  to.reserve(from.size(), what);
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, own.get()),
        "copy a scene's tables to the GPU");
}

template <class T>
void DeviceScene::State::make_zero(DeviceArray<T>& array, std::size_t count) {
  array.reserve(std::max<std::size_t>(count, 1), "a scene's objects");
  check(cudaMemsetAsync(array.data(), 0, std::max<std::size_t>(count, 1) * sizeof(T), own.get()), "empty memory");
}

DeviceScene::State::State(const DeviceFacts& facts, std::span<const DeviceMesh> objects,
                          const DeviceSceneOptions& given)
    : device(facts), options(given) {
  const std::vector<SceneJob> host_jobs = make_jobs(objects, device);
  const auto triangles = make_chunks(host_jobs, kTriangleChunk, [](const DeviceMesh& m) { return m.triangle_count; });
  const auto vertices = make_chunks(host_jobs, kVertexChunk, [](const DeviceMesh& m) { return m.vertex_count; });
  const std::vector<std::uint32_t> host_owners = make_owners(host_jobs);
  upload(jobs, host_jobs, "a scene's objects");
  upload(triangle_chunks, triangles, "a scene's objects");
  upload(vertex_chunks, vertices, "a scene's objects");
  upload(owners, host_owners, "a scene's objects");
  const std::size_t count = objects.size();
  make_zero(state, 1);
  make_zero(boxes, count);
  make_zero(unusable, count);
  make_zero(skipped, count);
  make_zero(shared, count);
  make_zero(depths, count);
  make_zero(rows, count);
  make_zero(windows, count);
  make_zero(report, 1);
  host_report.reserve(1, "a scene's answer");
  frame.chunk_count = static_cast<std::uint32_t>(triangles.size());
  frame.search.vertex_chunk_count = static_cast<std::uint32_t>(vertices.size());
  frame.object_count = static_cast<std::uint32_t>(count);
  frame.column_count = options.resolution * options.resolution;
  frame.large_blocks = 2 * static_cast<std::uint32_t>(device.multiprocessors);
  const std::uint64_t crossings = first_crossings(frame.column_count, options.max_crossings);
  const std::uint64_t quarter = crossings / 4 + 1;
  wanted = {{.crossings = crossings, .meetings = quarter}, 8 * count + 64, options.points ? quarter : 1};
  check(cudaStreamSynchronize(own.get()), "make a scene");
}

/// Allocates what is wanted, and makes the graph that uses it.
void DeviceScene::State::prepare() {
  graph.clear();
  memory.reserve(frame.column_count, wanted.room, own.get());
  partners.reserve(wanted.candidates, "a scene's candidates");
  pair_of.reserve(wanted.candidates, "a scene's candidates");
  sums.reserve(wanted.candidates, "a scene's candidates");
  pairs.reserve(wanted.candidates, "a scene's pairs");
  points.reserve(wanted.points, "a scene's collision points");
  memory.fill(frame);
  frame.jobs = jobs.data();
  frame.windows = windows.data();
  frame.chunks = triangle_chunks.data();
  frame.state = state.data();
  frame.skipped = skipped.data();
  frame.object_of_block = owners.data();
  frame.rows = rows.data();
  frame.partners = partners.data();
  SceneSearch& s = frame.search;
  s.vertex_chunks = vertex_chunks.data();
  s.boxes = boxes.data();
  s.unusable = unusable.data();
  s.shared = shared.data();
  s.depths = depths.data();
  s.rows = rows.data();
  s.partners = partners.data();
  s.windows = windows.data();
  s.sums = sums.data();
  s.pair_of = pair_of.data();
  s.candidate_capacity = static_cast<std::uint32_t>(wanted.candidates);
  s.resolution = options.resolution;
  s.axis = options.axis ? static_cast<std::int32_t>(*options.axis) : -1;
  s.min_thickness = options.min_thickness;
  s.threshold = options.threshold;
  s.points = options.points;
  s.pairs = pairs.data();
  s.collision_points = points.data();
  s.point_capacity = wanted.points;
  s.report = report.data();
  s.host_report = host_report.data();
  check(cudaStreamSynchronize(own.get()), "make room for a scene");
  graph.capture([this](cudaStream_t on) { put(on); });
}

void DeviceScene::State::put(cudaStream_t on) const {
  launch_scene_candidates(frame, on);
  launch_scene_raster(frame, on);
  launch_scene_columns(frame, on);
  launch_scene_sweep(frame, on);
  if (options.points) launch_scene_points(frame, on);
}

void DeviceScene::State::launch(cudaStream_t on) {
  if (graph.empty()) prepare();
  graph.launch(on);
  done.record(on);
  stream = on;
  launched = true;
}

/// Increases the sizes that were too small.
void DeviceScene::State::grow(const SceneReport& r) {
  const Wanted before = wanted;
  const auto ask = [](std::uint64_t& room, std::uint64_t needed) {
    if (needed > room) room = with_room(needed);
  };
  try {
    ask(wanted.candidates, r.candidates);
    wanted.room.grow(r.fragments, r.meetings, r.large_parts, frame);
    ask(wanted.points, r.answer.point_count);
    prepare();
  } catch (...) {
    graph.clear();
    wanted = before;
    throw;
  }
}

const DeviceSceneAnswer& DeviceScene::State::wait() {
  if (!launched) throw Error("a DeviceScene has no answer before its first launch()");
  for (;;) {
    done.wait();
    const SceneReport r = *host_report.data();
    if (r.bad_index != 0)
      throw Error(
          fmt::format("{} triangles of the scene's objects name vertices that their meshes do not have", r.bad_index));
    check_crossings(r.fragments, options.max_crossings);
    answer = r.answer;
    if ((answer.status & kNeedsMemory) == 0) break;
    grow(r);
    launch(stream);
  }
  require_health(answer.health, options.strict);
  return answer;
}

DeviceScene::DeviceScene(std::span<const DeviceMesh> objects, const DeviceSceneOptions& options) {
  check_resolution(options.resolution);
  check_min_thickness(options.min_thickness);
  if (!(options.threshold >= 0)) throw Error(fmt::format("threshold {} is negative", options.threshold));
  const DeviceFacts& device = choose_device(options.device);
  const DeviceScope scope(device.number);
  state_ = std::make_unique<State>(device, objects, options);
}

DeviceScene::~DeviceScene() {
  if (state_ == nullptr) return;
  try {
    const DeviceScope scope(state_->device.number);
    state_.reset();
  } catch (const Error&) {  // the device is lost, and what was on it
  }
}

DeviceScene::DeviceScene(DeviceScene&&) noexcept = default;
DeviceScene& DeviceScene::operator=(DeviceScene&&) noexcept = default;

void DeviceScene::launch(Stream stream) {
  const DeviceScope scope(state_->device.number);
  state_->launch(stream);
}

const DeviceSceneAnswer& DeviceScene::wait() {
  const DeviceScope scope(state_->device.number);
  return state_->wait();
}

const DeviceSceneAnswer* DeviceScene::device_answer() const { return &state_->report.data()->answer; }
const DevicePair* DeviceScene::device_pairs() const { return state_->pairs.data(); }
const CollisionPoint* DeviceScene::device_points() const { return state_->points.data(); }

void DeviceScene::read(std::vector<DevicePair>& pairs, std::vector<CollisionPoint>& points) const {
  const State& s = *state_;
  const DeviceScope scope(s.device.number);
  pairs.resize(s.answer.pair_count);
  points.resize(s.options.points ? s.answer.point_count : 0);
  const auto fetch = [&](auto& to, const auto& from) {
    if (to.empty()) return;
    check(cudaMemcpyAsync(to.data(), from.data(), to.size() * sizeof(to[0]), cudaMemcpyDeviceToHost, s.own.get()),
          "copy from the GPU");
  };
  fetch(pairs, s.pairs);
  fetch(points, s.points);
  check(cudaStreamSynchronize(s.own.get()), "copy from the GPU");
}

}  // namespace lamella::cuda
