#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "lamella/mesh.hpp"
#include "scenes/rings.hpp"

namespace lamella::scenes {

/// A model for people to try things on: closed, facing outwards, standing along z and facing -y. Those that belong
/// together overlap as they stand: hand and phone, hat and mouse, knot and serpent, helicopter and terrain.
struct CatalogueModel {
  std::string_view name;
  std::size_t faces = 0;  ///< unless another number is asked for; about as many are made
  Vec3 extent;            ///< of its box, to two digits
  std::string_view summary;
  Mesh (*make)(std::size_t faces) = nullptr;
  /// Those that can be written at any size, without being in memory (rings.hpp); null for the others.
  RingSurface (*rings)(std::size_t faces) = nullptr;
};

/// All of them, in the order in which to show them. Makes none.
[[nodiscard]] std::span<const CatalogueModel> catalogue();

/// Null when there is no such model.
[[nodiscard]] const CatalogueModel* find_model(std::string_view name);

}  // namespace lamella::scenes
