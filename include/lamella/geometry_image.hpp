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
/// Coordinates beyond this are refused: squares of distances must not overflow.
inline constexpr float kMaxImageCoordinate = 1e18f;

/// A surface as a square image whose pixels are vertices: (2^n + 1)^2 of them, row by row, (x, y) at y * side + x.
/// Gu, Gortler, Hoppe: "Geometry Images", 2002.
///
/// Between four neighbouring vertices lies a quad, quad(x, y) = y * 2^n + x, of two triangles along the diagonal from
/// (x, y) to (x + 1, y + 1): number 2 * quad is (x, y), (x + 1, y), (x + 1, y + 1); number 2 * quad + 1 is (x, y),
/// (x + 1, y + 1), (x, y + 1). Counter-clockwise seen from outside.
///
/// A closed surface is cut open to lie in the square: the vertices on the image's border then come in copies with
/// equal coordinates, bit for bit.
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

// ---- from what already has the shape of an image

/// An image of the caller's own array of side * side positions; n follows from the size. Throws Error when the size is
/// not (2^n + 1)^2 with n in range, or a coordinate is not finite.
[[nodiscard]] LAMELLA_API GeometryImage image_from_positions(std::vector<Vec3> positions);

/// heights[y * side + x] over the rectangle `low` to `high` (x and y of both; z is not used). An open sheet, facing +z.
/// Throws Error as above.
[[nodiscard]] LAMELLA_API GeometryImage image_from_heights(std::span<const float> heights, Vec3 low, Vec3 high);

/// A sphere unfolded onto the square as an octahedron. Closed from n = 2 on (3 x 3 vertices are too few: as a mesh two
/// of its quads share an edge through the middle). Triangles are at most 1.6 times the mean size; a few are an eighth
/// of it.
[[nodiscard]] LAMELLA_API GeometryImage image_of_sphere(int n, Vec3 center = {}, float radius = 1);

// ---- from meshes

struct MakeImageOptions {
  int n = 8;             ///< (2^n + 1)^2 vertices, for each component
  int max_cuts = 40;     ///< paths by which the cut may be extended into places that would get too few samples; the few
                         ///< without which there is no valid map come on top
  unsigned threads = 0;  ///< 0: as many as there are cores
  /// Called now and then with steps done and steps in all; both may change as work is found. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// What making an image of one component found; lengths are in the mesh's units.
struct MakeImageReport {
  std::size_t triangles = 0;  ///< of the component
  int genus = 0;
  std::size_t cut_edges = 0;  ///< of the cut graph, each of which lies on the border twice
  double cut_length = 0;
  int cut_paths = 0;        ///< between its nodes
  std::size_t flipped = 0;  ///< triangles of the map that are turned over or have no area: 0, or there is no image
  double stretch = 0;       ///< L2 stretch of the map, 1 is best (Sander, Snyder, Gortler, Hoppe, 2001)
  double volume = 0;        ///< of the component
  double image_volume = 0;  ///< of the image as a mesh
  /// The furthest that a vertex of the mesh, or the middle of an image's quad, is from the point of the other surface
  /// that the map gives it: an upper bound of both Hausdorff distances at these points.
  double map_distance = 0;
  /// The furthest that a vertex of the mesh is from the image.
  double distance = 0;
};

struct MadeImages {
  std::vector<GeometryImage> images;     ///< one per component of the mesh, largest area first
  std::vector<MakeImageReport> reports;  ///< of each
};

/// Cuts every component open along a cut graph, maps it to the square and samples it on the grid, normals too.
/// Throws Error when the mesh is empty, open, non-manifold at an edge or a vertex, inconsistently wound or not finite,
/// saying where; and when a component cannot be mapped at this size: closed surfaces take n of 2 at least, those with
/// many handles more; and, before any work, when the images of all components would have more than 2^28 vertices in
/// all, 6.4 GB. Triangles without area are fine, and a component that is inside out stays so. Where the cut is sampled
/// coarsely the image may fold over itself a little along it.
/// Closed in a file of write_images, too: points of the cut that it would round to one place are moved apart by some of
/// its steps, each 1 / 65535 of the box.
/// The same bits for any number of threads. Ten seconds on one core and 1 KB a triangle, that much for each thread, for
/// a mesh of 100,000 triangles.
[[nodiscard]] LAMELLA_API MadeImages make_geometry_images(MeshView mesh, const MakeImageOptions& options = {});

// ---- back

/// The image as a mesh, triangle for triangle. Vertices on the border that coincide are one vertex, so that a closed
/// surface is a closed mesh.
[[nodiscard]] LAMELLA_API Mesh to_mesh(const GeometryImage& image);

/// Writes unit normals into image.normals, the mean of the triangles about a vertex weighted by area; across the cut,
/// too, wherever vertices of the border coincide. For images that deformed or came without.
LAMELLA_API void compute_normals(GeometryImage& image);

/// Throws Error when the size is not that of n, n is out of range, or a coordinate is not finite or beyond
/// kMaxImageCoordinate.
LAMELLA_API void check(const GeometryImage& image);

}  // namespace lamella
