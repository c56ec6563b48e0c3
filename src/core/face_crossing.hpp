#pragma once

#include <compare>
#include <cstdint>

#include "lamella/ldi.hpp"

namespace lamella {

/// A crossing with the number of its face, for columns of several objects. Sorts by depth, exits before entries, then
/// by face.
struct FaceCrossing {
  std::uint64_t key = 0;

  [[nodiscard]] static constexpr FaceCrossing make(Crossing crossing, std::uint32_t face) {
    return {(std::uint64_t{crossing.key} << 32) | face};
  }
  [[nodiscard]] constexpr Crossing crossing() const { return {static_cast<std::uint32_t>(key >> 32)}; }
  [[nodiscard]] constexpr float depth() const { return crossing().depth(); }
  [[nodiscard]] constexpr int sign() const { return crossing().sign(); }
  [[nodiscard]] constexpr std::uint32_t face() const { return static_cast<std::uint32_t>(key); }
  friend constexpr auto operator<=>(const FaceCrossing&, const FaceCrossing&) = default;
};

}  // namespace lamella
