#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/compact_image.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella::cli {

/// Finest size at which surfaces of geometry images are drawn: half a million triangles are more than a picture shows.
inline constexpr int kFinestDrawn = 9;

/// Whether the name ends as files of geometry images do: .tiff or .tif.
[[nodiscard]] bool is_image_file(const std::filesystem::path& path);
/// Whether it ends as meshes do, or is a built-in model.
[[nodiscard]] bool is_mesh_file(const std::filesystem::path& path);

/// read_images with a progress bar on a terminal. A mesh instead is an Error that tells how to make images of it.
[[nodiscard]] std::vector<GeometryImage> load_images(const std::filesystem::path& path, bool normals = true);
/// The same as the file's codes, without normals.
[[nodiscard]] std::vector<CompactImage> load_compact_images(const std::filesystem::path& path);

/// A file to be written: it must end in one of `extensions`, and its folder must be there, or it is an Error at once
/// and not after all the work.
[[nodiscard]] std::filesystem::path check_output(std::string_view option, const std::string& text,
                                                 std::span<const std::string_view> extensions);

/// The image as a mesh, or every 2^k-th row and column of it, so that its n is at most `finest`.
[[nodiscard]] Mesh coarse_mesh(const GeometryImage& image, int finest);
void append(Mesh& to, const Mesh& part);
[[nodiscard]] Aabb bounds_of(std::span<const GeometryImage> images);

/// "257 x 257".
[[nodiscard]] std::string size_text(std::uint64_t width, std::uint64_t height);
/// "412 bytes", "412 KB", "3.1 MB": of 1000 each.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// JSON has no infinity: null then.
[[nodiscard]] nlohmann::ordered_json finite_json(double value);

}  // namespace lamella::cli
