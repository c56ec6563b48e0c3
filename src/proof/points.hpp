#pragma once

// Flags of points by exact arithmetic: contains() with Options::exact.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "proof/points_cells.hpp"
#include "proof/points_rays.hpp"

namespace lamella::proof {

/// What is asked. All is relative to one origin.
struct ExactQuery {
  MeshView mesh;  ///< in main memory; indices in range
  Aabb bounds;    ///< of its usable vertices
  std::span<const Vec3> points;
  const Aabb* box = nullptr;  ///< points outside it are left as they are
  /// The flags were made of samples on the lattice, in whole columns of the answer's grid: they hold in cells that the
  /// surface does not touch. Otherwise none is trusted.
  bool sampled = false;
};

/// Keeps its memory between calls: 8 bytes per vertex and triangle, about 60 per point near the surface, of 16 million
/// points at a time.
class ExactPoints {
 public:
  explicit ExactPoints(Workers& workers) : workers_(workers), scratch_(workers.count()) {}

  /// Replaces the flags that may be wrong, and counts again. `out` has the grid, the health and the flags of a sampled
  /// answer.
  void correct(const ExactQuery& query, Containment& out);

 private:
  static constexpr std::size_t kTriangleChunk = 8192;
  /// The numbers of triangles that rays may meet, in ascending order, for either way.
  struct Selected {
    std::vector<std::uint32_t> ids[2];
    std::size_t count[2] = {0, 0};
    [[nodiscard]] std::span<const std::uint32_t> of(int way) const { return std::span(ids[way]).first(count[way]); }
  };
  struct Worker {
    std::vector<Slabs> touched[4];  ///< several, so that a triangle does not wait for what the last one wrote
    std::vector<std::uint32_t> columns, slabs;
    Selected selected;
    std::vector<std::uint64_t> found;  ///< a bit for each point of a chunk
    std::vector<RayStart> near;
    std::int64_t inside = 0, unknown = 0;  ///< what was added to the answer's counts
  };

  void find_touched(MeshView mesh);
  void choose_ways();
  void find_near(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out);
  [[nodiscard]] RayStart start_ray(Vec3 p, std::uint32_t number, std::uint32_t column, std::uint32_t slab) const;
  void note_needed();
  void choose_bins();
  void sort_near();
  [[nodiscard]] std::uint8_t meets_large(MeshView mesh, std::size_t triangle) const;
  void select(MeshView mesh, std::size_t begin, std::size_t end, Selected& out) const;
  bool cast_rays(MeshView mesh);
  void take_hits(MeshView mesh, std::span<const BoxHit> hits);
  void cast_crowded(MeshView mesh);
  void correct_some(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out);
  static void set(std::uint8_t& flag, std::uint8_t to, Worker& worker);

  Workers& workers_;
  std::vector<Worker> scratch_;
  Blocks blocks_;
  bool any_open_ = false;
  bool huge_ = false;  ///< coordinates are: floats decide nothing
  std::vector<BoxCode> vertex_codes_, codes_, groups_;
  std::vector<Slabs> touched_;         ///< by column
  std::vector<std::uint32_t> unsafe_;  ///< the same in words: slabs in which flags are not trusted
  std::vector<std::uint8_t> split_;    ///< rays go down from slabs below this one, by column
  std::vector<Needed> needed_;         ///< by quarter, then by column

  // Points near the surface: those whose rays go up or both ways, by bin, then the others.
  BinnedPoints bins_[2]{};
  std::vector<std::uint32_t> bin_begin_, next_;
  std::vector<RayStart> near_;
  std::vector<float> at_[3];        ///< u, v, w of each
  std::vector<std::int32_t> sure_;  ///< windings of each, as far as floats decide
  std::vector<RayWinding> found_;   ///< the rest
};

}  // namespace lamella::proof
