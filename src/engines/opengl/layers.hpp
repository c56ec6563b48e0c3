#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/ldi.hpp"

namespace lamella::opengl {

/// Depths along the rays as a depth buffer holds them: from `low` to `low + range`, in the lower half of 0 to 1. The
/// cleared value 1 is then not a valid depth, so a surface exactly on the far face is not lost.
struct DepthCode {
  float low = 0, range = 1;
  [[nodiscard]] float scale() const { return 0.5f / range; }
  [[nodiscard]] float decode(float z) const { return z * (2 * range) + low; }
};
/// Columns that a thread puts together at a time.
inline constexpr std::size_t kColumnChunk = 1024;
inline constexpr float kNoDepth = 1.0f;

/// Most memory for layers in the methods that keep whole images: there, a few deep columns in a large grid cost as much
/// as if all were deep.
inline constexpr std::size_t kMostLayerBytes = std::size_t{4} << 30;

/// One image of encoded depths, row by row; kNoDepth where there is no crossing.
struct Layer {
  const float* depths = nullptr;
  bool entry = false;
  std::uint32_t number = 0;  ///< among the layers of its facing
};

/// From counts to places: `out.offsets[i + 1]` has the number of crossings of column i, and gets where it ends; room is
/// made for them all. Throws Error beyond `max_crossings`.
void place_columns(std::uint64_t max_crossings, Ldi& out);

/// Ascending; fast for few.
template <class T>
void sort_few(T* first, std::size_t count) {
  constexpr std::size_t kFew = 24;  // up to this many, insertion is faster than std::sort
  if (count > kFew) return std::sort(first, first + count);
  for (std::size_t i = 1; i < count; ++i) {
    const T c = first[i];
    std::size_t j = i;
    for (; j > 0 && first[j - 1] > c; --j) first[j] = first[j - 1];
    first[j] = c;
  }
}

/// Puts the layers' crossings into sorted columns. The LDI's grid must be set. Throws Error beyond `max_crossings`.
void assemble(std::span<const Layer> layers, DepthCode code, std::uint64_t max_crossings, Workers& workers, Ldi& out);

}  // namespace lamella::opengl
