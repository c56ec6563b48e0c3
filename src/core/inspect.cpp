#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/lattice.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh.hpp"

namespace lamella {
namespace {

constexpr std::size_t kMaxDefects = 8;

/// One triangle's use of an edge, stored with the edge's smaller vertex.
struct HalfEdge {
  std::uint32_t larger;    ///< the edge's other vertex
  std::uint32_t triangle;  ///< number * 2, plus 1 if it runs from the smaller vertex to the larger
};

/// Half-edges grouped by smaller vertex (a counting sort), then ordered within each group.
struct EdgeTable {
  std::vector<std::size_t> offsets;
  std::vector<HalfEdge> half_edges;
};

/// A triangle that repeats a vertex has an edge from that vertex to itself, which counts as a boundary edge.
template <class Visit>
void for_each_half_edge(std::span<const Triangle> triangles, const Visit& visit) {
  for (std::size_t n = 0; n < triangles.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = triangles[n][i], to = triangles[n][(i + 1) % 3];
      visit(std::min(from, to), HalfEdge{std::max(from, to), static_cast<std::uint32_t>(n * 2 + (from < to ? 1 : 0))});
    }
}

EdgeTable make_edge_table(MeshView mesh) {
  EdgeTable table;
  table.offsets.assign(mesh.positions.size() + 1, 0);
  for_each_half_edge(mesh.triangles, [&](std::uint32_t a, HalfEdge) { ++table.offsets[a + 1]; });
  std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
  table.half_edges.resize(table.offsets.back());
  std::vector<std::size_t> cursor(table.offsets.begin(), table.offsets.end() - 1);
  for_each_half_edge(mesh.triangles, [&](std::uint32_t a, HalfEdge e) { table.half_edges[cursor[a]++] = e; });
  for (std::size_t a = 0; a + 1 < table.offsets.size(); ++a)
    std::sort(table.half_edges.begin() + static_cast<std::ptrdiff_t>(table.offsets[a]),
              table.half_edges.begin() + static_cast<std::ptrdiff_t>(table.offsets[a + 1]),
              [](HalfEdge x, HalfEdge y) { return x.larger < y.larger; });
  return table;
}

/// Calls visit(smaller, larger, uses) for every edge.
template <class Visit>
void for_each_edge(const EdgeTable& table, const Visit& visit) {
  for (std::size_t a = 0; a + 1 < table.offsets.size(); ++a)
    for (std::size_t begin = table.offsets[a], end; begin < table.offsets[a + 1]; begin = end) {
      const std::uint32_t b = table.half_edges[begin].larger;
      for (end = begin + 1; end < table.offsets[a + 1] && table.half_edges[end].larger == b;) ++end;
      visit(a, b, std::span(table.half_edges).subspan(begin, end - begin));
    }
}

enum EdgeKind { kGood = -1, kBoundary, kNonmanifold, kInconsistent };

EdgeKind classify(std::span<const HalfEdge> uses) {
  if (uses.size() == 1) return kBoundary;
  if (uses.size() > 2) return kNonmanifold;
  return ((uses[0].triangle ^ uses[1].triangle) & 1) == 0 ? kInconsistent : kGood;
}

void count_edges(MeshView mesh, const EdgeTable& table, MeshReport& report) {
  std::vector<Vec3> places[3];
  std::size_t counts[3] = {};
  for_each_edge(table, [&](std::size_t a, std::size_t b, std::span<const HalfEdge> uses) {
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
std::size_t count_components(const EdgeTable& table, std::size_t triangles) {
  std::vector<std::uint32_t> parent(triangles);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  std::size_t count = triangles;
  for_each_edge(table, [&](std::size_t, std::size_t, std::span<const HalfEdge> uses) {
    for (std::size_t i = 1; i < uses.size(); ++i) {
      const std::uint32_t a = root(uses[i - 1].triangle / 2), b = root(uses[i].triangle / 2);
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

void check_indices(MeshView mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles[i][k] >= mesh.positions.size())
        throw Error(fmt::format("triangle {} names vertex {}, but the mesh has only {} vertices", i,
                                mesh.triangles[i][k], mesh.positions.size()));
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
  const EdgeTable table = make_edge_table(mesh);
  count_edges(mesh, table, report);
  report.components = count_components(table, mesh.triangles.size());
  const bool repeats = measure(mesh, report);
  report.closed = !mesh.triangles.empty() && !repeats && report.boundary_edges == 0 && report.nonmanifold_edges == 0 &&
                  report.inconsistent_edges == 0;
  return report;
}

}  // namespace lamella
