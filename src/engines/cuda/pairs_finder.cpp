// SoftwarePairs (engines/software/pairs.cpp) on a GPU: the same answer, in the same order. The group is uploaded in one
// copy, sampled and swept by the kernels of scene_frame.hpp, and the meetings are read back. Spans and points are made
// from them here, by candidate: they go to host memory anyway, and a counting sort is one pass over them.

#include <algorithm>
#include <bit>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/pairs_upload.hpp"
#include "engines/cuda/scene_memory.hpp"
#include "engines/meeting_sorter.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// Objects that must be made with their device current.
struct Resources {
  OwnStream stream;
  Event begin{true}, end{true};
  GroupUpload upload;
  SceneMemory memory;
  PinnedArray<SweepBlock> blocks;
  PinnedArray<Meeting> meetings;
};

class Finder final : public PairFinder {
 public:
  explicit Finder(const EngineOptions& options)
      : device_(choose_device(options.device)), max_crossings_(options.max_crossings) {
    const DeviceScope scope(device_.number);
    resources_ = std::make_unique<Resources>();
  }
  ~Finder() override {
    try {
      const DeviceScope scope(device_.number);
      resources_.reset();
    } catch (const Error&) {  // the device is lost, and what was on it
    }
  }

  void find(const Group& group, const GroupQuery& query, GroupAnswer& out) override;
  [[nodiscard]] bool gives_volumes() const override { return true; }

 private:
  void sample(const Group& group, const GroupQuery& query);
  void fetch_meetings();
  void report_facts(const Group& group, GroupAnswer& out) const;
  void gather(const Group& group, GroupAnswer& out);
  template <class Visit>
  void for_records(const Visit& visit) const;
  template <class Visit>
  void for_meetings(const Visit& visit) const;

  const DeviceFacts& device_;
  std::uint64_t max_crossings_;
  std::unique_ptr<Resources> resources_;
  SceneFrame frame_;
  MeetingSorter sorter_;
};

/// Call when a kernel saw an index out of range.
[[noreturn]] void fail_index(const Group& group) {
  for (const ObjectWindow& w : group.windows) {
    const MeshView& mesh = group.objects[w.object].mesh;
    for (const Triangle& t : mesh.triangles)
      if (std::max({t.a, t.b, t.c}) >= mesh.positions.size()) lamella::fail_index(mesh);
  }
  throw Error("a triangle named a vertex that the mesh does not have, and the mesh was changed meanwhile");
}

/// Samples and sweeps; repeats with more memory when there was not enough.
void Finder::sample(const Group& group, const GroupQuery& query) {
  Resources& r = *resources_;
  const cudaStream_t stream = r.stream.get();
  frame_ = {};
  frame_.large_blocks = 2 * static_cast<std::uint32_t>(device_.multiprocessors);
  r.upload.prepare(group, query, frame_, stream);
  SceneRoom room{.crossings = frame_.column_count, .meetings = frame_.column_count / 4};
  r.begin.record(stream);
  for (;;) {
    r.upload.send(stream);
    r.memory.reserve(frame_.column_count, room, stream);
    r.memory.fill(frame_);
    launch_scene_raster(frame_, stream);
    launch_scene_columns(frame_, stream);
    launch_scene_sweep(frame_, stream);
    r.upload.fetch(stream);
    r.blocks.reserve(sweep_blocks(frame_.column_count), "a group's columns");
    check(cudaMemcpyAsync(r.blocks.data(), frame_.blocks, sweep_blocks(frame_.column_count) * sizeof(SweepBlock),
                          cudaMemcpyDeviceToHost, stream),
          "copy from the GPU");
    r.end.record(stream);
    r.end.wait();
    const SceneState& state = r.upload.state();
    if (state.bad_index != 0) fail_index(group);
    check_crossings(state.fragments, max_crossings_);
    if (query.spans != nullptr) query.spans->check(state.meetings);
    if (!room.grow(state.fragments, state.meetings, state.large_parts, frame_)) return query.take_spans(state.meetings);
  }
}

void Finder::fetch_meetings() {
  Resources& r = *resources_;
  const std::size_t count = r.upload.state().meetings;
  if (count == 0) return;
  r.meetings.reserve(count, "a group's meetings");
  check(cudaMemcpyAsync(r.meetings.data(), frame_.meetings, count * sizeof(Meeting), cudaMemcpyDeviceToHost,
                        r.stream.get()),
        "copy from the GPU");
  check(cudaStreamSynchronize(r.stream.get()), "finish a group");
}

/// Visits all meetings that were read back, in the order of columns.
template <class Visit>
void Finder::for_records(const Visit& visit) const {
  const Resources& r = *resources_;
  for (std::uint32_t b = 0; b < sweep_blocks(frame_.column_count); ++b) {
    const SweepBlock& block = r.blocks.data()[b];
    const Meeting* m = r.meetings.data() + block.meetings_begin;
    for (std::uint32_t i = 0; i < block.meetings_count; ++i) visit(m[i]);
  }
}

template <class Visit>
void Finder::for_meetings(const Visit& visit) const {
  for_records([&](const Meeting& m) {
    if ((m.candidate & kSelfLength) == 0) visit(m);
  });
}

void Finder::report_facts(const Group& group, GroupAnswer& out) const {
  const GroupUpload& upload = resources_->upload;
  for (std::size_t i = 0; i < group.objects.size(); ++i) {
    out.objects[i].open_columns = upload.open_columns(i);
    out.objects[i].inside_out_columns = upload.inside_out_columns(i);
  }
  for (std::size_t i = 0; i < group.windows.size(); ++i) {
    std::uint32_t& skipped = out.objects[group.windows[i].object].skipped_triangles;
    skipped = std::max(skipped, upload.skipped(i));
  }
  out.open_columns = upload.state().open_columns;
  out.occupied_columns = upload.state().occupied_columns;
  out.inside_out_columns = upload.state().inside_out_columns;
}

void Finder::gather(const Group& group, GroupAnswer& out) {
  for_records([&](const Meeting& m) {
    if ((m.candidate & kSelfLength) != 0)
      out.objects[m.candidate & ~kSelfLength].self_length += std::bit_cast<double>(m.begin_a.key);
  });
  const auto for_all = [&](const auto& visit) { for_meetings(visit); };
  sorter_.make_spans(group, OnePart{for_all}, out.spans);
}

void Finder::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  const DeviceScope scope(device_.number);
  Stopwatch watch;
  out.objects.assign(group.objects.size(), {});
  try {
    sample(group, query);
    fetch_meetings();
  } catch (...) {
    // Work still on the stream must not interfere with the next group.
    if (cudaStreamSynchronize(resources_->stream.get()) != cudaSuccess) (void)cudaGetLastError();
    resources_->memory.forget_counts();
    throw;
  }
  watch.lap(out.ms.ldi);
  report_facts(group, out);
  gather(group, out);
  watch.lap(out.ms.query);
  const auto for_all = [&](const auto& visit) { for_meetings(visit); };
  sorter_.make_points(group, query, OnePart{for_all}, out.points);
  watch.lap(out.ms.points);
  out.dropped_crossings = 0;
  out.sums.clear();
  out.passed_over = 0;
  out.round_count = 0;
  out.read_back_bytes = resources_->upload.fetched_bytes() + sweep_blocks(frame_.column_count) * sizeof(SweepBlock) +
                        std::uint64_t{resources_->upload.state().meetings} * sizeof(Meeting);
  out.ms.gpu = resources_->end.since(resources_->begin);
}

}  // namespace

std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options) { return std::make_unique<Finder>(options); }

}  // namespace lamella::cuda
