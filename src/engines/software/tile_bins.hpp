#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/software/tile.hpp"

namespace lamella::software {

/// Crossings of small triangles, sorted into tiles by one worker. A small triangle is sampled where it is found in its
/// mesh, while it is in the caches; fetching it again for its tile would cost more than moving its few crossings.
/// Larger ones are sampled tile by tile.
class TileBins : public SampleSink {
 public:
  /// Columns that this sink takes are row << kRowShift | column of the image.
  static constexpr unsigned kRowShift = 14;
  static_assert(kMaxResolution <= 1u << kRowShift);

  /// Empties all tiles, keeps the memory.
  void start(const Tiling& tiling, bool faces);
  void take(const Samples& samples) override;
  [[nodiscard]] bool any(std::size_t tile) const { return bins_[tile].block != kNoBlock; }
  /// Moves a tile's crossings there.
  void empty_into(std::size_t tile, SampleSink& out) const;

 private:
  static constexpr std::uint32_t kBlockSize = 256;  ///< crossings
  static constexpr std::uint32_t kNoBlock = ~0u;
  struct Bin {
    std::uint32_t* next = nullptr;   ///< where the next column goes
    std::uint32_t* end = nullptr;    ///< of its block's columns
    std::uint32_t block = kNoBlock;  ///< the last one
  };
  /// Parallel arrays of kBlockSize: columns of the tile, keys and, where they are kept, faces.
  [[nodiscard]] std::uint32_t* block(std::uint32_t i) const { return blocks_[i].get(); }
  void add_block(Bin& bin);

  Tiling tiling_;
  bool faces_ = false, room_for_faces_ = false;
  std::vector<Bin> bins_;
  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
  std::vector<std::uint32_t> previous_;  ///< block of the same tile
  std::uint32_t used_ = 0;
};

}  // namespace lamella::software
