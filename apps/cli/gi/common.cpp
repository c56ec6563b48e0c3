#include "cli/gi/common.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella::cli {
namespace {

constexpr std::array<std::string_view, 2> kImageExtensions{".tiff", ".tif"};
constexpr std::array<std::string_view, 6> kMeshExtensions{".ply", ".obj", ".stl", ".off", ".gltf", ".glb"};

}  // namespace

bool is_image_file(const std::filesystem::path& path) { return has_extension(path, kImageExtensions); }
bool is_mesh_file(const std::filesystem::path& path) { return is_model(path) || has_extension(path, kMeshExtensions); }

namespace {

void refuse_mesh(const std::filesystem::path& path) {
  if (is_mesh_file(path)) {
    throw Error(fmt::format("{0}: is a mesh, not a geometry image; make one of it: lamella gi make {0} -o {1}.tiff",
                            path.string(), stem_of(path)));
  }
}

}  // namespace

std::vector<GeometryImage> load_images(const std::filesystem::path& path, bool normals) {
  refuse_mesh(path);
  Progress progress(file_name(path));
  return read_images(path, {.progress = progress.callback(), .max_memory = memory_limit(), .skip_normals = !normals});
}

std::vector<CompactImage> load_compact_images(const std::filesystem::path& path) {
  refuse_mesh(path);
  Progress progress(file_name(path));
  return read_compact_images(path,
                             {.progress = progress.callback(), .max_memory = memory_limit(), .skip_normals = true});
}

std::filesystem::path check_output(std::string_view option, const std::string& text,
                                   std::span<const std::string_view> extensions) {
  if (!has_extension(text, extensions)) {
    std::string names;
    for (const std::string_view extension : extensions) names += fmt::format(" {}", extension);
    throw Error(fmt::format("{}: '{}' must end in one of:{}", option, text, names));
  }
  const std::filesystem::path path = text, folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code failure;
  if (::access(folder.c_str(), W_OK) != 0 || !std::filesystem::is_directory(folder, failure)) {
    throw Error(fmt::format("{}: cannot be written; is its folder there and writable?", text));
  }
  if (std::filesystem::is_directory(path, failure)) {
    throw Error(fmt::format("{}: is a folder; name a file in it", text));
  }
  return path;
}

Mesh coarse_mesh(const GeometryImage& image, int finest) {
  if (image.n <= finest) return to_mesh(image);
  GeometryImage coarse{.n = finest, .positions = {}, .normals = {}};
  const std::size_t step = std::size_t{1} << (image.n - finest);
  coarse.positions.reserve(std::size_t{coarse.side()} * coarse.side());
  for (std::size_t y = 0; y < image.side(); y += step) {
    for (std::size_t x = 0; x < image.side(); x += step) {
      coarse.positions.push_back(image.positions[y * image.side() + x]);
    }
  }
  return to_mesh(coarse);
}

void append(Mesh& to, const Mesh& part) {
  const auto shift = static_cast<std::uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), part.positions.begin(), part.positions.end());
  for (const Triangle t : part.triangles) to.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
}

Aabb bounds_of(std::span<const GeometryImage> images) {
  Aabb box;
  for (const GeometryImage& image : images) box = unite(box, bounds({image.positions, {}}));
  return box;
}

std::string size_text(std::uint64_t width, std::uint64_t height) { return fmt::format("{} x {}", width, height); }

std::string bytes_text(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 10'000) return counted(bytes, "byte");
  if (bytes < 10'000'000) return fmt::format("{:.0f} KB", value / 1e3);
  return fmt::format("{:.{}f} MB", value / 1e6, bytes < 100'000'000 ? 1 : 0);
}

nlohmann::ordered_json finite_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace lamella::cli
