#include "engines/cuda/pairs_upload.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/mesh_check.hpp"

namespace lamella::cuda {
namespace {

/// Hands out pieces of one memory block, each aligned for any type.
class Pieces {
 public:
  template <class T>
  std::size_t add(std::size_t count) {
    const std::size_t at = end_;
    end_ = (end_ + count * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    return at;
  }
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  static constexpr std::size_t kAlign = 16;
  std::size_t end_ = 0;
};

constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::uint32_t kNoId = ~0u;

std::size_t chunks_of(std::size_t triangles) { return (triangles + kTriangleChunk - 1) / kTriangleChunk; }

template <class T>
void copy_to(void* to, std::span<const T> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
}

}  // namespace

const Triangle* KeptTriangles::get(std::uint32_t id, std::span<const Triangle> triangles, cudaStream_t stream) {
  const auto [at, is_new] = entries_.try_emplace(id);
  Entry& entry = at->second;
  entry.used = now_;
  if (!is_new || triangles.empty()) return entry.triangles.data();
  try {
    entry.triangles.reserve(triangles.size(), "the triangles of an object");
    check(cudaMemcpyAsync(entry.triangles.data(), triangles.data(), triangles.size_bytes(), cudaMemcpyHostToDevice,
                          stream),
          "copy triangles to the GPU");
    check(cudaStreamSynchronize(stream), "copy triangles to the GPU");
  } catch (...) {
    entries_.erase(at);
    throw;
  }
  return entry.triangles.data();
}

void KeptTriangles::tidy() {
  constexpr std::uint64_t kLong = 4096;  // groups
  if (++now_ % kLong == 0) std::erase_if(entries_, [&](const auto& e) { return e.second.used + kLong < now_; });
}

void GroupUpload::lay_out(const Group& group) {
  Pieces pieces;
  layout_.state = pieces.add<SceneState>(1);
  layout_.open = pieces.add<std::uint32_t>(group.objects.size());
  layout_.inside_out = pieces.add<std::uint32_t>(group.objects.size());
  layout_.skipped = pieces.add<std::uint32_t>(group.windows.size());
  facts_bytes_ = pieces.end();
  layout_.jobs = pieces.add<SceneJob>(group.windows.size());
  layout_.windows = pieces.add<Window>(group.windows.size());
  chunk_count_ = 0;
  for (const ObjectWindow& w : group.windows) chunk_count_ += chunks_of(group.objects[w.object].mesh.triangles.size());
  layout_.chunks = pieces.add<SceneChunk>(chunk_count_);
  layout_.rows = pieces.add<CandidateRow>(group.objects.size());
  layout_.partners = pieces.add<std::uint32_t>(group.candidates.size());
  layout_.owners = pieces.add<std::uint32_t>(group.object_of_block.size());
  layout_.positions.clear();
  layout_.triangles.clear();
  for (const GroupObject& o : group.objects) {
    check_triangle_count(o.mesh);
    layout_.positions.push_back(pieces.add<Vec3>(o.mesh.positions.size()));
    layout_.triangles.push_back(o.id == kNoId ? pieces.add<Triangle>(o.mesh.triangles.size()) : kNone);
  }
  bytes_ = pieces.end();
}

void GroupUpload::write_state(const Group& group, const GroupQuery& query) {
  std::memset(staging_.data(), 0, facts_bytes_);
  SceneState* state = new (host<SceneState>(layout_.state)) SceneState;
  state->grid = group.grid;
  state->target = make_target(group.grid, whole(group.grid));
  state->thickness = query.thickness;
  state->threshold = query.threshold;
}

void GroupUpload::write_tables(const Group& group) {
  auto* windows = host<Window>(layout_.windows);
  auto* chunks = host<SceneChunk>(layout_.chunks);
  for (std::uint32_t job = 0; job < group.windows.size(); ++job) {
    const ObjectWindow& w = group.windows[job];
    windows[job] = w.window;
    const std::size_t triangles = group.objects[w.object].mesh.triangles.size();
    for (std::size_t begin = 0; begin < triangles; begin += kTriangleChunk)
      *chunks++ = {job, static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(std::min<std::size_t>(triangles, begin + kTriangleChunk))};
  }
  auto* rows = host<CandidateRow>(layout_.rows);
  for (std::size_t i = 0; i < group.objects.size(); ++i)
    rows[i] = {group.first_candidate[i], group.first_candidate[i + 1]};
  auto* partners = host<std::uint32_t>(layout_.partners);
  for (const Candidate& c : group.candidates) *partners++ = c.b;
  copy_to(host<std::uint32_t>(layout_.owners), std::span(group.object_of_block));
}

void GroupUpload::write_meshes(const Group& group, cudaStream_t stream) {
  kept_.tidy();
  for (std::size_t i = 0; i < group.objects.size(); ++i) {
    const MeshView& mesh = group.objects[i].mesh;
    copy_to(host<Vec3>(layout_.positions[i]), mesh.positions);
    if (layout_.triangles[i] != kNone) copy_to(host<Triangle>(layout_.triangles[i]), mesh.triangles);
  }
  auto* jobs = host<SceneJob>(layout_.jobs);
  for (const ObjectWindow& w : group.windows) {
    const GroupObject& o = group.objects[w.object];
    const Triangle* triangles =
        o.id != kNoId ? kept_.get(o.id, o.mesh.triangles, stream) : device<Triangle>(layout_.triangles[w.object]);
    *jobs++ = {
        {device<Vec3>(layout_.positions[w.object]), triangles, static_cast<std::uint32_t>(o.mesh.positions.size()),
         static_cast<std::uint32_t>(o.mesh.triangles.size())},
        o.first_face,
        w.object};
  }
}

void GroupUpload::fill(const Group& group, SceneFrame& f) const {
  f.jobs = device<SceneJob>(layout_.jobs);
  f.windows = device<Window>(layout_.windows);
  f.chunks = device<SceneChunk>(layout_.chunks);
  f.chunk_count = static_cast<std::uint32_t>(chunk_count_);
  f.object_count = static_cast<std::uint32_t>(group.objects.size());
  f.column_count = static_cast<std::uint32_t>(group.grid.column_count());
  f.state = device<SceneState>(layout_.state);
  f.skipped = device<std::uint32_t>(layout_.skipped);
  f.open = device<std::uint32_t>(layout_.open);
  f.inside_out = device<std::uint32_t>(layout_.inside_out);
  f.object_of_block = device<std::uint32_t>(layout_.owners);
  f.rows = device<CandidateRow>(layout_.rows);
  f.partners = device<std::uint32_t>(layout_.partners);
  f.self_lengths = true;
}

void GroupUpload::prepare(const Group& group, const GroupQuery& query, SceneFrame& frame, cudaStream_t stream) {
  lay_out(group);
  staging_.reserve(bytes_, "a group's vertices");
  memory_.reserve(bytes_, "a group's vertices");
  facts_.reserve(facts_bytes_, "a group's facts");
  write_state(group, query);
  write_tables(group);
  write_meshes(group, stream);
  fill(group, frame);
}

void GroupUpload::send(cudaStream_t stream) {
  check(cudaMemcpyAsync(memory_.data(), staging_.data(), bytes_, cudaMemcpyHostToDevice, stream),
        "copy a group to the GPU");
}

void GroupUpload::fetch(cudaStream_t stream) {
  check(cudaMemcpyAsync(facts_.data(), memory_.data(), facts_bytes_, cudaMemcpyDeviceToHost, stream),
        "copy from the GPU");
}

const SceneState& GroupUpload::state() const {
  return *reinterpret_cast<const SceneState*>(facts_.data() + layout_.state);
}
std::uint32_t GroupUpload::open_columns(std::size_t object) const {
  return reinterpret_cast<const std::uint32_t*>(facts_.data() + layout_.open)[object];
}
std::uint32_t GroupUpload::inside_out_columns(std::size_t object) const {
  return reinterpret_cast<const std::uint32_t*>(facts_.data() + layout_.inside_out)[object];
}
std::uint32_t GroupUpload::skipped(std::size_t window) const {
  return reinterpret_cast<const std::uint32_t*>(facts_.data() + layout_.skipped)[window];
}

}  // namespace lamella::cuda
