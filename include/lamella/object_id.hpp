#pragma once

#include <compare>
#include <cstdint>

namespace lamella {

/// What a class keeps for its caller: a mesh of a Detector or Batch, an object of a scene, a body of a world. Numbered
/// from 0 in the order of adding; valid until removed, never reused.
struct ObjectId {
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

}  // namespace lamella
