#include "engines/opengl/layers.hpp"

#include <algorithm>

#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr std::size_t kColumnChunk = 4096;

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
    if (total > max_crossings)
      throw Error("too many crossings for the memory allowed: lower the resolution, or raise Options::max_crossings");
    out.offsets[i] = static_cast<std::uint32_t>(total);
  }
  out.crossings.resize(total);
}

}  // namespace

void assemble(std::span<const Layer> layers, DepthCode code, std::uint64_t max_crossings, Workers& workers, Ldi& out) {
  place_columns(layers, std::min<std::uint64_t>(max_crossings, 0xffffffffu), workers, out);
  const float depth = out.grid.depth();
  workers.for_chunks(out.grid.column_count(), kColumnChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      Crossing* at = out.crossings.data() + out.offsets[i];
      for (const Layer& layer : layers) {
        const float z = layer.depths[i];
        // Beyond the box's faces a crossing is moved onto them. Adding zero turns a negative zero positive.
        if (z < kNoDepth) *at++ = Crossing::make(std::clamp(code.decode(z), 0.0f, depth) + 0.0f, layer.entry);
      }
      std::sort(out.crossings.data() + out.offsets[i], at);
    }
  });
}

}  // namespace lamella::opengl
