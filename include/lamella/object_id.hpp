#pragma once

#include <compare>
#include <cstdint>

namespace lamella {

/// What a Detector, Batch, Scene, ImageScene or RigidWorld holds: numbered from 0 in the order of adding, valid until
/// removed, never reused. An id that the object does not hold is an Error.
struct ObjectId {
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

}  // namespace lamella
