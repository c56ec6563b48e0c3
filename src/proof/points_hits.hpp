#pragma once

// Which triangles the rays of points cross, as far as floats can tell; compiled for every instruction set, with the
// same results.

#include <cstddef>
#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella::proof {

/// Which way the ray of a point is followed. The ray meets triangles that reach to the point's w or higher, that begin
/// at its w or lower, or both.
enum class Way : std::uint32_t { up, down, both };

/// A point whose ray is to be followed.
struct RayStart {
  Vec3 at;                 ///< u, v, w
  std::uint32_t code = 0;  ///< its number and its way

  static constexpr int kWayBits = 2;
  static constexpr std::uint32_t encode(std::uint32_t number, Way way) {
    return number << kWayBits | static_cast<std::uint32_t>(way);
  }
  [[nodiscard]] std::uint32_t number() const { return code >> kWayBits; }
  [[nodiscard]] Way way() const { return static_cast<Way>(code & ((1u << kWayBits) - 1)); }
};
static_assert(sizeof(RayStart) == 16);

/// Points sorted by bins of a rectangle of the image plane, row by row. kPad more of each array can be read, and of the
/// windings written.
struct BinnedPoints {
  float origin[2], scale[2];
  std::int32_t bins[2];
  const std::uint32_t* begin;  ///< of each bin's points, and the end
  const float* at[3];          ///< u, v, w
  std::int32_t* windings;      ///< crossings that floats decide are added here
};
inline constexpr std::size_t kPad = 64;

/// Writes the coordinates of points to arrays of their own; kPad more points can be read, and of the arrays written.
void split_points(std::span<const RayStart> points, float* u, float* v, float* w);

/// The bin of a coordinate. Never decreases with the coordinate, so that a box's bins hold all points in it.
inline std::int32_t bin_of(float x, float origin, float scale, std::int32_t bins) {
  const float at = (x - origin) * scale;
  return at >= static_cast<float>(bins - 1) ? bins - 1 : at > 0 ? static_cast<std::int32_t>(at) : 0;
}

/// A point and a triangle that its ray may cross.
struct BoxHit {
  std::uint32_t point, triangle;
};

/// Gets the hits, some at a time.
struct HitSink {
  void* owner;
  void (*take)(void* owner, std::span<const BoxHit> hits);
};

/// Who adds to the windings.
enum class Adding { none, alone, shared };

/// Finds the points whose rays may cross these triangles, which must be usable. All rays go one way. Crossings that are
/// certain are added to the windings, unless nothing is to be added; the others go to the sink. Nothing may be added
/// where coordinates are beyond kMostCertain, or the way is both. `axes`: of the world, for u, v and w. Returns how
/// many points were tested.
std::uint64_t find_hits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                        const BinnedPoints& points, Way way, Adding adding, const HitSink& sink);
inline constexpr float kMostCertain = 0x1p40f;  ///< products of three differences are finite

}  // namespace lamella::proof
