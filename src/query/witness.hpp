#pragma once

// Whether spans prove an overlap. Sampling moves every vertex to the lattice, by up to half a step of a thousandth of a
// cell, and that alone can make two surfaces that only touch overlap: by a little where they are tilted, and along the
// whole ray where they are parallel to it. So a collision needs more than a span.
//
// Most overlaps are so wide and so deep that no such error explains them, which their sums show. For the others single
// rays are cast at the meshes as they are, off the lattice, in doubles with bounds on every error.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "lamella/result.hpp"
#include "query/verdict.hpp"

namespace lamella {

/// sums_suffice() of the spans' own sums.
[[nodiscard]] bool spans_suffice(const Grid& grid, std::span<const Span> spans);

/// What rays off the lattice found where spans are. The look ends at the first certain one.
struct SpanCheck {
  std::uint32_t certain = 0;    ///< an overlap longer than all errors of its ends
  std::uint32_t uncertain = 0;  ///< surfaces that meet within these errors
  std::uint32_t refuted = 0;    ///< no overlap on this ray

  [[nodiscard]] Verdict verdict() const {
    return certain != 0 ? Verdict::colliding : uncertain != 0 ? Verdict::undecided : Verdict::clear;
  }
};

/// The most spans that are looked at: the longest.
inline constexpr std::size_t kMostWitnesses = 64;

/// Looks at the columns of these spans. The meshes must be in the grid's frame, their indices in range. Costs a pass
/// over all triangles for the longest span, and another one for all others if that does not prove an overlap.
[[nodiscard]] SpanCheck check_spans(MeshView a, MeshView b, const Grid& grid, std::span<const Span> spans);
/// The same where a mesh covers itself twice.
[[nodiscard]] SpanCheck check_spans(MeshView mesh, const Grid& grid, std::span<const Span> spans);

/// Where check_spans() casts rays for these spans, across them, ascending along u. Triangles whose boxes have none of
/// these places in them may be left out of its meshes; the others must stay in order.
struct RayPlace {
  double u = 0, v = 0;
};
[[nodiscard]] std::vector<RayPlace> witness_rays(const Grid& grid, std::span<const Span> spans);

/// Whether the ray of a column crosses this triangle for certain: not within a lattice step of its edges.
/// `depth_error` is then how far the sampled depth can be wrong: by the slope, over a step of the lattice, and by
/// rounding.
[[nodiscard]] bool crosses_for_certain(MeshView mesh, std::uint32_t triangle, const Grid& grid, std::uint32_t column,
                                       double& depth_error);

}  // namespace lamella
