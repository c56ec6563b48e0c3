#pragma once

#include <vector>

#include "io/formats.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::io {

/// The parts of a file that was read with Source::parts. Takes the mesh apart: its memory is given back.
[[nodiscard]] std::vector<MeshPart> split_parts(FileMesh mesh, MeshFormat format, Split split, MemoryLimit& memory,
                                                bool keep_doubles);

/// The meshes of a file that has triangles, rounded, without those that have none.
[[nodiscard]] MeshInstances to_instances(FileInstances file, MemoryLimit& memory, bool keep_doubles);

/// An instance for each part, where it is.
[[nodiscard]] MeshInstances to_instances(std::vector<MeshPart> parts);

}  // namespace lamella::io
