#include "bench/peers/exact_volume.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

namespace lamella::bench::peers {
namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

std::optional<Surface> surface_of(const Mesh& mesh) {
  Surface surface;
  for (const Vec3& p : mesh.positions) surface.add_vertex({p.x, p.y, p.z});
  for (const Triangle& t : mesh.triangles) {
    const auto vertex = [](std::uint32_t i) { return Surface::Vertex_index(i); };
    if (surface.add_face(vertex(t.a), vertex(t.b), vertex(t.c)) == Surface::null_face()) return std::nullopt;
  }
  return surface;
}

}  // namespace

std::optional<double> exact_shared_volume(const Mesh& a, const Mesh& b) {
  auto surface_a = surface_of(a), surface_b = surface_of(b);
  if (!surface_a || !surface_b || !CGAL::is_closed(*surface_a) || !CGAL::is_closed(*surface_b)) return std::nullopt;
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
