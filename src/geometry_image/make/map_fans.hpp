#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// The other two corners of the triangles about each interior vertex, counter-clockwise: those of vertex v are
/// [start[v], start[v + 1]) of the list, none for a vertex of the boundary.
struct Fans {
  struct Side {
    std::uint32_t from = 0, to = 0;
    std::uint32_t triangle = 0;
  };
  std::vector<std::size_t> start;
  std::vector<Side> sides;
};

[[nodiscard]] Fans fans_of(const Disc& disc);

}  // namespace lamella::gi
