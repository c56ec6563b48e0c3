#pragma once

// What is wrong with a part, with the same message wherever it is found: by one process that has all parts, or by one
// of several. Inline, since the library for MPI sees only what the other one exports.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/check_pose.hpp"
#include "lamella/clash.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::clash {

/// What messages call a mesh; `name` may be empty.
[[nodiscard]] inline std::string mesh_label(std::string_view name, std::uint64_t number) {
  return name.empty() ? "mesh " + std::to_string(number) : "the mesh " + printable(name);
}

[[nodiscard]] inline std::string part_label(const AssemblyPart& part, std::uint64_t number) {
  return part.name.empty() ? "part " + std::to_string(number) : "the part " + printable(part.name);
}

/// Throws Error for a part whose mesh is not there or whose pose is not one; the message names the part.
inline void check_part(const AssemblyPart& part, std::uint64_t number, std::uint64_t mesh_count) {
  if (part.mesh >= mesh_count)
    throw Error(part_label(part, number) + ": it has mesh " + std::to_string(part.mesh) + " of " +
                std::to_string(mesh_count) + "; name one that is there");
  try {
    check_pose(part.pose, kPoseTolerance);
  } catch (const Error& e) {
    throw Error(part_label(part, number) + ": " + e.what());
  }
}

}  // namespace lamella::clash
