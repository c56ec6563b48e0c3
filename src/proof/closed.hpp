#pragma once

#include <optional>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "proof/kernels.hpp"

namespace lamella::proof {

/// Whether every ray leaves the mesh as often as it enters it, and every triangle can be used: every edge has as many
/// triangles that run along it one way as the other way. Vertices with equal coordinates count as one. By sums of
/// numbers that stand for edges: the answer "closed" is wrong by chance in less than one of 2^50 open meshes.
/// `sums` are those of all edges, where they are known already.
[[nodiscard]] bool is_closed(MeshView mesh, bool all_usable, Workers& workers,
                             const std::optional<EdgeSums>& sums = std::nullopt);

}  // namespace lamella::proof
