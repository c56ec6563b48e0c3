#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/edge_table.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "lamella/mesh.hpp"

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

/// Union-find over triangles that share an edge.
template <class Number>
std::size_t count_components(const EdgeTable<Number>& table, std::size_t triangles) {
  std::vector<std::uint32_t> parent(triangles);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](Number triangle) {
    auto t = static_cast<std::uint32_t>(triangle);
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  std::size_t count = triangles;
  for_each_edge(table, [&](std::size_t, std::size_t, std::span<const HalfEdge<Number>> uses) {
    for (std::size_t i = 1; i < uses.size(); ++i) {
      const std::uint32_t a = root(uses[i - 1].triangle()), b = root(uses[i].triangle());
      count -= a != b ? 1 : 0;
      parent[std::max(a, b)] = std::min(a, b);
    }
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

template <class Number>
void inspect_edges(MeshView mesh, MeshReport& report) {
  const EdgeTable<Number> table = make_edge_table<Number>(mesh);
  count_edges(mesh, table, report);
  report.components = count_components(table, mesh.triangles.size());
}

}  // namespace

MeshReport inspect(MeshView mesh) {
  check_indices(mesh);
  MeshReport report;
  report.vertices = mesh.positions.size();
  report.triangles = mesh.triangles.size();
  report.bounds = bounds(mesh);
  report.nonfinite_vertices = static_cast<std::size_t>(
      std::count_if(mesh.positions.begin(), mesh.positions.end(), [](Vec3 p) { return !usable(p); }));
  // Meshes that do not need 64 bits, which double the table, do without.
  if (can_number<std::uint32_t>(mesh.triangles.size()))
    inspect_edges<std::uint32_t>(mesh, report);
  else
    inspect_edges<std::uint64_t>(mesh, report);
  const bool repeats = measure(mesh, report);
  report.closed = !mesh.triangles.empty() && !repeats && report.boundary_edges == 0 && report.nonmanifold_edges == 0 &&
                  report.inconsistent_edges == 0;
  return report;
}

}  // namespace lamella
