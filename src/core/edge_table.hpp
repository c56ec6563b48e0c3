#pragma once

// The edges of a mesh, each with the triangles that use it.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// One triangle's use of an edge, stored with the edge's smaller vertex. `Number` is an unsigned type, see
/// can_number().
template <class Number>
struct HalfEdge {
  std::uint32_t larger;  ///< the edge's other vertex
  Number code;           ///< the triangle's number * 2, plus 1 if it runs from the smaller vertex to the larger

  [[nodiscard]] Number triangle() const { return static_cast<Number>(code / 2); }
  [[nodiscard]] bool ascends() const { return code % 2 != 0; }
};

/// Whether Number is large enough for the half-edges of so many triangles.
template <class Number>
[[nodiscard]] constexpr bool can_number(std::size_t triangles) {
  return triangles <= std::size_t{std::numeric_limits<Number>::max() / 2} + 1;
}

/// Half-edges grouped by smaller vertex (a counting sort), then ordered within each group.
template <class Number>
struct EdgeTable {
  std::vector<std::size_t> offsets;
  std::vector<HalfEdge<Number>> half_edges;
};

/// Calls visit(smaller vertex, half-edge). A triangle that repeats a vertex has an edge from that vertex to itself,
/// which counts as a boundary edge.
template <class Number, class Visit>
void for_each_half_edge(std::span<const Triangle> triangles, const Visit& visit) {
  for (std::size_t n = 0; n < triangles.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = triangles[n][i], to = triangles[n][(i + 1) % 3];
      visit(std::min(from, to), HalfEdge<Number>{std::max(from, to), static_cast<Number>(n * 2 + (from < to ? 1 : 0))});
    }
}

/// The indices must be in range, and can_number<Number>() true.
template <class Number>
[[nodiscard]] EdgeTable<Number> make_edge_table(MeshView mesh) {
  using Use = HalfEdge<Number>;
  EdgeTable<Number> table;
  table.offsets.assign(mesh.vertex_count() + 1, 0);
  for_each_half_edge<Number>(mesh.triangles, [&](std::uint32_t a, Use) { ++table.offsets[std::size_t{a} + 1]; });
  std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
  table.half_edges.resize(table.offsets.back());
  std::vector<std::size_t> cursor(table.offsets.begin(), table.offsets.end() - 1);
  for_each_half_edge<Number>(mesh.triangles, [&](std::uint32_t a, Use e) { table.half_edges[cursor[a]++] = e; });
  for (std::size_t a = 0; a + 1 < table.offsets.size(); ++a)
    std::sort(table.half_edges.begin() + static_cast<std::ptrdiff_t>(table.offsets[a]),
              table.half_edges.begin() + static_cast<std::ptrdiff_t>(table.offsets[a + 1]),
              [](Use x, Use y) { return x.larger < y.larger; });
  return table;
}

/// Calls visit(smaller, larger, uses) for every edge.
template <class Number, class Visit>
void for_each_edge(const EdgeTable<Number>& table, const Visit& visit) {
  for (std::size_t a = 0; a + 1 < table.offsets.size(); ++a)
    for (std::size_t begin = table.offsets[a], end; begin < table.offsets[a + 1]; begin = end) {
      const std::uint32_t b = table.half_edges[begin].larger;
      for (end = begin + 1; end < table.offsets[a + 1] && table.half_edges[end].larger == b;) ++end;
      visit(a, b, std::span(table.half_edges).subspan(begin, end - begin));
    }
}

/// Calls use(table), with numbers no wider than the mesh needs: 64 bits double the table.
template <class Use>
void with_edge_table(MeshView mesh, const Use& use) {
  if (can_number<std::uint32_t>(mesh.triangles.size()))
    use(make_edge_table<std::uint32_t>(mesh));
  else
    use(make_edge_table<std::uint64_t>(mesh));
}

}  // namespace lamella
