#include "lamella/repair.hpp"

#include <cmath>
#include <numeric>

#include "core/doubled_faces.hpp"
#include "core/join.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/orient.hpp"
#include "core/origin.hpp"
#include "core/shells.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// Keeps the triangles for which keep(triangle, index) holds; returns how many went.
template <class Keep>
std::uint64_t filter(std::vector<Triangle>& triangles, const Keep& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (keep(triangles[i], i)) triangles[kept++] = triangles[i];
  const std::size_t gone = triangles.size() - kept;
  triangles.resize(kept);
  return gone;
}

/// Faces name the first of the vertices that are joined; `leaders` says which.
void weld(Mesh& mesh, const RepairOptions& options, std::vector<std::uint32_t>& leaders, RepairReport& report) {
  leaders = options.weld_distance > 0 ? join_near(mesh.positions, options.weld_distance) : join_equal(mesh.positions);
  for (std::size_t i = 0; i < leaders.size(); ++i) report.welded_vertices += leaders[i] != i ? 1 : 0;
  if (report.welded_vertices == 0) return;
  for (Triangle& t : mesh.triangles) t = {leaders[t.a], leaders[t.b], leaders[t.c]};
}

void drop_faces(Mesh& mesh, const RepairOptions& options, RepairReport& report) {
  if (options.drop_degenerate)
    report.degenerate_faces =
        filter(mesh.triangles, [](const Triangle& t, std::size_t) { return t.a != t.b && t.b != t.c && t.c != t.a; });
  if (!options.drop_doubled) return;
  const std::vector<bool> keep = keep_single_faces(mesh.positions, mesh.triangles);
  report.doubled_faces = filter(mesh.triangles, [&](const Triangle&, std::size_t i) { return keep[i]; });
}

/// A closed copy whose vertices at one place are one: what find_shells() needs. Triangles keep their order.
std::vector<Triangle> joined_triangles(const Mesh& mesh) {
  const std::vector<std::uint32_t> leaders = join_equal(mesh.positions);
  std::vector<Triangle> triangles = mesh.triangles;
  for (Triangle& t : triangles) t = {leaders[t.a], leaders[t.b], leaders[t.c]};
  return triangles;
}

/// Turns shells that are inside out. `mesh` is closed.
void turn_outwards(Mesh& mesh, RepairReport& report) {
  const Shells shells = find_shells(mesh.positions, joined_triangles(mesh));
  report.shells = shells.count;
  report.turned_shells = shells.inside_out;
  report.cavities = shells.cavities;
  report.unjudged_shells = shells.unjudged;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (shells.turn[shells.of_triangle[t]]) std::swap(mesh.triangles[t].b, mesh.triangles[t].c);
}

/// Removes vertices that no triangle names, and numbers the others anew. `given`: how many the mesh had at first;
/// `leaders`: of each of those the one that stands for it.
std::vector<std::uint32_t> drop_unused(Mesh& mesh, std::size_t given, std::span<const std::uint32_t> leaders,
                                       RepairReport& report) {
  std::vector<std::uint32_t> number(mesh.positions.size(), kNoVertex);
  for (const Triangle& t : mesh.triangles) number[t.a] = number[t.b] = number[t.c] = 0;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (number[i] == kNoVertex) {
      report.unused_vertices += i >= given || leaders[i] == i ? 1 : 0;
      continue;
    }
    mesh.positions[kept] = mesh.positions[i];
    number[i] = kept++;
  }
  mesh.positions.resize(kept);
  for (Triangle& t : mesh.triangles) t = {number[t.a], number[t.b], number[t.c]};
  std::vector<std::uint32_t> map(given);
  for (std::size_t i = 0; i < given; ++i) map[i] = number[leaders[i]];
  return map;
}

}  // namespace

RepairResult repair(MeshView mesh, const RepairOptions& options) {
  check_indices(mesh);
  if (!(options.weld_distance >= 0 && std::isfinite(options.weld_distance)))
    throw Error("the distance for welding must be finite and not below 0");
  RepairResult result;
  RepairReport& report = result.report;
  Mesh& out = result.mesh;
  out = rounded(mesh);
  const std::size_t given = out.positions.size();
  report.unusable_faces =
      filter(out.triangles, [&](const Triangle& t, std::size_t) { return usable(MeshView(out), t); });
  std::vector<std::uint32_t> leaders(given);
  std::iota(leaders.begin(), leaders.end(), 0u);
  if (options.weld) weld(out, options, leaders, report);
  drop_faces(out, options, report);
  if (options.orient) {
    const Orientation orientation = orient_consistently(out.positions, out.triangles);
    report.turned_faces = orientation.turned_faces;
    report.one_sided_patches = orientation.one_sided_patches;
  }
  // Inside and outside are decided on the closed mesh, whether it stays closed or not.
  const std::size_t faces = out.triangles.size();
  const Closure closure = find_closure(out);
  const ClosureFacts facts = closure_facts(closure, out.positions);
  if (options.orient || options.close) out = closed(out, closure);
  if (options.orient) turn_outwards(out, report);
  if (options.close) {
    report.closed_holes = closure.rims.size();
    report.closed_edges = closure.edge_count;
    report.fan_area = facts.fan_area;
  } else {
    report.open_edges = closure.edge_count;
    out.triangles.resize(faces);
    out.positions.resize(given);
  }
  result.vertex_map = drop_unused(out, given, leaders, report);
  return result;
}

}  // namespace lamella
