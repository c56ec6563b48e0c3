// The nearest point of a body's surface, found with layered depth images instead of a search tree, which a deforming
// body would need rebuilt in every frame.
//
// A surface that is nearly parallel to the rays of one axis faces those of another: in one of three views some ray
// crosses it near any of its points, within a cell's diagonal times sqrt(3) / 2. From the triangle crossed there, going
// on to the neighbour that is nearer, as long as there is one, leads to the nearest point.

#include "response/particles_surface.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/window.hpp"
#include "response/algebra.hpp"

namespace lamella::response {
namespace {

/// For each vertex, where its triangles start in a list by vertex.
std::vector<std::uint32_t> count_faces(std::span<const Triangle> triangles, std::size_t vertices) {
  std::vector<std::uint32_t> first(vertices + 1, 0);
  for (const Triangle t : triangles)
    for (int i = 0; i < 3; ++i) ++first[t[i] + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return first;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

/// The point at `t` on the edge from `a` to `b`.
SurfaceHit on_edge(Vec3d a, Vec3d b, int from, int to, double t) {
  SurfaceHit hit;
  hit.weights[from] = 1 - t;
  hit.weights[to] = t;
  hit.position = a + (b - a) * t;
  return hit;
}

SurfaceHit on_corner(Vec3d a, int corner) {
  SurfaceHit hit;
  hit.weights[corner] = 1;
  hit.position = a;
  return hit;
}

/// The point of a triangle nearest to the origin, by the region of the plane that the origin projects to (Ericson,
/// "Real-Time Collision Detection", 2005, section 5.1.5).
SurfaceHit nearest_to_origin(Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d ab = b - a, ac = c - a;
  const double ab_a = -dot(ab, a), ac_a = -dot(ac, a);
  if (ab_a <= 0 && ac_a <= 0) return on_corner(a, 0);
  const double ab_b = -dot(ab, b), ac_b = -dot(ac, b);
  if (ab_b >= 0 && ac_b <= ab_b) return on_corner(b, 1);
  const double over_c = ab_a * ac_b - ab_b * ac_a;
  if (over_c <= 0 && ab_a >= 0 && ab_b <= 0) return on_edge(a, b, 0, 1, ratio(ab_a, ab_a - ab_b));
  const double ab_c = -dot(ab, c), ac_c = -dot(ac, c);
  if (ac_c >= 0 && ab_c <= ac_c) return on_corner(c, 2);
  const double over_b = ab_c * ac_a - ab_a * ac_c;
  if (over_b <= 0 && ac_a >= 0 && ac_c <= 0) return on_edge(a, c, 0, 2, ratio(ac_a, ac_a - ac_c));
  const double over_a = ab_b * ac_c - ab_c * ac_b;
  const double from_b = ac_b - ab_b, from_c = ab_c - ac_c;
  if (over_a <= 0 && from_b >= 0 && from_c >= 0) return on_edge(b, c, 1, 2, ratio(from_b, from_b + from_c));
  SurfaceHit hit;
  const double s = 1 / (over_a + over_b + over_c);
  hit.weights[1] = over_b * s;
  hit.weights[2] = over_c * s;
  hit.weights[0] = 1 - hit.weights[1] - hit.weights[2];
  hit.position = a + ab * hit.weights[1] + ac * hit.weights[2];
  return hit;
}

}  // namespace

ParticleSurface::ParticleSurface(std::span<const Triangle> triangles, std::size_t vertices)
    : triangles_(triangles.begin(), triangles.end()),
      first_face_(count_faces(triangles, vertices)),
      faces_(3 * triangles.size()),
      vertex_count_(vertices) {
  std::vector<std::uint32_t> cursor(first_face_.begin(), first_face_.end() - 1);
  for (std::uint32_t f = 0; f < triangles_.size(); ++f)
    for (int i = 0; i < 3; ++i) faces_[cursor[triangles_[f][i]]++] = f;
}

void ParticleSurface::sample(std::span<const Vec3> positions, const Aabb& box, std::uint32_t resolution,
                             software::Sampler<FaceCrossing>& sampler) {
  positions_ = positions;
  box_ = box;
  cell_ = 0;
  health_ = {};
  const Vec3 size = extent(box);
  const double cell = static_cast<double>(std::max({size.x, size.y, size.z})) / resolution;
  const auto cells = [&](int axis) {
    return static_cast<std::uint32_t>(
        std::clamp(std::ceil(static_cast<double>(size[axis]) / cell), 1.0, static_cast<double>(resolution)));
  };
  for (int w = 0; w < 3; ++w) {
    View& view = views_[w];
    view.grid = {box, static_cast<Axis>(w), cells((w + 1) % 3), cells((w + 2) % 3)};
    view.u = view.grid.u(), view.v = view.grid.v(), view.w = w;
    view.low = to_double(box.min);
    view.cell_u = view.grid.cell_u();
    view.cell_v = view.grid.cell_v();
    view.cells_u = 1 / view.cell_u;
    view.cells_v = 1 / view.cell_v;
    cell_ = std::max({cell_, view.cell_u, view.cell_v});
    const software::SampledMesh mesh{{positions, triangles_}, whole(view.grid)};
    sampler.sample({&mesh, 1}, view.grid, {view.offsets, view.crossings});
    health_.skipped_triangles = std::max(health_.skipped_triangles, sampler.skipped(0));
    count_columns(view, sampler.workers());
  }
}

void ParticleSurface::count_columns(const View& view, Workers& workers) {
  std::atomic<std::uint32_t> open{0}, inside_out{0}, occupied{0};
  workers.for_chunks(view.grid.column_count(), 8192, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint32_t open_here = 0, inside_out_here = 0, occupied_here = 0;
    for (std::size_t i = begin; i < end; ++i) {
      int winding = 0, least = 0;
      for (const FaceCrossing c : view.column(i)) {
        winding += c.sign();
        least = std::min(least, winding);
      }
      occupied_here += view.column(i).empty() ? 0 : 1;
      open_here += winding != 0 ? 1 : 0;
      inside_out_here += winding == 0 && least < 0 ? 1 : 0;
    }
    open += open_here;
    inside_out += inside_out_here;
    occupied += occupied_here;
  });
  health_.occupied_columns += occupied;
  health_.open_columns += open;
  health_.inside_out_columns += inside_out;
  health_.untrusted_volume += open * view.grid.cell_area() * static_cast<double>(view.grid.depth());
}

ParticleSurface::Spot ParticleSurface::spot_of(const View& view, Vec3d point) {
  const Vec3d p = point - view.low;
  Spot spot;
  spot.at_u = p[view.u] * view.cells_u;
  spot.at_v = p[view.v] * view.cells_v;
  spot.depth = p[view.w];
  // Any point may be asked for, also one whose cell no integer could number.
  const auto cell = [](double at, std::uint32_t cells) {
    return at > 0 ? static_cast<std::int32_t>(std::min(at, cells - 1.0)) : 0;
  };
  spot.u = cell(spot.at_u, view.grid.columns);
  spot.v = cell(spot.at_v, view.grid.rows);
  return spot;
}

PointPlace ParticleSurface::locate(Vec3 point) const {
  PointPlace place;
  for (int i = 0; i < 3; ++i)
    if (!(point[i] >= box_.min[i] && point[i] <= box_.max[i])) return place;
  double nearest = std::numeric_limits<double>::infinity();
  for (const View& view : views_) {
    const Spot spot = spot_of(view, to_double(point));
    const double du = (spot.u + 0.5 - spot.at_u) * view.cell_u, dv = (spot.v + 0.5 - spot.at_v) * view.cell_v;
    int winding = 0, here = 0;
    for (const FaceCrossing c : view.column(static_cast<std::size_t>(spot.v) * view.grid.columns + spot.u)) {
      const int before = winding;
      winding += c.sign();
      const double along = static_cast<double>(c.depth()) - spot.depth;
      if (along < 0) here = winding;
      if (std::abs(along) < cell_) place.near = true;
      const double distance = du * du + dv * dv + along * along;
      if (distance >= nearest || (before > 0) == (winding > 0)) continue;
      nearest = distance;
      place.face = c.face();
    }
    place.inside = place.inside || here > 0;
    place.open = place.open || winding != 0;
  }
  return place;
}

SurfaceHit ParticleSurface::closest_on(Vec3d point, std::uint32_t face) const {
  const Triangle t = triangles_[face];
  SurfaceHit hit = nearest_to_origin(to_double(positions_[t.a]) - point, to_double(positions_[t.b]) - point,
                                     to_double(positions_[t.c]) - point);
  hit.face = face;
  hit.distance2 = dot(hit.position, hit.position);
  hit.position = hit.position + point;
  return hit;
}

SurfaceHit ParticleSurface::nearest_from(Vec3d point, std::uint32_t face) const {
  SurfaceHit hit = closest_on(point, face);
  descend(
      point, [](const SurfaceHit&) { return true; }, hit);
  settle(point, hit);
  return hit;
}

void ParticleSurface::settle(Vec3d point, SurfaceHit& hit) const {
  constexpr double kSame = 1 + 0x1p-30;
  hit.normal = normal(hit.face, positions_);
  const Vec3d away = point - hit.position;
  double most = std::abs(dot(away, hit.normal));
  const SurfaceHit first = hit;
  for_faces_at(first, [&](std::uint32_t face) {
    const Vec3d other_normal = normal(face, positions_);
    const double facing = std::abs(dot(away, other_normal));
    if (facing <= most) return;
    const SurfaceHit other = closest_on(point, face);
    if (!(other.distance2 <= first.distance2 * kSame)) return;
    most = facing;
    hit = other;
    hit.normal = other_normal;
  });
}

Vec3d ParticleSurface::normal(std::uint32_t face, std::span<const Vec3> positions) const {
  const Triangle t = triangles_[face];
  const Vec3d a = to_double(positions[t.a]);
  const Vec3d n = cross(to_double(positions[t.b]) - a, to_double(positions[t.c]) - a);
  const double l = length(n);
  return l > 0 && std::isfinite(l) ? n * (1 / l) : Vec3d{};
}

Vec3d ParticleSurface::at(const SurfaceHit& hit, std::span<const Vec3> positions) const {
  const Triangle t = triangles_[hit.face];
  return to_double(positions[t.a]) * hit.weights[0] + to_double(positions[t.b]) * hit.weights[1] +
         to_double(positions[t.c]) * hit.weights[2];
}

}  // namespace lamella::response
