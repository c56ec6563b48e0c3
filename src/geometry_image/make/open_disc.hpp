#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// A surface opened along its cut.
struct OpenSurface {
  Disc disc;                            ///< triangles as in the surface; map is all zeros
  std::vector<std::uint32_t> vertices;  ///< of the surface, for each of the disc's
  std::vector<std::uint32_t> loop;      ///< cut half-edges; loop[i] starts at disc.boundary[i]
  std::vector<std::uint32_t> border;    ///< place in the loop of each of the disc's vertices; kNone inside
};

/// The cut must leave a disc. A vertex keeps its number; further copies of it come after all vertices.
[[nodiscard]] OpenSurface open_along_cut(const Surface& s);

}  // namespace lamella::gi
