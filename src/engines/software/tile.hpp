#pragma once

// A grid is cut into tiles. A tile's crossings fit the second-level cache: it is rasterised, sorted, asked and
// forgotten before the next one.
//
// Crossings are kept layer by layer: layer n has the n-th crossing that each column got, in whatever order triangles
// came. So neighbouring columns are neighbours in memory, and one vector operation works on as many columns as it has
// lanes: a row of a triangle is stored at once, and a sorting network over layers sorts all of these columns.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/window.hpp"
#include "lamella/grid.hpp"

namespace lamella::software {

/// The most 32-bit lanes that a kernel's vectors have: longer ones are not used whole. Vectors are stored whole, so
/// arrays that kernels write to need room for one beyond their end.
inline constexpr std::size_t kMaxLanes = 64;

/// How a grid is cut: every tile has 2^shift_u columns and 2^shift_v rows, fewer at the grid's high ends.
struct Tiling {
  std::uint32_t columns = 0, rows = 0;  ///< of the grid
  unsigned shift_u = 0, shift_v = 0;
  std::uint32_t across = 0, down = 0;  ///< tiles along u and v

  [[nodiscard]] std::size_t count() const { return std::size_t{across} * down; }
  [[nodiscard]] std::uint32_t width() const { return 1u << shift_u; }
  [[nodiscard]] std::uint32_t height() const { return 1u << shift_v; }
  /// From one row of a tile's columns to the next: a multiple of the lanes of any vector, so that a vector of columns
  /// does not cross the end of a row.
  [[nodiscard]] std::uint32_t stride() const;
  /// The cells of a tile; tiles are numbered row by row.
  [[nodiscard]] Window window(std::size_t tile) const;
};

/// Fewer columns in a tile for more workers, so that there are some tiles for each.
[[nodiscard]] Tiling choose_tiling(const Grid& grid, unsigned workers);

/// The most crossings of a column that are kept in layers, and sorted by a network.
inline constexpr std::uint32_t kLayers = 32;

/// A crossing beyond the layers. A malicious mesh can make a column of any length.
struct DeepCrossing {
  std::uint32_t column;  ///< of the tile
  std::uint32_t key;     ///< as in Crossing
  std::uint32_t face;
};

/// Crossings of any columns, as parallel arrays; how columns are numbered is up to the sink.
struct Samples {
  const std::uint32_t* column;
  const std::uint32_t* key;   ///< as in Crossing
  const std::uint32_t* face;  ///< where faces are kept
  std::size_t count;
};
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void take(const Samples& samples) = 0;
};

/// The crossings of one tile.
class Layers : public SampleSink {
 public:
  /// Empties it, and makes room for a tile. Columns are numbered row by row, `stride()` apart. `most_deep`: the most
  /// crossings beyond the layers.
  void start(const Tiling& tiling, std::size_t tile, bool faces, std::uint64_t most_deep);
  /// Adds crossings, whose columns are the tile's.
  void take(const Samples& samples) override;

  [[nodiscard]] const Window& tile() const { return tile_; }
  [[nodiscard]] std::uint32_t width() const { return tile_.end_u - tile_.first_u; }
  [[nodiscard]] std::uint32_t height() const { return tile_.end_v - tile_.first_v; }
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  [[nodiscard]] std::size_t plane() const { return plane_; }
  [[nodiscard]] bool has_faces() const { return has_faces_; }

  // Of column c: count[c] crossings in layers, at most kLayers; layer n is at key[n * plane() + c], its face likewise.
  [[nodiscard]] std::uint8_t* count() const { return count_.get(); }
  [[nodiscard]] std::uint32_t* key() const { return key_.get(); }
  [[nodiscard]] std::uint32_t* face() const { return face_.get(); }

  /// For a column whose layers are full. Throws Error beyond the most allowed.
  void add_deep(const DeepCrossing& crossing);
  /// All crossings, in layers and beyond.
  [[nodiscard]] std::uint64_t crossing_count() const;
  [[nodiscard]] bool any_deep() const { return !deep_.empty(); }
  /// Those of one column. The first call after the last crossing was added sorts them all.
  [[nodiscard]] std::span<const DeepCrossing> deep(std::uint32_t column);
  /// Of one column, sorted; valid until the next call.
  [[nodiscard]] const std::vector<std::uint32_t>& sorted_keys(std::uint32_t column);

 private:
  Window tile_;
  std::uint32_t stride_ = 0;
  std::size_t plane_ = 0, room_ = 0;
  bool has_faces_ = false, has_face_room_ = false, deep_sorted_ = false;
  std::uint64_t most_deep_ = 0;
  std::unique_ptr<std::uint8_t[]> count_;
  std::unique_ptr<std::uint32_t[]> key_, face_;
  std::vector<DeepCrossing> deep_;
  std::vector<std::uint32_t> sorted_keys_;
};

}  // namespace lamella::software
