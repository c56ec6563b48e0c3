#pragma once

// The parts of two meshes that may hold their nearest points.

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "measure/pair_search.hpp"
#include "proof/near.hpp"

namespace lamella::measure {

struct NearParts {
  std::vector<std::uint32_t> a, b;  ///< triangles
  bool all_a = true, all_b = true;  ///< all of them, and `a` or `b` is empty

  // memory between calls
  std::vector<float> along;
  std::vector<Vec3d> samples_a, samples_b;
  std::vector<std::uint32_t> ids_a, ids_b;
  std::vector<double> probes_a, probes_b;  ///< squares of distances from some samples to the other mesh's
  proof::NearScratch near;
  std::vector<proof::NearBox> boxes_a, boxes_b;
};

/// What is known of a mesh when its parts are looked for.
struct NearSide {
  MeshView local;  ///< floats relative to the origin of its tree
  Aabb box;        ///< of its usable vertices
  bool usable = true;
};

/// A pair of triangles that are near each other, from samples of both meshes: `best` holds their distance, an upper
/// bound of the meshes'. `best.square` is infinite when no sample can be used.
[[nodiscard]] FoundPair guess_pair(const PairQuery& query, const NearSide& a, const NearSide& b, NearParts& parts);

/// Leaves out triangles that are farther than `best` from all of the other mesh, by two tests of all at once: beyond a
/// plane across the line between the two points of `best`; then in cells too far from cells that the other mesh
/// touches.
void find_near_parts(const PairQuery& query, const FoundPair& best, const NearSide& a, const NearSide& b,
                     Workers& workers, NearParts& parts);

}  // namespace lamella::measure
