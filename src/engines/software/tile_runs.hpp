#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/software/record_list.hpp"
#include "engines/software/tile.hpp"

namespace lamella::software {

/// Records that workers found tile by tile, put back into the order of the image: row by row, and by column within a
/// row. Holds the tiles of some rows of tiles at a time. Memory is reused.
template <class Record>
class TileRuns {
 public:
  void start(const Tiling& tiling, unsigned workers) {
    tiling_ = tiling;
    if (lists_.size() < workers) lists_.resize(workers);
  }
  void begin_rows(std::uint32_t first, std::uint32_t end) {
    first_tile_ = std::size_t{first} * tiling_.across;
    const std::size_t tiles = std::size_t{end - first} * tiling_.across;
    begin_.assign(tiles, {});
    ends_.assign(tiles << tiling_.shift_v, 0);
    for (auto& list : lists_) list.clear();
  }

  /// Where a worker's records go, row after row of a tile.
  [[nodiscard]] RecordList<Record>& list(unsigned worker) { return lists_[worker]; }
  void begin_tile(std::size_t tile, unsigned worker) { begin_[tile - first_tile_] = {worker, lists_[worker].size()}; }
  /// After each row of that tile, in order.
  void end_row(std::size_t tile, std::uint32_t row_of_tile) {
    const std::size_t i = tile - first_tile_;
    ends_[(i << tiling_.shift_v) + row_of_tile] = lists_[begin_[i].worker].size();
  }

  /// Calls visit(records) for the runs of a row of the image, one of the rows that are held, in order.
  template <class Visit>
  void for_row(std::uint32_t row, const Visit& visit) const {
    const std::size_t first = (std::size_t{row} >> tiling_.shift_v) * tiling_.across - first_tile_;
    const std::size_t in_tile = row & (tiling_.height() - 1);
    for (std::size_t tile = first; tile < first + tiling_.across; ++tile) {
      const std::size_t* const end = ends_.data() + (tile << tiling_.shift_v) + in_tile;
      const std::size_t begin = in_tile == 0 ? begin_[tile].at : end[-1];
      if (begin < *end) visit(std::span<const Record>(lists_[begin_[tile].worker].data() + begin, *end - begin));
    }
  }
  /// Of a row of the image.
  [[nodiscard]] std::size_t count_in(std::uint32_t row) const {
    std::size_t sum = 0;
    for_row(row, [&](std::span<const Record> run) { sum += run.size(); });
    return sum;
  }

 private:
  struct Begin {
    unsigned worker = 0;
    std::size_t at = 0;
  };
  Tiling tiling_;
  std::size_t first_tile_ = 0;
  std::vector<RecordList<Record>> lists_;  ///< by worker
  std::vector<Begin> begin_;               ///< by tile
  std::vector<std::size_t> ends_;          ///< by tile and row of it, in the worker's list
};

}  // namespace lamella::software
