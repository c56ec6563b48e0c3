// Surfaces that do not meet lie either outside the other solid or inside it, each connected piece as a whole. A piece
// that reaches out of the other's box is outside; where all pieces of both do, nothing is shared.

#include "clash/apart.hpp"

#include <algorithm>

#include "core/union_find.hpp"
#include "lamella/triangles_meet.hpp"
#include "proof/contacts.hpp"

namespace lamella::clash {
namespace {

bool meet(const Aabb& p, const proof::TriangleBox& q) {
  for (int k = 0; k < 3; ++k)
    if (p.max[k] < q.min[k] || q.max[k] < p.min[k]) return false;
  return true;
}

bool is_outside(Vec3 p, const Aabb& box) {
  for (int k = 0; k < 3; ++k)
    if (p[k] < box.min[k] || p[k] > box.max[k]) return true;
  return false;
}

/// The triangles of a mesh that may meet what is in a box.
void collect(MeshView mesh, const Aabb& box, std::vector<proof::TriangleBox>& near) {
  near.clear();
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (const proof::TriangleBox b = proof::box_of(mesh, t); meet(box, b)) near.push_back(b);
}

/// Whether each of these triangles is connected with a vertex outside the box, through vertices that they share.
bool all_reach_out(MeshView mesh, const Aabb& box, const std::vector<proof::TriangleBox>& near) {
  const auto lies_within = [&](const proof::TriangleBox& t) {
    return !is_outside(t.min, box) && !is_outside(t.max, box);
  };
  if (std::none_of(near.begin(), near.end(), lies_within)) return true;
  UnionFind pieces(mesh.positions.size());
  for (const proof::TriangleBox& t : near) {
    const Triangle& v = mesh.triangles[t.triangle];
    (void)pieces.unite(v.a, v.b);
    (void)pieces.unite(v.a, v.c);
  }
  std::vector<bool> reaches(mesh.positions.size());
  for (const proof::TriangleBox& t : near)
    if (!lies_within(t)) reaches[pieces.root(mesh.triangles[t.triangle].a)] = true;
  return std::all_of(near.begin(), near.end(),
                     [&](const proof::TriangleBox& t) { return reaches[pieces.root(mesh.triangles[t.triangle].a)]; });
}

}  // namespace

bool ApartCheck::are_apart(MeshView a, MeshView b) {
  const Aabb box_a = bounds(a), box_b = bounds(b);
  collect(a, box_b, near_a_);
  collect(b, box_a, near_b_);
  if (!all_reach_out(a, box_b, near_a_) || !all_reach_out(b, box_a, near_b_)) return false;
  const auto meet = [&](std::uint32_t i, std::uint32_t j) {
    return triangles_meet(proof::corners_of(a, i).at, proof::corners_of(b, j).at);
  };
  return proof::visit_box_pairs(near_a_, near_b_, [&](std::uint32_t i, std::uint32_t j) { return !meet(i, j); }) ==
         proof::Search::finished;
}

}  // namespace lamella::clash
