#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "engines/software/kernels.hpp"

namespace lamella::software {

/// One of the meshes that are sampled together.
struct SampledMesh {
  MeshView mesh;
  Window window;                 ///< of the grid; cells outside it get no crossings of this mesh
  std::uint32_t first_face = 0;  ///< number of its first triangle, where faces are kept
  unsigned side = 0;             ///< which of a tile's Layers get its crossings
};

/// The most sides: the two meshes of a pair.
inline constexpr unsigned kMostSides = 2;

/// What is done with each tile once all crossings are in it.
class TileConsumer {
 public:
  virtual ~TileConsumer() = default;
  /// Before the first tile.
  virtual void start(const Tiling& tiling) = 0;
  /// Before the tiles of some rows of tiles, `first` to before `end`. All of them are done before the next rows begin.
  virtual void begin_rows(std::uint32_t first, std::uint32_t end) = 0;
  /// The tile's crossings, not sorted; only tiles that triangles may touch. Workers call it at the same time, in any
  /// order of tiles.
  virtual void take(std::size_t tile, std::span<Layers> sides, unsigned worker) = 0;
  virtual void finish_rows(std::uint32_t first, std::uint32_t end) = 0;
};

/// Some tiles of a tiling, half-open: whole rows of tiles, or a part of one row.
struct TileBlock {
  std::uint32_t first_row = 0, end_row = 0;        ///< of tiles
  std::uint32_t first_across = 0, end_across = 0;  ///< in each of these rows

  [[nodiscard]] std::size_t count() const { return std::size_t{end_row - first_row} * (end_across - first_across); }
  /// The cells that they have.
  [[nodiscard]] Window cells(const Tiling& tiling) const;
};

/// Rasterises meshes onto a grid, tile by tile. Keeps its memory between calls: 4 bytes per vertex, 8 per triangle that
/// may cover a sample and tile that it may touch, and one tile for each worker.
class TileSampler {
 public:
  /// `max_crossings`: of one tile.
  TileSampler(unsigned threads, std::uint64_t max_crossings, bool faces);
  ~TileSampler();

  [[nodiscard]] Workers& workers() { return workers_; }
  /// Whether tiles have faces, from the next sample() on.
  void keep_faces(bool faces) { faces_ = faces; }

  /// Throws Error for an index out of range or more crossings than allowed. The windows must lie in the grid.
  void sample(std::span<const SampledMesh> meshes, const Grid& grid, TileConsumer& consumer);
  /// The same for some tiles of the caller's tiling, of meshes of which no more than what touches these tiles need be
  /// there; the windows must be the whole grid. The consumer must have been started, and blocks must come in the order
  /// of the image: a row of tiles begins with its first tile, and is finished after its last.
  void sample_block(std::span<const SampledMesh> meshes, const Grid& grid, const Tiling& tiling, const TileBlock& block,
                    TileConsumer& consumer);
  /// Of the last sample(): the wall time of the consumer's part, which is shared out among the workers.
  [[nodiscard]] double consumer_ms() const;
  /// Triangles that the last sample() left out of mesh `i`: NaN, infinite, or too far away for the lattice.
  [[nodiscard]] std::uint32_t skipped(std::size_t i) const { return static_cast<std::uint32_t>(jobs_[i].skipped); }

 private:
  struct Worker;
  /// State of a mesh while it is sampled.
  struct Job {
    MeshView mesh;
    RasterTarget target;
    std::uint32_t first_face = 0;
    unsigned side = 0;
    std::size_t first_code = 0;
    std::size_t unusable = 0;  ///< vertices
    std::uint64_t skipped = 0;
  };
  /// Vertices or triangles of one mesh.
  struct Chunk {
    std::uint32_t job;
    std::size_t begin, end;
  };
  struct Entry {
    std::uint32_t job, id;
  };
  /// A triangle that may touch so many tiles that each tile looks for itself: tiles [first, end).
  struct WideTriangle {
    std::uint32_t job, id;
    std::uint16_t first_u, end_u, first_v, end_v;
  };

  void plan(std::span<const SampledMesh> meshes, const Grid& grid, const Tiling& tiling);
  void sort_into_tiles();
  void run_rows(std::uint32_t first_row, std::uint32_t end_row, TileConsumer& consumer);
  void reset_workers();
  void encode_vertices(const Chunk& chunk);
  std::span<std::uint32_t> cull_triangles(const Chunk& chunk, Worker& w);
  [[nodiscard]] static bool scattered(const Job& job);
  void bin_chunk(const Chunk& chunk, Worker& w);
  void bin_triangles(std::uint32_t job, std::span<const std::uint32_t> ids, Worker& w);
  void sort_bins();
  void start_tile(std::size_t tile, Worker& w);
  void rasterize_ids(std::uint32_t job, std::span<const std::uint32_t> ids, Worker& w);
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> first_cell(const Job& job, const Triangle& t) const;
  void rasterize_left(Job& job, std::span<const std::uint32_t> ids, Layers& out);
  void rasterize_tile(std::size_t tile, Worker& w);
  void finish_tile(std::size_t tile, Worker& w, unsigned number, TileConsumer& consumer);
  void finish_rows(std::uint32_t first, std::uint32_t end, TileConsumer& consumer);
  [[nodiscard]] bool may_touch(std::size_t tile) const;
  [[nodiscard]] std::span<const CellCode> codes_of(const Job& job) const;

  Workers workers_;
  std::uint64_t max_crossings_;
  bool faces_;
  unsigned sides_ = 1;
  Tiling tiling_;
  TileBlock block_;  ///< tiles that are sampled
  Window cells_;     ///< of these
  std::vector<Worker> scratch_;
  std::vector<Job> jobs_;
  std::vector<Chunk> vertex_chunks_, triangle_chunks_;
  std::vector<CellCode> codes_;
  std::vector<std::size_t> bin_begin_;  ///< of each tile's entries, and the end
  std::vector<Entry> entries_;          ///< by tile
  std::vector<WideTriangle> wide_;
  double finishing_ms_ = 0;  ///< in TileConsumer::finish_rows
};

}  // namespace lamella::software
