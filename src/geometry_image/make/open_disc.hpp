#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// A surface opened along its cut.
struct OpenSurface {
  Disc disc;                            ///< triangles as in the surface; map is all zeros
  std::vector<std::uint32_t> vertices;  ///< for each vertex of the disc, that of the surface
  std::vector<std::uint32_t> loop;      ///< cut half-edges; loop[i] starts at disc.boundary[i]
  std::vector<std::uint32_t> border;    ///< for each vertex of the disc, its index in the loop; kNone inside
};

/// The cut must leave a disc. Vertices keep their numbers; additional copies come after all of them.
[[nodiscard]] OpenSurface open_along_cut(const Surface& s);

}  // namespace lamella::gi
