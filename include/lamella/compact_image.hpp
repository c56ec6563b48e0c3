#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"
#include "lamella/sphere_pyramid.hpp"

// Geometry images and their spheres in 16-bit numbers, as GI-COLLIDE keeps them: 18 bytes a vertex, 24 with normals,
// where GeometryImage and SpherePyramid take 36 and 48.

namespace lamella {

/// A geometry image as the codes that its file has (docs/gi-file.md): nothing is lost against read_images.
struct CompactImage {
  int n = 0;
  Aabb box;                              ///< on each axis code 0 is its low face, 65535 its high face
  std::vector<std::uint16_t> positions;  ///< three codes a vertex, in the order of GeometryImage::positions
  std::vector<std::uint16_t> normals;    ///< the same, or empty; no search needs them

  [[nodiscard]] std::uint32_t quads_per_side() const { return 1u << n; }
  [[nodiscard]] std::uint32_t side() const { return quads_per_side() + 1; }
  [[nodiscard]] std::size_t triangle_count() const { return std::size_t{2} << (2 * n); }
};

/// Rounds positions and normals to codes in the image's own box, as write_images does. Throws Error for an image that
/// check() refuses.
[[nodiscard]] LAMELLA_API CompactImage compacted(const GeometryImage& image);
/// The image that read_images would return.
[[nodiscard]] LAMELLA_API GeometryImage expanded(const CompactImage& image);
/// Throws Error when the size is not that of n, n is out of range, or the box is empty, not finite or beyond
/// kMaxImageCoordinate.
LAMELLA_API void check(const CompactImage& image);

/// A sphere in eight bytes.
struct SphereCode {
  std::uint16_t x = 0, y = 0, z = 0;  ///< the centre's place in the pyramid's box
  std::uint16_t radius = 0;           ///< the upper half of a float, rounded up
};
static_assert(sizeof(SphereCode) == 8);

/// The pyramid of a CompactImage, laid out as SpherePyramid is: 12 bytes a quad. Its spheres enclose what those of a
/// SpherePyramid of the same fit enclose: what a centre is moved by when it is rounded is added to the radius.
class LAMELLA_API CompactPyramid {
 public:
  CompactPyramid() = default;

  /// In parts of 257 x 257 vertices, so that little memory is needed beside the result; above these parts spheres
  /// enclose spheres, and are somewhat larger than SpherePyramid's. `threads` as in SpherePyramid::build; the same bits
  /// for any number. Throws Error for an image that check() refuses.
  void build(const CompactImage& image, SphereFit fit = SphereFit::tight, unsigned threads = 1);

  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] std::uint32_t width() const { return (3u << n_) / 2; }
  [[nodiscard]] std::uint32_t height() const { return 1u << n_; }
  [[nodiscard]] std::span<const SphereCode> pixels() const { return pixels_; }
  /// Where a level starts in pixels(), as in SpherePyramid.
  [[nodiscard]] std::span<const std::size_t, kMaxImageLevels + 1> offsets() const { return offsets_; }

  /// A centre is low() + code * step() on each axis, in float.
  [[nodiscard]] Vec3 low() const { return low_; }
  [[nodiscard]] Vec3 step() const { return step_; }
  [[nodiscard]] Sphere decoded(SphereCode code) const {
    return {low_.x + static_cast<float>(code.x) * step_.x, low_.y + static_cast<float>(code.y) * step_.y,
            low_.z + static_cast<float>(code.z) * step_.z, std::bit_cast<float>(std::uint32_t{code.radius} << 16)};
  }
  [[nodiscard]] Sphere at(int level, std::uint32_t x, std::uint32_t y) const {
    return decoded(pixels_[offsets_[static_cast<std::size_t>(level)] + std::size_t{y} * width() + x]);
  }
  [[nodiscard]] Sphere root() const { return at(0, 0, 0); }
  [[nodiscard]] std::uint64_t open_quad_count() const { return open_quads_; }  ///< as in SpherePyramid

 private:
  int n_ = 0;
  std::uint64_t open_quads_ = 0;
  Vec3 low_, step_;
  std::array<std::size_t, kMaxImageLevels + 1> offsets_{};
  std::vector<SphereCode, CacheLineAllocator<SphereCode>> pixels_;
};

}  // namespace lamella
