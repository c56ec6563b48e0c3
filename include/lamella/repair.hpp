#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Whether the mesh bounds a solid: along every edge as many triangles run one way as the other. Every ray then leaves
/// it as often as it enters. Vertices with equal coordinates count as one, so triangles need not share indices, and
/// parts may touch in an edge; `MeshReport::closed` asks for more than this. Triangles with an unusable vertex (NaN,
/// infinite, too large) are left out, as in queries. Linear time; 16 bytes per vertex. Wrong with a probability of
/// about 2^-60. Indices must be in range.
[[nodiscard]] LAMELLA_API bool is_closed(MeshView mesh);

/// Triangles that close a mesh, found once for its connectivity: the vertices may move afterwards.
///
/// The edges along which more triangles run one way than the other form loops, the rims of the holes. A loop of three
/// edges gets one triangle, a longer one a fan of triangles around a point in its middle. Edges that are unmatched
/// several times belong to as many loops. Together with these triangles any mesh is closed, whatever it looks like.
struct LAMELLA_API Closure {
  static constexpr std::uint32_t kNoPoint = 0xffffffffu;
  /// One loop of edges.
  struct Rim {
    std::uint32_t first = 0;         ///< of its triangles, in `fans`
    std::uint32_t triangles = 0;     ///< as many as it has edges, or one for a loop of three edges
    std::uint32_t point = kNoPoint;  ///< the fan's point, counted from 0; kNoPoint: it has none
    [[nodiscard]] std::uint32_t edges() const { return point == kNoPoint ? 3 : triangles; }
  };

  /// They name the mesh's own vertices, and fan points from `vertex_count` on.
  std::vector<Triangle> fans;
  std::vector<Rim> rims;
  std::size_t vertex_count = 0;  ///< of the mesh
  std::size_t point_count = 0;   ///< fan points
  std::uint64_t edge_count = 0;  ///< of all rims

  /// Whether the mesh was closed already.
  [[nodiscard]] bool empty() const { return rims.empty(); }
  /// Writes the fan points for positions of the mesh's vertices, in order: each is the centre of its rim, by length.
  /// `to` has room for point_count. No allocation.
  void place_points(std::span<const Vec3> positions, Vec3* to) const;
};

/// Throws Error when an index is out of range. For a mesh that is closed this takes as long as is_closed(); for others
/// it makes a table of their edges, about 40 bytes per triangle. Uses one thread.
[[nodiscard]] LAMELLA_API Closure find_closure(MeshView mesh);

/// The mesh with its holes closed: its vertices, then the fan points; its triangles, then the fans. Positions in
/// doubles become floats relative to an origin near them.
[[nodiscard]] LAMELLA_API Mesh closed(MeshView mesh, const Closure& closure);

/// How much was closed, for positions of the mesh's vertices.
struct ClosureFacts {
  std::uint64_t edges = 0;
  double fan_area = 0;
  double rim_box_volume = 0;  ///< the sum of rim_box() over all rims
};
[[nodiscard]] LAMELLA_API ClosureFacts closure_facts(const Closure& closure, std::span<const Vec3> positions);

/// A box around each rim, in order: what a hole's true surface probably does not leave. Each of its sides is at least
/// as long as the second longest, so that a flat rim has room for a bulge as deep as it is wide. Empty for a rim with a
/// vertex that is not finite.
[[nodiscard]] LAMELLA_API std::vector<Aabb> rim_boxes(const Closure& closure, std::span<const Vec3> positions);

/// Which repairs to make; all by default.
struct RepairOptions {
  bool weld = true;             ///< vertices at the same place become one
  float weld_distance = 0;      ///< how far apart they may be; 0: exactly the same coordinates. 0 or more, finite
  bool drop_degenerate = true;  ///< faces that name a vertex twice (once welded)
  /// Faces with the same three vertices: of several that look the same way one is kept, and two that look opposite
  /// ways cancel. A closed surface all of whose faces are there both ways keeps one of each.
  bool drop_doubled = true;
  bool orient = true;  ///< neighbours look the same way, and shells outwards, except for cavities
  bool close = true;   ///< holes are closed by fans (Closure)
};

/// What repair() did, and what it could not do.
struct RepairReport {
  std::uint64_t unusable_faces = 0;    ///< removed: a vertex that is not finite or too large
  std::uint64_t welded_vertices = 0;   ///< that became part of another
  std::uint64_t unused_vertices = 0;   ///< removed: no face names them
  std::uint64_t degenerate_faces = 0;  ///< removed
  std::uint64_t doubled_faces = 0;     ///< removed: others of the same three vertices stay, or all cancel
  std::uint64_t turned_faces = 0;      ///< to look the same way as their neighbours
  std::uint64_t turned_shells = 0;     ///< connected parts that were inside out
  std::uint64_t shells = 0;            ///< connected parts
  std::uint64_t cavities = 0;          ///< shells that look inwards and lie inside another: kept
  std::uint64_t closed_holes = 0;
  std::uint64_t closed_edges = 0;
  double fan_area = 0;
  // What remains.
  std::uint64_t one_sided_patches = 0;  ///< parts such as a Moebius strip, whose faces cannot all look the same way
  std::uint64_t unjudged_shells = 0;    ///< too many to find out which ones lie inside others: turned if inside out
  std::uint64_t open_edges = 0;         ///< without RepairOptions::close

  /// Whether the mesh was changed at all.
  [[nodiscard]] bool changed() const {
    return unusable_faces + welded_vertices + unused_vertices + degenerate_faces + doubled_faces + turned_faces +
               turned_shells + closed_holes !=
           0;
  }
};

inline constexpr std::uint32_t kNoVertex = 0xffffffffu;

struct RepairResult {
  Mesh mesh;
  RepairReport report;
  /// For each vertex of the given mesh its index in the new one, or kNoVertex when it was removed. Vertices are
  /// renumbered; those of the given mesh keep their order, and fan points come last.
  std::vector<std::uint32_t> vertex_map;
};

/// Makes a mesh that bounds a solid out of one that is not clean. Throws Error when an index is out of range or an
/// option is not usable; bad geometry is no error. n log n; about 150 bytes per triangle. Faces without area that have
/// three different vertices stay: they hold their neighbours together.
[[nodiscard]] LAMELLA_API RepairResult repair(MeshView mesh, const RepairOptions& options = {});

}  // namespace lamella
