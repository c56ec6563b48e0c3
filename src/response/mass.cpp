// Mass, centre and inertia of a closed mesh: the divergence theorem turns the integrals over the solid into sums over
// tetrahedra between a fixed point and the triangles, each with a closed formula. The fixed point is the middle of the
// box, so that a mesh far from its origin loses no digits.

#include "response/mass.hpp"

#include <algorithm>
#include <cmath>

#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "core/world_only.hpp"
#include "lamella/error.hpp"
#include "lamella/repair.hpp"
#include "response/algebra.hpp"

namespace lamella {
namespace {

using namespace response;

/// Integrals over the solid of 1, x and x x^T, about `origin`.
struct Moments {
  double volume = 0;
  Vec3d first;
  Matrix3 second;
};

void check_mesh(MeshView mesh) {
  check_indices(mesh);
  for (const Vec3 p : mesh.positions)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      throw Error("a body's mesh has a vertex that is not finite");
  if (!is_closed(mesh))
    throw Error(
        "a body's mesh is not closed, so that it has no mass and no inertia: close it (`lamella info` shows where it "
        "is "
        "open), or make the body fixed");
}

bool finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Positive definite (Sylvester): turning either way takes energy.
bool is_inertia(const Matrix3& m) { return m[0].x > 0 && m[0].x * m[1].y - m[0].y * m[1].x > 0 && determinant(m) > 0; }

/// Of a solid so small, large or thin that its inertia, or the inverse of it, is beyond the range of double; the cube
/// of the inertia must fit as well (its mass does then, since lengths are floats). And of a mesh with parts inside out,
/// whose volume may be above 0 nevertheless.
void check_range(const MassProperties& m) {
  const Matrix3 i = inverse(m.inertia);
  const double cube = determinant(i);
  if (!finite(i[0]) || !finite(i[1]) || !finite(i[2]) || cube == 0 || std::isnan(cube))
    throw Error("a body's mass or inertia is too large or too small to compute with: use other units");
  if (!is_inertia(i)) throw Error("a body's inertia is not that of a solid: parts of its mesh are inside out");
}

Moments moments_about(MeshView mesh, Vec3d origin) {
  Moments m;
  for (const Triangle t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]) - origin, b = to_double(mesh.positions[t.b]) - origin,
                c = to_double(mesh.positions[t.c]) - origin;
    const double six_volumes = dot(a, cross(b, c));
    const Vec3d sum = a + b + c;
    m.volume += six_volumes / 6;
    m.first += sum * (six_volumes / 24);
    m.second = m.second + (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (six_volumes / 120);
  }
  return m;
}

Vec3d middle_of(MeshView mesh) { return to_double(center(bounds(mesh))); }

double area_of(MeshView mesh) {
  double twice = 0;
  for (const Triangle t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]);
    twice += lamella::length(cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a));
  }
  return twice / 2;
}

}  // namespace

MassProperties mass_properties(MeshView mesh, double density) {
  if (!(density > 0) || !std::isfinite(density)) throw Error("a body's density must be finite and above 0");
  check_world_only(mesh, "mass_properties");
  check_mesh(mesh);
  const Vec3d origin = middle_of(mesh);
  const Moments m = moments_about(mesh, origin);
  if (!(m.volume > 0))  // from finite floats it is finite
    throw Error("a body's mesh encloses no volume: its triangles must face outwards, and not all lie in one plane");
  const Vec3d offset = m.first * (1 / m.volume);
  // About the centre: second moments shrink by the volume times the offset squared (Steiner).
  const Matrix3 second = m.second + outer(offset, offset) * -m.volume;
  const double trace = second[0].x + second[1].y + second[2].z;
  const MassProperties properties{m.volume * density, origin + offset, (diagonal(trace) + second * -1.0) * density};
  check_range(properties);
  return properties;
}

namespace response {

double thickness_of(MeshView mesh) {
  const Aabb box = bounds(mesh);
  if (box.empty()) return 0;
  const Vec3 side = extent(box);
  const double thinnest = std::min({side.x, side.y, side.z});
  const double volume = moments_about(mesh, middle_of(mesh)).volume, area = area_of(mesh);
  return volume > 0 && area > 0 ? std::min(thinnest, 4 * volume / area) : thinnest;
}

double reach_of(MeshView mesh, Vec3d center) {
  double farthest = 0;
  for (const Vec3 p : mesh.positions) {
    if (!usable(p)) continue;  // of a fixed body: no triangle there is sampled
    const Vec3d arm = to_double(p) - center;
    farthest = std::max(farthest, dot(arm, arm));
  }
  return std::sqrt(farthest);
}

}  // namespace response
}  // namespace lamella
