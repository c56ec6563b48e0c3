// CGAL on an assembly: Box_intersection_d for the parts' boxes, do_intersect for pairs, corefinement for volumes.

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <ctime>

#include "bench/peers/clash_peers.hpp"

namespace lamella::bench::peers {
namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

const std::string kLibrary = "CGAL " CGAL_VERSION_STR;

/// Processor time: other programs on the machine do not count in it.
double ms_since(std::clock_t start) { return static_cast<double>(std::clock() - start) * (1e3 / CLOCKS_PER_SEC); }

/// Empty where CGAL does not take the mesh for a manifold.
Surface surface_of(const Mesh& mesh) {
  Surface surface;
  const Vec3d& o = mesh.origin;
  for (const Vec3& p : mesh.positions) surface.add_vertex({o.x + p.x, o.y + p.y, o.z + p.z});
  for (const Triangle& t : mesh.triangles) {
    const auto vertex = [](std::uint32_t i) { return Surface::Vertex_index(i); };
    if (surface.add_face(vertex(t.a), vertex(t.b), vertex(t.c)) == Surface::null_face()) return {};
  }
  return surface;
}

using Box = CGAL::Box_intersection_d::Box_d<double, 3>;

std::vector<BodyPair> box_candidates(const std::vector<BodyBox>& boxes) {
  std::vector<Box> all;
  for (const BodyBox& b : boxes) {
    double low[3] = {b.low[0], b.low[1], b.low[2]}, high[3] = {b.high[0], b.high[1], b.high[2]};
    all.emplace_back(low, high);
  }
  // Ids are handed out by a counter of the process, in the order in which boxes are made.
  const std::size_t first = all.empty() ? 0 : all.front().id();
  std::vector<BodyPair> pairs;
  CGAL::box_self_intersection_d(all.begin(), all.end(), [&](const Box& a, const Box& b) {
    pairs.push_back(
        std::minmax(static_cast<std::uint32_t>(a.id() - first), static_cast<std::uint32_t>(b.id() - first)));
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

ClashTimes cgal_clash(const ClashWork& work) {
  ClashTimes out{.library = kLibrary,
                 .call = "Box_intersection_d, do_intersect",
                 .gives = "pairs of parts, those inside another too"};
  auto start = std::clock();
  const std::vector<BodyPair> candidates = box_candidates(work.boxes);
  out.broad_ms = ms_since(start);
  out.candidates = candidates.size();
  start = std::clock();
  const auto sides = CGAL::parameters::do_overlap_test_of_bounded_sides(true);
  for (const BodyPair& pair : candidates) {
    const Surface a = surface_of(work.place(pair.first)), b = surface_of(work.place(pair.second));
    if (pmp::do_intersect(a, b, sides, sides)) out.meeting.push_back(pair);
  }
  out.pairs_ms = ms_since(start);
  return out;
}

ClashVolumes cgal_volumes(const ClashWork& work, const std::vector<BodyPair>& pairs) {
  ClashVolumes out;
  const auto start = std::clock();
  for (const BodyPair& pair : pairs) {
    Surface a = surface_of(work.place(pair.first)), b = surface_of(work.place(pair.second)), shared;
    double volume = -1;
    try {
      const auto careful = CGAL::parameters::throw_on_self_intersection(true);
      if (pmp::corefine_and_compute_intersection(a, b, shared, careful)) volume = CGAL::to_double(pmp::volume(shared));
    } catch (const std::exception&) {  // it gives up
    }
    out.volumes.push_back(volume);
  }
  out.ms = ms_since(start);
  return out;
}

}  // namespace lamella::bench::peers
