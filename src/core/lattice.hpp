#pragma once

// The sub-pixel lattice that the CPU engines and the CUDA engine sample on.
//
// A vertex is moved to the nearest lattice point once, by a function of its own coordinates alone, so that all of its
// triangles agree. From there on coverage is decided in exact integers, and a closed mesh stays closed.

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "lamella/grid.hpp"

namespace lamella {

/// Lattice points per cell: 2^kSubBits.
inline constexpr int kSubBits = 10;
inline constexpr std::int32_t kSubStep = 1 << kSubBits;

/// Lattice coordinates must stay below this; triangles beyond are skipped and counted. At 128 columns the limit is
/// 8.8e12 box widths away, so only broken data reaches it.
inline constexpr float kLatticeLimit = 0x1p60f;
/// A coordinate beyond this (or NaN) is broken data: differences and products would overflow float.
inline constexpr float kMaxCoordinate = 0x1p100f;

/// Sample i of a row lies at lattice coordinate (i + 1) * kSubStep.
struct Lattice {
  float origin_u = 0, origin_v = 0, origin_w = 0;
  float scale_u = 0, scale_v = 0;  ///< lattice points per unit of length
};

LAMELLA_HOST_DEVICE inline Lattice make_lattice(const Grid& grid) {
  return {grid.box.min[grid.u()], grid.box.min[grid.v()], grid.box.min[grid.w()],
          static_cast<float>(kSubStep / grid.cell_u()), static_cast<float>(kSubStep / grid.cell_v())};
}

/// Unrounded lattice coordinate. Everywhere the same operations in the same order, with the same roundings: the vector
/// kernels repeat them one by one.
LAMELLA_HOST_DEVICE inline float lattice_coordinate(float x, float origin, float scale) {
  return (x - origin) * scale + static_cast<float>(kSubStep / 2);
}

/// Nearest integer, ties to even; `|x|` must be below 2^31.
LAMELLA_HOST_DEVICE inline std::int32_t round_to_int(float x) {
#if defined(__CUDA_ARCH__)
  return __float2int_rn(x);  // lrintf would convert through 64 bits
#else
  return static_cast<std::int32_t>(::lrintf(x));
#endif
}
/// Nearest lattice point (ties to even); `|coordinate|` must be below kLatticeLimit.
LAMELLA_HOST_DEVICE inline std::int64_t snap(float coordinate) { return ::llrintf(coordinate); }

LAMELLA_HOST_DEVICE inline bool usable(Vec3 p) {
  return ::fabsf(p.x) <= kMaxCoordinate && ::fabsf(p.y) <= kMaxCoordinate && ::fabsf(p.z) <= kMaxCoordinate;
}

/// A vertex on the lattice, with its depth from the box's low face.
struct LatticeVertex {
  std::int64_t u = 0, v = 0;
  float depth = 0;
};

/// False when the vertex cannot be placed: NaN, infinite, or beyond the lattice.
LAMELLA_HOST_DEVICE inline bool place(Vec3 p, const Grid& grid, const Lattice& lattice, LatticeVertex& out) {
  if (!usable(p)) return false;
  const float u = lattice_coordinate(p[grid.u()], lattice.origin_u, lattice.scale_u);
  const float v = lattice_coordinate(p[grid.v()], lattice.origin_v, lattice.scale_v);
  if (!(::fabsf(u) < kLatticeLimit && ::fabsf(v) < kLatticeLimit)) return false;
  out = {snap(u), snap(v), p[grid.w()] - lattice.origin_w};
  return true;
}

}  // namespace lamella
