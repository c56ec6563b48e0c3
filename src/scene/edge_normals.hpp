#pragma once

#include <span>

#include "lamella/scene.hpp"

namespace lamella {

/// A contact that may be chosen for a pair.
struct ContactChoice {
  Contact contact;
  Vec3 face_a, face_b;   ///< outward normals of the two faces hit
  float stretch = 0;     ///< between them along the ray
  int axis = 0;          ///< of the ray
  float separation = 0;  ///< squared, from the chosen ones; scratch
};

/// Better normals, and depths along them, where an edge or a corner of one object is in a face of the other.
void mend_edge_normals(std::span<ContactChoice> choices);

}  // namespace lamella
