#include "geometry_image/make/map_split.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "geometry_image/make/map_orient.hpp"

namespace lamella::gi {

namespace {

class Splitter {
 public:
  Splitter(Disc& disc, const std::function<Vec2d(Vec2d)>& function) : disc_(disc), function_(function) {
    edges_.reserve(3 * disc.triangles.size());
    for (std::uint32_t t = 0; t < disc.triangles.size(); ++t) enter(t);
  }

  /// New positions of all vertices; grows with the disc.
  std::vector<Vec2d> target;

  [[nodiscard]] bool is_turned(std::uint32_t t) const {
    const Triangle& c = disc_.triangles[t];
    return !(orient(target[c.a], target[c.b], target[c.c]) > 0);
  }

  /// Whether it is too thin for its orientation to mean anything.
  [[nodiscard]] bool is_thin(std::uint32_t t) const {
    constexpr double kThin = 1e-12;
    const Triangle& c = disc_.triangles[t];
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
      const Vec2d p = disc_.map[c[i]], q = disc_.map[c[(i + 1) % 3]];
      longest = std::max({longest, std::abs(q.x - p.x), std::abs(q.y - p.y)});
    }
    return !(orient(disc_.map[c.a], disc_.map[c.b], disc_.map[c.c]) > kThin * longest);
  }

  /// Splits a triangle and its neighbour at its longest interior edge. Returns false where there is none, or where no
  /// double lies between the ends. Changed and new triangles are added to `changed`.
  bool split(std::uint32_t t, std::vector<std::uint32_t>& changed) {
    const Triangle corners = disc_.triangles[t];
    int longest = -1;
    double length = 0;
    for (int i = 0; i < 3; ++i) {
      const Vec2d p = disc_.map[corners[i]], q = disc_.map[corners[(i + 1) % 3]];
      const double squared = (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y);
      if (squared > length && edges_.contains(key(corners[(i + 1) % 3], corners[i]))) {
        length = squared;
        longest = i;
      }
    }
    if (longest < 0) return false;
    const std::uint32_t a = corners[longest], b = corners[(longest + 1) % 3], c = corners[(longest + 2) % 3];
    const std::uint32_t other = edges_[key(b, a)];
    const std::uint32_t d = opposite(other, b);
    const Vec2d p = disc_.map[a], q = disc_.map[b], middle{p.x + (q.x - p.x) / 2, p.y + (q.y - p.y) / 2};
    const auto m = static_cast<std::uint32_t>(disc_.positions.size());
    const auto first = static_cast<std::uint32_t>(disc_.triangles.size());
    disc_.positions.push_back((disc_.positions[a] + disc_.positions[b]) * 0.5);
    disc_.map.push_back(middle);
    target.push_back(function_(middle));
    disc_.triangles[t] = {a, m, c};
    disc_.triangles[other] = {b, m, d};
    disc_.triangles.push_back({m, b, c});
    disc_.triangles.push_back({m, a, d});
    edges_.erase(key(a, b));
    edges_.erase(key(b, a));
    for (const std::uint32_t each : {t, other, first, first + 1}) {
      enter(each);
      changed.push_back(each);
    }
    return true;
  }

 private:
  static std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

  void enter(std::uint32_t t) {
    const Triangle& c = disc_.triangles[t];
    for (int i = 0; i < 3; ++i) edges_[key(c[i], c[(i + 1) % 3])] = t;
  }

  /// The corner after the edge that starts at `from`.
  [[nodiscard]] std::uint32_t opposite(std::uint32_t t, std::uint32_t from) const {
    const Triangle& c = disc_.triangles[t];
    return c[(c.a == from ? 2 : c.b == from ? 3 : 4) % 3];
  }

  Disc& disc_;
  const std::function<Vec2d(Vec2d)>& function_;
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;  ///< directed, with the triangle to the left
};

}  // namespace

bool remap(Disc& disc, const std::vector<Vec2d>& places, const std::function<Vec2d(Vec2d)>& function,
           std::size_t most) {
  Splitter splitter(disc, function);
  splitter.target.reserve(disc.map.size());
  for (const Vec2d& p : disc.map) splitter.target.push_back(function(p));
  for (std::size_t i = 0; i < places.size(); ++i) splitter.target[disc.boundary[i]] = places[i];
  const auto is_bad = [&](std::uint32_t t) { return splitter.is_turned(t) && !splitter.is_thin(t); };
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t t = 0; t < disc.triangles.size(); ++t)
    if (is_bad(t)) waiting.push_back(t);
  // Breadth first, so that a place that needs many splits does not use up those of the others.
  for (std::size_t next = 0; next < waiting.size(); ++next) {
    const std::uint32_t t = waiting[next];
    if (!is_bad(t)) continue;
    std::vector<std::uint32_t> changed;
    if (disc.triangles.size() >= most || !splitter.split(t, changed)) return false;
    for (const std::uint32_t each : changed)
      if (is_bad(each)) waiting.push_back(each);
  }
  disc.map = std::move(splitter.target);
  return true;
}

}  // namespace lamella::gi
