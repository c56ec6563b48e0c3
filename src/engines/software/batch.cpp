// Pairs are distributed over the threads, one at a time. Each worker has an engine with one thread and its own placed
// copies, and answers as intersect() does, with the same code. Several threads for one pair would cost more to wake
// than they gain.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "engines/batch_engine.hpp"
#include "engines/software/engines.hpp"
#include "lamella/error.hpp"

namespace lamella::software {
namespace {

/// State of one worker; kept between calls.
struct Worker {
  std::unique_ptr<Engine> engine;
  std::vector<Vec3> placed[2];
  Overlap overlap;
};

/// The mesh where the pose puts it, relative to `origin`.
MeshView placed_view(MeshView mesh, const Transform& pose, Vec3d origin, std::vector<Vec3>& room) {
  if (is_identity(pose) && origin == mesh.origin) return mesh;
  if (room.size() < mesh.positions.size()) room.resize(mesh.positions.size());
  (void)place_mesh(mesh, pose, origin, room.data());
  return {.positions = std::span(room).first(mesh.positions.size()), .triangles = mesh.triangles, .origin = origin};
}

class SoftwareBatch final : public CpuBatch {
 public:
  SoftwareBatch(const EngineOptions& engine, const QueryOptions& query)
      : max_crossings_(engine.max_crossings), options_(query), workers_(engine.threads), scratch_(workers_.count()) {}

  void add(MeshView mesh) override {
    meshes_.push_back(
        {{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, mesh.origin});
    boxes_.push_back(wide_box(mesh));
  }
  void deform(std::uint32_t mesh, std::span<const Vec3> positions) override {
    std::copy(positions.begin(), positions.end(), meshes_[mesh].positions.begin());
    boxes_[mesh] = wide_box(meshes_[mesh]);
  }
  [[nodiscard]] MeshView view(std::uint32_t mesh) const override { return meshes_[mesh]; }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    answers_.resize(pairs.size());
    LowestFailure failure;
    const auto answer = [&](std::size_t i, std::size_t, unsigned worker) {
      failure.run(i, [&] { answers_[i] = intersect(pairs[i], i, scratch_[worker]); });
    };
    workers_.for_chunks(pairs.size(), 1, answer, 1);
    failure.rethrow();
    return answers_;
  }

 private:
  PairOverlap intersect(const BatchPair& pair, std::size_t number, Worker& worker) {
    if (!worker.engine) worker.engine = make_engine({.threads = 1, .max_crossings = max_crossings_});
    const Vec3d origin = pair_origin(pair, boxes_[pair.a.number], boxes_[pair.b.number], meshes_[pair.a.number].origin,
                                     meshes_[pair.b.number].origin);
    const MeshView a = placed_view(meshes_[pair.a.number], pair.pose_a, origin, worker.placed[0]);
    const MeshView b = placed_view(meshes_[pair.b.number], pair.pose_b, origin, worker.placed[1]);
    try {
      worker.engine->intersect(a, b, options_, worker.overlap);
    } catch (const Error& e) {
      throw Error(fmt::format("pair {} of the batch: {}", number, e.what()), e.kind());
    }
    const Overlap& o = worker.overlap;
    return {.verdict = o.verdict,
            .origin = o.origin,
            .grid = o.grid,
            .volume = o.volume,
            .volume_error = o.volume_error,
            .tolerance_met = o.tolerance_met,
            .certificate = o.certificate,
            .centroid = o.centroid,
            .bounds = o.bounds,
            .span_count = static_cast<std::uint32_t>(o.span_count),
            .health = o.health};
  }

  std::uint64_t max_crossings_;
  QueryOptions options_;
  Workers workers_;
  std::vector<Worker> scratch_;
  std::vector<Mesh> meshes_;
  std::vector<WideBox> boxes_;  ///< of the meshes, before they are placed
  std::vector<PairOverlap> answers_;
};

}  // namespace

std::unique_ptr<CpuBatch> make_batch_engine(const EngineOptions& engine, const QueryOptions& query) {
  return std::make_unique<SoftwareBatch>(engine, query);
}

}  // namespace lamella::software
