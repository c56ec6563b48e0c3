#include "solid/overlap_box.hpp"

#include <algorithm>
#include <cmath>

#include "core/voi_choice.hpp"

namespace lamella::solid {
namespace {

/// Rays of a look along each side of its grid: as many as intersect() has, unless more are asked for.
constexpr std::uint32_t kRays = 128;
/// With fewer rays than this across the overlap its box is not known well, and is looked at again.
constexpr std::uint32_t kEnoughRays = 16;
constexpr int kMostLooks = 4;
/// How often a box may become larger. The last time it becomes as large as it can.
constexpr int kMostGrowths = 8;
/// Cells are not smaller than this part of the coordinates: 8 roundings.
constexpr double kSmallest = 0x1p-20;

/// Rays that meet the overlap, the lowest and highest, along u and v.
struct MetRays {
  std::uint32_t low[2] = {~0u, ~0u}, high[2] = {0, 0};
  float begin = 0, end = 0;  ///< depths
  bool any = false;

  [[nodiscard]] std::uint32_t fewest() const { return std::min(high[0] - low[0], high[1] - low[1]) + 1; }
};

MetRays met_rays(const SpanView& view) {
  MetRays met;
  for (std::uint32_t v = 0; v < view.grid.rows; ++v)
    for (std::uint32_t u = 0; u < view.grid.columns; ++u)
      for (const FacedSpan& s : view.column(std::size_t{v} * view.grid.columns + u)) {
        met.low[0] = std::min(met.low[0], u);
        met.low[1] = std::min(met.low[1], v);
        met.high[0] = std::max(met.high[0], u);
        met.high[1] = std::max(met.high[1], v);
        met.begin = met.any ? std::min(met.begin, s.begin) : s.begin;
        met.end = met.any ? std::max(met.end, s.end) : s.end;
        met.any = true;
      }
  return met;
}

/// Up to the next rays, which meet nothing.
Aabb box_of(const MetRays& met, const Grid& grid) {
  Aabb box = grid.box;
  const double cells[2] = {grid.cell_u(), grid.cell_v()};
  const int axes[2] = {grid.u(), grid.v()};
  for (int i = 0; i < 2; ++i) {
    const double low = grid.box.min[axes[i]];
    box.min[axes[i]] = static_cast<float>(low + (met.low[i] - 0.5) * cells[i]);
    box.max[axes[i]] = static_cast<float>(low + (met.high[i] + 1.5) * cells[i]);
  }
  box.min[grid.w()] = grid.box.min[grid.w()] + met.begin;
  box.max[grid.w()] = grid.box.min[grid.w()] + met.end;
  return box;
}

}  // namespace

/// Not beyond the box that both meshes have in common, and not too thin for floats.
void BoxFinder::set_box(Aabb box) {
  box_ = lamella::shared_box(box, shared_);
  for (int i = 0; i < 3; ++i) {
    const double reach =
        std::max(std::abs(static_cast<double>(box_.min[i])), std::abs(static_cast<double>(box_.max[i])));
    const double least = std::max(kSmallest * resolution_ * reach, 4.0 * kMinExtent);
    const double low = box_.min[i], high = box_.max[i], more = (least - (high - low)) / 2;
    if (!(more > 0)) continue;
    box_.min[i] = static_cast<float>(low - more);
    box_.max[i] = static_cast<float>(high + more);
  }
}

bool BoxFinder::look() {
  shared_ = meshes_.shared_box();
  const int axis = shared_.empty() ? -1 : shallowest_axis(shared_);
  const Vec3 size = extent(shared_);
  if (axis < 0 || !std::isfinite(size.x) || !std::isfinite(size.y) || !std::isfinite(size.z)) {
    view_.health.skipped_triangles = meshes_.broken();
    return false;
  }
  box_ = shared_;
  for (int i = 0; i < kMostLooks; ++i) {
    sampler_.sample(square_grid(box_, static_cast<Axis>(axis), std::max(kRays, resolution_)), view_);
    const MetRays met = met_rays(view_);
    if (!met.any) return i > 0;
    set_box(box_of(met, view_.grid));
    if (met.fewest() >= kEnoughRays) break;
  }
  return true;
}

PointLattice BoxFinder::lattice() const {
  const Vec3d size = to_double(box_.max) - to_double(box_.min), cell = size * (1.0 / resolution_);
  return {{to_float(to_double(box_.min) - cell), to_float(to_double(box_.max) + cell)}, resolution_ + 2};
}

bool BoxFinder::grow(const std::array<std::array<bool, 2>, 3>& sides) {
  Aabb box = box_;
  const Vec3 more = extent(box_) * (static_cast<float>(grown_ + 1) / 8);
  for (int i = 0; i < 3; ++i) {
    if (sides[i][0]) box.min[i] -= more[i];
    if (sides[i][1]) box.max[i] += more[i];
  }
  if (box == box_ || ++grown_ > kMostGrowths) return false;
  const Aabb before = box_;
  set_box(grown_ == kMostGrowths ? shared_ : box);
  return !(box_ == before);
}

}  // namespace lamella::solid
