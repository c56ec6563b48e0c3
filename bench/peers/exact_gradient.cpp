#include "bench/peers/exact_gradient.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <cmath>
#include <unordered_map>

namespace lamella::bench::peers {
namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Vector = Kernel::Vector_3;
using Surface = CGAL::Surface_mesh<Point>;
using Face = Surface::Face_index;

Point moved(const Vec3& p, const SmallMotion& m) {
  double x[3] = {p.x, p.y, p.z};
  const int u = (m.axis + 1) % 3, v = (m.axis + 2) % 3;
  const double c = std::cos(m.angle), s = std::sin(m.angle), at_u = x[u], at_v = x[v];
  x[u] = c * at_u - s * at_v;
  x[v] = s * at_u + c * at_v;
  return {x[0] + m.shift.x, x[1] + m.shift.y, x[2] + m.shift.z};
}

std::optional<Surface> surface_of(const Mesh& mesh, const SmallMotion& motion) {
  Surface surface;
  for (const Vec3& p : mesh.positions) surface.add_vertex(moved(p, motion));
  for (const Triangle& t : mesh.triangles) {
    const auto vertex = [](std::uint32_t i) { return Surface::Vertex_index(i); };
    if (surface.add_face(vertex(t.a), vertex(t.b), vertex(t.c)) == Surface::null_face()) return std::nullopt;
  }
  if (!CGAL::is_closed(surface)) return std::nullopt;
  return surface;
}

/// Follows the triangles of b through corefinement into the intersection.
struct Follow : pmp::Corefinement::Default_visitor<Surface> {
  const Surface* b = nullptr;
  std::unordered_map<std::uint32_t, std::uint32_t>* parts =
      nullptr;  ///< triangles of b by faces that are parts of them
  std::unordered_map<std::uint32_t, std::uint32_t>* found = nullptr;  ///< the same by faces of the intersection
  std::uint32_t splitting = 0;

  [[nodiscard]] std::uint32_t origin(Face f) const {
    const auto part = parts->find(f);
    return part == parts->end() ? std::uint32_t(f) : part->second;
  }
  void before_subface_creations(Face f, Surface& of) {
    if (&of == b) splitting = origin(f);
  }
  void after_subface_created(Face f, Surface& of) {
    if (&of == b) (*parts)[f] = splitting;
  }
  void after_face_copy(Face from, const Surface& of, Face to, const Surface&) {
    if (&of == b) (*found)[to] = origin(from);
  }
};

Vec3d plain(const Vector& v) { return {v.x(), v.y(), v.z()}; }

/// Weights of the corners of a triangle at a point in its plane.
void weights_at(const Point& p, const Point (&corner)[3], double (&weight)[3]) {
  const Vector n = CGAL::cross_product(corner[1] - corner[0], corner[2] - corner[0]);
  const double whole = n.squared_length();
  for (int k = 0; k < 3; ++k) {
    const Point &q = corner[(k + 1) % 3], &r = corner[(k + 2) % 3];
    weight[k] = CGAL::cross_product(q - p, r - p) * n / whole;
  }
}

}  // namespace

std::optional<ExactGradient> exact_gradient(const Mesh& a, const Mesh& b) {
  auto surface_a = surface_of(a, {}), surface_b = surface_of(b, {});
  if (!surface_a || !surface_b) return std::nullopt;
  Surface shared;
  std::unordered_map<std::uint32_t, std::uint32_t> parts, found;
  Follow follow;
  follow.b = &*surface_b;
  follow.parts = &parts;
  follow.found = &found;
  try {
    const auto careful = CGAL::parameters::throw_on_self_intersection(true).visitor(follow);
    if (!pmp::corefine_and_compute_intersection(*surface_a, *surface_b, shared, careful)) return std::nullopt;
  } catch (const pmp::Corefinement::Self_intersection_exception&) {
    return std::nullopt;
  }
  ExactGradient out;
  out.volume = CGAL::to_double(pmp::volume(shared));
  std::vector<Vector> vertices(b.positions.size(), Vector(0, 0, 0));
  Vector force(0, 0, 0), torque(0, 0, 0);
  for (const auto& [face, triangle] : found) {
    Point corner[3];
    int k = 0;
    for (const auto v : CGAL::vertices_around_face(shared.halfedge(Face(face)), shared)) corner[k++] = shared.point(v);
    const Vector area = CGAL::cross_product(corner[1] - corner[0], corner[2] - corner[0]) / 2;
    force += area;
    out.area += std::sqrt(area.squared_length());
    const Point middle = CGAL::centroid(corner[0], corner[1], corner[2]);
    torque += CGAL::cross_product(middle - CGAL::ORIGIN, area);
    const Triangle t = b.triangles[triangle];
    const auto at = [&](std::uint32_t i) { return Point(b.positions[i].x, b.positions[i].y, b.positions[i].z); };
    const Point whole[3] = {at(t.a), at(t.b), at(t.c)};
    double weight[3];
    weights_at(middle, whole, weight);
    vertices[t.a] += weight[0] * area;
    vertices[t.b] += weight[1] * area;
    vertices[t.c] += weight[2] * area;
  }
  out.force = plain(force);
  out.torque = plain(torque);
  for (const Vector& v : vertices) out.vertices.push_back(plain(v));
  return out;
}

std::optional<double> exact_moved_volume(const Mesh& a, const Mesh& b, const SmallMotion& motion) {
  auto surface_a = surface_of(a, {}), surface_b = surface_of(b, motion);
  if (!surface_a || !surface_b) return std::nullopt;
  Surface shared;
  try {
    const auto careful = CGAL::parameters::throw_on_self_intersection(true);
    if (!pmp::corefine_and_compute_intersection(*surface_a, *surface_b, shared, careful)) return std::nullopt;
  } catch (const pmp::Corefinement::Self_intersection_exception&) {
    return std::nullopt;
  }
  return CGAL::to_double(pmp::volume(shared));
}

}  // namespace lamella::bench::peers
