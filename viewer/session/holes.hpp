#pragma once

#include <cstdint>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::session {

/// Where a mesh does not close. Vertices with equal coordinates count as one, as in queries.
struct OpenPlaces {
  std::vector<Vec3> open;         ///< two ends for each edge along which more triangles run one way than the other
  std::vector<Vec3> nonmanifold;  ///< likewise of more than two triangles
  std::uint64_t open_count = 0, nonmanifold_count = 0;  ///< of edges; not all are listed where they are too many
};

/// Lists at most `most` edges of each kind.
[[nodiscard]] OpenPlaces find_open_places(MeshView mesh, std::size_t most);

}  // namespace lamella::session
