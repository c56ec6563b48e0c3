#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "lamella/gradient.hpp"
#include "lamella/mesh.hpp"

namespace lamella::cli {

/// A mesh, and how a volume changes when each of its vertices moves.
struct VertexGradients {
  MeshView mesh;
  std::span<const Vec3> gradients;  ///< as many as the mesh has vertices
};

/// --gradient OUT.ply.
void add_gradient_option(const Command& command, std::filesystem::path& path);

/// Writes all meshes into one binary PLY file, one after the other. Vertices have their gradient (gx, gy, gz), its
/// length (quality, the scalar that MeshLab shows), a colour for it (red, green, blue), and the number of their mesh
/// (mesh). The file appears complete or not at all. Throws Error for a vertex that is not finite.
void write_gradients(const std::filesystem::path& path, std::span<const VertexGradients> meshes);

/// The length of the longest gradient but for the longest few: one needle must not take all colours.
[[nodiscard]] float usual_longest(std::span<const VertexGradients> meshes);

/// Rigid motions and inner surfaces for people, as lines on stdout; `names` of one mesh or of two.
void print_gradient(const GradientSums& sums, std::span<const std::string> names);

}  // namespace lamella::cli
