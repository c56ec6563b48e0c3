#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenes/polygon.hpp"

namespace lamella::scenes {

/// A solid of prisms on top of each other along z: plates with holes, stepped shafts, bolts, housings. Its volume has a
/// closed form. Outlines lie one inside another or apart; they never touch.
class PrismStack {
 public:
  /// Layer i is between levels[i] and levels[i + 1]; ascending, at most 32 layers.
  explicit PrismStack(std::vector<double> levels) : levels_(std::move(levels)) {}

  static constexpr std::size_t kNoParent = ~std::size_t{0};

  /// Adds a counter-clockwise outline inside `parent`, and returns its number. Bit i of `solid`: whether layer i is
  /// material inside the outline, as far as no outline within it says otherwise.
  std::size_t add(Polygon outline, std::uint32_t solid, std::size_t parent = kNoParent);

  /// Closed, its faces outwards.
  [[nodiscard]] Mesh mesh() const;
  [[nodiscard]] double volume() const;

 private:
  struct Outline {
    Polygon points;
    std::uint32_t solid = 0;
    std::size_t parent = kNoParent;
    std::vector<std::size_t> children{};
  };

  [[nodiscard]] std::uint32_t solid_around(const Outline& outline) const;

  std::vector<double> levels_;
  std::vector<Outline> outlines_;
};

/// A section of a shaft: where it ends, and which of the outlines it has.
struct ShaftSection {
  double end = 0;
  std::size_t outline = 0;
};

/// A shaft from `start` along z; `outlines` from the innermost to the outermost.
[[nodiscard]] PrismStack stepped_shaft(double start, const std::vector<ShaftSection>& sections,
                                       const std::vector<Polygon>& outlines);

/// A prism with holes.
[[nodiscard]] PrismStack plate(double low, double high, Polygon outline, const std::vector<Polygon>& holes = {});

}  // namespace lamella::scenes
