// Pairs are distributed over the threads, one at a time. Each worker has an engine with one thread and its own placed
// copies, and answers as intersect() does, with the same code. Several threads for one pair would cost more to wake
// than they gain. Pairs that are far apart are known by boxes and balls around the meshes, and are not placed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check_pose.hpp"
#include "core/lattice.hpp"
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
  OverlapGradient overlap;  ///< queries without a gradient use the overlap in it
};

/// An answer without its spans.
void copy_overlap(const Overlap& o, PairOverlap& to) {
  to.verdict = o.verdict;
  to.origin = o.origin;
  to.grid = o.grid;
  to.volume = o.volume;
  to.volume_error = o.volume_error;
  to.tolerance_met = o.tolerance_met;
  to.certificate = o.certificate;
  to.centroid = o.centroid;
  to.bounds = o.bounds;
  to.span_count = static_cast<std::uint32_t>(o.span_count);
  to.health = o.health;
}

/// The mesh where the pose puts it, relative to `origin`.
MeshView placed_view(const Mesh& mesh, const Transform& pose, Vec3d origin, std::vector<Vec3>& room) {
  const bool doubles = !mesh.wide.empty();
  if (!doubles && is_identity(pose) && origin == mesh.origin) return mesh;
  if (room.size() < mesh.positions.size()) room.resize(mesh.positions.size());
  const MeshView exact{.positions = {}, .triangles = mesh.triangles, .origin = mesh.origin, .wide = mesh.wide};
  (void)place_mesh(doubles ? exact : MeshView(mesh), pose, origin, room.data());
  return {.positions = std::span(room).first(mesh.positions.size()), .triangles = mesh.triangles, .origin = origin};
}

/// A view of doubles as a mesh that has them.
Mesh in_doubles(MeshView mesh) {
  Mesh out{.positions = {}, .triangles = {mesh.triangles.begin(), mesh.triangles.end()}, .origin = mesh.origin};
  out.wide.assign(mesh.wide.begin(), mesh.wide.end());
  out.positions.reserve(out.wide.size());
  for (const Vec3d& p : out.wide) out.positions.push_back(narrow(p));
  return out;
}

/// Where a mesh is before it is placed.
struct Extent {
  WideBox box;
  double radius = 0;    ///< of the ball around the box's centre that holds all vertices
  bool usable = false;  ///< all vertices are
};

Extent extent_of(MeshView mesh) {
  const PositionFacts facts = inspect_positions(mesh.positions);
  Extent e{wide_box(facts.box, mesh.origin), 0, facts.usable && !facts.box.empty()};
  if (e.usable) e.radius = static_cast<double>(reach_from(center(facts.box), mesh.positions));
  return e;
}

/// Whether the boxes of two placed meshes surely share nothing, without looking at their vertices.
bool are_far_apart(const Extent& a, const Transform& pose_a, const Extent& b, const Transform& pose_b) {
  if (!a.usable || !b.usable) return false;  // skipped triangles are counted
  const WideBox boxes[] = {wide_box(a.box, pose_a), wide_box(b.box, pose_b)};
  const Extent* const meshes[] = {&a, &b};
  double largest = 0, gap = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double low[2], high[2];
    for (int i = 0; i < 2; ++i) {
      const double middle = 0.5 * (boxes[i].min[axis] + boxes[i].max[axis]);
      // A rotation whose quaternion is not quite of length 1 stretches by twice as much as is allowed for its square.
      const double radius = meshes[i]->radius * (1 + 3 * kPoseTolerance);
      const double reach = std::min(0.5 * (boxes[i].max[axis] - boxes[i].min[axis]), radius);
      low[i] = middle - reach;
      high[i] = middle + reach;
      largest = std::max({largest, std::abs(boxes[i].min[axis]), std::abs(boxes[i].max[axis])});
    }
    gap = std::max({gap, low[1] - high[0], low[0] - high[1]});
  }
  // Wider than the rounding of placed vertices, and of the ball's centre and radius.
  return largest < static_cast<double>(kMaxCoordinate) / 4 && gap > 0x1p-20 * largest;
}

class SoftwareBatch final : public CpuBatch {
 public:
  SoftwareBatch(const EngineOptions& engine, const QueryOptions& query)
      : max_crossings_(engine.max_crossings), options_(query), workers_(engine.threads), scratch_(workers_.count()) {}

  void add(MeshView mesh) override {
    Mesh copy = mesh.wide.empty() ? rounded(mesh) : in_doubles(mesh);
    extents_.push_back(extent_of(copy));
    try {
      meshes_.push_back(std::move(copy));
    } catch (...) {
      extents_.pop_back();
      throw;
    }
  }
  void deform(std::uint32_t mesh, std::span<const Vec3> positions) override {
    std::copy(positions.begin(), positions.end(), meshes_[mesh].positions.begin());
    meshes_[mesh].wide = std::vector<Vec3d>();
    extents_[mesh] = extent_of(meshes_[mesh]);
  }
  [[nodiscard]] MeshView view(std::uint32_t mesh) const override { return meshes_[mesh]; }

  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    answer_all(pairs, answers_, [&](Worker& worker, MeshView a, MeshView b, PairOverlap& out) {
      worker.engine->intersect(a, b, options_, worker.overlap);
      copy_overlap(worker.overlap, out);
    });
    return answers_;
  }
  std::span<const PairGradient> volume_gradients(std::span<const BatchPair> pairs) override {
    answer_all(pairs, gradients_, [&](Worker& worker, MeshView a, MeshView b, PairGradient& out) {
      worker.engine->volume_gradient(a, b, options_, {.vertices = false}, worker.overlap);
      copy_overlap(worker.overlap, out);
      out.sums = worker.overlap.sums;
    });
    return gradients_;
  }

 private:
  /// Calls ask(worker, a, b, answer) with the placed meshes of every pair.
  template <class Answer, class Ask>
  void answer_all(std::span<const BatchPair> pairs, std::vector<Answer>& answers, const Ask& ask) {
    answers.resize(pairs.size());
    LowestFailure failure;
    workers_.for_chunks(
        pairs.size(), 1,
        [&](std::size_t i, std::size_t, unsigned worker) {
          failure.run(i, [&] { answer(pairs[i], i, scratch_[worker], answers[i], ask); });
        },
        1);
    failure.rethrow();
  }

  template <class Answer, class Ask>
  void answer(const BatchPair& pair, std::size_t number, Worker& worker, Answer& out, const Ask& ask) {
    if (!worker.engine) worker.engine = make_engine({.threads = 1, .max_crossings = max_crossings_});
    const Extent &extent_a = extents_[pair.a.number], &extent_b = extents_[pair.b.number];
    const Mesh &mesh_a = meshes_[pair.a.number], &mesh_b = meshes_[pair.b.number];
    const bool doubles = !mesh_a.wide.empty() || !mesh_b.wide.empty();  // they are placed in any case
    const Vec3d origin =
        doubles ? origin_for_thin(shared_box(wide_box(extent_a.box, pair.pose_a), wide_box(extent_b.box, pair.pose_b)))
                : pair_origin(pair, extent_a.box, extent_b.box, mesh_a.origin, mesh_b.origin);
    // A proof looks at the triangles even so.
    if (!options_.certify && are_far_apart(extent_a, pair.pose_a, extent_b, pair.pose_b)) {
      out = {};
      out.origin = origin;
      return;
    }
    const MeshView a = placed_view(mesh_a, pair.pose_a, origin, worker.placed[0]);
    const MeshView b = placed_view(mesh_b, pair.pose_b, origin, worker.placed[1]);
    try {
      ask(worker, a, b, out);
    } catch (const Error& e) {
      throw Error(fmt::format("pair {} of the batch: {}", number, e.what()), e.kind());
    }
  }

  std::uint64_t max_crossings_;
  QueryOptions options_;
  Workers workers_;
  std::vector<Worker> scratch_;
  std::vector<Mesh> meshes_;
  std::vector<Extent> extents_;  ///< of the meshes
  std::vector<PairOverlap> answers_;
  std::vector<PairGradient> gradients_;
};

}  // namespace

std::unique_ptr<CpuBatch> make_batch_engine(const EngineOptions& engine, const QueryOptions& query) {
  return std::make_unique<SoftwareBatch>(engine, query);
}

}  // namespace lamella::software
