#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/geometry_image.hpp"

namespace lamella {

struct Sphere {
  float x = 0, y = 0, z = 0;
  float radius = 0;
};
static_assert(sizeof(Sphere) == 16);

/// Bounding spheres of a geometry image, level over level, packed into one image of RGBA pixels:
/// Benes, Gomez Villanueva, "GI-COLLIDE", section 3. Level 0 is one sphere about everything, level n one per quad; the
/// sphere (x, y) of a level encloses all of the surface under it, and its children are (2x, 2y), (2x + 1, 2y),
/// (2x, 2y + 1), (2x + 1, 2y + 1) of the next level. Level n lies at the image's origin, the others beside it, one
/// above the other: 3 * 2^(n-1) by 2^n pixels, 24 bytes a quad. No pointers.
class SpherePyramid {
 public:
  SpherePyramid() = default;
  explicit SpherePyramid(const GeometryImage& image) { build(image.n, image.positions); }

  /// From positions laid out as in GeometryImage; an image of the same size is refitted in place, without allocation.
  /// One pass over the positions, about as fast as copying them. The same bits for any instruction set and number of
  /// threads. Positions must be finite and below 1e18.
  void build(int n, std::span<const Vec3> positions, unsigned threads = 1);

  [[nodiscard]] int levels() const { return n_; }  ///< the deepest level's number
  [[nodiscard]] std::uint32_t width() const { return 3u << (n_ - 1); }
  [[nodiscard]] std::uint32_t height() const { return 1u << n_; }
  /// The packed image, width() * height() pixels, row by row; those that no level covers are zero.
  [[nodiscard]] std::span<const Sphere> pixels() const { return pixels_; }

  /// Where a level starts in pixels(); its sphere (x, y) is at offset(level) + y * width() + x.
  [[nodiscard]] std::size_t offset(int level) const {
    // Level n - 1 is at y = 0 beside level n, each one further up where the one before ends.
    return level == n_ ? 0 : (std::size_t{1} << n_) + ((std::size_t{1} << n_) - (std::size_t{2} << level)) * width();
  }
  [[nodiscard]] const Sphere& at(int level, std::uint32_t x, std::uint32_t y) const {
    return pixels_[offset(level) + std::size_t{y} * width() + x];
  }
  [[nodiscard]] const Sphere& root() const { return at(0, 0, 0); }

 private:
  int n_ = 0;
  std::vector<Sphere> pixels_;
};

}  // namespace lamella
