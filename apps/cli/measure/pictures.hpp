#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cli/measure/gradient_file.hpp"
#include "lamella/distance.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// How deep and how far, as pictures: ways as arrows, distances as lines, numbers as colours with a scale. `scene` has
// the picture's size, view and captions. Everything drawn is relative to one origin, which the caller has taken off.

/// The way out of an overlap.
struct WayOut {
  Vec3 from;         ///< in the overlap
  Vec3 translation;  ///< of the first mesh
};

/// The meshes, what they share in red, an arrow along the way out, and the first mesh where it then is, faintly. A way
/// too short to be seen is drawn longer, and the legend says by how much.
[[nodiscard]] picture::Image draw_way_out(MeshView a, MeshView b, const Mesh& shared, const WayOut& way,
                                          const std::array<std::string, 2>& names, picture::Picture scene,
                                          unsigned threads);

/// Where surfaces lie inside the other mesh, coloured by the length of the vertices' gradients, and arrows that sum up
/// the forces against them, of a few places. The rest of the meshes is glass.
[[nodiscard]] picture::Image draw_forces(std::span<const VertexGradients> meshes, std::span<const std::string> names,
                                         picture::Picture scene, unsigned threads);

/// The meshes, and for each patch a disk of its area and an arrow along its normal, as long as it is deep; longer where
/// that could not be seen. Patches are relative to the meshes' origin.
[[nodiscard]] picture::Image draw_patches(MeshView a, MeshView b, std::span<const ContactPatch> patches,
                                          const std::array<std::string, 2>& names, picture::Picture scene,
                                          unsigned threads);

/// The points of a distance, or one where they are the same, or none.
[[nodiscard]] std::vector<Vec3> nearest_points(const MeshDistance& answer, Vec3d origin);

/// The meshes, and a line between their nearest points.
[[nodiscard]] picture::Image draw_distance(MeshView a, MeshView b, std::span<const Vec3> nearest,
                                           const std::array<std::string, 2>& names, picture::Picture scene,
                                           unsigned threads);

/// Points coloured by their signed distance, and where they are few, lines to the nearest points of the mesh. Of more
/// than 20,000 points an even part is drawn, and a caption says so.
[[nodiscard]] picture::Image draw_closest(MeshView mesh, std::span<const Vec3> points, std::span<const Vec3> nearest,
                                          std::span<const double> distances, picture::Picture scene, unsigned threads);

}  // namespace lamella::cli
