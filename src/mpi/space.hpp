#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/clash.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// Which process has which region of space: cells of a lattice over all boxes, along a Morton curve, cut so that every
/// process has about as many boxes. The same on every process.
class Space {
 public:
  /// Collective. `boxes`: of this process's parts; those that are NaN count for nothing.
  Space(const Processes& all, std::span<const PartBox> boxes);

  /// The process that owns a point.
  [[nodiscard]] int owner(Vec3d point) const;
  /// The processes whose regions a box meets, ascending, into `out`; none for a box that is NaN.
  void owners(const PartBox& box, std::vector<int>& out) const;

 private:
  static constexpr int kBits = 5;  ///< of a cell's number along an axis
  static constexpr std::uint32_t kCells = 1u << kBits;

  [[nodiscard]] std::array<std::uint32_t, 3> cell_of(Vec3d point) const;

  Vec3d low_{}, cell_{};
  std::vector<int> owner_;  ///< by Morton code
};

}  // namespace lamella::mpi
