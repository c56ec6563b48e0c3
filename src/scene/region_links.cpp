// Where two objects share several regions, these hang together or not depending on how fine the rays are: a bridge
// thinner than a cell is seen or not, and a part that moves away leaves at some moment. A patch of one region alone
// would change by as much as the parts differ. So regions that are close to one another count for one another, the less
// the farther they are apart: fuzzy connectedness (Udupa and Samarasekera, "Fuzzy Connectedness and Object Definition",
// 1996). Regions that hang together by a thread have the same depth and normal as if it were one region.
//
// How far is close depends on the smaller region: small ones near a large one change it little, and teeth of a comb are
// contacts of their own. Joined regions count as one where it is asked how near others are.

#include "scene/region_links.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lamella {
namespace {

/// Regions that are looked at, by area: the others are too small to matter.
constexpr std::size_t kMost = 32;

/// Blocks along each side of the shared box.
constexpr std::size_t kBlocks = 24;

/// Regions that are farther apart than this part of the smaller one's size have nothing to do with each other.
constexpr double kReach = 0.5;
/// Up to this part of that they count as one.
constexpr double kWhole = 1.0 / 3;

constexpr std::uint32_t kNone = ~0u;

double distance(const Aabb& a, const Aabb& b) {
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double d =
        std::max({static_cast<double>(a.min[i]) - b.max[i], static_cast<double>(b.min[i]) - a.max[i], 0.0});
    square += d * d;
  }
  return std::sqrt(square);
}

double weight_of(double gap, double area) {
  const double reach = kReach * std::sqrt(area);
  return reach > 0 ? std::clamp((1 - gap / reach) / (1 - kWhole), 0.0, 1.0) : 0;
}

}  // namespace

void RegionLinks::start(std::span<const double> areas, const Aabb& shared) {
  shared_ = shared;
  order_.resize(areas.size());
  std::iota(order_.begin(), order_.end(), 0u);
  count_ = std::min(areas.size(), kMost);
  std::partial_sort(
      order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count_), order_.end(),
      [&](std::uint32_t i, std::uint32_t j) { return areas[i] != areas[j] ? areas[i] > areas[j] : i < j; });
  place_.assign(areas.size(), kNone);
  if (clusters_.size() < count_) clusters_.resize(count_);
  for (unsigned i = 0; i < count_; ++i) {
    Cluster& c = clusters_[i];
    c.region = order_[i];
    c.box = {};
    c.pieces.clear();
    c.area = areas[c.region];
    c.weakest = 1;
    c.members.reserve(kMost);
    c.members.assign(1, i);
    place_[c.region] = i;
  }
  piece_.assign(count_ * kBlocks * kBlocks * kBlocks, kNone);
}

void RegionLinks::add_piece(unsigned place, std::size_t block, const Aabb& box) {
  Cluster& c = clusters_[place];
  c.box = unite(c.box, box);
  std::uint32_t& piece = piece_[place * kBlocks * kBlocks * kBlocks + block];
  if (piece == kNone) {
    piece = static_cast<std::uint32_t>(c.pieces.size());
    c.pieces.push_back(box);
  } else {
    c.pieces[piece] = unite(c.pieces[piece], box);
  }
}

/// Rays know exactly where a region ends along them. So all views together know its extent better than cells could
/// tell.
void RegionLinks::add(const PairView& view, std::span<const std::uint32_t> regions) {
  const Grid& grid = view.group->grid;
  const int w = grid.w();
  const Vec3d low = to_double(shared_.min), size = to_double(extent(shared_));
  const auto block = [&](double x, int axis) {
    return static_cast<std::size_t>(std::clamp((x - low[axis]) * (kBlocks / size[axis]), 0.0, kBlocks - 1.0));
  };
  std::size_t stride[3] = {1, kBlocks, kBlocks * kBlocks};
  for (std::size_t i = 0; i < view.spans.size(); ++i) {
    if (regions[i] == kNone || place_[regions[i]] == kNone) continue;
    const PairSpan& s = view.spans[i];
    const Vec3d from = sample_position(grid, s.column, s.begin);
    const double end = from[w] + (static_cast<double>(s.end) - s.begin);
    const std::size_t row =
        block(from[grid.u()], grid.u()) * stride[grid.u()] + block(from[grid.v()], grid.v()) * stride[grid.v()];
    const std::size_t first = block(from[w], w), last = block(end, w);
    for (std::size_t k = first; k <= last; ++k) {
      Vec3d p = from, q = from;
      if (k > first) p[w] = low[w] + size[w] * static_cast<double>(k) / kBlocks;
      q[w] = k < last ? low[w] + size[w] * static_cast<double>(k + 1) / kBlocks : end;
      add_piece(place_[regions[i]], row + k * stride[w], {to_float(p), to_float(q)});
    }
  }
}

void RegionLinks::measure_gaps() {
  double area = 0;
  for (std::size_t i = 0; i < count_; ++i) area += clusters_[i].area;
  const double far = kReach * std::sqrt(area);
  gap_.assign(count_ * count_, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Cluster &a = clusters_[i], &b = clusters_[j];
      if (distance(a.box, b.box) >= far) continue;
      double least = far;
      for (const Aabb& p : a.pieces) {
        if (distance(p, b.box) >= least) continue;
        for (const Aabb& q : b.pieces) least = std::min(least, distance(p, q));
      }
      gap_[i * count_ + j] = gap_[j * count_ + i] = least;
    }
}

/// Joins the two closest clusters, again and again. What they are linked by is no stronger than what holds them
/// together.
void RegionLinks::join_closest() {
  weight_.assign(count_ * count_, 0);
  for (;;) {
    double best = 0;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Cluster &p = clusters_[i], &q = clusters_[j];
        if (p.members.empty() || q.members.empty()) continue;
        const double weight =
            std::min({weight_of(gap_[i * count_ + j], std::min(p.area, q.area)), p.weakest, q.weakest});
        if (weight <= best) continue;
        best = weight;
        a = j;
        b = i;
      }
    if (best == 0) return;
    Cluster &into = clusters_[a], &from = clusters_[b];
    for (const unsigned i : into.members)
      for (const unsigned j : from.members) weight_[i * count_ + j] = weight_[j * count_ + i] = best;
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    from.members.clear();
    into.area += from.area;
    into.weakest = best;
    for (std::size_t i = 0; i < count_; ++i)
      gap_[a * count_ + i] = gap_[i * count_ + a] = std::min(gap_[a * count_ + i], gap_[b * count_ + i]);
  }
}

void RegionLinks::list_links() {
  links_.clear();
  first_.assign(1, 0);
  for (const unsigned i : place_) {
    for (std::size_t j = 0; i != kNone && j < count_; ++j)
      if (const double weight = weight_[i * count_ + j]; weight > 0) links_.push_back({order_[j], weight});
    first_.push_back(static_cast<std::uint32_t>(links_.size()));
  }
}

void RegionLinks::join() {
  measure_gaps();
  join_closest();
  list_links();
}

}  // namespace lamella
