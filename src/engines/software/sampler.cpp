#include "engines/software/sampler.hpp"

#include <algorithm>
#include <type_traits>

#include "core/mesh_check.hpp"
#include "engines/checks.hpp"
#include "engines/software/large.hpp"

namespace lamella::software {
namespace {

constexpr std::size_t kVertexChunk = 8192;
constexpr std::size_t kTriangleChunk = 2048;
constexpr std::size_t kBufferCapacity = 32768;
/// Most crossings: they have 32-bit numbers.
constexpr std::uint64_t kMostNumbered = 0xffffffffu;
static_assert(kBufferCapacity >= kMaxResolution, "a whole row must fit");
static_assert(kBufferCapacity >= kMostFragmentsAtOnce, "a row of a vector of the largest boxes must fit");

/// Box sizes, in samples, of the successive passes over a batch: a vector costs as much as its largest triangle, so the
/// few larger triangles are put aside and processed together in the next pass.
constexpr std::int32_t kPassLimits[] = {3, 10, kMaxBatchExtent};
constexpr std::size_t kPasses = std::size(kPassLimits);

constexpr std::uint32_t kNoJob = ~0u;

}  // namespace

/// State of one worker; kept between calls.
template <class Element>
struct Sampler<Element>::Worker {
  std::vector<std::uint32_t> columns = std::vector<std::uint32_t>(kBufferCapacity + kMaxLanes);
  std::vector<std::uint32_t> keys = std::vector<std::uint32_t>(kBufferCapacity + kMaxLanes);
  std::vector<std::uint32_t> faces;
  FragmentBuffer buffer;
  FragmentStore<Element>* store = nullptr;
  std::atomic<std::uint64_t>* crossings_left = nullptr;  ///< shared by all workers
  std::uint64_t max_crossings = 0;                       ///< the same limit, before any was used up
  std::uint32_t job = kNoJob;                            ///< the job whose triangles are waiting
  /// Triangles waiting for pass i; the last entry is for rasterize_large.
  std::vector<std::uint32_t> waiting[kPasses + 1];
  std::unique_ptr<Batch> batch = std::make_unique<Batch>();
  std::vector<std::uint32_t> larger = std::vector<std::uint32_t>(Batch::kPadded);
  std::vector<std::uint32_t> outside = std::vector<std::uint32_t>(Batch::kPadded);

  Worker() {
    if constexpr (std::is_same_v<Element, FaceCrossing>) faces.resize(kBufferCapacity + kMaxLanes);
  }
};

template <class Element>
Sampler<Element>::Sampler(unsigned threads, std::uint64_t max_crossings)
    : workers_(threads),
      scratch_(workers_.count()),
      stores_(workers_.count()),
      max_crossings_(std::min(max_crossings, kMostNumbered)) {}

template <class Element>
Sampler<Element>::~Sampler() = default;

template <class Element>
void Sampler<Element>::flush(FragmentBuffer& buffer, void* owner) {
  auto& w = *static_cast<Worker*>(owner);
  const std::uint64_t left = w.crossings_left->fetch_sub(buffer.size);
  if (left < buffer.size || left > std::uint64_t{1} << 62) throw too_many_crossings(w.max_crossings);
  w.store->take(buffer);
}

/// Makes the jobs, and the chunks that workers take.
template <class Element>
void Sampler<Element>::plan(std::span<const SampledMesh> meshes, const Grid& grid) {
  jobs_.clear();
  vertex_chunks_.clear();
  triangle_chunks_.clear();
  std::size_t codes = 0;
  for (const SampledMesh& m : meshes) {
    const auto job = static_cast<std::uint32_t>(jobs_.size());
    check_triangle_count(m.mesh);
    jobs_.push_back({m.mesh, make_target(grid, m.window), m.first_face, codes});
    const std::size_t vertices = m.mesh.positions.size(), triangles = m.mesh.triangles.size();
    for (std::size_t i = 0; i < vertices; i += kVertexChunk)
      vertex_chunks_.push_back({job, i, std::min(vertices, i + kVertexChunk)});
    for (std::size_t i = 0; i < triangles; i += kTriangleChunk)
      triangle_chunks_.push_back({job, i, std::min(triangles, i + kTriangleChunk)});
    codes += vertices;
  }
  if (codes_.size() < codes) codes_.resize(codes);
}

template <class Element>
void Sampler<Element>::reset_workers(Banding banding) {
  crossings_left_ = max_crossings_;
  for (unsigned i = 0; i < workers_.count(); ++i) {
    Worker& w = scratch_[i];
    stores_[i].reset(banding.count, banding.shift);
    w.store = &stores_[i];
    w.crossings_left = &crossings_left_;
    w.max_crossings = max_crossings_;
    w.buffer = {.column = w.columns.data(),
                .key = w.keys.data(),
                .face = w.faces.empty() ? nullptr : w.faces.data(),
                .capacity = kBufferCapacity,
                .flush = flush,
                .owner = &w};
    for (auto& waiting : w.waiting) waiting.clear();
    w.job = kNoJob;
  }
}

template <class Element>
void Sampler<Element>::encode_vertices(const Chunk& chunk) {
  Job& job = jobs_[chunk.job];
  const std::size_t unusable = encode(job.mesh.positions.subspan(chunk.begin, chunk.end - chunk.begin), job.target,
                                      codes_.data() + job.first_code + chunk.begin);
  if (unusable != 0) std::atomic_ref(job.unusable) += unusable;
}

/// Rasterises triangles waiting for `pass` while they fill a batch; all of them when draining.
template <class Element>
void Sampler<Element>::rasterize_pass(const Job& job, Worker& w, std::size_t pass, bool drain) {
  auto& waiting = w.waiting[pass];
  while (waiting.size() >= (drain ? 1 : Batch::kCapacity)) {
    const std::size_t rest = waiting.size() - std::min(waiting.size(), Batch::kCapacity);
    LeftOver left{w.larger.data(), 0, w.outside.data(), 0};
    rasterize({std::span(waiting).subspan(rest), job.mesh}, kPassLimits[pass], job.target, *w.batch, w.buffer, left);
    waiting.resize(rest);
    auto& next = w.waiting[pass + 1];
    next.insert(next.end(), left.larger, left.larger + left.larger_count);
    auto& last = w.waiting[kPasses];
    last.insert(last.end(), left.outside, left.outside + left.outside_count);
  }
}

template <class Element>
void Sampler<Element>::rasterize_waiting_large(Job& job, Worker& w) {
  std::uint64_t skipped = 0;
  for (const std::uint32_t id : w.waiting[kPasses]) {
    const Triangle t = job.mesh.triangles[id];
    LatticeVertex corners[3];
    bool placed = true;
    for (int k = 0; k < 3; ++k)
      placed = placed && place(job.mesh.positions[t[k]], job.target.grid, job.target.lattice, corners[k]);
    if (placed)
      rasterize_large(corners, id, job.target, w.buffer);
    else
      ++skipped;
  }
  w.waiting[kPasses].clear();
  if (skipped != 0) std::atomic_ref(job.skipped) += skipped;
}

/// Rasterises all waiting triangles.
template <class Element>
void Sampler<Element>::finish_job(Worker& w) {
  if (w.job == kNoJob) return;
  Job& job = jobs_[w.job];
  for (std::size_t pass = 0; pass < kPasses; ++pass) rasterize_pass(job, w, pass, true);
  rasterize_waiting_large(job, w);
}

template <class Element>
void Sampler<Element>::take_up(std::uint32_t job, Worker& w) {
  if (w.job == job) return;
  finish_job(w);
  w.job = job;
  w.buffer.first_face = jobs_[job].first_face;
}

template <class Element>
void Sampler<Element>::rasterize_triangles(const Chunk& chunk, Worker& w) {
  take_up(chunk.job, w);
  Job& job = jobs_[chunk.job];
  auto& waiting = w.waiting[0];
  const std::size_t old = waiting.size();
  const auto triangles = job.mesh.triangles.subspan(chunk.begin, chunk.end - chunk.begin);
  waiting.resize(old + triangles.size() + kMaxLanes);
  const auto codes = std::span(codes_).subspan(job.first_code, job.mesh.positions.size());
  const std::size_t survivors = cull(triangles, codes, static_cast<std::uint32_t>(chunk.begin), waiting.data() + old);
  if (survivors == kBadIndex) fail_index(job.mesh);
  waiting.resize(old + survivors);
  if (job.unusable != 0) {  // rare: count all such triangles, and take those that survived out again
    const auto broken = [&](const Triangle& t) { return !usable(job.mesh, t); };
    std::atomic_ref(job.skipped) +=
        static_cast<std::uint64_t>(std::count_if(triangles.begin(), triangles.end(), broken));
    std::erase_if(waiting, [&](std::uint32_t id) { return broken(job.mesh.triangles[id]); });
  }
  for (std::size_t pass = 0; pass < kPasses; ++pass) rasterize_pass(job, w, pass, false);
  rasterize_waiting_large(job, w);
}

template <class Element>
void Sampler<Element>::sample(std::span<const SampledMesh> meshes, const Grid& grid, Columns<Element> out) {
  plan(meshes, grid);
  const Banding banding = choose_bands(grid.column_count(), workers_.count());
  reset_workers(banding);
  workers_.enter([&] {
    workers_.for_chunks(vertex_chunks_.size(), 1,
                        [&](std::size_t i, std::size_t, unsigned) { encode_vertices(vertex_chunks_[i]); });
    workers_.for_chunks(triangle_chunks_.size(), 1, [&](std::size_t i, std::size_t, unsigned worker) {
      rasterize_triangles(triangle_chunks_[i], scratch_[worker]);
    });
    // Each worker's buffer may still hold all its fragments: emptying them is worth a parallel step.
    workers_.for_chunks(
        workers_.count(), 1,
        [&](std::size_t i, std::size_t, unsigned) {
          finish_job(scratch_[i]);
          flush(scratch_[i].buffer, &scratch_[i]);
        },
        1);
    sort_columns(stores_, grid.column_count(), banding, workers_, columns_, out);
  });
}

template class Sampler<Crossing>;
template class Sampler<FaceCrossing>;

}  // namespace lamella::software
