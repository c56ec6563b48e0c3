#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/engines.hpp"
#include "lamella/mesh.hpp"

namespace lamella::cli {

/// Medians of building the LDI of a whole mesh, and of reading its arrays once, in milliseconds.
struct Build {
  std::size_t faces = 0;
  std::uint32_t resolution = 0;
  unsigned threads = 0;
  double ms = 0;         ///< upload where there is a GPU, bounds, grid, rasterise, sort
  double stream_ms = 0;  ///< one thread
  std::size_t crossings = 0;
  std::size_t bytes = 0;  ///< of the mesh's arrays

  [[nodiscard]] double ratio() const { return ms / stream_ms; }
  [[nodiscard]] double ns_per_face() const { return ms * 1e6 / static_cast<double>(faces); }
  [[nodiscard]] double ns_per_crossing() const { return ms * 1e6 / static_cast<double>(crossings); }
};

/// Milliseconds to read the mesh's arrays once with one thread: the least that any answer about all of it can cost.
[[nodiscard]] double time_stream(MeshView mesh);

/// Times the engine with each number of threads, in turns of a few builds, so that all see the same neighbours on
/// the machine. Each repetition streams, then builds: both see the same caches. An engine on a GPU keeps the
/// mesh, and its positions are uploaded in every build. Throws Error for a flat mesh.
[[nodiscard]] std::vector<Build> time_builds(MeshView mesh, std::uint32_t resolution, const BenchEngine& engine,
                                             const std::vector<unsigned>& threads);

}  // namespace lamella::cli
