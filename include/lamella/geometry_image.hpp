#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Largest and smallest n of a geometry image: 3 x 3 to 8193 x 8193 vertices.
inline constexpr int kMinImageLevels = 1, kMaxImageLevels = 13;
/// Larger coordinates are refused: squares of distances must not overflow.
inline constexpr float kMaxImageCoordinate = 1e18f;

/// A surface as a square image whose pixels are vertices: (2^n + 1)^2 of them, row by row, (x, y) at y * side + x.
/// Gu, Gortler, Hoppe: "Geometry Images", 2002.
///
/// Between four neighbouring vertices lies a quad, quad(x, y) = y * 2^n + x, of two triangles along the diagonal from
/// (x, y) to (x + 1, y + 1): number 2 * quad is (x, y), (x + 1, y), (x + 1, y + 1); number 2 * quad + 1 is (x, y),
/// (x + 1, y + 1), (x, y + 1). Counter-clockwise seen from outside.
///
/// A closed surface is cut open to be mapped to the square: each vertex on the cut then appears on the image's border
/// two or more times, with the same coordinates, bit for bit.
struct GeometryImage {
  int n = 0;
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  ///< unit length, or zero where the surface has none; laid out like positions, or empty

  [[nodiscard]] std::uint32_t quads_per_side() const { return 1u << n; }
  [[nodiscard]] std::uint32_t side() const { return quads_per_side() + 1; }
  [[nodiscard]] std::size_t triangle_count() const { return std::size_t{2} << (2 * n); }
};

/// The corners of triangle `number`, as indices into positions.
[[nodiscard]] constexpr Triangle image_triangle(int n, std::uint32_t number) {
  const std::uint32_t quad = number >> 1, side = (1u << n) + 1;
  const std::uint32_t low = (quad >> n) * side + (quad & ((1u << n) - 1));
  if ((number & 1u) == 0) return {low, low + 1, low + side + 1};
  return {low, low + side + 1, low + side};
}

// ---- from arrays and formulas

/// An image of the caller's own array of side * side positions; n follows from the size. Throws Error when the size is
/// not (2^n + 1)^2 with n in range, or a coordinate is not finite or beyond kMaxImageCoordinate.
[[nodiscard]] LAMELLA_API GeometryImage image_from_positions(std::vector<Vec3> positions);

/// heights[y * side + x] over the rectangle `low` to `high` (x and y of both; z is not used). An open sheet, facing +z.
/// Throws Error as above.
[[nodiscard]] LAMELLA_API GeometryImage image_from_heights(std::span<const float> heights, Vec3 low, Vec3 high);

/// A sphere, mapped to the square as an octahedron. Closed for n >= 2 (with 3 x 3 vertices two quads share an edge
/// through the middle). The largest triangle is at most 1.6 times the mean area; a few are an eighth of it.
[[nodiscard]] LAMELLA_API GeometryImage image_of_sphere(int n, Vec3 center = {}, float radius = 1);

// ---- from meshes

struct MakeImageOptions {
  int n = 8;  ///< (2^n + 1)^2 vertices, for each component
  /// Paths that may be added to the cut, to places that would get too few samples. The few paths without which no valid
  /// map exists are not counted. 0 or more.
  int max_cuts = 40;
  unsigned threads = 0;  ///< 0: all cores this process may use; no more than 1,024 are used
  /// Called now and then, by the calling thread, with the steps done and the steps in all. `done` only rises, to
  /// `total` at the end; how long a step takes differs. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// How the image of one component turned out; lengths are in the mesh's units.
struct MakeImageReport {
  std::size_t triangle_count = 0;  ///< of the component
  int genus = 0;
  std::size_t cut_edge_count = 0;  ///< of the cut graph; each edge is on the image's border twice
  double cut_length = 0;
  int cut_path_count = 0;         ///< of the cut graph, from node to node
  std::size_t flipped_count = 0;  ///< triangles turned over in the map: 0, or some too thin for a sample to fall into
  double stretch = 0;             ///< L2 stretch of the map, 1 is best (Sander, Snyder, Gortler, Hoppe, 2001)
  double volume = 0;              ///< of the component
  double image_volume = 0;        ///< of the image as a mesh
  /// Largest distance of a mesh vertex, or of the middle of an image's quad, from the point on the other surface that
  /// the map assigns to it: an upper bound of both Hausdorff distances at these points.
  double map_distance = 0;
  /// Largest distance of a mesh vertex from the image.
  double distance = 0;
};

struct MadeImages {
  std::vector<GeometryImage> images;     ///< one per component of the mesh, largest area first
  std::vector<MakeImageReport> reports;  ///< one per image
};

/// Cuts every component open along a cut graph, maps it to the square and samples positions and normals on the grid.
///
/// Throws Error, with the place, when the mesh is empty, open, non-manifold at an edge or a vertex, inconsistently
/// wound or not finite. Throws Error when a component cannot be mapped at this size: closed surfaces need n >= 2, those
/// with many handles more. Throws Error before any work when all images together would have more than 2^28 vertices
/// (6.4 GB). Triangles without area are fine; an inside-out component stays inside out.
///
/// Where the cut is sampled coarsely the image may fold over itself a little along it. The images are still closed
/// after write_images and read_images: points of the cut that the file would round to the same position are moved apart
/// by a few of its steps, each 1 / 65535 of the box.
///
/// The same bits for any number of threads. A mesh of 100,000 triangles takes ten seconds on one core; memory is 1 KB a
/// triangle for each thread.
[[nodiscard]] LAMELLA_API MadeImages make_geometry_images(MeshView mesh, const MakeImageOptions& options = {});

// ---- images as meshes, their normals, checks

/// The image as a mesh, triangle for triangle. Vertices on the border that coincide become one vertex, so that a closed
/// surface becomes a closed mesh.
[[nodiscard]] LAMELLA_API Mesh to_mesh(const GeometryImage& image);

/// Computes image.normals: at each vertex the area-weighted mean of the triangles around it, also across the cut, where
/// vertices of the border coincide. For images that deformed or have no normals.
LAMELLA_API void compute_normals(GeometryImage& image);

/// Throws Error when the size is not that of n, n is out of range, or a coordinate is not finite or beyond
/// kMaxImageCoordinate.
LAMELLA_API void check(const GeometryImage& image);

}  // namespace lamella
