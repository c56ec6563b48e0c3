#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "lamella/timings.hpp"

namespace lamella {

/// The most cells of a solid's lattice along an axis.
inline constexpr std::uint32_t kMaxSolidResolution = 1024;

/// How a solid is made. It is always sampled on the CPU, as the engine `software` does.
struct SolidOptions {
  /// Cells along each axis of the overlap's own box, 1 to kMaxSolidResolution. Time and memory grow with its square,
  /// except for three bits of memory for each cell.
  std::uint32_t resolution = 64;
  unsigned threads = 0;                                  ///< 0: all cores this process may use; at most kMaxThreads
  std::uint64_t max_crossings = std::uint64_t{1} << 28;  ///< of both meshes along one axis; with more, Error is thrown
  bool close_holes = true;                               ///< as Options::close_holes
};

/// A shared volume as one closed surface of triangles, for drawing and for export. Smooth where the meshes are smooth,
/// sharp where their surfaces meet and where they have edges themselves.
struct OverlapSolid {
  /// Closed and manifold by its indices: every edge has two triangles, which run along it in opposite directions; faces
  /// point outwards. Triangles may have no area, and sheets closer to each other than a cell may touch. Positions are
  /// relative to Mesh::origin. Empty when nothing overlaps, or when all of it is thinner than a cell.
  Mesh mesh;
  /// Three for each triangle, in the order of its corners: unit vectors that point outwards, taken from the meshes'
  /// faces. Corners at one vertex differ where an edge is sharp; drawn() turns them into arrays for renderers.
  std::vector<Vec3> normals;
  /// For each triangle: 0 where it is the surface of the first mesh, 1 of the second. Of self-overlaps all are 0.
  std::vector<std::uint8_t> side;

  Aabb box;  ///< of the lattice, relative to Mesh::origin; empty when no ray met an overlap
  std::array<std::uint32_t, 3> points{};  ///< of the lattice along x, y and z

  /// By the rays along the shallowest axis of the box: span lengths times the area of a cell. signed_volume(mesh)
  /// differs from it by what is missed and filled, and by what lies between rays.
  double volume = 0;
  /// The volume that is too thin for the lattice: spans without a lattice point in them, along the one of the three
  /// axes with the most. The mesh lacks most of it; only spans (intersect()) show it. There is a little at every sharp
  /// edge; if it is 1 % of `volume` or more, look at the spans.
  double missed_volume = 0;
  /// The volume of gaps that are too thin for the lattice: the mesh fills them.
  double filled_volume = 0;
  /// Of the rays along all three axes, columns added up. One that does not close is left out; a point in it is inside
  /// where both other rays say so.
  Health health;
  Timings ms;  ///< `voi`: until the box is known; `ldi`: sampling; `query`: the surface

  [[nodiscard]] bool empty() const { return mesh.triangles.empty(); }
};

/// The shared volume of two meshes. Throws Error for an index out of range or options out of range; bad geometry does
/// not throw, see OverlapSolid::health. The same bits for any number of threads and on any machine.
///
/// An overlap that is small beside the meshes' common box is looked at twice, so that the cells are those of its own
/// box. What no ray of a first grid of 128 columns and rows (or `resolution`, if that is more) meets is not found, as
/// with intersect().
[[nodiscard]] LAMELLA_API OverlapSolid overlap_solid(MeshView a, MeshView b, const SolidOptions& options = {});

/// The volume that a mesh covers more than once, in the same form.
[[nodiscard]] LAMELLA_API OverlapSolid self_overlap_solid(MeshView mesh, const SolidOptions& options = {});

/// A surface as renderers want it: a normal for each vertex. Vertices are doubled where an edge is sharp or sides meet,
/// so it is closed by its positions, but no longer by its indices.
struct DrawnSolid {
  std::vector<Vec3> positions;      ///< relative to `origin`
  std::vector<Vec3> normals;        ///< one for each position
  std::vector<std::uint8_t> side;   ///< one for each position: that of its triangles
  std::vector<Triangle> triangles;  ///< those of the solid, in the same order
  Vec3d origin{};
};

[[nodiscard]] LAMELLA_API DrawnSolid drawn(const OverlapSolid& solid);

}  // namespace lamella
