#pragma once

// The parts of an assembly as callers give them.

#include <span>
#include <string>

#include "inputs.hpp"
#include "lamella/clash.hpp"

namespace lamella::python {

/// An AssemblyPart with its mesh as the caller has it.
struct GivenPart {
  std::string name;
  py::object mesh;
  Transform pose;
  std::string group, layer;
};

/// With copies of the meshes, each once: parts share one that are given the same object, the same two arrays or equal
/// paths. Throws what MeshInput throws; messages name the part.
[[nodiscard]] Assembly assembly_of(std::span<const GivenPart> given);

}  // namespace lamella::python
