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

/// For each span the only crossings that can end it. Writes the numbers of spans for which there are several crossings
/// of that depth to `unsure`, and returns how many; crossings beyond the layers are not looked at.
std::size_t find_row_ends(const SpanRow& row, SpanPlaces* out, std::uint32_t* unsure);

/// Ends of spans on triangles of one mesh, until they are summed up.
struct EndBatch {
  static constexpr std::size_t kCapacity = 256, kPadded = kCapacity + kMaxLanes;
  std::size_t size = 0;
  std::uint32_t face[kPadded];
  SpanEnd* out[kPadded];  ///< where its weights go; null: they are not wanted
  Triangle triangle[kPadded];
  alignas(64) std::uint32_t u[kPadded], v[kPadded];  ///< its cell
  alignas(64) std::int32_t sign[kPadded];            ///< 1: the end of a span, -1: its begin
  alignas(64) Vec3 corner[3][kPadded];
  alignas(64) std::uint32_t weight_b[kPadded], weight_c[kPadded];  ///< as in EndWeights
};

/// Weights of all ends. False where a triangle reaches so far that they must be found one at a time.
[[nodiscard]] bool weigh_ends(const Grid& grid, const Lattice& lattice, EndBatch& batch);
/// Adds all ends.
void sum_up_ends(const Grid& grid, const EndBatch& batch, EndSums& sums);

}  // namespace lamella::software
