// SoftwarePairs (scene/software_pairs.cpp) on a GPU: the same answer, in the same order. The group goes there in one
// copy, is sampled and swept by the kernels of scene_frame.hpp, and meetings come back. Spans and points are made of
// them by candidate here: they go to host memory anyway, and a counting sort is one pass over them.

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/face_crossing.hpp"
#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/pairs_upload.hpp"
#include "engines/cuda/scene_memory.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// What must be made with its device current.
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
  explicit Finder(const SceneOptions& options)
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
  void tell_facts(const Group& group, GroupAnswer& out) const;
  void gather(const Group& group, GroupAnswer& out);
  void make_points(const Group& group, const GroupQuery& query, GroupAnswer& out);
  template <class Visit>
  void for_meetings(const Visit& visit) const;

  const DeviceFacts& device_;
  std::uint64_t max_crossings_;
  std::unique_ptr<Resources> resources_;
  SceneFrame frame_;
  std::vector<std::uint32_t> cursor_;
};

/// For when a kernel saw an index out of range.
[[noreturn]] void fail_index(const Group& group) {
  for (const ObjectWindow& w : group.windows) {
    const MeshView& mesh = group.objects[w.object].mesh;
    for (const Triangle& t : mesh.triangles)
      if (std::max({t.a, t.b, t.c}) >= mesh.positions.size()) lamella::fail_index(mesh);
  }
  throw Error("a triangle named a vertex that the mesh does not have, and the mesh was changed meanwhile");
}

/// Samples and sweeps, again with more memory where there was not enough.
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
    if (!room.grow(state.fragments, state.meetings, state.large_parts, frame_)) return;
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

/// All that came back, in the order of columns.
template <class Visit>
void Finder::for_meetings(const Visit& visit) const {
  const Resources& r = *resources_;
  for (std::uint32_t b = 0; b < sweep_blocks(frame_.column_count); ++b) {
    const SweepBlock& block = r.blocks.data()[b];
    const Meeting* m = r.meetings.data() + block.meetings_begin;
    for (std::uint32_t i = 0; i < block.meetings_count; ++i) visit(m[i]);
  }
}

void Finder::tell_facts(const Group& group, GroupAnswer& out) const {
  const GroupUpload& upload = resources_->upload;
  for (std::size_t i = 0; i < group.objects.size(); ++i) out.objects[i].open_columns = upload.open_columns(i);
  for (std::size_t i = 0; i < group.windows.size(); ++i) {
    std::uint32_t& skipped = out.objects[group.windows[i].object].skipped_triangles;
    skipped = std::max(skipped, upload.skipped(i));
  }
  out.open_columns = upload.state().open_columns;
  out.occupied_columns = upload.state().occupied_columns;
  out.inside_out_columns = upload.state().inside_out_columns;
}

void begin_from_counts(std::vector<std::uint32_t>& cursor) {
  for (std::size_t i = 1; i < cursor.size(); ++i) cursor[i] += cursor[i - 1];
}

Surface surface(FaceCrossing c) { return {c.crossing(), c.face()}; }

PairSpan make_span(const Meeting& m) {
  const FaceCrossing begin_a{m.begin_a}, end_a{m.end_a}, begin_b{m.begin_b}, end_b{m.end_b};
  const bool forward = end_b.depth() - begin_a.depth() <= end_a.depth() - begin_b.depth();
  return {m.candidate,
          m.column,
          std::max(begin_a.depth(), begin_b.depth()),
          std::min(end_a.depth(), end_b.depth()),
          surface(forward ? begin_a : end_a),
          surface(forward ? end_b : begin_b)};
}

template <class Point>
void for_points(const Meeting& m, float threshold, const Point& point) {
  for (const FaceCrossing a : {FaceCrossing{m.begin_a}, FaceCrossing{m.end_a}})
    for (const FaceCrossing b : {FaceCrossing{m.begin_b}, FaceCrossing{m.end_b}})
      if (std::abs(a.depth() - b.depth()) <= threshold) point(a, b);
}

/// Spans by candidate, the order within one kept, and what objects overlap themselves.
void Finder::gather(const Group& group, GroupAnswer& out) {
  cursor_.assign(group.candidates.size() + 1, 0);
  for_meetings([&](const Meeting& m) {
    if ((m.candidate & kSelfLength) == 0)
      ++cursor_[m.candidate + 1];
    else
      out.objects[m.candidate & ~kSelfLength].self_length += std::bit_cast<double>(m.begin_a);
  });
  begin_from_counts(cursor_);
  out.spans.resize(cursor_.back());
  for_meetings([&](const Meeting& m) {
    if ((m.candidate & kSelfLength) == 0) out.spans[cursor_[m.candidate]++] = make_span(m);
  });
}

void Finder::make_points(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  out.points.clear();
  if (!query.points) return;
  const auto for_wanted = [&](const auto& visit) {
    for_meetings([&](const Meeting& m) {
      if ((m.candidate & kSelfLength) != 0 || !group.candidates[m.candidate].points) return;
      for_points(m, query.threshold, [&](FaceCrossing a, FaceCrossing b) { visit(m, a, b); });
    });
  };
  cursor_.assign(group.candidates.size() + 1, 0);
  for_wanted([&](const Meeting& m, FaceCrossing, FaceCrossing) { ++cursor_[m.candidate + 1]; });
  begin_from_counts(cursor_);
  out.points.resize(cursor_.back());
  for_wanted([&](const Meeting& m, FaceCrossing a, FaceCrossing b) {
    out.points[cursor_[m.candidate]++] = {m.candidate, m.column, surface(a), surface(b)};
  });
}

void Finder::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  const DeviceScope scope(device_.number);
  Stopwatch watch;
  out.objects.assign(group.objects.size(), {});
  try {
    sample(group, query);
    fetch_meetings();
  } catch (...) {
    // What is still on its way must not meet the next group.
    if (cudaStreamSynchronize(resources_->stream.get()) != cudaSuccess) (void)cudaGetLastError();
    resources_->memory.forget_counts();
    throw;
  }
  watch.lap(out.ldi_ms);
  tell_facts(group, out);
  gather(group, out);
  watch.lap(out.pairs_ms);
  make_points(group, query, out);
  watch.lap(out.points_ms);
  out.dropped_crossings = 0;
  out.rounds = 0;
  out.read_back_bytes = resources_->upload.fetched_bytes() + sweep_blocks(frame_.column_count) * sizeof(SweepBlock) +
                        std::uint64_t{resources_->upload.state().meetings} * sizeof(Meeting);
  out.gpu_ms = resources_->end.since(resources_->begin);
}

}  // namespace

std::unique_ptr<PairFinder> make_pair_finder(const SceneOptions& options) { return std::make_unique<Finder>(options); }

}  // namespace lamella::cuda
