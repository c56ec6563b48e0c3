#pragma once

// Views whose grids are not in the middle of what they sample. Parts of machines are often symmetric, and what two of
// them share lies in the middle of its own box: a grid there has the same samples left and right of the middle, so that
// its even and its odd columns give one volume. Error bars are made of how much such volumes differ, and would be too
// short.

#include <memory>

#include "engines/software/engines.hpp"
#include "lamella/result.hpp"

namespace lamella::clash {

/// Whether the even and the odd columns, or rows, of a view see the same volume: it is symmetric, or seems to be.
[[nodiscard]] bool is_mirrored(const Grid& grid, std::span<const Span> spans);

/// Samples what pairs share in a box, or in the whole box that their own boxes share. Works on one thread, and keeps
/// its memory.
class OffCentreViews {
 public:
  OffCentreViews();

  /// One view, along an axis. Both meshes must have the same origin.
  void sample(MeshView a, MeshView b, Axis axis, std::uint32_t columns, Overlap& out) {
    sample(a, b, shared_box(a, b), axis, columns, Side::high, out);
  }
  /// The mean of two views whose grids are not each other's mirror image; the error bar is not shorter than their
  /// difference. Spans are those of the first.
  void sample_twice(MeshView a, MeshView b, Axis axis, std::uint32_t columns, Overlap& out) {
    sample_twice(a, b, shared_box(a, b), axis, columns, out);
  }
  /// In a box, which is empty where nothing is shared: then neither is anything found.
  void sample_twice(MeshView a, MeshView b, const Aabb& box, Axis axis, std::uint32_t columns, Overlap& out);

 private:
  enum class Side { low, high };  ///< where the grid is wider than what it samples
  [[nodiscard]] static Aabb shared_box(MeshView a, MeshView b);
  void sample(MeshView a, MeshView b, Aabb box, Axis axis, std::uint32_t columns, Side side, Overlap& out);

  std::unique_ptr<software::BoxedEngine> engine_;
  Overlap second_;
};

}  // namespace lamella::clash
