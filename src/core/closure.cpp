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
#include "core/join.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/origin.hpp"
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
  return usable(mesh.wide.empty() ? mesh.positions[i] : narrow(mesh.wide[i]));
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
  std::vector<bool> is_end(mesh.vertex_count());
  for (const ChainEdge& e : chain) is_end[e.from] = is_end[e.to] = true;
  std::vector<std::uint32_t> number(mesh.vertex_count());
  std::uint32_t count = 0;
  join_sorted(
      mesh.vertex_count(), [&](std::uint32_t i) { return position(mesh, i); },
      [&](std::uint32_t first, std::uint32_t i) { number[i] = first == i ? count++ : number[first]; },
      [&](std::uint32_t i) { return is_end[i]; });
  for (ChainEdge& e : chain) e.joined_from = number[e.from], e.joined_to = number[e.to];
  return count;
}

/// Takes out edges that cancel once their ends are joined.
void cancel(std::vector<ChainEdge>& chain) {
  struct Key {
    std::uint64_t ends = 0;  ///< the lower and the higher
    std::uint32_t index = 0;
    bool descends = false;
  };
  std::vector<Key> keys;
  keys.reserve(chain.size());
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const auto [low, high] = std::minmax(chain[i].joined_from, chain[i].joined_to);
    if (low != high) keys.push_back({std::uint64_t{low} << 32 | high, i, chain[i].joined_from > chain[i].joined_to});
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::tie(a.ends, a.descends, a.index) < std::tie(b.ends, b.descends, b.index);
  });
  std::vector<ChainEdge> kept;
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    std::size_t ascending = 0;
    for (end = begin; end < keys.size() && keys[end].ends == keys[begin].ends; ++end)
      ascending += keys[end].descends ? 0 : 1;
    const std::size_t descending = end - begin - ascending;  // they follow the ascending ones
    const std::size_t first = ascending > descending ? begin : begin + ascending;
    const std::size_t count = std::max(ascending, descending) - std::min(ascending, descending);
    for (std::size_t i = 0; i < count; ++i) kept.push_back(chain[keys[first + i].index]);
  }
  chain = std::move(kept);
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
  if (chain.size() > 0xffffffffu) throw Error("the mesh has more than 2^32 - 1 open edges; split it");
  const std::uint32_t ends = join_ends(mesh, chain);
  cancel(chain);
  for_each_loop(chain, ends, [&](std::span<const ChainEdge> loop) { add_rim(closure, loop); });
  return closure;
}

}  // namespace lamella
