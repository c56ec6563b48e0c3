#pragma once

#include <cstddef>
#include <span>

#include "core/origin.hpp"
#include "lamella/batch.hpp"

namespace lamella {

/// Throws Error for a mesh that was not added.
void check_mesh(ObjectId mesh, std::size_t mesh_count);
/// Throws Error, with the pair's index, for an unknown mesh or a pose that is not finite or not of unit length.
void check_pairs(std::span<const BatchPair> pairs, std::size_t mesh_count);

/// The origin that a pair's meshes are placed relative to, from their boxes before they are placed and their own
/// origins: meshes that stay where they are, relative to one origin, keep it, as in intersect().
[[nodiscard]] inline Vec3d pair_origin(const BatchPair& pair, const WideBox& a, const WideBox& b, Vec3d origin_a,
                                       Vec3d origin_b) {
  if (is_identity(pair.pose_a) && is_identity(pair.pose_b) && origin_a == origin_b) return origin_a;
  return origin_for_thin(shared_box(wide_box(a, pair.pose_a), wide_box(b, pair.pose_b)));
}

/// The engine of a Batch. Its arguments are already checked: indices are in range, new positions are as many as before,
/// and pairs name meshes that were added, with valid poses. Meshes are numbered in the order of adding.
class BatchEngine {
 public:
  virtual ~BatchEngine() = default;

  /// Copies the mesh, as the next one. Of a view of doubles an engine may round the copy.
  virtual void add(MeshView mesh) = 0;
  virtual void deform(std::uint32_t mesh, std::span<const Vec3> positions) = 0;
  /// Valid until the next call.
  virtual std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) = 0;
  /// Valid until the next call. The default throws Error.
  virtual std::span<const PairGradient> volume_gradients(std::span<const BatchPair> pairs);
};

}  // namespace lamella
