#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/checks.hpp"
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
  bool wide = false;    ///< whether coordinates are read as doubles
  bool parts = false;   ///< whether to note where parts begin
};

/// From here on, triangles belong to this part.
struct PartMark {
  std::size_t triangle = 0;
  std::uint32_t object = 0;  ///< of the file: each OBJ statement "o" begins one, and each glTF node is one
  std::string_view name;     ///< of the object; in the file's bytes, or in FileMesh::texts
  std::string_view group;    ///< OBJ: of the group in it
};

/// What is in a file.
struct FileMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3d> wide;  ///< instead of `positions` when Source::wide is set
  std::vector<Triangle> triangles;
  std::vector<PartMark> marks;  ///< empty when the format has no parts, or they are not wanted
  std::vector<char> texts;      ///< that marks refer to
  bool floats = false;          ///< the file has coordinates as 32-bit floats, before any transform

  [[nodiscard]] std::size_t vertex_count() const { return positions.size() + wide.size(); }
};

/// Room for as many vertices in all.
inline void reserve_vertices(const Source& source, FileMesh& mesh, std::uint64_t count) {
  source.wide ? source.memory.reserve(mesh.wide, count) : source.memory.reserve(mesh.positions, count);
}

/// The next vertex of the mesh, as a double or rounded.
inline void append_position(const Source& source, FileMesh& mesh, Vec3d p) {
  if (source.wide) return source.memory.append(mesh.wide, p);
  source.memory.append(mesh.positions, {narrow(p.x), narrow(p.y), narrow(p.z)});
}

/// A mesh of a file at a place.
struct FileInstance {
  std::uint32_t mesh = 0;  ///< index into FileInstances::meshes
  std::uint32_t node = 0;  ///< of the file
  std::string_view name;   ///< in FileInstances::texts
  Transform pose;
};

/// What is in a file that places its meshes.
struct FileInstances {
  std::vector<FileMesh> meshes;              ///< in doubles; some may be without triangles
  std::vector<std::string_view> mesh_names;  ///< in `texts`
  std::vector<FileInstance> instances;
  std::vector<char> texts;
};

// One reader per format. Each checks every count and index against the file before use, and throws Error. A mesh
// without vertices or faces is no error here: read_mesh and read_points decide that.
[[nodiscard]] FileMesh read_ply(const Source& source);
[[nodiscard]] FileMesh read_obj(const Source& source);
[[nodiscard]] FileMesh read_stl(const Source& source);
[[nodiscard]] FileMesh read_off(const Source& source);
[[nodiscard]] FileMesh read_gltf(const Source& source);
[[nodiscard]] FileMesh read_glb(const Source& source);
/// Each mesh once. Source::wide must be set.
[[nodiscard]] FileInstances read_gltf_instances(const Source& source);
[[nodiscard]] FileInstances read_glb_instances(const Source& source);
[[nodiscard]] FileMesh read_xyz(const Source& source);  ///< positions only

}  // namespace lamella::io
