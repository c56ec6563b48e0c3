#pragma once

#include <cstdint>
#include <vector>

#include "engines/pair_finder.hpp"

namespace lamella {

/// Width of the volume that two objects share, across the rays of one view. Keeps its memory between calls.
class PatchWidth {
 public:
  void measure(const PairView& view);

  /// Half the width around one of the view's columns, in the scene's units. Infinite (the largest float) where no span
  /// is longer than a cell: the width does not matter then.
  [[nodiscard]] float half(std::uint32_t column) const;

 private:
  [[nodiscard]] std::size_t place(std::uint32_t u, std::uint32_t v) const {
    return (v - first_v_ + 1) * std::size_t{width_} + u - first_u_ + 1;
  }
  void spread();

  std::vector<std::uint16_t> distance_;  ///< to the rim, in thirds of a cell, over the columns' own rectangle
  std::uint32_t first_u_ = 0, first_v_ = 0, width_ = 0, height_ = 0;
  std::uint32_t columns_ = 1;
  float third_ = 0;  ///< of a cell, as a length
  bool known_ = false;
};

}  // namespace lamella
