// Rossignac and Borrel's clustering of vertices (Multi-resolution 3D approximations for rendering complex scenes,
// 1993), with means in place of weighted representatives. Every edge keeps as many triangles along it one way as the
// other, as those that are left out have edges that cancel.

#include "measure/merged_mesh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/lattice.hpp"

namespace lamella {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr unsigned kBits = 21;  ///< of a cube's number along each axis

std::uint64_t number(float x, float cell) {
  constexpr double kMost = (1 << (kBits - 1)) - 1;
  return static_cast<std::uint64_t>(std::clamp(std::floor(double{x} / cell), -kMost, kMost) + kMost);
}

}  // namespace

/// The vertex of a cube, a new one where it has none yet.
std::uint32_t MergedMesh::vertex_of(std::uint64_t cube) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = (cube * 0x9e3779b97f4a7c15u) >> 32 & mask;
  while (table_[at].vertex != kNone && table_[at].cube != cube) at = (at + 1) & mask;
  if (table_[at].vertex == kNone) {
    table_[at] = {cube, static_cast<std::uint32_t>(sums_.size())};
    sums_.push_back({});
    counts_.push_back(0);
  }
  return table_[at].vertex;
}

void MergedMesh::merge(MeshView mesh, float cell) {
  origin_ = mesh.origin;
  table_.assign(std::bit_ceil(2 * mesh.positions.size() + 2), {0, kNone});
  merged_.resize(mesh.positions.size());
  sums_.clear();
  counts_.clear();
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3 p = mesh.positions[i];
    std::uint32_t& vertex = merged_[i];
    if (usable(p)) {
      vertex = vertex_of(number(p.x, cell) << 2 * kBits | number(p.y, cell) << kBits | number(p.z, cell));
      sums_[vertex] += to_double(p);
      ++counts_[vertex];
    } else {  // its triangles stay such that cannot be used
      vertex = static_cast<std::uint32_t>(sums_.size());
      sums_.push_back(to_double(p));
      counts_.push_back(1);
    }
  }
  positions_.resize(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) positions_[i] = to_float(sums_[i] * (1.0 / counts_[i]));
  triangles_.clear();
  for (const Triangle& t : mesh.triangles) {
    const Triangle m{merged_[t.a], merged_[t.b], merged_[t.c]};
    if (m.a != m.b && m.b != m.c && m.c != m.a) triangles_.push_back(m);
  }
}

}  // namespace lamella
