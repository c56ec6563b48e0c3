#include "stream/stream_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lamella/error.hpp"

namespace lamella::stream {
namespace {

using software::TileBlock;
using software::Tiling;

/// The most tiles of a tiling whose rows are cut into pieces.
constexpr std::size_t kMostTiles = std::size_t{1} << 18;
/// What a worker needs for each tile and mesh: a block of crossings, and counts.
constexpr std::uint64_t kPerTile = 2048 + 64;

void count_tiles(Tiling& t) {
  t.across = (t.columns + t.width() - 1) >> t.shift_u;
  t.down = (t.rows + t.height() - 1) >> t.shift_v;
}

/// Halves tiles until they have no more columns than this.
void limit_columns(Tiling& t, std::size_t most) {
  while (t.shift_u + t.shift_v > 0 &&
         std::min<std::size_t>(t.columns, t.width()) * std::min<std::size_t>(t.rows, t.height()) > most)
    --(t.shift_u > t.shift_v ? t.shift_u : t.shift_v);
  count_tiles(t);
}

}  // namespace

StreamSampler::StreamSampler(const Limits& limits, const Options& options, PassCounter& passes)
    : limits_(limits),
      tiles_(options.threads, std::min(options.max_crossings, limits.tile_crossings), false),
      reader_(limits, tiles_.workers(), passes),
      survivors_(limits, tiles_.workers()) {}

void StreamSampler::start(std::span<const PlacedSource* const> meshes, const Grid& grid, std::uint64_t room) {
  meshes_.assign(meshes.begin(), meshes.end());
  grid_ = grid;
  survivors_.clear();
  survivors_.set_room(room);
  costs_.start(grid.rows);
  all_kept_ = true;
  for (unsigned side = 0; side < meshes_.size(); ++side)
    all_kept_ = survivors_.scan(reader_, *meshes_[side], side, grid, facts_[side], costs_) && all_kept_;
  costs_.sum_up();
  choose_blocks();
  if (all_kept_) reader_.release();
}

/// Of these rows of tiles.
std::uint64_t StreamSampler::bytes_of_rows(std::uint32_t first, std::uint32_t end) {
  const Window cells = TileBlock{first, end, 0, tiling_.across}.cells(tiling_);
  const std::uint64_t tiles = std::uint64_t{end - first} * tiling_.across;
  // Blocks of crossings are of one size: of few crossings, most of them is air.
  const std::uint64_t air = tiles * kPerTile * workers().count() * meshes_.size();
  return costs_.of(cells.first_v, cells.end_v) + std::min(air, survivors_.room() / 4);
}

/// Tiles that are as high as there is room for, then strips of as many rows of them as there is room for.
void StreamSampler::choose_blocks() {
  tiling_ = software::choose_tiling(grid_, tiles_.workers().count());
  limit_columns(tiling_, limits_.tile_columns);
  blocks_.clear();
  further_ = 0;
  if (all_kept_) {
    blocks_.push_back({0, tiling_.down, 0, tiling_.across});
    return;
  }
  const auto highest = [&] {
    std::uint64_t most = 0;
    for (std::uint32_t row = 0; row < tiling_.down; ++row) most = std::max(most, bytes_of_rows(row, row + 1));
    return most;
  };
  while (tiling_.shift_v > 0 && highest() > survivors_.room()) {
    --tiling_.shift_v;
    count_tiles(tiling_);
  }
  if (highest() > survivors_.room())  // rows are cut, so tiles must be narrow
    while (tiling_.shift_u > 0 && 2 * tiling_.count() <= kMostTiles) {
      --tiling_.shift_u;
      count_tiles(tiling_);
    }
  for (std::uint32_t row = 0; row < tiling_.down;) {
    std::uint32_t end = row + 1;
    while (end < tiling_.down && bytes_of_rows(row, end + 1) <= survivors_.room()) ++end;
    blocks_.push_back({row, end, 0, tiling_.across});
    row = end;
  }
}

void StreamSampler::run(std::span<const unsigned> sides, software::TileConsumer& consumer) {
  for (const unsigned side : sides) skipped_[side] = static_cast<std::uint32_t>(facts_[side].broken);
  consumer_ms_ = 0;
  further_ = 0;
  consumer.start(tiling_);
  for (const TileBlock& block : blocks_) run_block(block, sides, consumer);
}

void StreamSampler::run_block(const TileBlock& block, std::span<const unsigned> sides,
                              software::TileConsumer& consumer) {
  if (!all_kept_) {
    try {
      survivors_.clear();
      for (const unsigned side : sides) survivors_.collect(reader_, *meshes_[side], side, grid_, block.cells(tiling_));
    } catch (const TooManySurvivors&) {
      // Strips were chosen to fit; only those of one row can be too large.
      if (block.end_across - block.first_across == 1) fail_room(block, sides);
      const std::uint32_t middle = block.first_across + (block.end_across - block.first_across) / 2;
      ++further_;
      run_block({block.first_row, block.end_row, block.first_across, middle}, sides, consumer);
      run_block({block.first_row, block.end_row, middle, block.end_across}, sides, consumer);
      return;
    }
  }
  sample(block, sides, consumer);
}

void StreamSampler::sample(const TileBlock& block, std::span<const unsigned> sides, software::TileConsumer& consumer) {
  most_triangles_ = std::max(most_triangles_, survivors_.count());
  most_bytes_ = std::max(most_bytes_, survivors_.bytes());
  sampled_.clear();
  std::vector<unsigned> side_of;
  for (unsigned i = 0; i < sides.size(); ++i) {
    survivors_.append_meshes(sides[i], i, grid_, sampled_);
    side_of.resize(sampled_.size(), sides[i]);
  }
  try {
    tiles_.sample_block(sampled_, grid_, tiling_, block, consumer);
  } catch (const Error& error) {
    throw Error(fmt::format("{}; within a limit of memory, allow more of it", error.what()));
  }
  consumer_ms_ += tiles_.consumer_ms();
  for (std::size_t i = 0; i < sampled_.size(); ++i) skipped_[side_of[i]] += tiles_.skipped(i);
}

void StreamSampler::fail_room(const TileBlock& block, std::span<const unsigned> sides) {
  std::uint64_t bytes = 0;
  for (const unsigned side : sides) bytes += survivors_.measure(reader_, *meshes_[side], grid_, block.cells(tiling_));
  const std::uint64_t had = limits_.fixed_bytes + limits_.bytes, more = bytes - survivors_.room();
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  throw Error(fmt::format(
      "a memory of {} bytes is too little: the triangles over a few columns take {} bytes more; allow {}M or more", had,
      more, (had + 2 * more + kMiB - 1) / kMiB));
}

}  // namespace lamella::stream
