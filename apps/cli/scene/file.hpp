#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lamella/mesh.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/scene.hpp"

namespace lamella::cli {

// Scenes as files: docs/scene-file.md describes them.

/// A pose at one frame; between two keys translation and rotation are interpolated.
struct KeyPose {
  std::uint32_t frame = 0;
  Transform pose;
};

struct SceneObject {
  std::string name;
  std::string label;       ///< what tells it apart in a table
  std::string group{};     ///< for the rules of clashes; of mesh files, the file's name without its extension
  std::string layer{};     ///< the same
  std::uint32_t mesh = 0;  ///< index into SceneFile::meshes
  double scale = 1;        ///< of the mesh, before it is placed
  bool fixed = false;
  Transform pose;                         ///< at frame 0
  Vec3d velocity;                         ///< per frame
  Vec3d angular_velocity;                 ///< radians per frame, about the mesh's origin
  std::vector<KeyPose> keys;              ///< ascending; count instead of pose and velocities
  std::vector<std::vector<Vec3>> shapes;  ///< positions frame by frame, scaled; the last one stays
};

/// A scene with its meshes, ready to run.
struct SceneFile {
  std::vector<Mesh> meshes;
  std::vector<std::string> mesh_files;         ///< where each came from, some from the same; empty for a built-in model
  std::vector<std::string> mesh_names;         ///< for people
  std::vector<std::uint64_t> triangle_counts;  ///< of the meshes, also of those that a MeshLoader has left elsewhere
  std::vector<SceneObject> objects;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;
  std::uint32_t frames = 1;
  std::optional<float> cell;
  std::optional<std::uint32_t> resolution;
  std::optional<Screen> screen;
};

inline constexpr std::uint32_t kMaxFrames = 100'000;
inline constexpr std::size_t kMaxObjects = 1'000'000;
inline constexpr std::uint64_t kMaxSceneTriangles = std::uint64_t{1} << 27;

/// What a scene needs meshes for: a file, or a built-in model.
struct MeshRequest {
  enum class Kind : std::uint8_t {
    parts,      ///< of a file: load_parts()
    instances,  ///< of a file: load_instances()
    model,      ///< scenes::make_model()
    shape,      ///< of an object at a frame: it is not among SceneFile::meshes
  };
  Kind kind = Kind::parts;
  Split split = Split::none;
  std::string name;         ///< of the file or the model
  std::uint64_t faces = 0;  ///< of a model, as its seed
  std::uint32_t seed = 0;
  bool doubles = false;  ///< of a file: ReadOptions::keep_doubles
};

struct LoadedMeshes {
  MeshInstances all;
  std::vector<std::uint64_t> triangle_counts;  ///< of `all.meshes`
};

/// Loads what is asked for. Throws Error.
[[nodiscard]] LoadedMeshes load_here(const MeshRequest& request);
/// The same with MeshRequest::doubles.
[[nodiscard]] LoadedMeshes load_exactly(const MeshRequest& request);

/// Who loads the meshes of a scene, in the order of SceneFile::meshes. One that does not load them here gives empty
/// meshes with the counts and names that they have.
using MeshLoader = std::function<LoadedMeshes(const MeshRequest& request)>;

/// Which files a scene file may name.
enum class SceneFiles : std::uint8_t {
  in_its_folder,  ///< or below it
  anywhere,
};

/// Reads the file and every mesh it names, each once. The file is untrusted: counts, sizes and values are limited.
/// Throws Error "FILE:LINE:COLUMN: what is wrong; what to write". `max_placed`: triangles of all objects, a mesh
/// counted for each object that is made of it; for users that do not keep meshes once it bounds the memory.
[[nodiscard]] SceneFile read_scene_file(const std::filesystem::path& path, SceneFiles allowed,
                                        std::uint64_t max_placed = kMaxSceneTriangles,
                                        const MeshLoader& loader = load_here);

/// What becomes of a mesh that nodes of a glTF file place several times.
enum class Instances : std::uint8_t {
  copied,  ///< a mesh for each, in its place
  shared,  ///< one mesh for several objects, with poses
};

/// Each part of each mesh file or built-in model an object, where it is, `scale` times as large; the same file twice is
/// twice the objects with the same meshes. A folder is all mesh files in it, by name. An object has the name of its
/// file, or "file/part"; of one file alone, "part".
[[nodiscard]] SceneFile scene_of_meshes(const std::vector<std::string>& paths, double scale = 1,
                                        Split split = Split::automatic, Instances instances = Instances::copied,
                                        const MeshLoader& loader = load_here);

/// The words of --split and of "split" in scene files; nothing for another word.
inline constexpr std::string_view kSplitWords = "auto, groups, nodes, components, none";
[[nodiscard]] std::optional<Split> parse_split(std::string_view word);

/// Where an object is at a frame.
[[nodiscard]] Transform pose_at(const SceneObject& object, std::uint32_t frame);

/// The object's mesh at frame 0, scaled.
[[nodiscard]] Mesh mesh_of(const SceneFile& file, const SceneObject& object);

/// Puts all objects into the scene, as they are at frame 0: object i gets number i.
void fill(Scene& scene, const SceneFile& file);
/// Moves and deforms what moves and deforms.
void go_to_frame(Scene& scene, const SceneFile& file, std::uint32_t frame);

}  // namespace lamella::cli
