#include "lamella/mesh_io.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "core/origin.hpp"
#include "core/subsets.hpp"
#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/input_file.hpp"
#include "io/messages.hpp"
#include "io/parts.hpp"

namespace lamella {
namespace io {
namespace {

struct Format {
  std::string_view extension;
  FileMesh (*read)(const Source&);
};

/// In the order of MeshFormat.
constexpr Format kFormats[] = {{".ply", read_ply},   {".obj", read_obj}, {".stl", read_stl}, {".off", read_off},
                               {".gltf", read_gltf}, {".glb", read_glb}, {".xyz", read_xyz}};
static_assert(std::size(kFormats) == static_cast<std::size_t>(MeshFormat::xyz) + 1);

/// What a mesh may take beside a multiple of its file's size.
constexpr std::uint64_t kBaseMemory = std::uint64_t{64} << 20;

/// Whether floats may have lost more than 2^-20 of the mesh's size.
bool is_far(std::span<const Vec3> positions) {
  return !(origin_for(wide_box(inspect_positions(positions).box), kFarFromOrigin) == Vec3d{});
}

/// Whether the caller wants a mesh, or points, which every format has.
enum class Wanted { mesh, points };

MeshFormat format_of(const std::filesystem::path& path, Wanted wanted) {
  if (const auto format = mesh_format(path)) return *format;
  std::string known;
  for (const Format& format : kFormats) {
    if (wanted == Wanted::points || format.read != read_xyz) known += fmt::format(" {}", format.extension);
  }
  fail(display(path),
       fmt::format("expected a file name that ends in one of{}, found {}", known, excerpt(path.extension().string())));
}

/// A file's bytes, and what reading them takes.
struct Opened {
  std::string_view bytes;
  std::string name;  ///< as messages show it
  std::optional<std::filesystem::path> folder;
  MeshFormat format;
  const MemoryLimit& memory;  ///< with the bytes counted
  const ReadOptions& options;
};

template <class Use>
auto open(const std::filesystem::path& path, Wanted wanted, const ReadOptions& options, const Use& use) {
  const InputFile file(path);  // first: of a folder, its extension is not what is wrong
  const MeshFormat format = format_of(path, wanted);
  MemoryLimit memory(display(path), options.max_memory, kBaseMemory, file.size());
  const FileBytes bytes = file.read(memory);
  return use(Opened{bytes.bytes(), display(path), path.parent_path(), format, memory, options});
}

template <class Use>
auto open(std::span<const std::byte> bytes, MeshFormat format, std::string_view name, const ReadOptions& options,
          const Use& use) {
  const MemoryLimit memory(display(name), options.max_memory, kBaseMemory, bytes.size());
  return use(Opened{as_chars(bytes), display(name), std::nullopt, format, memory, options});
}

struct Pass {
  Wanted wanted = Wanted::mesh;
  bool wide = false, parts = false;
  bool quiet = false;  ///< a second time: progress does not go back
};

[[noreturn]] void refuse_points(const Opened& file, std::size_t vertices) {
  fail(file.name, fmt::format("the mesh has no faces; its {} vertices can only be used as points "
                              "(read_points, or POINTS of `lamella contain MESH POINTS`)",
                              vertices));
}

/// Reads the file once. `memory` begins as a copy of the file's.
FileMesh read(const Opened& file, MemoryLimit& memory, const Pass& pass) {
  if (file.bytes.empty()) fail(file.name, "the file is empty");
  if (pass.wanted == Wanted::mesh && file.format == MeshFormat::xyz) {
    fail(file.name, "expected a mesh, found a list of points (.xyz), which has no faces");
  }
  const ReadOptions silent;
  Progress progress(pass.quiet ? silent : file.options, file.bytes.size());
  const Source source{.bytes = file.bytes,
                      .name = file.name,
                      .folder = file.folder,
                      .progress = progress,
                      .memory = memory,
                      .finite = pass.wanted == Wanted::points,
                      .wide = pass.wide,
                      .parts = pass.parts};
  FileMesh mesh = kFormats[static_cast<std::size_t>(file.format)].read(source);
  if (mesh.vertex_count() > kMaxVertices) {
    fail(file.name, "more vertices than 32-bit indices can name; split the mesh");
  }
  if (pass.wanted == Wanted::points && mesh.vertex_count() == 0) {
    fail(file.name, "expected points, found none in the file");
  }
  if (pass.wanted == Wanted::mesh && mesh.triangles.empty()) refuse_points(file, mesh.vertex_count());
  progress.finish();
  return mesh;
}

Mesh mesh_in(const Opened& file) {
  const bool keep = file.options.keep_doubles;
  if (!keep) {
    MemoryLimit memory = file.memory;
    FileMesh mesh = read(file, memory, {});
    if (!is_far(mesh.positions)) return {std::move(mesh.positions), std::move(mesh.triangles)};
  }
  MemoryLimit memory = file.memory;
  FileMesh mesh = read(file, memory, {.wide = true, .quiet = !keep});
  const MemoryLoan result(memory, mesh.wide.size(), sizeof(Vec3) + (keep ? sizeof(Vec3d) : 0));
  return rounded(mesh.wide, std::move(mesh.triangles), {.keep = keep, .floats = mesh.floats});
}

std::vector<MeshPart> parts_in(const Opened& file, Split split) {
  const bool keep = file.options.keep_doubles;
  if (!keep) {
    MemoryLimit memory = file.memory;
    auto parts = split_parts(read(file, memory, {.parts = true}), file.format, split, memory, false);
    if (std::ranges::none_of(parts, [](const MeshPart& part) { return is_far(part.mesh.positions); })) return parts;
  }
  MemoryLimit memory = file.memory;
  return split_parts(read(file, memory, {.wide = true, .parts = true, .quiet = !keep}), file.format, split, memory,
                     keep);
}

MeshInstances instances_in(const Opened& file, Split split) {
  const bool gltf = file.format == MeshFormat::gltf || file.format == MeshFormat::glb;
  if (!gltf || (split != Split::automatic && split != Split::nodes)) return to_instances(parts_in(file, split));
  if (file.bytes.empty()) fail(file.name, "the file is empty");
  MemoryLimit memory = file.memory;
  Progress progress(file.options, file.bytes.size());
  const Source source{.bytes = file.bytes,
                      .name = file.name,
                      .folder = file.folder,
                      .progress = progress,
                      .memory = memory,
                      .wide = true};
  FileInstances found = file.format == MeshFormat::gltf ? read_gltf_instances(source) : read_glb_instances(source);
  std::size_t vertices = 0;
  for (const FileMesh& mesh : found.meshes) vertices += mesh.vertex_count();
  MeshInstances out = to_instances(std::move(found), memory, file.options.keep_doubles);
  if (out.instances.empty()) refuse_points(file, vertices);
  progress.finish();
  return out;
}

std::vector<Vec3> points_in(const Opened& file) {
  MemoryLimit memory = file.memory;
  return read(file, memory, {.wanted = Wanted::points}).positions;
}

std::vector<Vec3d> wide_points_in(const Opened& file) {
  MemoryLimit memory = file.memory;
  return read(file, memory, {.wanted = Wanted::points, .wide = true}).wide;
}

}  // namespace
}  // namespace io

std::optional<MeshFormat> mesh_format(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto* found = std::ranges::find(io::kFormats, extension, &io::Format::extension);
  if (found == std::end(io::kFormats)) return std::nullopt;
  return static_cast<MeshFormat>(found - std::begin(io::kFormats));
}

Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options) {
  return io::open(path, io::Wanted::mesh, options, io::mesh_in);
}

Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format, std::string_view name, const ReadOptions& options) {
  return io::open(bytes, format, name, options, io::mesh_in);
}

std::vector<MeshPart> read_parts(const std::filesystem::path& path, Split split, const ReadOptions& options) {
  return io::open(path, io::Wanted::mesh, options, [&](const io::Opened& file) { return io::parts_in(file, split); });
}

std::vector<MeshPart> read_parts(std::span<const std::byte> bytes, MeshFormat format, Split split,
                                 std::string_view name, const ReadOptions& options) {
  return io::open(bytes, format, name, options, [&](const io::Opened& file) { return io::parts_in(file, split); });
}

MeshInstances read_instances(const std::filesystem::path& path, Split split, const ReadOptions& options) {
  return io::open(path, io::Wanted::mesh, options,
                  [&](const io::Opened& file) { return io::instances_in(file, split); });
}

MeshInstances read_instances(std::span<const std::byte> bytes, MeshFormat format, Split split, std::string_view name,
                             const ReadOptions& options) {
  return io::open(bytes, format, name, options, [&](const io::Opened& file) { return io::instances_in(file, split); });
}

std::vector<Vec3> read_points(const std::filesystem::path& path, const ReadOptions& options) {
  return io::open(path, io::Wanted::points, options, io::points_in);
}

std::vector<Vec3> read_points(std::span<const std::byte> bytes, MeshFormat format, std::string_view name,
                              const ReadOptions& options) {
  return io::open(bytes, format, name, options, io::points_in);
}

std::vector<Vec3d> read_wide_points(const std::filesystem::path& path, const ReadOptions& options) {
  return io::open(path, io::Wanted::points, options, io::wide_points_in);
}

std::vector<Vec3d> read_wide_points(std::span<const std::byte> bytes, MeshFormat format, std::string_view name,
                                    const ReadOptions& options) {
  return io::open(bytes, format, name, options, io::wide_points_in);
}

}  // namespace lamella
