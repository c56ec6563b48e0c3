#pragma once

#include <array>
#include <bit>

namespace lamella {

/// Which of a triangle's corners are strictly above or below a plane, one bit each.
struct Sides {
  unsigned above = 0, below = 0;

  [[nodiscard]] constexpr bool all_in_plane() const { return (above | below) == 0; }
  [[nodiscard]] constexpr bool all_on_one_side() const { return above == 7 || below == 7; }
};

/// The corner that is alone on its side of the plane, where points in the plane may count for either side.
struct Lone {
  unsigned char corner = 0;
  bool below = false;
};

/// The corners must not be all on one side or all in the plane.
constexpr Lone lone_corner(Sides sides) {
  const auto number = [](unsigned bit) { return static_cast<unsigned char>(std::countr_zero(bit)); };
  if (std::has_single_bit(sides.above)) return {number(sides.above), false};
  if (std::has_single_bit(sides.below)) return {number(sides.below), true};
  return sides.above != 0 ? Lone{number(7 & ~sides.above), true} : Lone{number(7 & ~sides.below), false};
}

/// Corners, 0 to 2, of the edges that pass through the other triangle's plane: from a to a1 and a2, from b to b1 and
/// b2.
struct CrossingEdges {
  unsigned a, a1, a2, b, b1, b2;
};

/// The triangles meet where orient3d(a, a1, b, b1) <= 0 and orient3d(a, a2, b, b2) >= 0: along the product of the
/// normals of a and b, a's interval of the line that both planes share goes from its edge to a2 to its edge to a1, b's
/// from its edge to b1 to its edge to b2. This holds when the lone corners are above; when one is below, the other
/// triangle is flipped.
inline CrossingEdges crossing_edges(Sides sides_a, Sides sides_b) {
  static constexpr auto kLone = [] {
    std::array<Lone, 64> table{};
    for (unsigned above = 0; above < 8; ++above)
      for (unsigned below = 0; below < 8; ++below)
        if ((above & below) == 0 && above != 7 && below != 7 && (above | below) != 0)
          table[above | below << 3] = lone_corner({above, below});
    return table;
  }();
  static constexpr unsigned char kRound[5] = {0, 1, 2, 0, 1};
  const Lone a = kLone[sides_a.above | sides_a.below << 3], b = kLone[sides_b.above | sides_b.below << 3];
  const unsigned turned_a = b.below, turned_b = a.below;
  return {a.corner, kRound[a.corner + 1u + turned_a], kRound[a.corner + 2u - turned_a],
          b.corner, kRound[b.corner + 1u + turned_b], kRound[b.corner + 2u - turned_b]};
}

}  // namespace lamella
