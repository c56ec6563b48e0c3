#pragma once

#include <string>
#include <string_view>

#include "lamella/error.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Throws Error for a mesh with an origin or in doubles, on behalf of a function that knows neither: without a word it
/// would answer for another place.
inline void check_world_only(MeshView mesh, std::string_view function) {
  if (mesh.origin == Vec3d{} && mesh.wide.empty()) return;
  throw Error(std::string(function) + ": the mesh has " +
              (mesh.wide.empty() ? "an origin, which is" : "positions as doubles, which are") +
              " not supported here; pass in_world(transformed(mesh, {})), whose positions are floats");
}

}  // namespace lamella
