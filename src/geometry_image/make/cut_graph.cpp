// The first cut.
//
// With handles: the greedy system of loops of Erickson and Whittlesey, "Greedy optimal homotopy and homology
// generators" (2005), by tree and cotree (Eppstein 2003). Take a tree of shortest paths from a root, and among the
// other edges a spanning tree of triangles that takes the longest loops first: 2 * genus edges remain, and each closes
// a shortest loop through the root. Loops share edges, which count once here. The published method finds the best loops
// for a given root; since all loops pass through it, several roots are tried.
//
// Without handles: Gu, Gortler and Hoppe start with two edges and extend the cut. The longest path across the surface,
// whose ends they would reach anyway, saves rounds.

#include "geometry_image/make/cut_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "geometry_image/make/paths.hpp"

namespace lamella::gi {
namespace {

std::uint32_t furthest(const PathTree& tree) {
  return static_cast<std::uint32_t>(std::max_element(tree.distances.begin(), tree.distances.end()) -
                                    tree.distances.begin());
}

void cut_across(Surface& s) {
  std::uint32_t end = 0;
  PathTree tree = grow_paths(s, {&end, 1});
  // With zero-length edges no vertex may be further than the source itself: then take any other.
  const auto other = [&](std::uint32_t from) {
    const std::uint32_t v = furthest(tree);
    return v != from ? v : s.end(s.leaving[from]);
  };
  for (int i = 0; i < 2; ++i) {
    end = other(end);
    tree = grow_paths(s, {&end, 1});
  }
  for (const std::uint32_t h : tree.path(s, other(end))) s.set_cut(h, true);
}

/// Edges, by one half-edge each, that close the greedy loops over a tree of shortest paths.
std::vector<std::uint32_t> loop_edges(const Surface& s, const PathTree& tree) {
  struct Edge {
    double loop;
    std::uint32_t half_edge;
  };
  std::vector<Edge> edges;
  for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) {
    const std::uint32_t g = s.twins[h], a = s.origins[h], b = s.end(h);
    if (h > g || tree.via[b] == h || tree.via[a] == g) continue;
    edges.push_back({tree.distances[a] + tree.distances[b] + s.length(h), h});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.loop != y.loop ? x.loop > y.loop : x.half_edge < y.half_edge;
  });
  std::vector<std::uint32_t> parent(s.triangle_count()), left;
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  for (const Edge& e : edges) {
    const std::uint32_t a = root(e.half_edge / 3), b = root(s.twins[e.half_edge] / 3);
    if (a == b)
      left.push_back(e.half_edge);
    else
      parent[std::max(a, b)] = std::min(a, b);
  }
  return left;
}

/// One half-edge for each edge of the greedy loops through a root.
std::vector<std::uint32_t> greedy_loops(const Surface& s, const PathTree& tree) {
  std::vector<std::uint32_t> edges;
  std::vector<std::uint8_t> seen(s.vertex_count(), 0);  // path to the root already added
  for (const std::uint32_t h : loop_edges(s, tree)) {
    edges.push_back(h);
    for (std::uint32_t v : {s.origins[h], s.end(h)})
      for (; seen[v] == 0 && tree.via[v] != kNone; v = s.origins[tree.via[v]]) {
        seen[v] = 1;
        edges.push_back(tree.via[v]);
      }
  }
  return edges;
}

void cut_loops(Surface& s) {
  // Limited because each root costs a sort of all edges.
  const std::size_t roots = std::clamp<std::size_t>(1'500'000 / s.triangle_count(), 2, 16);
  std::vector<std::uint32_t> best, tried{0};
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < roots; ++i) {
    const std::uint32_t root = tried.back();
    const std::vector<std::uint32_t> loops = greedy_loops(s, grow_paths(s, {&root, 1}));
    const double length = length_of(s, loops);
    if (length < shortest) {
      shortest = length;
      best = loops;
    }
    const std::uint32_t away = furthest(grow_paths(s, tried));
    if (i == 0) tried.clear();  // the first was an arbitrary vertex; the one furthest from it is an end of the surface
    tried.push_back(away);
  }
  for (const std::uint32_t h : best) s.set_cut(h, true);
}

}  // namespace

void cut_to_disc(Surface& s) {
  std::fill(s.cut.begin(), s.cut.end(), std::uint8_t{0});
  if (genus_of(s) == 0) return cut_across(s);
  cut_loops(s);
  straighten_cut(s);
}

std::vector<std::uint32_t> cut_degrees(const Surface& s) {
  std::vector<std::uint32_t> degrees(s.vertex_count(), 0);
  for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) degrees[s.origins[h]] += s.cut[h];
  return degrees;
}

CutPath path_through(const Surface& s, const std::vector<std::uint32_t>& degrees, std::uint32_t h) {
  const auto onward = [&](std::uint32_t e) {  // the other cut edge at e's end
    std::uint32_t f = Surface::next(e);
    while (s.cut[f] == 0) f = Surface::next(s.twins[f]);
    return f;
  };
  // First back to a node; a ring without nodes starts at h.
  std::uint32_t first = s.twins[h];
  while (degrees[s.end(first)] == 2 && onward(first) != s.twins[h]) first = onward(first);
  CutPath path{s.twins[first]};
  while (degrees[s.end(path.back())] == 2 && onward(path.back()) != path.front()) path.push_back(onward(path.back()));
  return path;
}

std::vector<CutPath> cut_paths(const Surface& s) {
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  std::vector<std::uint8_t> seen(s.half_edge_count(), 0);
  std::vector<CutPath> paths;
  for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) {
    if (s.cut[h] == 0 || seen[h] != 0) continue;
    paths.push_back(path_through(s, degrees, h));
    for (const std::uint32_t e : paths.back()) seen[e] = seen[s.twins[e]] = 1;
  }
  return paths;
}

double length_of(const Surface& s, const std::vector<std::uint32_t>& half_edges) {
  double length = 0;
  for (const std::uint32_t h : half_edges) length += s.length(h);
  return length;
}

}  // namespace lamella::gi
