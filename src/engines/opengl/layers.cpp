#include "engines/opengl/layers.hpp"

#include <algorithm>

#include "engines/checks.hpp"

namespace lamella::opengl {
namespace {

constexpr std::size_t kColumnChunk = 1024;
constexpr std::size_t kFewCrossings = 24;  ///< up to this many, insertion is faster than std::sort

/// Counts of all columns, then where each begins.
void place_columns(std::span<const Layer> layers, std::uint64_t max_crossings, Workers& workers, Ldi& out) {
  const std::size_t columns = out.grid.column_count();
  out.offsets.assign(columns + 1, 0);
  workers.for_chunks(columns, kColumnChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (const Layer& layer : layers)
      for (std::size_t i = begin; i < end; ++i) out.offsets[i + 1] += layer.depths[i] < kNoDepth;
  });
  std::uint64_t total = 0;
  for (std::size_t i = 1; i <= columns; ++i) {
    total += out.offsets[i];
    if (total > max_crossings) throw too_many_crossings(max_crossings);
    out.offsets[i] = static_cast<std::uint32_t>(total);
  }
  out.crossings.resize(total);
}

void sort_column(Crossing* column, std::size_t count) {
  if (count > kFewCrossings) return std::sort(column, column + count);
  for (std::size_t i = 1; i < count; ++i) {
    const Crossing c = column[i];
    std::size_t j = i;
    for (; j > 0 && column[j - 1] > c; --j) column[j] = column[j - 1];
    column[j] = c;
  }
}

}  // namespace

void assemble(std::span<const Layer> layers, DepthCode code, std::uint64_t max_crossings, Workers& workers, Ldi& out) {
  place_columns(layers, std::min<std::uint64_t>(max_crossings, 0xffffffffu), workers, out);
  const float depth = out.grid.depth();
  workers.for_chunks(out.grid.column_count(), kColumnChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      Crossing* const first = out.crossings.data() + out.offsets[i];
      const std::size_t count = out.offsets[i + 1] - out.offsets[i];
      Crossing* at = first;
      for (std::size_t k = 0; at != first + count; ++k) {
        const float z = layers[k].depths[i];
        if (!(z < kNoDepth)) continue;
        // A crossing beyond a face of the box is moved onto it. Adding zero turns negative zero into positive.
        *at++ = Crossing::make(std::clamp(code.decode(z), 0.0f, depth) + 0.0f, layers[k].entry);
      }
      sort_column(first, count);
    }
  });
}

}  // namespace lamella::opengl
