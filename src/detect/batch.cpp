#include "lamella/batch.hpp"

#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "engines/batch_engine.hpp"
#include "engines/checks.hpp"
#include "registry/registry.hpp"

namespace lamella {

struct Batch::State {
  Options options;
  std::unique_ptr<BatchEngine> engine;
  std::vector<std::size_t> vertex_counts;
};

Batch::Batch(Options options) : state_(std::make_unique<State>()) {
  check_options(options.for_query());
  state_->engine = make_batch_engine(options);
  state_->options = std::move(options);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

ObjectId Batch::add(MeshView mesh) {
  check_indices(mesh);
  state_->engine->add(mesh);
  state_->vertex_counts.push_back(mesh.positions.size());
  return {static_cast<std::uint32_t>(state_->vertex_counts.size() - 1)};
}

void Batch::deform(ObjectId mesh, std::span<const Vec3> positions) {
  check_mesh(mesh, mesh_count());
  check_vertex_count(state_->vertex_counts[mesh.number], positions.size());
  state_->engine->deform(mesh.number, positions);
}

std::size_t Batch::mesh_count() const { return state_->vertex_counts.size(); }

std::span<const PairOverlap> Batch::intersect(std::span<const BatchPair> pairs) {
  check_pairs(pairs, mesh_count());
  return state_->engine->intersect(pairs);
}

const Options& Batch::options() const { return state_->options; }

}  // namespace lamella
