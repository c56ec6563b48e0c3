#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::gi {

/// A closed manifold surface as half-edges: number 3 * t + i runs from corner i to corner i + 1 of triangle t. An edge
/// is two half-edges, each the other's twin; `cut` marks edges, and is the same on both.
struct Surface {
  std::vector<Vec3d> positions;
  std::vector<std::uint32_t> origins;  ///< of half-edges: vertices
  std::vector<std::uint32_t> twins;    ///< of half-edges
  std::vector<std::uint32_t> leaving;  ///< of vertices: one half-edge that starts there
  std::vector<std::uint8_t> cut;       ///< of half-edges

  [[nodiscard]] std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(positions.size()); }
  [[nodiscard]] std::uint32_t half_edge_count() const { return static_cast<std::uint32_t>(origins.size()); }
  [[nodiscard]] std::uint32_t triangle_count() const { return half_edge_count() / 3; }

  [[nodiscard]] static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  [[nodiscard]] static std::uint32_t previous(std::uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
  [[nodiscard]] std::uint32_t end(std::uint32_t h) const { return origins[next(h)]; }
  /// The next half-edge that leaves h's origin, counter-clockwise seen from outside.
  [[nodiscard]] std::uint32_t turn(std::uint32_t h) const { return twins[previous(h)]; }
  [[nodiscard]] double length(std::uint32_t h) const;

  void set_cut(std::uint32_t h, bool on) { cut[h] = cut[twins[h]] = on ? 1 : 0; }
};

/// Calls visit(h) for every half-edge that leaves v, counter-clockwise.
template <class Visit>
void for_each_leaving(const Surface& s, std::uint32_t v, const Visit& visit) {
  const std::uint32_t first = s.leaving[v];
  std::uint32_t h = first;
  do {
    visit(h);
    h = s.turn(h);
  } while (h != first);
}

/// Nothing is cut. The triangles must be closed, manifold and consistently wound, and use every position.
[[nodiscard]] Surface make_surface(std::vector<Vec3d> positions, std::span<const Triangle> triangles);

/// Inserts a vertex on edge h, at fraction `t` from its origin, and splits the triangles on either side. h then runs
/// from its origin to the new vertex, which is returned; both halves are cut if the edge was.
std::uint32_t split_edge(Surface& s, std::uint32_t h, double t);

/// The number of handles; the surface must be one component.
[[nodiscard]] int genus_of(const Surface& s);

[[nodiscard]] double area_of(const Surface& s);

}  // namespace lamella::gi
