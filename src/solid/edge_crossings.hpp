#pragma once

// Where the surface crosses the edges of the lattice, and how it lies there.

#include <array>
#include <cstdint>
#include <vector>

#include "solid/lattice.hpp"

namespace lamella::solid {

inline constexpr std::uint8_t kNoMesh = 2;

struct EdgeCrossing {
  float at = 0;  ///< along the edge, 0 to 1
  /// From the crossing to the plane of its face, in steps of the lattice, along the normal there: sampling moves
  /// vertices a little, and planes are exact.
  float to_plane = 0;
  Vec3 normal;                          ///< unit, outwards; along the edge where `has_plane` is false
  Vec3 step_normal;                     ///< the same where a step of the lattice is 1 along each axis; with `has_plane`
  std::uint8_t mesh = kNoMesh;          ///< of the face, where one was found
  bool has_plane = false;               ///< the face has one: its normal is `normal`
  bool upwards = false;                 ///< the lower end of the edge is inside
  std::array<std::uint32_t, 4> quad{};  ///< vertices of the cells around the edge, by k of cell_edge(); filled in later
};

/// Along one axis, in the order of EdgeNumbers.
[[nodiscard]] std::vector<EdgeCrossing> cross_edges(const Meshes& meshes, const SpanView& view, const PointBits& bits,
                                                    const EdgeNumbers& numbers, const PointLattice& lattice,
                                                    Workers& workers);

}  // namespace lamella::solid
