#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"

namespace lamella {

/// Computes error bars of pairs from their spans, as Overlap::volume_error: by sums over the lines of the grid
/// (query/line_sums.hpp). Where a pair has a small part of a grid that many share, only the lines around it count, so
/// that the cost does not depend on the grid's size. Keeps its memory between calls.
class PairErrors {
 public:
  /// The error of `volume`, which these spans have in the grid; they ascend by column.
  [[nodiscard]] double error_of(const Grid& grid, std::span<const PairSpan> spans, double volume);

 private:
  std::vector<std::int64_t> of_columns_, of_rows_;  ///< sums of the lines around the spans
};

}  // namespace lamella
