#pragma once

// The surface between the inside and the outside points of a lattice: a vertex for each sheet of each cell, a quad for
// each edge that has one end inside.

#include <array>

#include "lamella/solid.hpp"
#include "solid/lattice.hpp"

namespace lamella::solid {

/// Fills in mesh, normals and sides. Positions are relative to `origin`, which is itself relative to the lattice's.
void make_surface(const Meshes& meshes, const std::array<SpanView, 3>& views, const PointLattice& lattice,
                  const PointBits& bits, Vec3d origin, Workers& workers, OverlapSolid& out);

}  // namespace lamella::solid
