#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "lamella/geometry_image.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

struct ImageSheet {
  std::span<const GeometryImage> images;  ///< with normals
  std::size_t number = 0;                 ///< whose arrays are shown; surfaces are of all, spheres too up to 64
  MeshView original;                      ///< to stand beside them; may be empty
  std::string title;
  picture::Up up;
  picture::View view;
  picture::Size size;  ///< 0 x 0: the usual
  unsigned threads = 0;
  /// Called with tiles drawn and tiles in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// One sheet. Top: positions, normals, centres and radii of the packed pyramid as images. Middle: the original, if
/// there is one, the surface with its cut from two sides, and in a checkerboard of its quads. Bottom: spheres of three
/// levels, coloured as their centres are in the pyramid.
[[nodiscard]] picture::Image draw_sheet(const ImageSheet& sheet);

}  // namespace lamella::cli
