#pragma once

// The overlap as spans along an axis, which know the faces at their ends. Columns may be those of any box, so that a
// small overlap gets them all.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/software/sampler.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella::solid {

/// Faces of the second mesh are counted on from those of the first.
struct FacedSpan {
  float begin = 0, end = 0;  ///< depths
  std::uint32_t begin_face = 0, end_face = 0;
};

/// Along one axis.
struct SpanView {
  Grid grid;
  std::vector<std::uint32_t> first;  ///< span of each column, and the end
  std::vector<FacedSpan> spans;
  Health health;

  [[nodiscard]] std::span<const FacedSpan> column(std::size_t i) const {
    return std::span(spans).subspan(first[i], first[i + 1] - first[i]);
  }
};

/// One mesh, or two, in one frame.
class Meshes {
 public:
  /// `b` null: a mesh and itself. Throws Error for an index out of range.
  Meshes(MeshView a, const MeshView* b);

  [[nodiscard]] bool pair() const { return pair_; }
  [[nodiscard]] std::span<const MeshView> views() const { return std::span(meshes_).first(pair_ ? 2 : 1); }
  [[nodiscard]] Vec3d origin() const { return meshes_[0].origin; }
  [[nodiscard]] std::uint32_t first_of_b() const { return static_cast<std::uint32_t>(meshes_[0].triangles.size()); }
  /// The box that the overlap must lie in.
  [[nodiscard]] Aabb shared_box() const;
  /// Corners of a face.
  [[nodiscard]] std::array<Vec3d, 3> corners(std::uint32_t face) const;
  /// Triangles with a vertex that cannot be used.
  [[nodiscard]] std::uint32_t broken() const;

 private:
  bool pair_ = false;
  std::array<MeshView, 2> meshes_;
  std::array<std::vector<Vec3>, 2> positions_;  ///< where a mesh had to be placed
};

class SpanSampler {
 public:
  SpanSampler(const Meshes& meshes, unsigned threads, std::uint64_t max_crossings)
      : meshes_(meshes), sampler_(threads, max_crossings) {}

  [[nodiscard]] Workers& workers() { return sampler_.workers(); }
  void sample(const Grid& grid, SpanView& out);

 private:
  const Meshes& meshes_;
  software::Sampler<FaceCrossing> sampler_;
  std::vector<std::uint32_t> offsets_;
  std::vector<FaceCrossing> crossings_;
};

}  // namespace lamella::solid
