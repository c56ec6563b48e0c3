#pragma once

// Which triangles of two meshes may meet.

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"

namespace lamella::proof {

/// A triangle and the cells of a fine grid that its box goes from and to: 10 bits for each axis.
struct NearBox {
  std::uint32_t triangle, low, high;
};

struct NearScratch {
  /// Of the last find_near() or find_inside(): the triangles that are not wholly beyond a side of the shared box. All
  /// those around a vertex in the box are among them.
  std::vector<std::uint32_t> inside_a, inside_b;
  std::vector<std::uint32_t> codes;
  std::vector<std::vector<NearBox>> chunks;
  std::vector<std::size_t> counts;  ///< how many of each chunk were found
  std::vector<std::uint64_t> slabs, grown;
};

/// The triangles that are not wholly beyond a side of what the boxes of both meshes have in common; also writes
/// inside_a and inside_b.
void find_inside(MeshView a, MeshView b, const Aabb& shared, Workers& workers, NearScratch& scratch,
                 std::vector<NearBox>& in_a, std::vector<NearBox>& in_b);

/// Triangles of `a` and of `b` that may meet one of the other mesh; every pair that meets is among them. `shared`: what
/// the boxes of both meshes have in common. Corners must be usable.
/// With a `reach`: that may come within this distance of one of the other mesh. `shared` must then be what both boxes
/// have in common when each is larger by `reach` on every side.
void find_near(MeshView a, MeshView b, const Aabb& shared, Workers& workers, NearScratch& scratch,
               std::vector<NearBox>& near_a, std::vector<NearBox>& near_b, float reach = 0);

}  // namespace lamella::proof
