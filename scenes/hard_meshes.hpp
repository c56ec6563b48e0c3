#pragma once

#include <span>
#include <string_view>

#include "lamella/mesh.hpp"

namespace lamella::scenes {

/// A closed mesh that is hard to flatten: closed, manifold, facing outwards, with no area or angle that a program
/// could rely on.
struct HardMesh {
  std::string_view name;
  std::string_view summary;
  Mesh (*make)(int detail) = nullptr;  ///< 1: some hundred to some thousand triangles; 4: tens of thousands
};

/// Ten of them, each hard in its own way.
[[nodiscard]] std::span<const HardMesh> hard_meshes();

}  // namespace lamella::scenes
