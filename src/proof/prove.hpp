#pragma once

// Verdicts proved by exact arithmetic, on positions as they are given: floats, in one frame. The solid of a mesh is
// where its winding number is 1 or more. Two meshes collide when their solids share more than points of their surfaces.

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "proof/box_pairs.hpp"
#include "proof/contacts.hpp"
#include "proof/near.hpp"
#include "proof/winding.hpp"

namespace lamella::proof {

/// Where sampling saw an overlap; may be empty.
struct ProofHint {
  Grid grid{};
  std::span<const Span> spans{};
  bool all_usable = false;  ///< known: no triangle has a corner that cannot be used
  bool apart = false;       ///< known: no two triangles of a pair meet
};

/// Memory between proofs.
struct ProofScratch {
  WindingScratch winding;
  NearScratch near;
  std::vector<NearBox> near_a, near_b;
  std::vector<TriangleBox> boxes_a, boxes_b;
  std::vector<Contact> contacts;
  std::vector<WindingPoint> points;
  std::vector<int> windings_a, windings_b;
  std::vector<Motion> motions;
};

struct Proof {
  /// Proved if the certificate is certain, else undecided. The witness is in the frame of the meshes.
  Verdict verdict = Verdict::undecided;
  Certificate certificate;
  bool open[2] = {};  ///< no proof, since this mesh is not closed or has triangles that cannot be used
};

/// Indices must be in range. The same for any number of threads.
[[nodiscard]] Proof prove_pair(MeshView a, MeshView b, const ProofHint& hint, Workers& workers, ProofScratch& scratch);

/// A mesh collides with itself where two triangles meet elsewhere than in corners that they share, or where its winding
/// number is 2 or more. Corners with equal coordinates are shared. Triangles without area do not count.
[[nodiscard]] Proof prove_self(MeshView mesh, const ProofHint& hint, Workers& workers, ProofScratch& scratch);

}  // namespace lamella::proof
