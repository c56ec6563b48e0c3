#pragma once

// Gradients of volumes by poses, as lamella/torch.py uses them: rows of seven numbers (x, y, z, qx, qy, qz, qw), the
// quaternion of any length but 0, which is normalised first.

#include <cstdint>
#include <span>
#include <vector>

#include "casters.hpp"
#include "lamella/batch.hpp"

namespace lamella::python {

/// Doubts of an answer as bits: of each Doubt::Cause, by its number. Where the verdict is undecided, at least one.
[[nodiscard]] std::uint32_t doubt_bits(Verdict verdict, const Health& health);

/// Pairs of two meshes at many poses.
class PosedPairs {
 public:
  /// `poses_a`, `poses_b`: None, (7,) or (n, 7), as doubles. Throws ValueError for anything else.
  PosedPairs(ObjectId a, ObjectId b, py::handle poses_a, py::handle poses_b);

  [[nodiscard]] std::span<const BatchPair> pairs() const { return pairs_; }
  /// Volumes (n,), doubts (n,); with the GIL.
  [[nodiscard]] py::tuple volumes(std::span<const PairOverlap> answers) const;
  /// Volumes (n,), doubts (n,), and the gradients (n, 14) of both poses; with the GIL.
  [[nodiscard]] py::tuple gradients(std::span<const PairGradient> answers) const;

 private:
  std::vector<BatchPair> pairs_;
  std::vector<double> lengths_a_, lengths_b_;  ///< of the quaternions as they were given
};

}  // namespace lamella::python
