// Connected components of the spans that two objects share: union-find over neighbouring columns, as for runs in the
// labelling of binary images. A surface that is steep to the rays moves by more than a cell from column to column, so
// that the spans of a thin film do not overlap those of their neighbours: a gap of two cells is allowed, and the other
// views, which see such a film face on, join the rest.

#include "scene/regions.hpp"

#include <algorithm>
#include <cmath>

#include "core/grow.hpp"

namespace lamella {
namespace {

constexpr double kNearCells = 2;

/// Points inside a span: in the middle, and near its ends.
constexpr double kParts[] = {0.5, 0.01, 0.99};

Vec3d point_in(const PairView& view, const PairSpan& s, double part) {
  return sample_position(view.group->grid, s.column, s.begin + part * (static_cast<double>(s.end) - s.begin));
}

double distance_to(const PairSpan& s, double depth) { return std::max({s.begin - depth, depth - s.end, 0.0}); }

}  // namespace

std::uint32_t Regions::root(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

/// The first span of a set is its root, so that the order of joining changes nothing.
void Regions::unite(std::uint32_t i, std::uint32_t j) {
  i = root(i);
  j = root(j);
  if (i == j) return;
  parent_[std::max(i, j)] = std::min(i, j);
  --count_;
}

void Regions::index_columns() {
  const Grid& grid = view_.group->grid;
  std::uint32_t end_u = 0, end_v = 0;
  first_u_ = first_v_ = ~0u;
  CellCursor cell(grid);
  for (const PairSpan& s : view_.spans) {
    cell.move_to(s.column);
    first_u_ = std::min(first_u_, cell.u);
    first_v_ = std::min(first_v_, cell.v);
    end_u = std::max(end_u, cell.u + 1);
    end_v = std::max(end_v, cell.v + 1);
  }
  width_ = end_u - first_u_;
  height_ = end_v - first_v_;
  resize_with_margin(first_, std::size_t{width_} * height_ + 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < view_.spans.size(); ++i) {
    cell.move_to(view_.spans[i].column);
    const std::size_t at = std::size_t{cell.v - first_v_} * width_ + (cell.u - first_u_);
    while (next <= at) first_[next++] = static_cast<std::uint32_t>(i);
  }
  while (next < first_.size()) first_[next++] = static_cast<std::uint32_t>(view_.spans.size());
}

/// Spans of a column ascend, and so do those of the neighbour: one pass over both.
void Regions::connect(std::size_t column, std::size_t neighbour) {
  std::uint32_t i = first_[column], j = first_[neighbour];
  while (i < first_[column + 1] && j < first_[neighbour + 1]) {
    const PairSpan &a = view_.spans[i], &b = view_.spans[j];
    if (a.begin - b.end < near_ && b.begin - a.end < near_) unite(i, j);
    ++(a.end < b.end ? i : j);
  }
}

void Regions::find(const PairView& own) {
  view_ = own;
  const Grid& grid = own.group->grid;
  near_ = kNearCells * std::max(grid.cell_u(), grid.cell_v());
  count_ = static_cast<std::uint32_t>(own.spans.size());
  resize_with_margin(parent_, own.spans.size());
  for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  index_columns();
  for (std::size_t v = 0; v < height_; ++v)
    for (std::size_t u = 0; u < width_; ++u) {
      const std::size_t at = v * width_ + u;
      if (first_[at] == first_[at + 1]) continue;
      if (u > 0) connect(at, at - 1);
      if (v > 0) connect(at, at - width_);
      if (v > 0 && u > 0) connect(at, at - width_ - 1);
      if (v > 0 && u + 1 < width_) connect(at, at - width_ + 1);
    }
}

std::uint32_t Regions::span_in(std::int64_t u, std::int64_t v, double depth) const {
  if (u < 0 || v < 0 || u >= width_ || v >= height_) return kNoSpan;
  const std::size_t at = static_cast<std::size_t>(v) * width_ + static_cast<std::size_t>(u);
  std::uint32_t best = kNoSpan;
  double nearest = near_;
  for (std::uint32_t i = first_[at]; i < first_[at + 1]; ++i) {
    const double d = distance_to(view_.spans[i], depth);
    if (d >= nearest) continue;
    nearest = d;
    best = i;
  }
  return best;
}

/// In the point's own column, else in one of the eight around it.
std::uint32_t Regions::span_at(Vec3d p) const {
  const Grid& grid = view_.group->grid;
  const auto u =
      static_cast<std::int64_t>(std::floor((p[grid.u()] - grid.box.min[grid.u()]) / grid.cell_u())) - first_u_;
  const auto v =
      static_cast<std::int64_t>(std::floor((p[grid.v()] - grid.box.min[grid.v()]) / grid.cell_v())) - first_v_;
  const double depth = p[grid.w()] - grid.box.min[grid.w()];
  if (const std::uint32_t own = span_in(u, v, depth); own != kNoSpan) return own;
  for (std::int64_t dv = -1; dv <= 1; ++dv)
    for (std::int64_t du = -1; du <= 1; ++du)
      if (const std::uint32_t i = span_in(u + du, v + dv, depth); i != kNoSpan) return i;
  return kNoSpan;
}

void Regions::join(const PairView& other, std::vector<std::uint32_t>& places) {
  if (count_ == 1) {  // as most pairs have it
    places.insert(places.end(), other.spans.size(), 0);
    return;
  }
  for (const PairSpan& s : other.spans) {
    std::uint32_t first = kNoSpan;
    const bool is_short = static_cast<double>(s.end) - s.begin < near_;
    for (const double part : kParts) {
      if (is_short && first != kNoSpan) break;  // its ends are as near to where its middle is
      const std::uint32_t i = span_at(point_in(other, s, part));
      if (first == kNoSpan)
        first = i;
      else if (i != kNoSpan)
        unite(first, i);
    }
    places.push_back(first);
  }
}

std::uint32_t Regions::number() {
  std::uint32_t count = 0;
  // A root comes before all of its set, so it has its number when the others ask for it.
  for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = parent_[i] == i ? count++ : parent_[parent_[i]];
  return count;
}

}  // namespace lamella
