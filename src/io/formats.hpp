#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/progress.hpp"
#include "lamella/mesh.hpp"

namespace lamella::io {

/// A file being read. `bytes` is never empty.
struct Source {
  std::string_view bytes;
  std::filesystem::path path;
  std::string name;  ///< the path as messages show it
  Progress& progress;
};

/// The extension with its dot, in lower case: it names the format.
[[nodiscard]] std::string lower_extension(const std::filesystem::path& path);

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
