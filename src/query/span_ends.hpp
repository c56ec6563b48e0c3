#pragma once

// Which surface ends a span, and where on its triangle: for the CPU and CUDA kernels, with the same bits.
//
// A span is known by its depths. Its end is the crossing of that depth at which a mesh is entered or left. Several
// crossings can have the depth: surfaces that touch, and crossings beyond the box, which were moved onto its face. Then
// the depths of the triangles themselves decide, which are not moved: of those that a ray enters the last one begins a
// span, of those that it leaves the first one ends it. Where two meshes are flush even so, the mesh at the span's other
// end is taken for both ends, so that a wall along a wall exerts no force: the answer does not depend on the order of
// the meshes.

#include <cstdint>

#include "core/host_device.hpp"
#include "core/lattice.hpp"
#include "core/rows.hpp"
#include "lamella/ldi.hpp"
#include "lamella/result.hpp"

namespace lamella {

// ---- the place on a triangle

/// Weights of a triangle's corners are integers that sum up to kWholeWeight. So sums of them do not depend on their
/// order, and those of a triangle's corners are those of the whole triangle.
inline constexpr int kWeightBits = 30;
inline constexpr std::uint32_t kWholeWeight = 1u << kWeightBits;

struct EndWeights {
  std::uint32_t a = 0, b = 0, c = 0;
};

/// Of the lattice point (u, v), which the triangle must cover. `Int` is 64 bits where is_near() says so, else 128.
template <class Int>
LAMELLA_HOST_DEVICE EndWeights weights_at(const LatticeVertex corner[3], std::int64_t u, std::int64_t v) {
  Int du[3], dv[3];
  LAMELLA_UNROLLED
  for (int k = 0; k < 3; ++k) {
    du[k] = static_cast<Int>(corner[k].u) - u;
    dv[k] = static_cast<Int>(corner[k].v) - v;
  }
  const Int of_a = du[1] * dv[2] - dv[1] * du[2], of_b = du[2] * dv[0] - dv[2] * du[0];
  const Int of_c = du[0] * dv[1] - dv[0] * du[1], area = of_a + of_b + of_c;
  if (area == 0) return {kWholeWeight, 0, 0};  // covers nothing
  const double scale = static_cast<double>(kWholeWeight) / to_double<Int>(area);
  const auto b = static_cast<std::uint32_t>(to_double<Int>(of_b) * scale + 0.5);
  const auto c = static_cast<std::uint32_t>(to_double<Int>(of_c) * scale + 0.5);
  const std::uint32_t rest = kWholeWeight - b;
  return {c < rest ? rest - c : 0, b, c < rest ? c : rest};
}

/// A triangle on the lattice, as it was sampled.
struct EndTriangle {
  LatticeVertex corner[3];

  /// The corners must be usable; one that is too far away for the lattice has no crossings.
  LAMELLA_HOST_DEVICE EndTriangle(Vec3 a, Vec3 b, Vec3 c, const Grid& grid, const Lattice& lattice) {
    (void)place(a, grid, lattice, corner[0]);
    (void)place(b, grid, lattice, corner[1]);
    (void)place(c, grid, lattice, corner[2]);
  }
  /// At the sample of a cell, which the triangle must cover.
  [[nodiscard]] LAMELLA_HOST_DEVICE EndWeights weights(std::uint32_t cell_u, std::uint32_t cell_v) const {
    const std::int64_t u = (std::int64_t{cell_u} + 1) << kSubBits, v = (std::int64_t{cell_v} + 1) << kSubBits;
    return is_near(corner) ? weights_at<std::int64_t>(corner, u, v) : weights_at<Wide>(corner, u, v);
  }
  /// From the box's low face; beyond the box too. A face across the rays has one depth everywhere, without rounding.
  [[nodiscard]] LAMELLA_HOST_DEVICE double depth(const EndWeights& w) const {
    const double z0 = corner[0].depth;
    const double towards_b = (corner[1].depth - z0) * w.b, towards_c = (corner[2].depth - z0) * w.c;
    return z0 + (towards_b + towards_c) * (1.0 / kWholeWeight);
  }
};

LAMELLA_HOST_DEVICE inline SpanEnd make_span_end(std::uint32_t mesh, std::uint32_t triangle, const EndWeights& w) {
  constexpr double kStep = 1.0 / kWholeWeight;
  return {triangle, mesh, static_cast<float>(w.b * kStep), static_cast<float>(w.c * kStep)};
}

// ---- the rule
//
// A Column has the crossings of one mesh in any order: count(), key(i) as in Crossing, face(i). depth_of(mesh, face) is
// the depth of that triangle in this column (EndTriangle::depth); it is asked only where several crossings tie.

/// What one mesh does at a depth.
struct EndCandidate {
  bool passes = false;     ///< is entered (or left) there
  std::uint32_t face = 0;  ///< by this triangle
};

/// `key`: of the wanted crossing, an entry or an exit. `level`: the winding that counts, kInside or kCoveredTwice.
template <class Column, class DepthOf>
LAMELLA_HOST_DEVICE EndCandidate find_candidate(const Column& column, std::uint32_t key, int level, unsigned mesh,
                                                const DepthOf& depth_of) {
  const bool entry = (key & 1u) != 0;
  int before = 0, there = 0;  // sums of signs
  EndCandidate best;
  bool any = false;
  LAMELLA_KEEP_ROLLED
  for (std::uint32_t i = 0; i < column.count(); ++i) {
    const Crossing c{column.key(i)};
    const std::uint32_t depth = c.key >> 1, wanted = key >> 1;
    if (depth > wanted) continue;
    (depth < wanted ? before : there) += c.sign();
    if (c.key != key) continue;
    const std::uint32_t face = column.face(i);
    if (any) {
      const double now = depth_of(mesh, best.face), other = depth_of(mesh, face);
      const bool better = entry ? other > now : other < now;
      if (!better && !(other == now && face < best.face)) continue;
    }
    any = true;
    best.face = face;
  }
  const int after = before + there;
  best.passes = any && (entry ? before < level && after >= level : before >= level && after < level);
  return best;
}

/// An end of a span, by mesh and triangle.
struct EndPlace {
  std::uint32_t mesh = 0, face = 0;
};
struct SpanPlaces {
  EndPlace begin, end;
};

/// One end of a pair's span, before flush surfaces are decided.
struct PairEnd {
  static constexpr std::uint32_t kEither = 2;
  std::uint32_t mesh = 0;  ///< or kEither
  std::uint32_t face[2] = {0, 0};

  [[nodiscard]] LAMELLA_HOST_DEVICE EndPlace of(std::uint32_t which) const { return {which, face[which]}; }
};

template <class A, class B, class DepthOf>
LAMELLA_HOST_DEVICE PairEnd find_pair_end(const A& a, const B& b, std::uint32_t key, int level,
                                          const DepthOf& depth_of) {
  // Nearly always a single crossing has the key: then it is that one.
  std::uint32_t found = 0;
  PairEnd out;
  LAMELLA_KEEP_ROLLED
  for (std::uint32_t i = 0; i < a.count(); ++i)
    if (a.key(i) == key) {
      ++found;
      out.face[0] = a.face(i);
    }
  const std::uint32_t of_a = found;
  LAMELLA_KEEP_ROLLED
  for (std::uint32_t i = 0; i < b.count(); ++i)
    if (b.key(i) == key) {
      ++found;
      out.face[1] = b.face(i);
    }
  if (found == 1) {
    out.mesh = of_a == 1 ? 0 : 1;
    return out;
  }
  const EndCandidate in_a = find_candidate(a, key, level, 0, depth_of);
  const EndCandidate in_b = find_candidate(b, key, level, 1, depth_of);
  out.face[0] = in_a.face;
  out.face[1] = in_b.face;
  if (!in_a.passes || !in_b.passes) {
    out.mesh = in_b.passes ? 1 : 0;
    return out;
  }
  const double depth_a = depth_of(0u, in_a.face), depth_b = depth_of(1u, in_b.face);
  const bool entry = (key & 1u) != 0;
  out.mesh = depth_a == depth_b ? PairEnd::kEither : (depth_a > depth_b) == entry ? 0 : 1;
  return out;
}

/// Both ends of a span: inside both meshes, or of a mesh with itself (`b` is NoColumn, `level` kCoveredTwice).
template <class A, class B, class DepthOf>
LAMELLA_HOST_DEVICE SpanPlaces find_span_ends(const A& a, const B& b, float begin, float end, int level,
                                              const DepthOf& depth_of) {
  const PairEnd from = find_pair_end(a, b, Crossing::make(begin, true).key, level, depth_of);
  const PairEnd to = find_pair_end(a, b, Crossing::make(end, false).key, level, depth_of);
  const std::uint32_t mesh_from = from.mesh != PairEnd::kEither ? from.mesh : to.mesh != PairEnd::kEither ? to.mesh : 0;
  const std::uint32_t mesh_to = to.mesh != PairEnd::kEither ? to.mesh : mesh_from;
  return {from.of(mesh_from), to.of(mesh_to)};
}

/// A column without crossings: in place of the second mesh where a mesh is asked about itself.
struct NoColumn {
  [[nodiscard]] LAMELLA_HOST_DEVICE static constexpr std::uint32_t count() { return 0; }
  [[nodiscard]] LAMELLA_HOST_DEVICE static constexpr std::uint32_t key(std::uint32_t) { return 0; }
  [[nodiscard]] LAMELLA_HOST_DEVICE static constexpr std::uint32_t face(std::uint32_t) { return 0; }
};

}  // namespace lamella
