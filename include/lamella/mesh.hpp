#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// Three vertex indices, counter-clockwise seen from outside the solid.
struct Triangle {
  std::uint32_t a = 0, b = 0, c = 0;

  [[nodiscard]] constexpr std::uint32_t operator[](int i) const { return i == 0 ? a : i == 1 ? b : c; }
  friend constexpr bool operator==(const Triangle&, const Triangle&) = default;
};
static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));

/// A mesh in the caller's own arrays; nothing is copied, so all must outlive every use of the view.
/// Sampling a mesh with an index beyond the positions throws Error.
///
/// Far from the origin floats are coarse: at 10^7 they are a whole unit apart. So positions may be relative to an
/// `origin`, or be given as doubles. Queries round them to floats relative to an origin that all meshes of the query
/// share, near what they have in common.
struct MeshView {
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
  Vec3d origin{};                 ///< what `positions` are relative to
  std::span<const Vec3d> wide{};  ///< positions as doubles, instead of `positions`, which is then empty

  [[nodiscard]] std::size_t vertex_count() const { return wide.empty() ? positions.size() : wide.size(); }
};

/// View of packed `xyz` floats (3 * vertex_count) and packed indices (3 * triangle_count).
inline MeshView make_view(const float* xyz, std::size_t vertex_count, const std::uint32_t* indices,
                          std::size_t triangle_count) {
  return {{reinterpret_cast<const Vec3*>(xyz), vertex_count},
          {reinterpret_cast<const Triangle*>(indices), triangle_count}};
}

/// The same of packed doubles.
inline MeshView make_view(const double* xyz, std::size_t vertex_count, const std::uint32_t* indices,
                          std::size_t triangle_count) {
  return {.positions = {},
          .triangles = {reinterpret_cast<const Triangle*>(indices), triangle_count},
          .wide = {reinterpret_cast<const Vec3d*>(xyz), vertex_count}};
}

/// A mesh that owns its arrays; converts to a view of them.
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  Vec3d origin{};  ///< what `positions` are relative to; read_mesh() sets it for files far from the origin
  /// The positions in doubles, before they were rounded to `positions`; also relative to `origin`. For exact_view();
  /// else empty. Made by readers (ReadOptions::keep_doubles) for files whose numbers floats cannot hold.
  std::vector<Vec3d> wide{};

  operator MeshView() const {  // NOLINT: a Mesh is usable wherever a view is
    return {.positions = positions, .triangles = triangles, .origin = origin};
  }
};

/// The mesh in doubles, if it has them and `positions` are still their roundings; else in floats, as the conversion.
/// Reads both arrays once.
[[nodiscard]] LAMELLA_API MeshView exact_view(const Mesh& mesh);

/// Box of all finite vertices, even those that no triangle uses, in the mesh's own frame: `origin` is not added, and
/// doubles are rounded. Empty when there are none. Reads the positions once.
[[nodiscard]] LAMELLA_API Aabb bounds(MeshView mesh);

/// Volume by the divergence theorem: above 0 for a closed mesh whose faces point outwards, meaningless for an open
/// mesh. Measured from the centre of the bounds, so that a mesh far from the origin loses no precision. Triangles with
/// a non-finite vertex are left out. Indices must be in range. Does not depend on the origin.
[[nodiscard]] LAMELLA_API double signed_volume(MeshView mesh);

/// A copy with every vertex placed by `pose`: computed in double, rounded once. The copy has an `origin` where floats
/// would lose more than 2^-20 of its size: when it is farther away than 16 times its size. in_world() removes it.
[[nodiscard]] LAMELLA_API Mesh transformed(MeshView mesh, const Transform& pose);

/// A copy whose positions are floats: those of a view of doubles are rounded relative to an origin near them.
[[nodiscard]] LAMELLA_API Mesh rounded(MeshView mesh);

/// Only the positions, relative to `origin`.
[[nodiscard]] LAMELLA_API std::vector<Vec3> placed_positions(MeshView mesh, const Transform& pose, Vec3d origin = {});

/// As transformed(), in the mesh's own memory. The mesh then has floats alone (no `wide`).
LAMELLA_API void transform(Mesh& mesh, const Transform& pose);

/// The same mesh with an origin of 0, for code that knows no origins. Rounds: far from 0, floats are coarse.
[[nodiscard]] LAMELLA_API Mesh in_world(Mesh mesh);

/// A mesh for each set of triangles that are connected through vertices with equal coordinates, in the order of their
/// first triangles; vertices that no triangle uses are in none. The surface of a cavity is a set of its own, inside
/// out. Meshes keep the origin; doubles are rounded relative to it, or to one near each mesh when they are far from it.
/// Throws Error when an index is out of range. O(n log n) time.
[[nodiscard]] LAMELLA_API std::vector<Mesh> split_components(MeshView mesh);

/// What is known about a mesh as a solid. "Edge" is an unordered pair of vertex indices.
struct MeshReport {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  /// Every edge has exactly two triangles that run along it in opposite directions, and no triangle repeats a vertex.
  bool closed = false;
  std::size_t boundary_edges = 0;        ///< edges of one triangle
  std::size_t nonmanifold_edges = 0;     ///< edges of three or more triangles
  std::size_t inconsistent_edges = 0;    ///< edges of two triangles that run along it in the same direction
  std::size_t degenerate_triangles = 0;  ///< zero area, or a repeated vertex
  std::size_t nonfinite_vertices = 0;    ///< NaN, infinite, or too large to compute with
  std::size_t components = 0;            ///< sets of triangles connected through shared edges
  /// Edges along which more triangles run one way than the other, as many times as they do, when vertices with equal
  /// coordinates count as one and triangles with an unusable vertex are left out. 0: the mesh bounds a solid, and every
  /// ray leaves it as often as it enters. Else queries close it (lamella/repair.hpp) or leave rays out, and say so.
  std::uint64_t open_edges = 0;
  std::uint64_t holes = 0;                  ///< loops of open edges
  std::uint64_t inside_out_components = 0;  ///< closed surfaces whose faces look inwards, and that are no cavities
  std::uint64_t cavities = 0;               ///< closed surfaces that look inwards and lie inside another
  std::uint64_t duplicate_faces = 0;        ///< surplus triangles: with the same three places as others
  double volume = 0;                        ///< signed, by the divergence theorem; meaningful when closed
  double area = 0;
  Vec3d origin{};  ///< what `bounds` and `defects` are relative to: the mesh's, or one near positions in doubles
  Aabb bounds;
  /// Midpoints of the first few defective edges (boundary, then non-manifold, then inconsistent): where to look.
  std::vector<Vec3> defects;
};

/// Throws Error when an index is out of range. n log n; about 120 bytes per triangle of scratch memory.
[[nodiscard]] LAMELLA_API MeshReport inspect(MeshView mesh);

}  // namespace lamella
