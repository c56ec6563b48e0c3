#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/parallel.hpp"
#include "lamella/sphere_pyramid.hpp"

namespace lamella::pyramid {

/// Levels are counted from the bottom here: k = 0 is the quads. Spheres of the first kVertexLevels enclose vertices,
/// those above enclose spheres.
inline constexpr int kVertexLevels = 4;
/// Smaller images are built without vectors.
inline constexpr int kMinVectorLevels = 6;
/// Rows of quads that are built together, up to level kChunkLevels - 1, where they are one row.
inline constexpr int kChunkLevels = 7;
inline constexpr std::size_t kChunkRows = std::size_t{1} << (kChunkLevels - 1);

/// A sphere on level k >= kVertexLevels encloses those of this level: 4 by 4 of them or more, so that little is lost to
/// their size, but not so many that it takes long.
constexpr int level_under(int k) { return k < 6 ? 2 : 3; }

/// Factor that makes a distance computed in float no smaller than the exact one. Differences, squares, two additions
/// and the root lose at most 3.5 * 2^-24 of it, and rounding the product one more. Squares of differences below 2^-63
/// are not normal numbers: the root of what three of them can lose is below kLeast.
inline constexpr float kEnlarge = 1 + 0x1p-21f, kLeast = 0x1p-74f;
/// The same for the sum of an enlarged distance and a radius.
inline constexpr float kEnlargeSum = 1 + 0x1p-22f;

/// Where the levels of a pyramid are in its packed image.
struct Places {
  Sphere* pixels = nullptr;
  std::size_t width = 0;  ///< of a row of pixels
  int n = 0;
  std::size_t offset[kMaxImageLevels + 1] = {};  ///< by k

  [[nodiscard]] Sphere* row(int k, std::size_t y) const { return pixels + offset[k] + y * width; }
  [[nodiscard]] std::size_t side(int k) const { return std::size_t{1} << (n - k); }
};

/// All levels below kChunkLevels for the chunks [begin, end) of kChunkRows rows of quads each; n >= kMinVectorLevels.
/// `past_caches`: write the spheres of quads past the caches, where they would not fit.
void build_chunks(const Vec3* positions, const Places& places, std::size_t begin, std::size_t end, bool past_caches);

/// Rows [begin, end) of level k >= kVertexLevels.
void build_above(const Places& places, int k, std::size_t begin, std::size_t end);

/// Up to this level spheres are shrunk around their vertices, above it around the spheres this many levels below.
inline constexpr int kShrinkDepth = 5;

/// Makes spheres of rows [begin, end) of level k smaller where that is possible; levels below must be done.
void shrink_rows(const Vec3* positions, const Places& places, int k, std::size_t begin, std::size_t end);

/// All levels as GI-COLLIDE has them. Returns the quads whose spheres leave a vertex outside: 0 with `enclosing`.
std::uint64_t build_published(const Vec3* positions, const Places& places, bool enclosing, Workers& workers);

}  // namespace lamella::pyramid
