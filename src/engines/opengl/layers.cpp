#include "engines/opengl/layers.hpp"

#include "engines/checks.hpp"

namespace lamella::opengl {

void place_columns(std::uint64_t max_crossings, Ldi& out) {
  const std::uint64_t most = std::min<std::uint64_t>(max_crossings, 0xffffffffu);
  std::uint64_t total = 0;
  for (std::size_t i = 1; i < out.offsets.size(); ++i) {
    total += out.offsets[i];
    if (total > most) throw too_many_crossings(most);
    out.offsets[i] = static_cast<std::uint32_t>(total);
  }
  out.crossings.resize(total);
}

namespace {

void count_crossings(std::span<const Layer> layers, Workers& workers, Ldi& out) {
  const std::size_t columns = out.grid.column_count();
  out.offsets.assign(columns + 1, 0);
  workers.for_chunks(columns, kColumnChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (const Layer& layer : layers)
      for (std::size_t i = begin; i < end; ++i) out.offsets[i + 1] += layer.depths[i] < kNoDepth;
  });
}

}  // namespace

void assemble(std::span<const Layer> layers, DepthCode code, std::uint64_t max_crossings, Workers& workers, Ldi& out) {
  count_crossings(layers, workers, out);
  place_columns(max_crossings, out);
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
      sort_few(first, count);
    }
  });
}

}  // namespace lamella::opengl
