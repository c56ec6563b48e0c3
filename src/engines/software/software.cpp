// The software generator of Heidelberger, Teschner, Gross: "Detection of Collisions and Self-collisions Using
// Image-space Techniques", WSCG 2004, section 3.4: cull against the volume of interest, rasterise every triangle once
// into its columns, sort each column.
//
// Where it departs from the paper:
// - Vertices are snapped to a sub-pixel lattice and coverage is decided in exact integers, so that a closed mesh closes
//   in every column.
// - Nothing is clipped. A crossing beyond the box's near or far face is moved onto that face instead of being dropped:
//   it then bounds no span inside the box, the winding is right from either end, and a hole anywhere along the column
//   still shows.
// - Culling is by cell code (kernels.hpp, CellCode): three loads and a few bit operations per triangle also drop
//   the triangles that fall between samples, most of a large mesh.

#include "engines/software/software.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "core/parallel.hpp"
#include "engines/mesh_check.hpp"
#include "engines/software/columns.hpp"
#include "engines/software/kernels.hpp"
#include "engines/software/large.hpp"
#include "engines/whole_query.hpp"
#include "lamella/error.hpp"

namespace lamella::software {
namespace {

constexpr std::size_t kVertexChunk = 8192;
constexpr std::size_t kTriangleChunk = 2048;
constexpr std::size_t kBufferCapacity = 32768;
constexpr std::size_t kVectorSlack = 64;
/// Crossings have 32-bit numbers.
constexpr std::uint64_t kMostNumbered = 0xffffffffu;
static_assert(kBufferCapacity >= kMaxResolution, "a whole row must fit");
static_assert(kBufferCapacity >= kMaxBatchExtent * kMaxBatchExtent * 16, "a vector of the largest boxes must fit");

/// Box sizes, in samples, of the successive passes over a batch: a vector's cost is that of its largest triangle, so
/// the few larger ones are put aside and meet their like in the next pass.
constexpr std::int32_t kPassLimits[] = {3, 10, kMaxBatchExtent};
constexpr std::size_t kPasses = std::size(kPassLimits);

/// What one worker needs; kept between builds.
struct Worker {
  std::vector<std::uint32_t> columns = std::vector<std::uint32_t>(kBufferCapacity + kVectorSlack);
  std::vector<std::uint32_t> keys = std::vector<std::uint32_t>(kBufferCapacity + kVectorSlack);
  FragmentBuffer buffer;
  FragmentStore* store = nullptr;
  std::atomic<std::uint64_t>* crossings_left = nullptr;  ///< shared by all workers
  /// Triangles waiting for pass i, those of the last entry for rasterize_large.
  std::vector<std::uint32_t> waiting[kPasses + 1];
  std::unique_ptr<Batch> batch = std::make_unique<Batch>();
  std::vector<std::uint32_t> larger = std::vector<std::uint32_t>(Batch::kPadded);
  std::vector<std::uint32_t> outside = std::vector<std::uint32_t>(Batch::kPadded);
  std::uint64_t skipped = 0;
};

void flush_worker(FragmentBuffer& buffer, void* owner) {
  auto& w = *static_cast<Worker*>(owner);
  const std::uint64_t left = w.crossings_left->fetch_sub(buffer.size);
  if (left < buffer.size || left > std::uint64_t{1} << 62)
    throw Error("too many crossings for the memory allowed: lower the resolution, or raise Options::max_crossings");
  w.store->take(buffer);
}

class SoftwareEngine final : public Engine {
 public:
  SoftwareEngine(unsigned threads, std::uint64_t max_crossings)
      : workers_(threads),
        scratch_(workers_.count()),
        stores_(workers_.count()),
        max_crossings_(std::min(max_crossings, kMostNumbered)) {}

  [[nodiscard]] std::string_view name() const override { return "software"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;
  void build(MeshRef ref, const Grid& grid, Ldi& out) override;

 private:
  struct Job;
  void encode_vertices(Job& job);
  void reset_workers(Banding banding);
  void rasterize_chunk(const Job& job, std::size_t begin, std::size_t end, unsigned worker);
  void rasterize_pass(const Job& job, Worker& w, std::size_t pass, bool drain);
  void rasterize_waiting_large(const Job& job, Worker& w);
  void drain(const Job& job, Worker& w);

  Workers workers_;
  std::vector<Worker> scratch_;
  std::vector<FragmentStore> stores_;
  std::vector<CellCode> codes_;
  std::vector<Aabb> boxes_;
  ColumnScratch columns_;
  std::uint64_t max_crossings_;
  std::atomic<std::uint64_t> crossings_left_{0};
};

struct SoftwareEngine::Job {
  MeshView mesh;
  RasterTarget target;
  std::size_t unusable = 0;  ///< vertices
};

Aabb SoftwareEngine::bounds(MeshRef ref) {
  const MeshView mesh = view_of(ref);
  boxes_.assign(workers_.count(), Aabb{});
  workers_.for_chunks(mesh.positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    boxes_[worker] = unite(boxes_[worker], inspect(mesh.positions.subspan(begin, end - begin)).box);
  });
  Aabb box;
  for (const Aabb& b : boxes_) box = unite(box, b);
  return box;
}

void SoftwareEngine::encode_vertices(Job& job) {
  const auto& positions = job.mesh.positions;
  if (codes_.size() < positions.size()) codes_.resize(positions.size());
  std::atomic<std::size_t> unusable{0};
  workers_.for_chunks(positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    unusable += encode(positions.subspan(begin, end - begin), job.target, codes_.data() + begin);
  });
  job.unusable = unusable;
}

/// Rasterises what waits for `pass`, as long as it fills a batch, or all of it when draining.
void SoftwareEngine::rasterize_pass(const Job& job, Worker& w, std::size_t pass, bool drain) {
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

void SoftwareEngine::rasterize_waiting_large(const Job& job, Worker& w) {
  for (const std::uint32_t id : w.waiting[kPasses]) {
    const Triangle t = job.mesh.triangles[id];
    LatticeVertex corners[3];
    bool placed = true;
    for (int k = 0; k < 3; ++k)
      placed = placed && place(job.mesh.positions[t[k]], job.target.grid, job.target.lattice, corners[k]);
    if (placed)
      rasterize_large(corners, job.target, w.buffer);
    else
      ++w.skipped;
  }
  w.waiting[kPasses].clear();
}

void SoftwareEngine::rasterize_chunk(const Job& job, std::size_t begin, std::size_t end, unsigned worker) {
  Worker& w = scratch_[worker];
  auto& waiting = w.waiting[0];
  const std::size_t old = waiting.size();
  const auto chunk = job.mesh.triangles.subspan(begin, end - begin);
  waiting.resize(old + chunk.size() + kVectorSlack);
  const std::size_t survivors = cull(chunk, std::span(codes_).first(job.mesh.positions.size()),
                                     static_cast<std::uint32_t>(begin), waiting.data() + old);
  if (survivors == kBadIndex) fail_index(job.mesh);
  waiting.resize(old + survivors);
  if (job.unusable != 0) {  // rare: count all such triangles, and take those that survived out again
    const auto broken = [&](const Triangle& t) { return !usable(job.mesh, t); };
    w.skipped += static_cast<std::uint64_t>(std::count_if(chunk.begin(), chunk.end(), broken));
    std::erase_if(waiting, [&](std::uint32_t id) { return broken(job.mesh.triangles[id]); });
  }
  for (std::size_t pass = 0; pass < kPasses; ++pass) rasterize_pass(job, w, pass, false);
  rasterize_waiting_large(job, w);
}

void SoftwareEngine::drain(const Job& job, Worker& w) {
  for (std::size_t pass = 0; pass < kPasses; ++pass) rasterize_pass(job, w, pass, true);
  rasterize_waiting_large(job, w);
  flush_worker(w.buffer, &w);
}

void SoftwareEngine::reset_workers(Banding banding) {
  crossings_left_ = max_crossings_;
  for (unsigned i = 0; i < workers_.count(); ++i) {
    Worker& w = scratch_[i];
    stores_[i].reset(banding.count, banding.shift);
    w.store = &stores_[i];
    w.crossings_left = &crossings_left_;
    w.buffer = {w.columns.data(), w.keys.data(), 0, kBufferCapacity, flush_worker, &w};
    for (auto& waiting : w.waiting) waiting.clear();
    w.skipped = 0;
  }
}

void SoftwareEngine::build(MeshRef ref, const Grid& grid, Ldi& out) {
  const MeshView mesh = view_of(ref);
  check_triangle_count(mesh);
  Job job{mesh, {grid, make_lattice(grid), grid.depth()}};
  const Banding banding = choose_bands(grid.column_count(), workers_.count());
  reset_workers(banding);
  out.grid = grid;
  out.outside = End::both;
  out.dropped_crossings = 0;
  workers_.enter([&] {
    encode_vertices(job);
    workers_.for_chunks(
        mesh.triangles.size(), kTriangleChunk,
        [&](std::size_t begin, std::size_t end, unsigned worker) { rasterize_chunk(job, begin, end, worker); });
    // Each worker's buffer may still hold all that it made: worth a turn of its own.
    workers_.for_chunks(
        workers_.count(), 1, [&](std::size_t i, std::size_t, unsigned) { drain(job, scratch_[i]); }, 1);
    sort_columns(stores_, banding, workers_, columns_, out);
  });
  std::uint64_t skipped = 0;
  for (const Worker& w : scratch_) skipped += w.skipped;
  out.skipped_triangles = static_cast<std::uint32_t>(skipped);
}

}  // namespace

std::unique_ptr<Engine> make_software_engine(unsigned threads, std::uint64_t max_crossings) {
  return std::make_unique<SoftwareEngine>(threads, max_crossings);
}

}  // namespace lamella::software
