#pragma once

#include <memory>
#include <span>

#include "lamella/batch.hpp"

namespace lamella {

/// Throws Error, with the pair's number, when it names a mesh that is not there, or a pose is none.
void check_pairs(std::span<const BatchPair> pairs, std::size_t mesh_count);

/// What a Batch works with. Meshes have been checked: every index is in range, new positions are as many as before, and
/// pairs name meshes that are there, at poses that are poses.
class BatchEngine {
 public:
  virtual ~BatchEngine() = default;

  /// Takes in a copy as the next mesh.
  virtual void add(MeshView mesh) = 0;
  virtual void update_vertices(std::uint32_t mesh, std::span<const Vec3> positions) = 0;
  /// Valid until the next call.
  virtual std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) = 0;
};

/// On the CPU.
class SoftwareBatchEngine : public BatchEngine {
 public:
  /// The engine's copy.
  [[nodiscard]] virtual MeshView view(std::uint32_t mesh) const = 0;
};
/// `options`: all but engine and device.
[[nodiscard]] std::unique_ptr<SoftwareBatchEngine> make_software_batch(const Options& options);

}  // namespace lamella
