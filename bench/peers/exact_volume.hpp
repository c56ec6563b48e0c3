#pragma once

#include <optional>

#include "lamella/mesh.hpp"

namespace lamella::bench::peers {

/// The volume that two closed meshes share, by CGAL's corefinement, whose vertices are rounded to doubles. Nothing
/// where it takes a mesh not to be closed, or to meet itself.
[[nodiscard]] std::optional<double> exact_shared_volume(const Mesh& a, const Mesh& b);

}  // namespace lamella::bench::peers
