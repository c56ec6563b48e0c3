#include "geometry_image/make/paths.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace lamella::gi {

std::vector<std::uint32_t> PathTree::path(const Surface& s, std::uint32_t v) const {
  std::vector<std::uint32_t> path;
  for (; via[v] != kNone; v = s.origins[via[v]]) path.push_back(via[v]);
  std::reverse(path.begin(), path.end());
  return path;
}

PathTree grow_paths(const Surface& s, std::span<const std::uint32_t> sources, double reach) {
  PathTree tree;
  tree.distances.assign(s.vertex_count(), std::numeric_limits<double>::infinity());
  tree.via.assign(s.vertex_count(), kNone);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::uint32_t v : sources) {
    tree.distances[v] = 0;
    queue.emplace(0, v);
  }
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > tree.distances[v]) continue;
    if (d > reach) break;
    for_each_leaving(s, v, [&, from = d](std::uint32_t h) {
      const std::uint32_t u = s.end(h);
      const double through = from + s.length(h);
      if (!(through < tree.distances[u])) return;
      tree.distances[u] = through;
      tree.via[u] = h;
      queue.emplace(through, u);
    });
  }
  return tree;
}

}  // namespace lamella::gi
