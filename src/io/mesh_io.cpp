#include "lamella/mesh_io.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/mapped_file.hpp"
#include "io/messages.hpp"

namespace lamella {
namespace io {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

namespace {

using Reader = Mesh (*)(const Source&);

struct Format {
  std::string_view extension;
  Reader read;
};

constexpr Format kMeshFormats[] = {{".ply", read_ply}, {".obj", read_obj},   {".stl", read_stl},
                                   {".off", read_off}, {".gltf", read_gltf}, {".glb", read_glb}};
constexpr std::string_view kPointsExtension = ".xyz";

[[noreturn]] void fail_extension(const std::filesystem::path& path, bool points) {
  std::string known;
  for (const Format& format : kMeshFormats) known += fmt::format(" {}", format.extension);
  if (points) known += fmt::format(" {}", kPointsExtension);
  fail(display(path),
       fmt::format("expected a file name that ends in one of{}, found {}", known, excerpt(path.extension().string())));
}

Reader find_reader(const std::filesystem::path& path, bool points) {
  const std::string extension = lower_extension(path);
  for (const Format& format : kMeshFormats) {
    if (format.extension == extension) return format.read;
  }
  if (extension != kPointsExtension) fail_extension(path, points);
  if (!points) fail(display(path), "expected a mesh, found a list of points (.xyz), which has no faces");
  return read_xyz;
}

Mesh read(const std::filesystem::path& path, Reader reader, const ReadOptions& options) {
  const MappedFile file(path);
  Progress progress(options, file.bytes().size());
  Mesh mesh = reader({file.bytes(), path, display(path), progress});
  if (mesh.positions.size() > kMaxVertices) {
    fail(display(path), "more vertices than 32-bit indices can name; split the mesh");
  }
  progress.finish();
  return mesh;
}

}  // namespace
}  // namespace io

Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options) {
  Mesh mesh = io::read(path, io::find_reader(path, false), options);
  if (mesh.triangles.empty()) {
    io::fail(io::display(path), fmt::format("the mesh has no faces; its {} vertices can only be used as points "
                                            "(read_points, or POINTS of `lamella contain MESH POINTS`)",
                                            mesh.positions.size()));
  }
  return mesh;
}

std::vector<Vec3> read_points(const std::filesystem::path& path, const ReadOptions& options) {
  Mesh mesh = io::read(path, io::find_reader(path, true), options);
  if (mesh.positions.empty()) io::fail(io::display(path), "expected points, found none in the file");
  return std::move(mesh.positions);
}

}  // namespace lamella
