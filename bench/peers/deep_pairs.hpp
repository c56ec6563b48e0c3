#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "lamella/mesh.hpp"

// Random pairs of meshes that are deep inside each other.

namespace lamella::bench::peers {

/// To a diagonal of 1, around the origin.
void scale_to_one(Mesh& mesh);

/// Closed meshes of up to 120,000 faces of the folder itself, or models where none is given; scaled to one.
[[nodiscard]] std::vector<Mesh> load_closed(const std::filesystem::path& folder);

struct DeepPair {
  Mesh a, b;
  double shared = 0;  ///< volume
};

/// Shares at least a twentieth of the smaller one's volume.
[[nodiscard]] DeepPair make_deep_pair(const std::vector<Mesh>& meshes, std::uint32_t seed);

}  // namespace lamella::bench::peers
