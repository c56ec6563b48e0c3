#pragma once

#include <span>

#include "lamella/scene.hpp"

namespace lamella {

/// A contact that may be chosen for a pair.
struct ContactChoice {
  Contact contact;
  Vec3 normal_a, normal_b;  ///< outward, of the two triangles hit
  float length = 0;         ///< between them along the ray
  int axis = 0;             ///< of the ray
  float separation = 0;     ///< squared, from the chosen ones; scratch
};

/// Corrects normals, and depths along them, where an edge or a corner of one object is inside a face of the other.
void correct_edge_normals(std::span<ContactChoice> choices);

}  // namespace lamella
