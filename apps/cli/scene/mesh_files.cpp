// Mesh files as a scene: which files become which objects.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "cli/common.hpp"
#include "cli/model_input.hpp"
#include "cli/progress.hpp"
#include "cli/scene/file.hpp"
#include "cli/scene/names.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

namespace fs = std::filesystem;

bool is_mesh_file(const fs::directory_entry& entry) {
  std::error_code failure;
  const auto format = mesh_format(entry.path());
  return format && *format != MeshFormat::xyz && entry.is_regular_file(failure);
}

/// The mesh files in a folder, by name.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    if (!is_mesh_file(*entry)) continue;
    if (files.size() == kMaxObjects) throw Error(fmt::format("{}: has more than {} mesh files", folder, kMaxObjects));
    files.push_back(entry->path().string());
  }
  if (failure) throw Error(fmt::format("{}: cannot list the folder: {}", folder, failure.message()));
  if (files.empty()) {
    throw Error(fmt::format("{}: the folder has no mesh files (.ply .obj .stl .off .gltf .glb)", folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> with_folders_expanded(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code failure;
    if (is_model(path) || !fs::is_directory(path, failure)) {
      files.push_back(path);
    } else {
      const std::vector<std::string> found = files_in(path);
      files.insert(files.end(), found.begin(), found.end());
    }
  }
  return files;
}

/// The parts of one file, whose meshes are in SceneFile::meshes.
using LoadedFile = std::vector<MeshInstance>;

LoadedFile load_file(const MeshRequest& request, const std::string& label, const MeshLoader& loader, SceneFile& file) {
  LoadedMeshes loaded = loader(request);
  MeshInstances& all = loaded.all;
  const auto first = static_cast<std::uint32_t>(file.meshes.size());
  for (std::size_t i = 0; i < all.meshes.size(); ++i) {
    const std::string& name = all.mesh_names[i];
    file.mesh_names.push_back(all.meshes.size() == 1 || name.empty() ? label : fmt::format("{}/{}", label, name));
    file.meshes.push_back(std::move(all.meshes[i]));
    file.mesh_files.push_back(request.name);
    file.triangle_counts.push_back(loaded.triangle_counts[i]);
  }
  for (MeshInstance& instance : all.instances) instance.mesh += first;
  return std::move(all.instances);
}

/// The file's name without its extension; of a model, its name.
std::string group_of(const std::string& path) { return is_model(path) ? path : fs::path(path).stem().string(); }

}  // namespace

std::optional<Split> parse_split(std::string_view word) {
  constexpr std::pair<std::string_view, Split> kWords[] = {{"auto", Split::automatic},
                                                           {"groups", Split::groups},
                                                           {"nodes", Split::nodes},
                                                           {"components", Split::components},
                                                           {"none", Split::none}};
  for (const auto& [known, split] : kWords) {
    if (word == known) return split;
  }
  return std::nullopt;
}

SceneFile scene_of_meshes(const std::vector<std::string>& paths, double scale, Split split, Instances instances,
                          const MeshLoader& loader) {
  using Kind = MeshRequest::Kind;
  const Kind kind = instances == Instances::shared ? Kind::instances : Kind::parts;
  SceneFile file;
  const std::vector<std::string> files = with_folders_expanded(paths);
  const std::vector<std::string> labels = labels_of(files);
  std::unordered_map<std::string, LoadedFile> loaded;
  Progress progress("files");  // of many small ones; a large one has a bar of its own
  for (std::size_t i = 0; i < files.size(); ++i) {
    progress.update(i, files.size());
    const auto [known, is_new] = loaded.try_emplace(identity_of(files[i]));
    if (is_new) known->second = load_file({kind, split, files[i]}, labels[i], loader, file);
    const LoadedFile& parts = known->second;
    if (file.objects.size() + parts.size() > kMaxObjects) {
      throw Error(fmt::format("{}: makes more than {} objects; try --split none", files[i], kMaxObjects));
    }
    for (const MeshInstance& part : parts) {
      const auto named = [&](const std::string& of_file) {
        if (parts.size() == 1) return of_file;
        return files.size() == 1 ? part.name : fmt::format("{}/{}", of_file, part.name);
      };
      SceneObject object;
      object.name = named(files[i]);
      object.label = named(labels[i]);
      object.group = group_of(files[i]);
      object.scale = scale;
      object.mesh = part.mesh;
      object.pose = {part.pose.translation * scale, part.pose.rotation};
      file.objects.push_back(std::move(object));
    }
  }
  return file;
}

}  // namespace lamella::cli
