#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

struct ReadOptions {
  /// Called now and then while a file is read, with the bytes done and the bytes in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Reads a triangle mesh; the format is that of the extension: .ply .obj .stl .off .gltf .glb (any case).
/// Polygons become fans. STL corners with equal coordinates become one vertex. glTF: every node of the default
/// scene, each placed by its transform, into one mesh.
/// Throws Error naming the file, the line or byte, and what was expected there. Files are untrusted: memory is
/// bounded by a small multiple of the file's size, whatever counts it declares.
[[nodiscard]] LAMELLA_API Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes .ply (binary little-endian), .obj or .stl (binary) by the extension. The file appears whole or not at
/// all: a temporary beside it is renamed onto it. Throws Error.
LAMELLA_API void write_mesh(const std::filesystem::path& path, MeshView mesh);

/// Points to test: .xyz (three numbers at the start of each line; '#' starts a comment), or the vertices of any
/// mesh file, used by a face or not. Throws Error like read_mesh.
[[nodiscard]] LAMELLA_API std::vector<Vec3> read_points(const std::filesystem::path& path,
                                                        const ReadOptions& options = {});

}  // namespace lamella
