#pragma once

#include <cstdint>

#include "lamella/grid.hpp"

namespace lamella {

/// A rectangle of a grid's cells, half-open: from the first to before the end.
struct Window {
  std::uint32_t first_u = 0, first_v = 0, end_u = 0, end_v = 0;

  [[nodiscard]] constexpr bool empty() const { return first_u >= end_u || first_v >= end_v; }
  friend constexpr bool operator==(const Window&, const Window&) = default;
};

/// Whether two windows have a cell in common.
constexpr bool overlap(const Window& a, const Window& b) {
  return a.first_u < b.end_u && b.first_u < a.end_u && a.first_v < b.end_v && b.first_v < a.end_v;
}

constexpr Window intersection(const Window& a, const Window& b) {
  return {a.first_u < b.first_u ? b.first_u : a.first_u, a.first_v < b.first_v ? b.first_v : a.first_v,
          a.end_u < b.end_u ? a.end_u : b.end_u, a.end_v < b.end_v ? a.end_v : b.end_v};
}

constexpr Window whole(const Grid& grid) { return {0, 0, grid.columns, grid.rows}; }

constexpr Window unite(const Window& a, const Window& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {a.first_u < b.first_u ? a.first_u : b.first_u, a.first_v < b.first_v ? a.first_v : b.first_v,
          a.end_u > b.end_u ? a.end_u : b.end_u, a.end_v > b.end_v ? a.end_v : b.end_v};
}

}  // namespace lamella
