#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/progress.hpp"
#include "lamella/mesh.hpp"

namespace lamella::io {

/// The bytes of a file, mapped or in the caller's memory. Never empty.
struct Source {
  std::string_view bytes;
  std::string name;                             ///< as messages show it
  std::optional<std::filesystem::path> folder;  ///< where files that it refers to are; none when read from memory
  Progress& progress;
};

// One reader per format. Each checks every count, index and coordinate against the file before use, and throws Error.
// A mesh without vertices or faces is no error here: read_mesh and read_points decide that.
[[nodiscard]] Mesh read_ply(const Source& source);
[[nodiscard]] Mesh read_obj(const Source& source);
[[nodiscard]] Mesh read_stl(const Source& source);
[[nodiscard]] Mesh read_off(const Source& source);
[[nodiscard]] Mesh read_gltf(const Source& source);
[[nodiscard]] Mesh read_glb(const Source& source);
[[nodiscard]] Mesh read_xyz(const Source& source);  ///< positions only

}  // namespace lamella::io
