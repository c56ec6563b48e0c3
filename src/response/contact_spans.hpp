#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/software/sampler.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

// The overlap of two meshes, or of one with itself, as spans that know the surfaces at their ends.

namespace lamella::response {

/// Where a span ends: a place on a triangle. Vertices of the second mesh are counted on from those of the first.
struct SurfacePlace {
  std::array<std::uint32_t, 3> vertices{};
  std::array<double, 3> weights{};  ///< barycentric: 1 in all
  /// How the crossing moves along the ray when the surface moves: dot(way, slope). By the face's normal, but where the
  /// other end's face looks more along the ray, by no more than that one's slope would.
  Vec3d slope;
};

struct ContactSpan {
  SurfacePlace begin, end;
  double length = 0;  ///< along the ray
  /// How much the surfaces' normals look along the ray, the larger of the two, 0 to 1.
  double facing = 0;
  double weight = 0;  ///< the cell's area times `facing`: the part of the surface that this view answers for
  /// How much shorter the span has to be for the overlap to end there: its length, or less where other views see a
  /// shorter way out. Times `facing` it is the depth along the normal.
  double excess = 0;
  Vec3d normal;              ///< of the contact, from both faces: away from what is at the end; unit, or 0
  double from = 0;           ///< depth where it begins
  std::uint32_t column = 0;  ///< of its view's grid
  int axis = 0;              ///< of the ray: its view
};

/// How finely to sample.
struct CellSize {
  std::uint32_t resolution = 96;  ///< cells along the longest side of the box
  double edge = 0;                ///< above 0: of a cell, in place of the resolution
};

/// Samples along the three axes, with cells of one size. Keeps its memory between calls.
class ContactSampler {
 public:
  ContactSampler(unsigned threads, std::uint64_t max_crossings) : sampler_(threads, max_crossings) {}

  /// Of a pair; `b` null: where `a` overlaps itself. Throws Error for an index out of range. Cell, health and spans are
  /// those of the last call.
  void sample(MeshView a, const MeshView* b, CellSize size);

  [[nodiscard]] std::span<const ContactSpan> spans() const { return spans_; }
  [[nodiscard]] const Health& health() const { return health_; }
  [[nodiscard]] double cell() const { return cell_; }
  /// By the view whose columns see the most of the overlap.
  [[nodiscard]] double volume() const { return volume_; }

 private:
  struct Side {
    MeshView mesh;                ///< relative to the common origin
    std::vector<Vec3> positions;  ///< its memory, where the mesh is elsewhere
  };
  void settle(MeshView a, const MeshView* b);
  /// Where the spans of one axis are.
  struct View {
    Grid grid;
    std::vector<std::uint32_t> first;  ///< span of each column, and the end
  };
  void sample_view(View& view, bool pair);
  void walk_view(View& view, bool pair);
  void walk_column(const Grid& grid, std::size_t column, bool pair);
  void limit_to_other_views(ContactSpan& span) const;
  [[nodiscard]] double depth_at(const View& view, Vec3d point, double facing) const;
  [[nodiscard]] ContactSpan make_span(const Grid& grid, std::size_t column, FaceCrossing begin, FaceCrossing end) const;
  /// Returns the face's unit normal, 0 for a face without area.
  [[nodiscard]] Vec3d locate(const Grid& grid, Vec3d at, std::uint32_t face, SurfacePlace& place) const;

  software::Sampler<FaceCrossing> sampler_;
  std::array<Side, 2> sides_;
  std::vector<std::uint32_t> offsets_;
  std::vector<FaceCrossing> crossings_;
  std::array<View, 3> views_;
  std::vector<ContactSpan> spans_;
  Health health_;
  double cell_ = 0, volume_ = 0, seen_ = 0;
};

}  // namespace lamella::response
