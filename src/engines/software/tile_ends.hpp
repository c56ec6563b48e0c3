#pragma once

// The ends of spans in tiles whose crossings have faces. For gradients, the walk of tile_walk.hpp looks for them where
// it finds a vector of spans, and they are added up by triangle (face_table.hpp): how many there are and the sums of
// their cells are all that counts. Where the place of each end is wanted, the crossings of columns with spans are
// looked through again, in the order of the spans.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "engines/software/end_kernels.hpp"
#include "engines/software/face_table.hpp"
#include "engines/software/record_list.hpp"
#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"
#include "engines/software/vertex_sums.hpp"
#include "query/gradient_sums.hpp"

namespace lamella::software {

/// Finds the ends of spans, and sums them up for gradients.
class TileEnds {
 public:
  explicit TileEnds(Workers& workers) : workers_(workers), scratch_(workers.count()) {}

  /// What the ends are for; once for each query. `sums`: a gradient, `vertices`: also for each vertex.
  void want(bool sums, bool vertices) {
    sums_ = sums;
    work_.weights = vertices;
  }
  /// Before the first view of a gradient: two meshes, or one.
  void start_vertices(std::span<const SampledMesh> meshes);
  /// Before a view is sampled.
  void start_view(std::span<const SampledMesh> meshes, const Grid& grid);
  /// Where the walk of a row puts the ends of its spans; null where no gradient is wanted.
  [[nodiscard]] FoundEnds* start_row(unsigned worker);
  /// After that walk: adds them up. Workers call it at the same time.
  void sum_up_row(std::span<Layers> sides, std::uint32_t row, unsigned worker);
  /// Appends the ends of one row's spans to `out`, in order.
  void find_places(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, unsigned worker,
                   RecordList<SpanEnds>& out);
  /// After the last row of a tile.
  void finish_tile(unsigned worker);
  /// Of all workers, after a view was sampled.
  [[nodiscard]] ViewSums view_sums() const;
  /// After the last view: vectors for the vertices of mesh 0 or 1.
  void write_vertices(unsigned mesh, const std::array<double, 3>& cell_areas, std::vector<Vec3>& out) {
    vertex_sums_[mesh].write(cell_areas, workers_, out);
  }

 private:
  struct Worker {
    std::vector<std::uint32_t> begin, end;  ///< of a row's spans, see RowEnds
    EndBatch places[kMostSides];
    FoundEnds found;
    FaceTable begins[kMostSides], ends[kMostSides];
    bool any_ends = false;  ///< in the tables
    FaceBatch faces;
    EndSums sums[kMostSides];
  };

  [[nodiscard]] SpanPlaces find_one(std::span<Layers> sides, std::uint32_t column, const Span& span, std::uint32_t u,
                                    std::uint32_t v) const;
  static void add_place(EndPlace place, std::uint32_t cell, SpanEnd* out, Worker& worker);
  void write_places(unsigned mesh, EndBatch& batch) const;
  void sum_up(unsigned mesh, int sign, std::span<const FoundEnd> found, std::uint32_t v, Worker& worker);
  void sum_up_list(unsigned mesh, int sign, Worker& worker);
  void fetch(unsigned mesh, std::span<const FaceEnds> ends, FaceBatch& batch) const;
  template <bool kShared>
  void add_to_vertices(unsigned mesh, int sign, std::span<const FaceEnds> ends, const FaceBatch& batch);

  Workers& workers_;
  FaceWork work_;      ///< with the grid of the view
  bool sums_ = false;  ///< a gradient is wanted, and of vertices where work_.weights
  MeshView meshes_[kMostSides];
  unsigned mesh_count_ = 0;
  std::vector<Worker> scratch_;
  VertexSums vertex_sums_[kMostSides];
};

/// A view of a gradient along an axis that the overlap itself is not sampled along: only the ends of its spans matter.
class ViewTiles : public TileConsumer {
 public:
  ViewTiles(Workers& workers, TileEnds& ends) : ends_(ends), spans_(workers.count()), inside_out_(workers.count()) {}

  void ask(const Grid& grid, float min_thickness, bool self) {
    grid_ = grid;
    thickness_ = min_thickness * grid.depth();
    self_ = self;
  }
  void start(const Tiling& tiling) override { tiling_ = tiling; }
  void begin_rows(std::uint32_t, std::uint32_t) override {}
  void take(std::size_t tile, std::span<Layers> sides, unsigned worker) override;
  void finish_rows(std::uint32_t, std::uint32_t) override {}

 private:
  TileEnds& ends_;
  Tiling tiling_;
  Grid grid_;
  float thickness_ = 0;
  bool self_ = false;
  std::vector<SpanList> spans_, inside_out_;  ///< by worker
};

}  // namespace lamella::software
