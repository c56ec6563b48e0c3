#pragma once

#include <vector>

#include "lamella/mesh.hpp"
#include "proof/box_pairs.hpp"

namespace lamella::clash {

/// Proves of most meshes that are apart, though their boxes meet, that they are: by exact arithmetic, from the
/// triangles near each other alone. Keeps its memory.
class ApartCheck {
 public:
  /// Of meshes that are closed, all of whose triangles can be used, in one frame. False: they share a volume, or they
  /// touch, or it takes more to tell.
  [[nodiscard]] bool are_apart(MeshView a, MeshView b);

 private:
  std::vector<proof::TriangleBox> near_a_, near_b_;
};

}  // namespace lamella::clash
