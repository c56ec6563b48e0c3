#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// Some triangles of a mesh, with the vertices they use numbered anew.
struct MeshSubset {
  std::vector<std::uint32_t> vertices;  ///< their numbers in the mesh, in order of first use
  std::vector<Triangle> triangles;
};

/// One subset for each of `count` parts; `part_of` has the part of every triangle. Indices must be below `vertices`.
/// Linear time; 8 bytes of scratch memory for each vertex.
[[nodiscard]] std::vector<MeshSubset> subsets_of(std::span<const Triangle> triangles, std::size_t vertices,
                                                 std::span<const std::uint32_t> part_of, std::size_t count);

/// The subset's positions out of all of the mesh: Vec3 or Vec3d.
template <class Point>
[[nodiscard]] std::vector<Point> gather(std::span<const Point> positions, std::span<const std::uint32_t> vertices) {
  std::vector<Point> out;
  out.reserve(vertices.size());
  for (const std::uint32_t v : vertices) out.push_back(positions[v]);
  return out;
}

/// Numbers of the sets of triangles that are connected through vertices with equal coordinates, in the order of their
/// first triangles.
struct Components {
  std::vector<std::uint32_t> of_triangle;
  std::size_t count = 0;
};
/// Indices must be in range. 8 bytes of scratch memory for each vertex.
[[nodiscard]] Components components_of(MeshView mesh);

struct RoundingOptions {
  bool keep = false;    ///< the mesh also has the doubles (Mesh::wide), unless its floats are exact
  bool floats = false;  ///< whoever made the positions had them in floats: where these are exact, nothing is gained
};

/// A mesh of doubles, rounded to floats. It gets an origin when it is far from 0 and floats without one would not be
/// exact; with `keep` also where they are, for whoever asks how far floats may be off goes by their size, and relative
/// to an origin they are small.
[[nodiscard]] Mesh rounded(std::span<const Vec3d> positions, std::vector<Triangle> triangles,
                           const RoundingOptions& options = {});

}  // namespace lamella
