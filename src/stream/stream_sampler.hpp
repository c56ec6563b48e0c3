#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/software/tile_sampler.hpp"
#include "lamella/options.hpp"
#include "stream/survivors.hpp"

namespace lamella::stream {

/// Samples meshes that are read in parts, and hands the tiles to a consumer of the software engine: it gets the same
/// crossings as of a mesh in memory. Where the triangles that cover samples do not fit, the image is cut into strips of
/// rows, and if need be rows into pieces, with a pass over the meshes for each.
class StreamSampler {
 public:
  StreamSampler(const Limits& limits, const Options& options, PassCounter& passes);

  [[nodiscard]] Workers& workers() { return tiles_.workers(); }
  [[nodiscard]] PartReader& reader() { return reader_; }

  /// Reads the meshes once, for this grid. `room`: bytes for triangles. The meshes must live until the last run().
  void start(std::span<const PlacedSource* const> meshes, const Grid& grid, std::uint64_t room);
  /// Samples some of these meshes, all or one, in order. Throws Error when not even a tile's triangles fit.
  void run(std::span<const unsigned> sides, software::TileConsumer& consumer);

  [[nodiscard]] const MeshFacts& facts(unsigned side) const { return facts_[side]; }
  /// Of the last run() with this mesh: triangles that were left out.
  [[nodiscard]] std::uint32_t skipped(unsigned side) const { return skipped_[side]; }
  [[nodiscard]] double consumer_ms() const { return consumer_ms_; }

  [[nodiscard]] std::uint32_t strips() const { return static_cast<std::uint32_t>(blocks_.size()) + further_; }
  [[nodiscard]] std::uint64_t most_triangles() const { return most_triangles_; }
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  void choose_blocks();
  [[nodiscard]] std::uint64_t bytes_of_rows(std::uint32_t first, std::uint32_t end);
  void run_block(const software::TileBlock& block, std::span<const unsigned> sides, software::TileConsumer& consumer);
  void sample(const software::TileBlock& block, std::span<const unsigned> sides, software::TileConsumer& consumer);
  [[noreturn]] void fail_room(const software::TileBlock& block, std::span<const unsigned> sides);

  const Limits& limits_;
  software::TileSampler tiles_;
  PartReader reader_;
  Survivors survivors_;
  std::vector<const PlacedSource*> meshes_;
  Grid grid_;
  software::Tiling tiling_;
  RowCosts costs_;
  MeshFacts facts_[software::kMostSides];
  std::uint32_t skipped_[software::kMostSides] = {};
  std::vector<software::TileBlock> blocks_;  ///< in the order of the image
  std::vector<software::SampledMesh> sampled_;
  bool all_kept_ = false;
  std::uint32_t further_ = 0;  ///< pieces that blocks were cut into
  std::uint64_t most_triangles_ = 0, most_bytes_ = 0;
  double consumer_ms_ = 0;
};

}  // namespace lamella::stream
