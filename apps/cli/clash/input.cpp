#include "cli/clash/input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "cli/assembly_input.hpp"
#include "cli/clash/shared_input.hpp"
#include "cli/clash/words.hpp"
#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/model_input.hpp"
#include "cli/scene/file.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "scenes/crowded_assembly.hpp"

namespace lamella::cli {
namespace {

bool is_scene_file(const std::string& path) { return has_extension(path, std::array<std::string_view, 1>{".json"}); }

namespace fs = std::filesystem;

constexpr std::string_view kMeshKinds = ".ply .obj .stl .off .gltf .glb";
constexpr std::size_t kMostEntries = 2'000'000;  ///< of a folder and those below it
constexpr std::size_t kMostKindsNamed = 6;

/// Files that belong to meshes (materials, buffers, pictures), and those that only people read.
bool is_expected(const fs::path& path) {
  constexpr std::array<std::string_view, 16> kExpected{".mtl",  ".bin", ".png",  ".jpg", ".jpeg", ".webp",
                                                       ".ktx2", ".dds", ".tga",  ".bmp", ".txt",  ".md",
                                                       ".pdf",  ".csv", ".html", ".bcf"};
  return has_extension(path, kExpected);
}

/// What a folder and those below it have.
struct FolderFiles {
  std::vector<std::string> meshes;            ///< by name
  std::map<std::string, std::size_t> others;  ///< files that cannot be read: how many, by extension
  std::size_t links = 0;                      ///< to folders: they are not followed
  std::size_t overlaps = 0;                   ///< written by --glb: what parts share, no parts

  void add(const fs::directory_entry& entry) {
    std::error_code failure;
    const auto format = mesh_format(entry.path());
    if (entry.is_directory(failure)) {
      if (entry.is_symlink(failure)) ++links;
    } else if (format == MeshFormat::glb && is_clash_glb(entry.path())) {
      ++overlaps;
    } else if (format && *format != MeshFormat::xyz && entry.is_regular_file(failure)) {
      meshes.push_back(entry.path().string());
    } else if (!is_expected(entry.path())) {
      ++others[entry.path().extension().string()];
    }
  }
};

/// Hidden folders (".git") are not searched, and of hidden files only meshes count.
bool is_left_out(const fs::directory_entry& entry) {
  std::error_code failure;
  return entry.path().filename().string().starts_with('.') &&
         (entry.is_directory(failure) || !mesh_format(entry.path()));
}

FolderFiles files_in(const std::string& folder) {
  FolderFiles found;
  std::error_code failure;
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (++entries > kMostEntries)
      throw Error(
          fmt::format("{}: has more than {} files, those of folders below it counted; name the folders that "
                      "have the meshes",
                      folder, kMostEntries));
    if (!is_left_out(*entry))
      found.add(*entry);
    else
      entry.disable_recursion_pending();
  }
  if (failure) throw Error(fmt::format("{}: cannot list the folder and those below it: {}", folder, failure.message()));
  if (found.meshes.empty() && found.overlaps != 0)
    throw Error(
        fmt::format("{}: the folder and those below it have only what parts of other files share, written by "
                    "--glb; name the folder that has the parts",
                    folder));
  if (found.meshes.empty())
    throw Error(fmt::format("{}: the folder and those below it have no mesh files ({})", folder, kMeshKinds));
  std::sort(found.meshes.begin(), found.meshes.end());
  return found;
}

/// A sentence for each sort of thing that is not among the parts.
void warn_of_others(const std::string& folder, const FolderFiles& found, std::vector<std::string>& warnings) {
  std::size_t count = 0, named = 0;
  std::string kinds;
  for (const auto& [extension, files] : found.others) {
    count += files;
    if (++named <= kMostKindsNamed)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", grouped(files),
                           extension.empty() ? "without extension" : extension);
  }
  if (named > kMostKindsNamed) kinds += ", …";
  if (count > 0)
    warnings.push_back(
        fmt::format("{}: {} left out, of a kind that cannot be read ({}); convert what has parts in it "
                    "to one of {}",
                    folder, counted(count, "file"), kinds, kMeshKinds));
  if (found.overlaps > 0)
    warnings.push_back(
        fmt::format("{}: {} left out that --glb wrote: overlaps, no parts", folder, counted(found.overlaps, "file")));
  if (found.links > 0)
    warnings.push_back(fmt::format("{}: {} to other folders not followed; name those folders too", folder,
                                   counted(found.links, "link")));
}

std::vector<std::string> with_folders_searched(const std::vector<std::string>& paths,
                                               std::vector<std::string>& warnings) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code failure;
    if (is_model(path) || !fs::is_directory(path, failure)) {
      files.push_back(path);
      continue;
    }
    const FolderFiles found = files_in(path);
    if (files.size() + found.meshes.size() > kMaxObjects)
      throw Error(fmt::format("{}: makes more than {} mesh files", path, kMaxObjects));
    files.insert(files.end(), found.meshes.begin(), found.meshes.end());
    warn_of_others(path, found, warnings);
  }
  return files;
}

SceneFile load(const ClashInputArgs& args, const MeshLoader& loader, std::vector<std::string>& warnings) {
  for (const std::string& path : args.files) {
    if (is_scene_file(path) && args.files.size() > 1) {
      throw Error(fmt::format("{}: a scene file stands alone; name the other meshes in it, or give meshes only", path));
    }
  }
  if (!is_scene_file(args.files.front())) {
    return scene_of_meshes(with_folders_searched(args.files, warnings), args.scale.value_or(1),
                           args.split.value_or(Split::automatic), Instances::shared, loader);
  }
  if (args.split) throw Error("--split: is for meshes; in a scene file each mesh has a \"split\" of its own");
  if (args.scale) throw Error("--scale: is for meshes; in a scene file each object has a \"scale\" of its own");
  // Meshes are kept once, so that the triangles of all parts together take no memory.
  return read_scene_file(args.files.front(), args.any_path ? SceneFiles::anywhere : SceneFiles::in_its_folder,
                         UINT64_MAX, loader);
}

/// What a scene file has that means nothing here.
void warn_of_settings(const std::string& path, const SceneFile& file, std::vector<std::string>& warnings) {
  const auto warn = [&](const char* key, const char* why) {
    warnings.push_back(fmt::format("{}: \"{}\" is left out: {}", file_name(path), key, why));
  };
  constexpr const char* kGrid = "each pair has a grid of its own; \"resolution\" says how fine it is";
  if (file.cell) warn("cell", kGrid);
  if (file.screen) warn("screen", kGrid);
  if (file.frames > 1) warn("frames", "parts are tested where they are at frame 0");
}

/// Whether parts of a glTF file, in metres by its specification, are beside parts of other files that are as large.
bool mixes_units(const SceneFile& file) {
  std::vector<std::optional<MeshFormat>> formats;
  for (const std::string& name : file.mesh_files) formats.push_back(is_model(name) ? std::nullopt : mesh_format(name));
  std::set<double> metres, others;  // scales
  for (const SceneObject& object : file.objects) {
    const std::optional<MeshFormat> format = formats[object.mesh];
    if (format) (format == MeshFormat::gltf || format == MeshFormat::glb ? metres : others).insert(object.scale);
  }
  return std::any_of(metres.begin(), metres.end(), [&](double scale) { return others.contains(scale); });
}

/// The meshes that objects need, each once for each scale.
class MeshKeeper {
 public:
  MeshKeeper(SceneFile& file, Assembly& assembly, std::vector<MeshUse>& uses)
      : file_(file), assembly_(assembly), uses_(uses) {}

  std::uint32_t mesh_for(const SceneObject& object) {
    if (!object.shapes.empty()) return add(object);  // it may have another shape than the mesh
    const auto [known, is_new] = numbers_.try_emplace({object.mesh, object.scale}, 0);
    if (is_new) known->second = object.scale == 1 ? reserve(object.mesh) : add(object);
    return known->second;
  }

  /// Moves what is used as it is: after all copies were made of it.
  void finish() {
    for (const auto& [number, mesh] : as_they_are_) assembly_.meshes[number] = std::move(file_.meshes[mesh]);
  }

 private:
  std::uint32_t name_next(std::uint32_t mesh, double scale) {
    assembly_.mesh_names.push_back(file_.mesh_names[mesh]);
    uses_.push_back({mesh, scale});
    return static_cast<std::uint32_t>(assembly_.meshes.size());
  }

  std::uint32_t reserve(std::uint32_t mesh) {
    const std::uint32_t number = name_next(mesh, 1);
    assembly_.meshes.emplace_back();
    as_they_are_.emplace_back(number, mesh);
    return number;
  }

  std::uint32_t add(const SceneObject& object) {
    copied_ += file_.triangle_counts[object.mesh];
    if (copied_ > kMaxSceneTriangles) {
      throw Error(fmt::format("{}: meshes in different scales have more than {} triangles; scale fewer parts",
                              object.label, kMaxSceneTriangles));
    }
    const std::uint32_t number = name_next(object.mesh, object.scale);
    assembly_.meshes.push_back(mesh_of(file_, object));
    return number;
  }

  SceneFile& file_;
  Assembly& assembly_;
  std::vector<MeshUse>& uses_;
  std::map<std::pair<std::uint32_t, double>, std::uint32_t> numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> as_they_are_;  ///< numbers here and in the file
  std::uint64_t copied_ = 0;
};

/// Of several files the folder that all are in.
std::string title_of(const std::vector<std::string>& files) {
  const fs::path first = files.front();
  if (files.size() == 1) return file_name(first.has_filename() ? first : first.parent_path());
  std::error_code failure;
  std::optional<fs::path> common;
  for (const std::string& file : files) {
    if (is_model(file)) continue;
    const fs::path folder = fs::weakly_canonical(file, failure).parent_path();
    if (!common) common = folder;
    const auto ends = std::mismatch(common->begin(), common->end(), folder.begin(), folder.end());
    fs::path shared;
    for (auto part = common->begin(); part != ends.first; ++part) shared /= *part;
    common = shared;
  }
  return common && common->has_filename() ? file_name(*common) : fmt::format("{} files", files.size());
}

/// "assembly:NAME", with its own rules. Of a crowd, each of several processes makes its own share.
ClashInput built_in(const ClashInputArgs& args) {
  if (args.files.size() > 1 || args.split || args.scale)
    throw Error(fmt::format("{}: a built-in assembly stands alone, as it is", args.files.front()));
  const AssemblyInput asked = parse_assembly(args.files.front());
  ClashInput input{.assembly = {}, .ignored = {}, .title = args.files.front()};
  if (job_size() > 1 && asked.crowd()) {
    const scenes::CrowdedOptions crowd = *asked.crowd();
    input.source = {.part_count = crowd.parts,
                    .mesh_count = crowd.meshes,
                    .part = [=](std::uint64_t part) { return scenes::crowded_part(crowd, part); },
                    .mesh = [=](std::uint32_t mesh) { return scenes::crowded_mesh(crowd, mesh); },
                    .mesh_name = scenes::crowded_mesh_name};
    input.clearance = AssemblyInput::kCrowdClearance;
    return input;
  }
  scenes::SampleAssembly sample = asked.make();
  input.assembly = std::move(sample.assembly);
  input.rules = std::move(sample.rules);
  input.clearance = sample.clearance;
  input.touch = sample.touch;
  return input;
}

/// Names are UTF-8 in reports. Bytes that are none, which files' names may have, are spelt "\xff", or names that
/// differ in them alone would be the same there.
void spell_names(Assembly& assembly) {
  const auto spelt = [](std::string& name) {
    if (in_json(name) == name) return false;
    name = printable(name);
    return true;
  };
  for (std::string& name : assembly.mesh_names) (void)spelt(name);
  std::vector<AssemblyPart*> changed;
  std::set<std::string_view> taken;
  for (AssemblyPart& part : assembly.parts) {
    (void)spelt(part.group);
    if (spelt(part.name)) changed.push_back(&part);
  }
  if (changed.empty()) return;
  for (const AssemblyPart& part : assembly.parts)
    if (!std::binary_search(changed.begin(), changed.end(), &part)) taken.insert(part.name);
  for (AssemblyPart* part : changed) {
    while (taken.contains(part->name)) part->name += '\'';
    taken.insert(part->name);
  }
}

}  // namespace

mpi::PartSource source_of(const Assembly& assembly) {
  return {.part_count = assembly.parts.size(),
          .mesh_count = static_cast<std::uint32_t>(assembly.meshes.size()),
          .part = [&](std::uint64_t part) { return assembly.parts[part]; },
          .mesh = [&](std::uint32_t mesh) { return assembly.meshes[mesh]; },
          .mesh_name =
              [&](std::uint32_t mesh) {
                return mesh < assembly.mesh_names.size() ? assembly.mesh_names[mesh] : std::string();
              }};
}

std::string own_unit(const ClashInputArgs& args) {
  const std::string& first = args.files.front();
  return is_assembly(first) && !parse_assembly(first).crowd() ? "mm" : "";
}

ClashInput load_assembly(const ClashInputArgs& args) {
  if (is_assembly(args.files.front())) return built_in(args);
  if (job_size() > 1) return load_shared(args);
  std::vector<MeshUse> uses;
  return load_files(args, load_exactly, uses);
}

ClashInput load_files(const ClashInputArgs& args, const MeshLoader& loader, std::vector<MeshUse>& uses) {
  std::vector<std::string> warnings;
  SceneFile file = load(args, loader, warnings);
  ClashInput input{.assembly = {}, .ignored = std::move(file.ignored), .title = title_of(args.files)};
  if (is_scene_file(args.files.front())) warn_of_settings(args.files.front(), file, warnings);
  if (mixes_units(file))
    warnings.emplace_back(
        "glTF files are in metres, and there are others of another format beside them; all numbers are taken as they "
        "are. Give parts a \"scale\" in a scene file where their units differ");
  input.resolution = file.resolution;
  input.warnings = std::move(warnings);
  MeshKeeper meshes(file, input.assembly, uses);
  input.assembly.parts.reserve(file.objects.size());
  for (SceneObject& object : file.objects) {
    AssemblyPart part{.name = std::move(object.label), .mesh = meshes.mesh_for(object), .pose = pose_at(object, 0)};
    part.group = std::move(object.group);
    part.layer = std::move(object.layer);
    input.assembly.parts.push_back(std::move(part));
  }
  meshes.finish();
  spell_names(input.assembly);
  return input;
}

}  // namespace lamella::cli
