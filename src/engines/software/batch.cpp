// Pairs are shared out among the threads, one at a time: each worker has an engine of one thread and its own placed
// copies, and answers as intersect() does, by the same code. A pair on several threads would spend more on waking them.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "core/placement.hpp"
#include "engines/batch_engine.hpp"
#include "engines/software/software.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// What one worker needs; kept between calls.
struct Worker {
  std::unique_ptr<Engine> engine;
  std::vector<Vec3> placed[2];
  Overlap overlap;
};

MeshView placed_view(MeshView mesh, const Transform& pose, std::vector<Vec3>& room) {
  if (is_identity(pose)) return mesh;
  if (room.size() < mesh.positions.size()) room.resize(mesh.positions.size());
  (void)place_positions(mesh.positions, placement_of(pose), room.data());
  return {std::span(room).first(mesh.positions.size()), mesh.triangles};
}

class SoftwareBatch final : public SoftwareBatchEngine {
 public:
  explicit SoftwareBatch(const Options& options)
      : options_(options), workers_(options.threads), scratch_(workers_.count()) {
    options_.threads = 1;
  }

  void add(MeshView mesh) override {
    meshes_.push_back({{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}});
  }
  void update_vertices(std::uint32_t mesh, std::span<const Vec3> positions) override {
    std::copy(positions.begin(), positions.end(), meshes_[mesh].positions.begin());
  }
  [[nodiscard]] MeshView view(std::uint32_t mesh) const override { return meshes_[mesh]; }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    answers_.resize(pairs.size());
    const auto answer = [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t i = begin; i < end; ++i) answers_[i] = intersect(pairs[i], i, scratch_[worker]);
    };
    workers_.for_chunks(pairs.size(), 1, answer, 1);
    return answers_;
  }

 private:
  PairOverlap intersect(const BatchPair& pair, std::size_t number, Worker& worker) {
    if (!worker.engine) worker.engine = software::make_software_engine(1, options_.max_crossings);
    const MeshView a = placed_view(meshes_[pair.a], pair.pose_a, worker.placed[0]);
    const MeshView b = placed_view(meshes_[pair.b], pair.pose_b, worker.placed[1]);
    try {
      worker.engine->intersect(a, b, options_, worker.overlap);
    } catch (const Error& e) {
      throw Error(fmt::format("pair {} of the batch: {}", number, e.what()), e.kind());
    }
    const Overlap& o = worker.overlap;
    return {o.grid, o.volume, o.centroid, static_cast<std::uint32_t>(o.spans.size()), o.health};
  }

  Options options_;
  Workers workers_;
  std::vector<Worker> scratch_;
  std::vector<Mesh> meshes_;
  std::vector<PairOverlap> answers_;
};

}  // namespace

std::unique_ptr<SoftwareBatchEngine> make_software_batch(const Options& options) {
  return std::make_unique<SoftwareBatch>(options);
}

}  // namespace lamella
