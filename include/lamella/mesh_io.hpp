#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

enum class MeshFormat : std::uint8_t {
  ply,  ///< ASCII, or binary of either byte order
  obj,
  stl,  ///< ASCII or binary
  off,  ///< ASCII
  gltf,
  glb,
  xyz,  ///< points only: three numbers at the start of each line; '#' starts a comment
};

/// The format that a file name's extension stands for, in any case; nothing for an unknown one.
[[nodiscard]] LAMELLA_API std::optional<MeshFormat> mesh_format(const std::filesystem::path& path);

struct ReadOptions {
  /// Called about every 8 MiB with the bytes done and the bytes in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// Reads a triangle mesh; the extension gives the format. Polygons become fans. STL corners with equal coordinates
/// become one vertex. glTF: every node of the default scene, placed by its transform, all in one mesh.
/// Throws Error; the message gives the file, the line or byte, and what was expected there. Files are not trusted:
/// memory is bounded by a small multiple of the file's size, whatever counts it declares.
[[nodiscard]] LAMELLA_API Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from the bytes of a file. Error messages call them `name`. No file is opened: glTF whose buffers are
/// separate files is an Error.
[[nodiscard]] LAMELLA_API Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format,
                                         std::string_view name = "memory", const ReadOptions& options = {});

/// Points to test: .xyz, or the vertices of any mesh file, whether a face uses them or not. Throws Error like
/// read_mesh.
[[nodiscard]] LAMELLA_API std::vector<Vec3> read_points(const std::filesystem::path& path,
                                                        const ReadOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<Vec3> read_points(std::span<const std::byte> bytes, MeshFormat format,
                                                        std::string_view name = "memory",
                                                        const ReadOptions& options = {});

/// Writes .ply (binary little-endian), .obj or .stl (binary); the extension gives the format. The file appears
/// complete or not at all (NewFile in lamella/file.hpp). Throws Error.
LAMELLA_API void write_mesh(const std::filesystem::path& path, MeshView mesh);

}  // namespace lamella
