#pragma once

#include <cstddef>
#include <string>

#include "lamella/mesh.hpp"

// The tests' own measures of a mesh, independent of the library's: what they check is what the library is tested with.
namespace lamella::scenes {

/// The first thing that keeps `mesh` from being a closed solid with its faces outward; empty when there is none.
[[nodiscard]] std::string defect(const Mesh& mesh);

[[nodiscard]] double volume(const Mesh& mesh);
[[nodiscard]] std::size_t components(const Mesh& mesh);

/// Volumes by rays along z through n x n places of the mesh's box.
struct Sampled {
  double inside = 0;  ///< winding 1 or more
  double twice = 0;   ///< winding 2 or more
};
[[nodiscard]] Sampled sample(const Mesh& mesh, int n = 160);

/// Both in one mesh: what is inside both of two simple solids is then inside twice.
[[nodiscard]] Mesh joined(const Mesh& a, const Mesh& b);

}  // namespace lamella::scenes
