// Straightens each path of the cut graph by itself, as Gu, Gortler and Hoppe (2002), with one departure: the ends are
// free as well. Without a path the opened surface is a ring, and any simple path from one border of the ring to the
// other makes it a disc again; so the shortest of all is taken, not the shortest between the old nodes.

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/paths.hpp"

namespace lamella::gi {
namespace {

class Straightener {
 public:
  explicit Straightener(Surface& s)
      : s_(s),
        degrees_(cut_degrees(s)),
        marks_(s.half_edge_count(), 0),
        distances_(s.vertex_count(), std::numeric_limits<double>::infinity()),
        via_(s.vertex_count(), kNone) {}

  void run() {
    for (std::uint32_t v = 0; v < s_.vertex_count(); ++v) trim(v);
    constexpr int kRounds = 12;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<CutPath> paths = cut_paths(s_);
      double before = 0, gained = 0;
      for (const CutPath& path : paths) {
        before += length_of(s_, path);
        const std::uint32_t middle = path[path.size() / 2];
        if (s_.cut[middle] != 0) gained += replace(path_through(s_, degrees_, middle));
      }
      if (gained <= 1e-3 * before) break;
    }
  }

 private:
  void mark(std::uint32_t h, bool on) {
    s_.set_cut(h, on);
    for (const std::uint32_t v : {s_.origins[h], s_.end(h)}) degrees_[v] += on ? 1u : ~0u;
  }

  /// Removes the dead end at v, if it is one, edge by edge.
  void trim(std::uint32_t v) {
    while (degrees_[v] == 1) {
      std::uint32_t h = s_.leaving[v];
      while (s_.cut[h] == 0) h = s_.turn(h);
      mark(h, false);
      v = s_.end(h);
    }
  }

  /// Moves the path to where it is shortest; returns by how much the cut became shorter. This makes no dead end: at
  /// both of its ends a path has others on either side, or both of its sides would not be on one border.
  double replace(const CutPath& path) {
    for (const std::uint32_t h : path) mark(h, false);
    const double length = length_of(s_, path);
    mark_shorter_border(path);
    const std::vector<std::uint32_t> better = across_ring(length * (1 - 1e-9));
    for (const std::uint32_t h : better.empty() ? path : better) mark(h, true);
    return better.empty() ? 0 : length - length_of(s_, better);
  }

  /// The cut half-edge, next clockwise about its origin, with which h shares a sector of that vertex.
  [[nodiscard]] std::uint32_t sector_of(std::uint32_t h) const {
    while (s_.cut[h] == 0) h = Surface::next(s_.twins[h]);
    return h;
  }

  [[nodiscard]] std::uint32_t along_border(std::uint32_t h) const { return sector_of(Surface::next(h)); }

  /// Marks the border of the ring that has fewer edges. The removed path led from one border to the other.
  void mark_shorter_border(const CutPath& path) {
    ++mark_;
    source_ = {};
    std::uint32_t first[2] = {sector_of(path.front()), sector_of(s_.twins[path.back()])};
    std::vector<std::uint32_t> borders[2] = {{first[0]}, {first[1]}};
    for (int side = 0;; side = 1 - side) {
      const std::uint32_t h = along_border(borders[side].back());
      if (h == first[side]) {
        source_ = std::move(borders[side]);
        break;
      }
      borders[side].push_back(h);
    }
    for (const std::uint32_t h : source_) marks_[h] = mark_;
  }

  /// The shortest path from one border to the other; empty if none is shorter than `bound`.
  std::vector<std::uint32_t> across_ring(double bound) {
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::vector<std::uint32_t> touched;
    std::uint32_t last = kNone;
    const auto relax = [&](std::uint32_t h, double from) {
      const double d = from + s_.length(h);
      const std::uint32_t v = s_.end(h);
      if (!(d < bound) || !(d < distances_[v])) return;
      if (degrees_[v] != 0) {                                 // on a border: distances_ stays infinite there
        if (marks_[sector_of(s_.twins[h])] == mark_) return;  // where it came from
        bound = d;
        last = h;
        return;
      }
      if (via_[v] == kNone) touched.push_back(v);
      distances_[v] = d;
      via_[v] = h;
      queue.emplace(d, v);
    };
    for (const std::uint32_t h : source_)
      for (std::uint32_t e = s_.turn(h); s_.cut[e] == 0; e = s_.turn(e)) relax(e, 0);
    while (!queue.empty() && queue.top().first < bound) {
      const auto [d, v] = queue.top();
      queue.pop();
      if (d == distances_[v]) for_each_leaving(s_, v, [&, from = d](std::uint32_t h) { relax(h, from); });
    }
    std::vector<std::uint32_t> path;
    for (std::uint32_t h = last; h != kNone; h = degrees_[s_.origins[h]] != 0 ? kNone : via_[s_.origins[h]])
      path.push_back(h);
    for (const std::uint32_t v : touched) {
      distances_[v] = std::numeric_limits<double>::infinity();
      via_[v] = kNone;
    }
    return path;
  }

  Surface& s_;
  std::vector<std::uint32_t> degrees_;
  std::vector<std::uint32_t> source_;  ///< half-edges of the border that paths start from
  std::vector<std::uint32_t> marks_;   ///< of half-edges: mark_ where they are on that border
  std::uint32_t mark_ = 0;
  std::vector<double> distances_;   ///< scratch, infinite between uses
  std::vector<std::uint32_t> via_;  ///< scratch, kNone between uses
};

}  // namespace

void straighten_cut(Surface& s) { Straightener(s).run(); }

}  // namespace lamella::gi
