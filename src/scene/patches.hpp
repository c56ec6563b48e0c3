#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"
#include "lamella/scene.hpp"
#include "scene/region_links.hpp"
#include "scene/regions.hpp"

namespace lamella {

/// Sums the spans of each connected region that two objects share to a contact patch. Keeps its memory between calls.
class PatchMaker {
 public:
  /// Appends a pair's patches, the largest volume first. `views`: the pair's own view first, each with spans; `shared`:
  /// the box that both objects share; `all_axes`: the pair was sampled along all three axes. Positions are relative to
  /// the origin of the views. Regions and volumes are those of the own view, or of another that has far more spans.
  void make(std::span<const PairView> views, const Aabb& shared, bool all_axes, std::vector<ContactPatch>& out);

 private:
  /// Of one region.
  struct Sums {
    std::uint32_t spans = 0;
    double length = 0;     ///< of that view's spans
    Vec3d moment;          ///< sum of length times place: u and v in cells, w as a depth
    Vec3d normal;          ///< integral of the outward normals over b's surface inside a, minus that over a's inside b
    double net = 0;        ///< length of that; the normal is unit then
    double area = 0;       ///< of both surfaces
    double projected = 0;  ///< the same, seen along the normal
  };
  /// A piece of surface at the end of a span.
  struct End {
    std::uint32_t region = 0;
    Vec3 normal;  ///< as in Sums, times its area
  };
  /// The normal of a face, kept while neighbouring columns hit the same.
  struct FaceNormal {
    std::uint32_t face = ~0u;
    Vec3d normal;  ///< outward and unit; 0 for a triangle without area
  };

  void find_regions(std::span<const PairView> views, const PairView& own);
  /// Calls each(view, regions of its spans): the own view first, as in `region_of_`.
  template <class Each>
  void for_views(std::span<const PairView> views, const PairView& own, const Each& each) const;
  void sum_lengths(const PairView& own);
  void sum_surfaces(const PairView& view, std::span<const std::uint32_t> regions, bool all_axes);
  void add_end(const PairView& view, std::uint32_t face, std::uint32_t region, FaceNormal& known, bool all_axes);
  void link_regions(std::span<const PairView> views, const PairView& own, const Aabb& shared);
  void find_normals(const PairView& own);
  [[nodiscard]] ContactPatch patch_of(std::uint32_t region, const Grid& grid) const;

  Regions regions_;
  std::vector<std::uint32_t> region_of_;  ///< by span of all views; kNoSpan: in none
  std::vector<Sums> sums_;                ///< by region
  RegionLinks links_;
  std::vector<double> areas_;
  std::vector<Sums> around_;  ///< by region: the same with the regions that are close to it
  std::vector<End> ends_;
  std::vector<std::uint32_t> order_;  ///< of the regions, by volume
};

}  // namespace lamella
