#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// A surface of rings of points, joined like a torus. It is computed ring by ring, so that a mesh of any size can be
/// written without being in memory.
struct RingSurface {
  std::size_t rings = 0;
  std::size_t points = 0;  ///< of a ring
  /// Writes the points of a ring.
  std::function<void(std::size_t ring, std::span<Vec3d> out)> place;

  [[nodiscard]] std::uint64_t vertex_count() const { return std::uint64_t{rings} * points; }
  [[nodiscard]] std::uint64_t triangle_count() const { return 2 * vertex_count(); }
};

// As the models of the same names in models.hpp.
[[nodiscard]] RingSurface torus_surface(std::size_t faces, float ring_radius = 1, float tube_radius = 0.35f);
[[nodiscard]] RingSurface knot_surface(std::size_t faces, float tube_radius = 0.25f, int p = 2, int q = 3);

[[nodiscard]] Mesh make_mesh(const RingSurface& surface);

/// Called now and then with the vertices and triangles that are written, and their number in all.
using RingProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Writes the bytes of write_mesh(path, make_mesh(surface)) in the memory of three rings: 12 bytes a vertex, 13 a
/// triangle. Returns the box. Throws Error, also for more than 2^31 - 1 vertices.
Aabb write_ply(const std::filesystem::path& path, const RingSurface& surface, const RingProgress& progress = {});

}  // namespace lamella::scenes
