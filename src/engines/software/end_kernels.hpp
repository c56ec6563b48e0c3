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

/// Ends of spans on triangles of one mesh whose places are wanted, one by one.
struct EndBatch {
  static constexpr std::size_t kCapacity = 256, kPadded = kCapacity + kMaxLanes;
  std::size_t size = 0;
  std::uint32_t face[kPadded];
  alignas(64) std::uint32_t cell[kPadded];  ///< from pack()
  SpanEnd* out[kPadded];                    ///< where its weights go
  alignas(64) Vec3 corner[3][kPadded];
  alignas(64) std::uint32_t weight_b[kPadded], weight_c[kPadded];  ///< as in EndWeights

  static constexpr std::uint32_t pack(std::uint32_t u, std::uint32_t v) {
    static_assert(kMaxResolution <= 1u << 14);
    return u | v << 14;
  }
  [[nodiscard]] std::uint32_t u(std::size_t i) const { return cell[i] & 0x3fffu; }
  [[nodiscard]] std::uint32_t v(std::size_t i) const { return cell[i] >> 14; }
};
/// Finds the weights of all ends. False where a triangle reaches so far that they must be found one at a time.
[[nodiscard]] bool weigh_ends(const Grid& grid, const Lattice& lattice, EndBatch& batch);

/// Ends of spans on one triangle: how many, and the sums of their cells.
struct FaceEnds {
  std::uint32_t face = 0, count = 0, u = 0, v = 0;
};

/// Triangles with ends on them, all begins or all ends of spans, while they are summed up.
struct FaceBatch {
  static constexpr std::size_t kCapacity = 128, kPadded = kCapacity + kMaxLanes;
  /// The most ends on one triangle: sums of a batch then fit doubles without rounding.
  static constexpr std::uint32_t kMostEnds = 1u << 14;
  Triangle triangle[kPadded];
  alignas(64) Vec3 corner[3][kPadded];
  // Of CornerWeights.
  alignas(64) std::int32_t first_u[kPadded], first_v[kPadded];
  alignas(64) std::int64_t b[3][kPadded], c[3][kPadded];

  [[nodiscard]] CornerWeights weights(std::size_t i) const {
    return {static_cast<std::uint32_t>(first_u[i]),
            static_cast<std::uint32_t>(first_v[i]),
            {b[0][i], b[1][i], b[2][i]},
            {c[0][i], c[1][i], c[2][i]}};
  }
  void set(std::size_t i, const CornerWeights& w) {
    first_u[i] = static_cast<std::int32_t>(w.first_u);
    first_v[i] = static_cast<std::int32_t>(w.first_v);
    b[0][i] = w.b.at_first, b[1][i] = w.b.along_u, b[2][i] = w.b.along_v;
    c[0][i] = w.c.at_first, c[1][i] = w.c.along_u, c[2][i] = w.c.along_v;
  }
};

/// What is wanted of triangles with ends.
struct FaceWork {
  Grid grid;
  Lattice lattice;
  bool weights = false;
};
/// Adds areas and normals to `sums`, and finds the weights if they are wanted. The batch has the corners of `ends`,
/// which must be padded by a vector. False where a triangle reaches so far that its weights must be found by
/// corner_weights().
[[nodiscard]] bool sum_faces(const FaceWork& work, std::span<const FaceEnds> ends, FaceBatch& batch, EndSums& sums);

}  // namespace lamella::software
