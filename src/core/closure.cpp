// Closing any triangle mesh. The sum of the directed edges of all triangles is a chain without boundary, so it is a sum
// of loops; a fan over each loop has the loop as its boundary, turned round, and the mesh with all fans has none.
// Fans equal the usual filling of small holes (Barequet and Sharir 1995 triangulate the loop itself, which takes cubic
// time and no longer fits when the mesh deforms).
//
// Edges that are matched by index, nearly all, are found without comparing positions; only the ends of the others are
// joined by their coordinates. Joining vertices is linear on chains, so the order does not matter.

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/edge_table.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "lamella/error.hpp"
#include "lamella/repair.hpp"

namespace lamella {
namespace {

/// An unmatched edge in the direction of its triangle: vertices of the mesh, then their numbers among joined ends.
struct ChainEdge {
  std::uint32_t from = 0, to = 0;
  std::uint32_t joined_from = 0, joined_to = 0;
};

Vec3d position(MeshView mesh, std::uint32_t i) {
  return mesh.wide.empty() ? to_double(mesh.positions[i]) : mesh.wide[i];
}

bool is_usable(MeshView mesh, std::uint32_t i) {
  return usable(mesh.wide.empty() ? mesh.positions[i] : to_float(mesh.wide[i]));
}

/// Triangles that queries do not skip.
std::vector<Triangle> usable_triangles(MeshView mesh) {
  std::vector<Triangle> kept;
  for (const Triangle& t : mesh.triangles)
    if (is_usable(mesh, t.a) && is_usable(mesh, t.b) && is_usable(mesh, t.c)) kept.push_back(t);
  return kept;
}

/// Edges that run one way more often than the other, by index, as many times as they do.
std::vector<ChainEdge> unmatched_by_index(MeshView mesh) {
  const std::vector<Triangle> triangles = usable_triangles(mesh);
  mesh.triangles = triangles;
  std::vector<ChainEdge> chain;
  with_edge_table(mesh, [&](const auto& table) {
    for_each_edge(table, [&](std::size_t a, std::size_t b, const auto& uses) {
      if (a == b) return;
      std::ptrdiff_t net = 0;
      for (const auto& use : uses) net += use.ascends() ? 1 : -1;
      const auto low = static_cast<std::uint32_t>(a), high = static_cast<std::uint32_t>(b);
      const ChainEdge edge = net > 0 ? ChainEdge{low, high} : ChainEdge{high, low};
      chain.insert(chain.end(), static_cast<std::size_t>(std::abs(net)), edge);
    });
  });
  return chain;
}

/// Numbers the ends of the edges so that ends at the same place share one. Returns how many there are.
std::uint32_t join_ends(MeshView mesh, std::vector<ChainEdge>& chain) {
  std::vector<std::uint32_t> vertices;
  for (const ChainEdge& e : chain) vertices.insert(vertices.end(), {e.from, e.to});
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::vector<std::uint32_t> order(vertices.size()), number(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    const Vec3d p = position(mesh, vertices[i]);
    return std::tuple(p.x, p.y, p.z);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const auto a = key(i), b = key(j);
    return a != b ? a < b : i < j;
  });
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    number[order[i]] = same ? count - 1 : count++;
  }
  const auto number_of = [&](std::uint32_t vertex) {
    const auto at = std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin();
    return number[static_cast<std::size_t>(at)];
  };
  for (ChainEdge& e : chain) e.joined_from = number_of(e.from), e.joined_to = number_of(e.to);
  return count;
}

/// Takes out edges that cancel once their ends are joined.
void cancel(std::vector<ChainEdge>& chain) {
  const auto low = [](const ChainEdge& e) { return std::min(e.joined_from, e.joined_to); };
  const auto high = [](const ChainEdge& e) { return std::max(e.joined_from, e.joined_to); };
  std::erase_if(chain, [](const ChainEdge& e) { return e.joined_from == e.joined_to; });
  std::stable_sort(chain.begin(), chain.end(), [&](const ChainEdge& a, const ChainEdge& b) {
    return std::tuple(low(a), high(a), a.joined_from) < std::tuple(low(b), high(b), b.joined_from);
  });
  std::size_t kept = 0;
  for (std::size_t begin = 0, end; begin < chain.size(); begin = end) {
    std::size_t ascending = 0;
    for (end = begin;
         end < chain.size() && low(chain[end]) == low(chain[begin]) && high(chain[end]) == high(chain[begin]); ++end)
      ascending += chain[end].joined_from < chain[end].joined_to ? 1 : 0;
    const std::size_t descending = end - begin - ascending;  // they follow the ascending ones
    const std::size_t first = ascending > descending ? begin : begin + ascending;
    const std::size_t count = std::max(ascending, descending) - std::min(ascending, descending);
    for (std::size_t i = 0; i < count; ++i) chain[kept++] = chain[first + i];
  }
  chain.resize(kept);
}

/// Takes the chain apart into loops that pass no vertex twice: walks along unused edges, and cuts a loop off whenever
/// the walk comes back to itself. As many edges leave a vertex as arrive, so a walk can only end where it began.
template <class Visit>
void for_each_loop(const std::vector<ChainEdge>& chain, std::uint32_t ends, const Visit& visit) {
  constexpr std::uint32_t kNotOnPath = 0xffffffffu;
  std::vector<std::size_t> offsets(std::size_t{ends} + 1), by_from(chain.size());
  for (const ChainEdge& e : chain) ++offsets[std::size_t{e.joined_from} + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::size_t> cursor(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < chain.size(); ++i) by_from[cursor[chain[i].joined_from]++] = i;
  std::copy(offsets.begin(), offsets.end() - 1, cursor.begin());

  std::vector<std::uint32_t> on_path(ends, kNotOnPath);
  std::vector<ChainEdge> path;
  for (std::uint32_t start = 0; start < ends; ++start) {
    std::uint32_t at = start;
    while (cursor[at] < offsets[std::size_t{at} + 1]) {
      on_path[at] = static_cast<std::uint32_t>(path.size());
      path.push_back(chain[by_from[cursor[at]++]]);
      at = path.back().joined_to;
      if (on_path[at] == kNotOnPath) continue;
      const std::size_t first = on_path[at];
      visit(std::span(path).subspan(first));
      for (std::size_t i = first; i < path.size(); ++i) on_path[path[i].joined_from] = kNotOnPath;
      path.resize(first);
    }
  }
}

void add_rim(Closure& closure, std::span<const ChainEdge> loop) {
  if (closure.vertex_count + closure.point_count >= 0xfffffffeu || closure.fans.size() + loop.size() > 0xffffffffu)
    throw Error("closing the mesh would take more than 2^32 - 1 vertices or triangles; split it");
  Closure::Rim rim{.first = static_cast<std::uint32_t>(closure.fans.size())};
  if (loop.size() == 3) {
    closure.fans.push_back({loop[2].from, loop[1].from, loop[0].from});
    rim.triangles = 1;
  } else {
    const auto point = static_cast<std::uint32_t>(closure.vertex_count + closure.point_count);
    for (const ChainEdge& e : loop) closure.fans.push_back({e.to, e.from, point});
    rim.triangles = static_cast<std::uint32_t>(loop.size());
    rim.point = static_cast<std::uint32_t>(closure.point_count++);
  }
  closure.rims.push_back(rim);
  closure.edge_count += loop.size();
}

}  // namespace

Closure find_closure(MeshView mesh) {
  check_indices(mesh);
  Closure closure;
  closure.vertex_count = mesh.vertex_count();
  if (is_closed(mesh)) return closure;
  std::vector<ChainEdge> chain = unmatched_by_index(mesh);
  const std::uint32_t ends = join_ends(mesh, chain);
  cancel(chain);
  for_each_loop(chain, ends, [&](std::span<const ChainEdge> loop) { add_rim(closure, loop); });
  return closure;
}

}  // namespace lamella
