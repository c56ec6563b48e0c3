#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engines/software/sampler.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

// The surface of a closed body in three layered depth images, one along each axis, and the search for the point of it
// nearest to a given point.

namespace lamella::response {

/// A point on a triangle of the body; the files here call a triangle a face.
struct SurfaceHit {
  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t face = kNone;
  double weights[3] = {0, 0, 0};  ///< of the face's corners
  Vec3d position;
  Vec3d normal;                                                ///< of the face, outward; set by settle()
  double distance2 = std::numeric_limits<double>::infinity();  ///< squared, from the given point

  [[nodiscard]] bool found() const { return face != kNone; }
};

/// What the three columns through a point tell about it.
struct PointPlace {
  bool inside = false;  ///< by one of the columns: inside, or within half a cell's diagonal of the surface
  bool near = false;    ///< within a cell of a crossing
  bool open = false;    ///< one of the columns does not close: nothing is known
  std::uint32_t face = SurfaceHit::kNone;  ///< of the nearest crossing
};

class ParticleSurface {
 public:
  ParticleSurface(std::span<const Triangle> triangles, std::size_t vertices);

  [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  /// Edge of the largest cell; 0 when there is nothing to sample.
  [[nodiscard]] double cell() const { return cell_; }
  [[nodiscard]] const Health& health() const { return health_; }

  /// Samples the body where it is now. `positions` are read until the next call.
  void sample(std::span<const Vec3> positions, const Aabb& box, std::uint32_t resolution,
              software::Sampler<FaceCrossing>& sampler);

  [[nodiscard]] PointPlace locate(Vec3 point) const;
  /// The nearest point that can be reached from `face` by always going to a nearer neighbour.
  [[nodiscard]] SurfaceHit nearest_from(Vec3d point, std::uint32_t face) const;
  /// The nearest point for which `allowed(hit)` is true, if it is nearer than `best`.
  template <class Allowed>
  void find_nearest(Vec3d point, const Allowed& allowed, SurfaceHit& best) const;
  /// Of the faces that meet at the hit, takes the one that faces the point most, and its normal: its side is the
  /// point's side.
  void settle(Vec3d point, SurfaceHit& hit) const;

  [[nodiscard]] SurfaceHit closest_on(Vec3d point, std::uint32_t face) const;
  /// Outward; zero for a face without area, or with a vertex that is not finite.
  [[nodiscard]] Vec3d normal(std::uint32_t face, std::span<const Vec3> positions) const;
  [[nodiscard]] Vec3d at(const SurfaceHit& hit, std::span<const Vec3> positions) const;

 private:
  struct View {
    Grid grid;
    int u = 0, v = 0, w = 0;  ///< axes
    Vec3d low;                ///< of the box
    double cell_u = 0, cell_v = 0;
    double cells_u = 0, cells_v = 0;  ///< per unit of length
    std::vector<std::uint32_t> offsets;
    std::vector<FaceCrossing> crossings;

    [[nodiscard]] std::span<const FaceCrossing> column(std::size_t i) const {
      return std::span(crossings).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
  };
  /// A point in a view's own coordinates: cells, and depth.
  struct Spot {
    std::int32_t u = 0, v = 0;
    double at_u = 0, at_v = 0, depth = 0;
  };

  void count_columns(const View& view, Workers& workers);
  static Spot spot_of(const View& view, Vec3d point);
  template <class Allowed>
  void search_column(const View& view, const Spot& spot, std::int32_t u, std::int32_t v, Vec3d point,
                     const Allowed& allowed, SurfaceHit& best) const;
  template <class Allowed>
  void search_rings(const View& view, Vec3d point, const Allowed& allowed, SurfaceHit& best) const;
  template <class Allowed>
  void descend(Vec3d point, const Allowed& allowed, SurfaceHit& best) const;
  template <class Visit>
  void for_faces_at(const SurfaceHit& hit, const Visit& visit) const;

  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> first_face_, faces_;  ///< of vertex i: faces_[first_face_[i] .. first_face_[i + 1])
  std::size_t vertex_count_ = 0;
  std::span<const Vec3> positions_;
  Aabb box_;
  View views_[3];
  double cell_ = 0;
  Health health_;
};

// ---------------------------------------------------------------------------------------------------------- templates

/// Calls visit(face) for the other faces that share the edge or the vertex the hit is on.
template <class Visit>
void ParticleSurface::for_faces_at(const SurfaceHit& hit, const Visit& visit) const {
  const Triangle t = triangles_[hit.face];
  std::uint32_t corners[3];
  int count = 0;
  for (int i = 0; i < 3; ++i)
    if (hit.weights[i] > 0) corners[count++] = t[i];
  if (count == 0 || count == 3) return;  // 0: the weights are not numbers
  const std::uint32_t shared = corners[0];
  for (std::uint32_t k = first_face_[shared]; k < first_face_[shared + 1]; ++k) {
    const std::uint32_t face = faces_[k];
    const Triangle other = triangles_[face];
    const bool has_both = count == 1 || other.a == corners[1] || other.b == corners[1] || other.c == corners[1];
    if (face != hit.face && has_both) visit(face);
  }
}

template <class Allowed>
void ParticleSurface::descend(Vec3d point, const Allowed& allowed, SurfaceHit& best) const {
  constexpr int kMostSteps = 64;
  // Ignore differences from rounding: two faces could alternate for ever.
  constexpr double kNearer = 1 - 0x1p-40;
  for (int step = 0; step < kMostSteps; ++step) {
    SurfaceHit better = best;
    for_faces_at(best, [&](std::uint32_t face) {
      const SurfaceHit hit = closest_on(point, face);
      if (hit.distance2 < better.distance2 * kNearer && allowed(hit)) better = hit;
    });
    if (better.face == best.face) return;
    best = better;
  }
}

template <class Allowed>
void ParticleSurface::search_column(const View& view, const Spot& spot, std::int32_t u, std::int32_t v, Vec3d point,
                                    const Allowed& allowed, SurfaceHit& best) const {
  const double du = (u + 0.5 - spot.at_u) * view.cell_u, dv = (v + 0.5 - spot.at_v) * view.cell_v;
  const double aside2 = du * du + dv * dv;
  if (aside2 >= best.distance2) return;
  int winding = 0;
  for (const FaceCrossing c : view.column(static_cast<std::size_t>(v) * view.grid.columns + u)) {
    const int before = winding;
    winding += c.sign();
    if ((before > 0) == (winding > 0)) continue;  // inside the body, where it overlaps itself
    const double along = static_cast<double>(c.depth()) - spot.depth;
    if (aside2 + along * along >= best.distance2) continue;
    SurfaceHit hit = closest_on(point, c.face());
    if (!(hit.distance2 < best.distance2) || !allowed(hit)) continue;
    best = hit;
    descend(point, allowed, best);
  }
}

/// Rings of columns around the point's own, while a ring could have a nearer point.
template <class Allowed>
void ParticleSurface::search_rings(const View& view, Vec3d point, const Allowed& allowed, SurfaceHit& best) const {
  const Spot spot = spot_of(view, point);
  const auto columns = static_cast<std::int32_t>(view.grid.columns), rows = static_cast<std::int32_t>(view.grid.rows);
  const double cell = std::min(view.cell_u, view.cell_v);
  const std::int32_t last = std::max(columns, rows);
  for (std::int32_t r = 0; r <= last; ++r) {
    const double least = std::max(0.0, (r - 0.5) * cell);
    if (least * least >= best.distance2) return;
    const std::int32_t u0 = std::max(spot.u - r, 0), u1 = std::min(spot.u + r, columns - 1);
    for (std::int32_t v = std::max(spot.v - r, 0); v <= std::min(spot.v + r, rows - 1); ++v) {
      const bool whole_row = v == spot.v - r || v == spot.v + r;
      if (whole_row) {
        for (std::int32_t u = u0; u <= u1; ++u) search_column(view, spot, u, v, point, allowed, best);
      } else {
        if (spot.u - r >= 0) search_column(view, spot, spot.u - r, v, point, allowed, best);
        if (spot.u + r < columns) search_column(view, spot, spot.u + r, v, point, allowed, best);
      }
    }
  }
}

template <class Allowed>
void ParticleSurface::find_nearest(Vec3d point, const Allowed& allowed, SurfaceHit& best) const {
  for (const View& view : views_) search_rings(view, point, allowed, best);
}

}  // namespace lamella::response
