#pragma once

#include <filesystem>
#include <vector>

#include "lamella/geometry_image_io.hpp"

namespace lamella::io {

/// Whether a classic TIFF file, whose offsets have 32 bits, might not hold the images.
[[nodiscard]] bool may_exceed_4_gb(const std::vector<GeometryImage>& images);

/// As the public function, with the choice of BigTIFF left to the caller.
void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>& images,
                  const ImageFileOptions& options, bool big);

}  // namespace lamella::io
