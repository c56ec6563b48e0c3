#include <algorithm>
#include <cmath>

#include "core/doubled_faces.hpp"
#include "core/edge_table.hpp"
#include "core/join.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/shells.hpp"
#include "core/union_find.hpp"
#include "lamella/repair.hpp"

namespace lamella {
namespace {

constexpr std::size_t kMaxDefects = 8;

enum EdgeKind { kGood = -1, kBoundary, kNonmanifold, kInconsistent };

template <class Number>
EdgeKind classify(std::span<const HalfEdge<Number>> uses) {
  if (uses.size() == 1) return kBoundary;
  if (uses.size() > 2) return kNonmanifold;
  return uses[0].ascends() == uses[1].ascends() ? kInconsistent : kGood;
}

template <class Number>
void count_edges(MeshView mesh, const EdgeTable<Number>& table, MeshReport& report) {
  std::vector<Vec3> places[3];
  std::size_t counts[3] = {};
  for_each_edge(table, [&](std::size_t a, std::size_t b, std::span<const HalfEdge<Number>> uses) {
    const EdgeKind kind = classify(uses);
    if (kind == kGood) return;
    ++counts[kind];
    if (places[kind].size() < kMaxDefects) places[kind].push_back((mesh.positions[a] + mesh.positions[b]) * 0.5f);
  });
  report.boundary_edges = counts[kBoundary];
  report.nonmanifold_edges = counts[kNonmanifold];
  report.inconsistent_edges = counts[kInconsistent];
  for (const auto& kind : places)
    for (const Vec3 p : kind)
      if (report.defects.size() < kMaxDefects) report.defects.push_back(p);
}

template <class Number>
std::size_t count_components(const EdgeTable<Number>& table, std::size_t triangles) {
  UnionFind sets(triangles);
  std::size_t count = triangles;
  for_each_edge(table, [&](std::size_t, std::size_t, std::span<const HalfEdge<Number>> uses) {
    for (const HalfEdge<Number>& use : uses)
      count -= sets.unite(static_cast<std::uint32_t>(uses[0].triangle()), static_cast<std::uint32_t>(use.triangle()))
                   ? 1
                   : 0;
  });
  return count;
}

bool repeats_vertex(const Triangle& t) { return t.a == t.b || t.b == t.c || t.c == t.a; }

/// Volume, area and degenerate triangles. Relative to the box's centre, so that a mesh far from the origin loses no
/// precision.
/// Returns whether a triangle repeats a vertex.
bool measure(MeshView mesh, MeshReport& report) {
  const Vec3d origin =
      report.bounds.empty() ? Vec3d{} : (to_double(report.bounds.min) + to_double(report.bounds.max)) * 0.5;
  bool repeats = false;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]) - origin;
    const Vec3d b = to_double(mesh.positions[t.b]) - origin;
    const Vec3d c = to_double(mesh.positions[t.c]) - origin;
    const Vec3d normal = cross(b - a, c - a);
    repeats = repeats || repeats_vertex(t);
    report.degenerate_triangles += (repeats_vertex(t) || normal == Vec3d{}) ? 1 : 0;
    const double twice_area = std::sqrt(dot(normal, normal));
    if (!std::isfinite(twice_area)) continue;
    report.area += twice_area / 2;
    report.volume += dot(a, cross(b, c)) / 6;
  }
  return repeats;
}

/// What the mesh is as a solid, with vertices at the same place as one: open edges, doubled faces, shells.
void inspect_solid(MeshView mesh, MeshReport& report) {
  const std::vector<std::uint32_t> leaders = join_equal(mesh.positions);
  Mesh joined{.positions = {mesh.positions.begin(), mesh.positions.end()}, .triangles = {}};
  joined.triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    if (usable(mesh, t)) joined.triangles.push_back({leaders[t.a], leaders[t.b], leaders[t.c]});
  report.duplicate_faces = count_duplicates(joined.triangles);
  const Closure closure = find_closure(joined);
  report.open_edges = closure.edge_count;
  report.holes = closure.rims.size();
  if (!closure.empty()) joined = lamella::closed(joined, closure);
  const Shells shells = find_shells(joined.positions, joined.triangles);
  report.inside_out_components = shells.inside_out;
  report.cavities = shells.cavities;
}

}  // namespace

MeshReport inspect(MeshView mesh) {
  check_indices(mesh);
  if (!mesh.wide.empty()) return inspect(rounded(mesh));
  MeshReport report;
  report.vertices = mesh.positions.size();
  report.triangles = mesh.triangles.size();
  report.origin = mesh.origin;
  report.bounds = bounds(mesh);
  report.nonfinite_vertices = static_cast<std::size_t>(
      std::count_if(mesh.positions.begin(), mesh.positions.end(), [](Vec3 p) { return !usable(p); }));
  with_edge_table(mesh, [&](const auto& table) {
    count_edges(mesh, table, report);
    report.components = count_components(table, mesh.triangles.size());
  });
  const bool repeats = measure(mesh, report);
  report.closed = !mesh.triangles.empty() && !repeats && report.boundary_edges == 0 && report.nonmanifold_edges == 0 &&
                  report.inconsistent_edges == 0;
  inspect_solid(mesh, report);
  return report;
}

}  // namespace lamella
