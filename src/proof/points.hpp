#pragma once

// Flags of points by exact arithmetic: contains() with Options::exact.

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
  MeshView mesh;        ///< in main memory; indices in range
  Aabb bounds;          ///< of its usable vertices
  std::span<const Vec3> points;
  const Aabb* box = nullptr;  ///< points outside it are left as they are
  /// The flags were made of samples on the lattice, in whole columns of the answer's grid: they hold in cells that the
  /// surface does not touch. Otherwise none is trusted.
  bool sampled = false;
};

/// Keeps its memory between calls: 8 bytes per vertex and triangle, 24 per point near the surface, and 4 for each pair
/// of a triangle and a column of cells with such points.
class ExactPoints {
 public:
  explicit ExactPoints(Workers& workers) : workers_(workers), scratch_(workers.count()) {}

  /// Replaces the flags that may be wrong, and counts again. `out` has the grid, the health and the flags of a sampled
  /// answer.
  void correct(const ExactQuery& query, Containment& out);

 private:
  struct Near {
    RayStart ray;
    std::uint32_t group;  ///< column and way
  };
  struct Worker {
    std::vector<Slabs> touched;
    std::vector<Near> near;
    std::vector<std::uint32_t> count;  ///< of a column: how many entries, then where the next goes
    RayCaster rays;
    std::int64_t inside = 0, unknown = 0;  ///< what was added to the answer's counts
  };

  void find_touched(MeshView mesh);
  void correct_some(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out);
  void find_near(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out);
  void sort_near();
  void count_entries(MeshView mesh);
  void list_entries(MeshView mesh, std::uint32_t first, std::uint32_t end);
  void cast_column(std::uint32_t column, Worker& worker, std::uint8_t* flags);
  static void set(std::uint8_t& flag, std::uint8_t to, Worker& worker);

  Workers& workers_;
  std::vector<Worker> scratch_;
  Blocks blocks_;
  bool any_open_ = false;
  std::vector<BoxCode> vertex_codes_, codes_;
  std::vector<Slabs> touched_;   ///< by column
  std::vector<Slabs> needed_;    ///< by column: slabs whose triangles rays can meet
  std::vector<RayStart> near_;   ///< by column, then by way
  std::vector<std::uint32_t> near_begin_;   ///< of each column and way, and the end
  std::vector<std::uint64_t> entry_begin_;  ///< of each column, and the end
  std::vector<std::uint32_t> entries_;      ///< triangles, by column
};

}  // namespace lamella::proof
