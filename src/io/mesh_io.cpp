#include "lamella/mesh_io.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/input_file.hpp"
#include "io/messages.hpp"

namespace lamella {
namespace io {
namespace {

struct Format {
  std::string_view extension;
  Mesh (*read)(const Source&);
};

/// In the order of MeshFormat.
constexpr Format kFormats[] = {{".ply", read_ply},   {".obj", read_obj}, {".stl", read_stl}, {".off", read_off},
                               {".gltf", read_gltf}, {".glb", read_glb}, {".xyz", read_xyz}};
static_assert(std::size(kFormats) == static_cast<std::size_t>(MeshFormat::xyz) + 1);

/// What a mesh may take beside a multiple of its file's size.
constexpr std::uint64_t kBaseMemory = std::uint64_t{64} << 20;

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

Mesh read(const Source& source, MeshFormat format, Wanted wanted) {
  if (source.bytes.empty()) fail(source.name, "the file is empty");
  if (wanted == Wanted::mesh && format == MeshFormat::xyz) {
    fail(source.name, "expected a mesh, found a list of points (.xyz), which has no faces");
  }
  Mesh mesh = kFormats[static_cast<std::size_t>(format)].read(source);
  if (mesh.positions.size() > kMaxVertices) {
    fail(source.name, "more vertices than 32-bit indices can name; split the mesh");
  }
  if (wanted == Wanted::points && mesh.positions.empty()) fail(source.name, "expected points, found none in the file");
  if (wanted == Wanted::mesh && mesh.triangles.empty()) {
    fail(source.name, fmt::format("the mesh has no faces; its {} vertices can only be used as points "
                                  "(read_points, or POINTS of `lamella contain MESH POINTS`)",
                                  mesh.positions.size()));
  }
  source.progress.finish();
  return mesh;
}

Mesh read(const std::filesystem::path& path, Wanted wanted, const ReadOptions& options) {
  const InputFile file(path);  // first: of a folder, its extension is not what is wrong
  const MeshFormat format = format_of(path, wanted);
  MemoryLimit memory(display(path), options.max_memory, kBaseMemory, file.size());
  const FileBytes bytes = file.read(memory);
  Progress progress(options, file.size());
  return read({bytes.bytes(), display(path), path.parent_path(), progress, memory, wanted == Wanted::points}, format,
              wanted);
}

Mesh read(std::span<const std::byte> bytes, MeshFormat format, std::string_view name, Wanted wanted,
          const ReadOptions& options) {
  MemoryLimit memory(display(name), options.max_memory, kBaseMemory, bytes.size());
  Progress progress(options, bytes.size());
  return read({as_chars(bytes), display(name), std::nullopt, progress, memory, wanted == Wanted::points}, format,
              wanted);
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
  return io::read(path, io::Wanted::mesh, options);
}

Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format, std::string_view name, const ReadOptions& options) {
  return io::read(bytes, format, name, io::Wanted::mesh, options);
}

std::vector<Vec3> read_points(const std::filesystem::path& path, const ReadOptions& options) {
  return io::read(path, io::Wanted::points, options).positions;
}

std::vector<Vec3> read_points(std::span<const std::byte> bytes, MeshFormat format, std::string_view name,
                              const ReadOptions& options) {
  return io::read(bytes, format, name, io::Wanted::points, options).positions;
}

}  // namespace lamella
