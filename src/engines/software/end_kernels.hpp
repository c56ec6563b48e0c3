#pragma once

// Vector kernels for the ends of spans. Their arithmetic is that of query/span_ends.hpp and query/gradient_sums.hpp,
// operation by operation: the same bits on every instruction set, and as CUDA kernels have.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/lattice.hpp"
#include "engines/software/tile.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "query/gradient_sums.hpp"

namespace lamella::software {

/// A row of a tile with spans, of one mesh or two.
struct SpanRow {
  const Layers* side[2];        ///< the second is null for one mesh
  std::uint32_t row = 0;        ///< of the tile
  std::uint32_t column = 0;     ///< of the image, of the row's first cell in the tile
  std::span<const Span> spans;  ///< ascending
};

/// Where spans begin and end among the crossings of a tile: their place in a mesh's layers. Both arrays need room for
/// kMaxLanes more than there are spans.
struct RowEnds {
  static constexpr std::uint32_t kSecond = 1u << 31;  ///< is added for the second mesh
  static constexpr std::uint32_t kUnsure = ~0u;       ///< as a begin: several crossings have one of the depths
  std::uint32_t *begin, *end;
};

/// For each span the only crossings that can end it; those beyond the layers are not looked at.
void find_row_ends(const SpanRow& row, const RowEnds& out);

/// Ends of spans on triangles of one mesh, until they are summed up.
struct EndBatch {
  static constexpr std::size_t kCapacity = 256, kPadded = kCapacity + kMaxLanes;
  std::size_t size = 0;
  std::uint32_t face[kPadded];
  alignas(64) std::uint32_t cell[kPadded];  ///< from pack()
  SpanEnd* out[kPadded];                    ///< where its weights go, if they are wanted
  Triangle triangle[kPadded];
  alignas(64) Vec3 corner[3][kPadded];
  alignas(64) std::uint32_t weight_b[kPadded], weight_c[kPadded];  ///< as in EndWeights

  /// A cell, and whether a span ends there or begins.
  static constexpr std::uint32_t pack(std::uint32_t u, std::uint32_t v, bool end) {
    static_assert(kMaxResolution <= 1u << 14);
    return u | v << 14 | (end ? 1u << 28 : 0u);
  }
  [[nodiscard]] std::uint32_t u(std::size_t i) const { return cell[i] & 0x3fffu; }
  [[nodiscard]] std::uint32_t v(std::size_t i) const { return cell[i] >> 14 & 0x3fffu; }
  [[nodiscard]] int sign(std::size_t i) const { return (cell[i] >> 28) != 0 ? 1 : -1; }
};

/// What is wanted of a batch.
struct EndWork {
  Grid grid;
  Lattice lattice;
  bool weights = false, sums = false;
};
/// Finds the weights of all ends, and adds the ends to `sums`. False where a triangle reaches so far that the weights
/// must be found one at a time.
[[nodiscard]] bool work_on_ends(const EndWork& work, EndBatch& batch, EndSums& sums);

}  // namespace lamella::software
