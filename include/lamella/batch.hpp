#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/gradient.hpp"
#include "lamella/mesh.hpp"
#include "lamella/object_id.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// A pair of a batch: two meshes, each with its pose for this pair only. A mesh may be in any number of pairs.
struct BatchPair {
  ObjectId a, b;  ///< the two meshes, from Batch::add
  Transform pose_a, pose_b;
};

/// The answer for one pair, without its spans.
struct PairOverlap {
  Verdict verdict = Verdict::clear;
  Vec3d origin{};                ///< what `grid` and `bounds` are relative to
  Grid grid;                     ///< zero columns when the boxes share no volume: nothing was sampled
  double volume = 0;             ///< shared
  double volume_error = 0;       ///< as in Overlap
  bool tolerance_met = true;     ///< as in Overlap
  Certificate certificate;       ///< with Options::certify
  Vec3d centroid;                ///< of the shared volume, in the world; the origin when there is none
  Aabb bounds;                   ///< of the cells' prisms; empty when there is none
  std::uint32_t span_count = 0;  ///< intervals of rays inside both
  Health health;

  [[nodiscard]] bool colliding() const { return verdict == Verdict::colliding; }
};

/// The same, and how the volume changes when the meshes move as rigid bodies.
struct PairGradient : PairOverlap {
  GradientSums sums;
};

/// Thousands of pairs in one call: parameter sweeps, grasps, assemblies. Meshes are kept, and each pair places them by
/// its own poses. Answers are those of intersect() on the placed meshes. On the CPU they are more exact for meshes in
/// doubles, and for films, which are sampled relative to a place in the film. Engines: software (pairs are distributed
/// over the threads) and cuda (one sequence of launches for all pairs; it rounds doubles). Automatic uses the GPU if
/// there is one and it is expected to be faster, which needs at least 32 pairs. Use a Batch from one thread at a time.
class LAMELLA_API Batch {
 public:
  explicit Batch(Options options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  /// Copies the mesh. Throws Error when an index is out of range.
  ObjectId add(MeshView mesh);
  /// New positions, as many as before, relative to the origin that the mesh was added with; throws Error for a
  /// different number.
  void deform(ObjectId mesh, std::span<const Vec3> positions);
  [[nodiscard]] std::size_t mesh_count() const;

  /// One answer per pair, in the same order; valid until the next call. An unknown mesh id or a pose that is not finite
  /// or not of unit length throws Error; the message gives the pair's index.
  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs);

  /// The same with gradients for rigid motions. Samples each pair along all three axes.
  std::span<const PairGradient> volume_gradients(std::span<const BatchPair> pairs);

  [[nodiscard]] const Options& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
