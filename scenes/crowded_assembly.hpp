#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lamella/clash.hpp"

namespace lamella::scenes {

/// An assembly of any size, for measuring: many meshes, all different, each placed several times. A third of the parts
/// is close to another one: from far into each other to a little apart. The others are alone.
///
/// Every mesh and every part is a function of these options and of its own number, so that each process of a large run
/// makes its share and nothing else. Two parts that are close have numbers that lie far apart.
struct CrowdedOptions {
  std::uint64_t parts = 10'000;
  std::uint32_t meshes = 1'000;
  std::uint32_t faces = 1'000;  ///< of each mesh, about
  std::uint32_t seed = 1;
};

/// `number` is below `options.meshes`. Within a ball of radius 1 about the origin. About a millisecond.
[[nodiscard]] Mesh crowded_mesh(const CrowdedOptions& options, std::uint32_t number);

/// What reports call it.
[[nodiscard]] std::string crowded_mesh_name(std::uint32_t number);

/// `number` is below `options.parts`. Its name is "part NUMBER"; parts whose numbers differ by options.meshes share a
/// mesh. Some microseconds.
[[nodiscard]] AssemblyPart crowded_part(const CrowdedOptions& options, std::uint64_t number);

/// All of it. Throws Error for more than 2^32 - 1 parts.
[[nodiscard]] Assembly crowded_assembly(const CrowdedOptions& options);

}  // namespace lamella::scenes
