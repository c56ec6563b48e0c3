#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
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
  xyz,  ///< points only: three numbers at the start of each line, separated by blanks or commas; '#' starts a comment
};

/// The format that a file name's extension stands for, in any case; nothing for an unknown one.
[[nodiscard]] LAMELLA_API std::optional<MeshFormat> mesh_format(const std::filesystem::path& path);

struct ReadOptions {
  /// Called about every 8 MiB with the bytes done and the bytes in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
  /// Most bytes of memory, about, that reading may use at a time: the file, the result and what lies between. More is
  /// an Error. Unset: 64 MiB and 64 times the size of the file with its buffers. No mesh comes near that, except glTF
  /// that places one mesh very many times, or files made to exhaust memory.
  std::optional<std::uint64_t> max_memory{};
  /// Also keep coordinates as doubles (Mesh::wide) where floats do not hold those of the file: 24 bytes a vertex. A
  /// mesh far from 0 whose file has text or doubles then gets an origin also where floats hold them.
  bool keep_doubles = false;
};

/// Reads a triangle mesh; the extension gives the format. Polygons become fans. STL corners with equal coordinates
/// become one vertex. glTF: every node of the default scene, placed by its transform, all in one mesh.
///
/// A mesh that is farther from 0 than 16 times its size gets an origin (Mesh::origin), so that floats keep its shape:
/// text is then read as doubles, and so are PLY coordinates of the type double; transforms of glTF nodes are applied in
/// double. If the numbers of the file are floats, an origin would not help, and there is none.
///
/// Vertices that are NaN or infinite are kept, and so are numbers beyond float's range, as infinity: queries skip their
/// triangles and count them in Health; inspect() counts the vertices.
///
/// Throws Error; the message gives the file, the line or byte, and what was expected there. Files are not trusted:
/// every count is checked against the file's size, and memory is bounded (max_memory). The file is read into memory
/// first: changing or shortening it afterwards does no harm. Text is UTF-8, with or without a byte order mark.
[[nodiscard]] LAMELLA_API Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from the bytes of a file. Error messages call them `name`. No file is opened: glTF whose buffers are
/// separate files is an Error.
[[nodiscard]] LAMELLA_API Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format,
                                         std::string_view name = "memory", const ReadOptions& options = {});

/// Points to test: .xyz, or the vertices of any mesh file, whether a face uses them or not. Throws Error like
/// read_mesh, and for a coordinate that is NaN, infinite or beyond float's range.
[[nodiscard]] LAMELLA_API std::vector<Vec3> read_points(const std::filesystem::path& path,
                                                        const ReadOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<Vec3> read_points(std::span<const std::byte> bytes, MeshFormat format,
                                                        std::string_view name = "memory",
                                                        const ReadOptions& options = {});

/// The same as doubles, as the file has them. 24 bytes a point.
[[nodiscard]] LAMELLA_API std::vector<Vec3d> read_wide_points(const std::filesystem::path& path,
                                                              const ReadOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<Vec3d> read_wide_points(std::span<const std::byte> bytes, MeshFormat format,
                                                              std::string_view name = "memory",
                                                              const ReadOptions& options = {});

/// What becomes a part. A file of a format that has no such parts gives the whole mesh.
enum class Split : std::uint8_t {
  /// glTF: nodes. OBJ: objects when there are several; else groups when there are several and each closes by itself,
  /// for many files have a group for each material of one body. Other files: none.
  automatic,
  none,
  groups,      ///< OBJ: each object ("o"), and each group ("g") in it
  nodes,       ///< glTF: each node with a mesh, placed; a mesh that several nodes place is several parts
  components,  ///< any format: what is connected, see split_components()
};

struct MeshPart {
  /// From the file: printable(), at most 512 bytes, different from all others (".2", ".3", … is appended). Empty when
  /// the file is one part and has no name for it.
  std::string name;
  /// Without the vertices that it does not use, unless it is the whole file. With an origin of its own, if it needs
  /// one.
  Mesh mesh;
};

/// The parts of a file, in the order of their first faces; at least one, none without faces. Else like read_mesh, also
/// in what is an Error. `max_memory` counts the whole mesh and its parts together.
[[nodiscard]] LAMELLA_API std::vector<MeshPart> read_parts(const std::filesystem::path& path,
                                                           Split split = Split::automatic,
                                                           const ReadOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<MeshPart> read_parts(std::span<const std::byte> bytes, MeshFormat format,
                                                           Split split = Split::automatic,
                                                           std::string_view name = "memory",
                                                           const ReadOptions& options = {});

/// A mesh at a place.
struct MeshInstance {
  std::string name;        ///< as MeshPart::name
  std::uint32_t mesh = 0;  ///< index into MeshInstances::meshes
  Transform pose{};
};

/// The parts of a file, with each mesh once.
struct MeshInstances {
  std::vector<Mesh> meshes;
  std::vector<std::string> mesh_names;  ///< one for each mesh, for people; may be empty texts
  std::vector<MeshInstance> instances;  ///< at least one
};

/// As read_parts, but a glTF mesh that several nodes place is read once, for as many instances, with Split::automatic
/// and Split::nodes. The part of a node's transform that is not rigid is applied to the mesh: nodes that scale it
/// alike, mirrored or not, share one mesh. A transform counts as rigid and evenly scaled when that moves no vertex by
/// more than 2^-21 of the mesh's size. Other files: an instance for each part.
[[nodiscard]] LAMELLA_API MeshInstances read_instances(const std::filesystem::path& path,
                                                       Split split = Split::automatic, const ReadOptions& options = {});
[[nodiscard]] LAMELLA_API MeshInstances read_instances(std::span<const std::byte> bytes, MeshFormat format,
                                                       Split split = Split::automatic, std::string_view name = "memory",
                                                       const ReadOptions& options = {});

/// Writes .ply (binary little-endian), .obj or .stl (binary); the extension gives the format. The file appears
/// complete or not at all (NewFile in lamella/file.hpp). Throws Error, also for a vertex that is not finite.
///
/// A mesh with an origin, or in doubles, is written in world coordinates with the digits of doubles: .ply as double,
/// .stl as text when it is farther from 0 than 16 times its size, for binary STL has floats alone.
LAMELLA_API void write_mesh(const std::filesystem::path& path, MeshView mesh);

}  // namespace lamella
