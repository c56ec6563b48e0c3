#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/face_crossing.hpp"
#include "engines/software/tile_runs.hpp"
#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"

namespace lamella::software {

/// Sorted columns: column i is elements[offsets[i] .. offsets[i + 1]).
template <class Element>
struct Columns {
  std::vector<std::uint32_t>& offsets;
  std::vector<Element>& elements;
};

/// Rasterises meshes onto a grid, into sorted columns of one kind of crossing: Crossing or FaceCrossing. Keeps its
/// memory between calls.
template <class Element>
class Sampler : private TileConsumer {
 public:
  Sampler(unsigned threads, std::uint64_t max_crossings);

  [[nodiscard]] Workers& workers() { return sampler_.workers(); }

  /// Throws Error for an index out of range or more crossings than allowed. The windows must lie in the grid; all
  /// meshes must be of side 0.
  void sample(std::span<const SampledMesh> meshes, const Grid& grid, Columns<Element> out);
  /// Triangles that the last sample() left out of mesh `i`: NaN, infinite, or too far away for the lattice.
  [[nodiscard]] std::uint32_t skipped(std::size_t i) const { return sampler_.skipped(i); }

 private:
  void start(const Tiling& tiling) override;
  void begin_rows(std::uint32_t first, std::uint32_t end) override;
  void take(std::size_t tile, std::span<Layers> sides, unsigned worker) override;
  void finish_rows(std::uint32_t first, std::uint32_t end) override;

  TileSampler sampler_;
  std::uint64_t max_crossings_;
  std::atomic<std::uint64_t> crossings_{0};
  Tiling tiling_;
  TileRuns<Element> runs_;
  std::vector<std::size_t> row_begin_;
  std::vector<std::uint32_t>* offsets_ = nullptr;
  std::vector<Element>* elements_ = nullptr;
};

}  // namespace lamella::software
