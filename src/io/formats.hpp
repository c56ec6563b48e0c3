#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/memory_limit.hpp"
#include "io/progress.hpp"
#include "lamella/mesh.hpp"

namespace lamella::io {

/// The bytes of a file, in our memory or in the caller's. Never empty.
struct Source {
  std::string_view bytes;
  std::string name;                             ///< as messages show it
  std::optional<std::filesystem::path> folder;  ///< where files that it refers to are; none when read from memory
  Progress& progress;
  MemoryLimit& memory;
  bool finite = false;  ///< whether NaN and infinite coordinates are an Error: they are for points
};

// One reader per format. Each checks every count and index against the file before use, and throws Error. A mesh
// without vertices or faces is no error here: read_mesh and read_points decide that.
[[nodiscard]] Mesh read_ply(const Source& source);
[[nodiscard]] Mesh read_obj(const Source& source);
[[nodiscard]] Mesh read_stl(const Source& source);
[[nodiscard]] Mesh read_off(const Source& source);
[[nodiscard]] Mesh read_gltf(const Source& source);
[[nodiscard]] Mesh read_glb(const Source& source);
[[nodiscard]] Mesh read_xyz(const Source& source);  ///< positions only

}  // namespace lamella::io
