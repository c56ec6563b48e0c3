#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/detector.hpp"
#include "lamella/export.hpp"
#include "lamella/query.hpp"

namespace lamella {

/// A pair of a batch: two meshes, each placed for this pair alone. One mesh may be in any number of pairs.
struct BatchPair {
  std::uint32_t a = 0, b = 0;  ///< numbers of the meshes, in the order of adding
  Transform pose_a, pose_b;
};

/// The answer for one pair, without its spans.
struct PairOverlap {
  Grid grid;                ///< zero columns when the boxes share no volume: nothing was sampled
  double volume = 0;        ///< shared
  Vec3d centroid;           ///< of the shared volume; the origin when there is none
  std::uint32_t spans = 0;  ///< stretches of rays inside both
  Health health;

  [[nodiscard]] bool colliding() const { return spans != 0; }
};

/// Thousands of pairs in one call: parameter sweeps, grasps, assemblies. Meshes are kept, and placed anew for every
/// pair. Answers are those of intersect() on the placed meshes. Engines: software (pairs are shared out among the
/// threads) and cuda (one sequence of launches for all pairs); automatic takes the GPU where there is one and it pays,
/// which takes 32 pairs at least. Use one from one thread at a time.
class LAMELLA_API Batch {
 public:
  explicit Batch(Options options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  /// Copies the mesh; returns its number. Throws Error when an index is out of range.
  std::uint32_t add(MeshView mesh);
  /// As many positions as before; a different number is an Error.
  void update_vertices(std::uint32_t mesh, std::span<const Vec3> positions);
  [[nodiscard]] std::size_t mesh_count() const;

  /// One answer per pair, in their order; valid until the next call. A number that is no mesh's and a pose that is none
  /// are Errors that name the pair, by its place in `pairs`.
  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs);

  [[nodiscard]] const Options& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
