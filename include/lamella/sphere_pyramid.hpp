#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {

struct Sphere {
  float x = 0, y = 0, z = 0;
  float radius = 0;
};
static_assert(sizeof(Sphere) == 16);

/// How closely spheres are fitted.
enum class SphereFit : std::uint8_t {
  fast,   ///< built at about half the speed of copying memory: for surfaces that deform
  tight,  ///< radii within about 1 % of the smallest possible; some thirty times slower: for what is built once
  /// As GI-COLLIDE has them, to the letter: a quad's sphere is centred on the box of its vertices and has half of the
  /// quad's longer diagonal as its radius; every sphere above encloses four. The spheres of some quads do not reach all
  /// of their vertices (open_quad_count()), and a search may then miss a collision.
  published,
  /// The same, but where a vertex would be outside the radius reaches to it: no collision is missed.
  published_enclosing,
};

/// Memory in whole cache lines.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

/// A hierarchy of bounding spheres of a geometry image, packed into one image of RGBA pixels: Benes, Gomez Villanueva,
/// "GI-COLLIDE", section 3. Level 0 is one sphere around everything, level n has one per quad. The sphere (x, y) of a
/// level encloses all of the surface under it; its children are (2x, 2y), (2x + 1, 2y), (2x, 2y + 1), (2x + 1, 2y + 1)
/// of the next level. Level n lies at the image's origin, the others to its right, one above the other:
/// 3 * 2^(n-1) by 2^n pixels, 24 bytes a quad. No pointers.
class LAMELLA_API SpherePyramid {
 public:
  SpherePyramid() = default;
  explicit SpherePyramid(const GeometryImage& image, SphereFit fit = SphereFit::tight) {
    build(image.n, image.positions, 1, fit);
  }

  /// From positions laid out as in GeometryImage; an image of the same size is refitted in place, without allocation.
  /// Fast: one pass, about 4 ns a quad where memory is the limit, 3 ns where it is not; tight: 0.1 us a quad. The same
  /// bits for any instruction set and number of threads. `threads`: 0 for all cores this process may use, no more than
  /// 1,024; a small image is done by one thread.
  /// Positions must be finite and below 1e18 in size. Throws Error when n is out of range or there are not
  /// (2^n + 1)^2 positions.
  void build(int n, std::span<const Vec3> positions, unsigned threads = 1, SphereFit fit = SphereFit::fast);

  [[nodiscard]] int n() const { return n_; }  ///< of the image; the number of the deepest level
  [[nodiscard]] std::uint32_t width() const { return (3u << n_) / 2; }
  [[nodiscard]] std::uint32_t height() const { return 1u << n_; }
  /// The packed image, width() * height() pixels, row by row; pixels outside all levels are zero.
  [[nodiscard]] std::span<const Sphere> pixels() const { return pixels_; }

  /// Where a level starts in pixels(); its sphere (x, y) is at offset(level) + y * width() + x.
  [[nodiscard]] std::size_t offset(int level) const { return offsets_[static_cast<std::size_t>(level)]; }
  /// Of all levels.
  [[nodiscard]] std::span<const std::size_t, kMaxImageLevels + 1> offsets() const { return offsets_; }
  [[nodiscard]] const Sphere& at(int level, std::uint32_t x, std::uint32_t y) const {
    return pixels_[offset(level) + std::size_t{y} * width() + x];
  }
  [[nodiscard]] const Sphere& root() const { return at(0, 0, 0); }

  /// Quads with a vertex outside of their sphere: always 0 but for SphereFit::published.
  [[nodiscard]] std::uint64_t open_quad_count() const { return open_quads_; }

 private:
  int n_ = 0;
  std::uint64_t open_quads_ = 0;
  std::array<std::size_t, kMaxImageLevels + 1> offsets_{};
  std::vector<Sphere, CacheLineAllocator<Sphere>> pixels_;
};

}  // namespace lamella
