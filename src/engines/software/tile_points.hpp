#pragma once

// Points in a mesh, tile by tile: no LDI is made, and columns are not sorted for it.

#include <span>
#include <vector>

#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"

namespace lamella::software {

class PointTiles : public TileConsumer {
 public:
  explicit PointTiles(Workers& workers)
      : workers_(workers), counts_(workers.count()), flags_(workers.count()), of_tile_(workers.count()) {}

  /// Once for each query, before the mesh is sampled. `mesh_box`: as in ColumnsView. `out` gets its grid, flags, counts
  /// and health, except for skipped triangles, from finish(). Its flags must be 0.
  void ask(const Grid& grid, std::span<const Vec3> points, const Aabb* mesh_box, Containment& out);
  void finish();

  void start(const Tiling& tiling) override;
  void begin_rows(std::uint32_t, std::uint32_t) override {}
  void take(std::size_t tile, std::span<Layers> sides, unsigned worker) override;
  void finish_rows(std::uint32_t, std::uint32_t) override {}

 private:
  struct Counts {
    ColumnCounts columns;
    std::uint64_t inside = 0, untrusted = 0;
  };
  void sort_points();
  void flag(Layers& layers, std::span<const Vec3> points, std::uint8_t* flags, Counts& counts) const;

  Workers& workers_;
  Tiling tiling_;
  Grid grid_;
  const Aabb* mesh_box_ = nullptr;
  std::span<const Vec3> points_;
  Containment* out_ = nullptr;
  std::vector<Counts> counts_;                    ///< by worker
  std::vector<std::vector<std::uint8_t>> flags_;  ///< of a tile's points, by worker

  // Points by tile, where there are several.
  std::vector<std::uint32_t> tiles_;                 ///< of each point
  std::vector<std::vector<std::uint32_t>> of_tile_;  ///< by part of the points
  std::vector<std::size_t> begin_;
  std::vector<Vec3> sorted_;
  std::vector<std::uint32_t> number_;  ///< of each sorted point
};

}  // namespace lamella::software
