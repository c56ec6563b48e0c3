// Where a part of the surface is mapped to a region no larger than a few times the spacing of doubles, rounding turns
// triangles over. Two positions are tried for their vertices: the mean that the equations ask for, and the middle of
// the region where none of the vertex's triangles is turned over.

#include "geometry_image/make/map_repair.hpp"

#include <algorithm>

#include "geometry_image/make/map_fans.hpp"
#include "geometry_image/make/map_orient.hpp"

namespace lamella::gi {

namespace {

constexpr int kPasses = 30;

/// How many triangles of a vertex would be turned over if it were at p.
std::size_t turned_at(const Disc& disc, const Fans& fans, std::uint32_t v, Vec2d p) {
  std::size_t count = 0;
  for (std::size_t i = fans.start[v]; i < fans.start[v + 1]; ++i)
    if (!(orient(p, disc.map[fans.sides[i].from], disc.map[fans.sides[i].to]) > 0)) ++count;
  return count;
}

Vec2d mean_of(const Disc& disc, const MapWeights& weights, std::uint32_t v) {
  const Vec2d from = disc.map[weights.neighbour[weights.start[v]]];
  Vec2d sum;
  for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i) {
    const Vec2d& to = disc.map[weights.neighbour[i]];
    sum.x += weights.weight[i] * (to.x - from.x);
    sum.y += weights.weight[i] * (to.y - from.y);
  }
  return {from.x + sum.x, from.y + sum.y};
}

/// Clips the box around a vertex's neighbours to the left of all sides of its fan, and returns the middle of the rest;
/// the middle of the box when nothing is left.
Vec2d kernel_middle(const Disc& disc, const Fans& fans, std::uint32_t v) {
  Vec2d low = disc.map[fans.sides[fans.start[v]].from], high = low;
  for (std::size_t i = fans.start[v]; i < fans.start[v + 1]; ++i) {
    const Vec2d& p = disc.map[fans.sides[i].from];
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  std::vector<Vec2d> polygon{low, {high.x, low.y}, high, {low.x, high.y}}, kept;
  for (std::size_t i = fans.start[v]; i < fans.start[v + 1]; ++i) {
    const Vec2d &from = disc.map[fans.sides[i].from], &to = disc.map[fans.sides[i].to];
    kept.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec2d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      const double at_p = orient(from, to, p), at_q = orient(from, to, q);
      if (at_p >= 0) kept.push_back(p);
      if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
        const double along = at_p / (at_p - at_q);
        kept.push_back({p.x + (q.x - p.x) * along, p.y + (q.y - p.y) * along});
      }
    }
    if (kept.empty()) return {low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
    polygon.swap(kept);
  }
  Vec2d sum;
  for (const Vec2d& p : polygon) {
    sum.x += (p.x - polygon[0].x) / static_cast<double>(polygon.size());
    sum.y += (p.y - polygon[0].y) / static_cast<double>(polygon.size());
  }
  return {polygon[0].x + sum.x, polygon[0].y + sum.y};
}

/// One pass over the interior vertices of the given triangles.
void move_vertices(Disc& disc, const Fans& fans, const MapWeights& weights, const std::vector<std::uint32_t>& flipped) {
  std::vector<std::uint32_t> vertices;
  for (const std::uint32_t t : flipped)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t v = disc.triangles[t][i];
      if (fans.start[v] != fans.start[v + 1]) vertices.push_back(v);
    }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const std::uint32_t v : vertices) {
    std::size_t least = turned_at(disc, fans, v, disc.map[v]);
    for (const Vec2d& place : {mean_of(disc, weights, v), kernel_middle(disc, fans, v)}) {
      const std::size_t count = turned_at(disc, fans, v, place);
      if (count >= least) continue;
      least = count;
      disc.map[v] = place;
    }
  }
}

}  // namespace

void repair(Disc& disc, const MapWeights& weights) {
  std::vector<std::uint32_t> flipped = flipped_triangles(disc);
  if (flipped.empty()) return;
  const Fans fans = fans_of(disc);
  for (int pass = 0; pass < kPasses; ++pass) {
    move_vertices(disc, fans, weights, flipped);
    std::vector<std::uint32_t> left = flipped_triangles(disc);
    if (left.size() >= flipped.size()) return;  // also when none are left
    flipped = std::move(left);
  }
}

}  // namespace lamella::gi
