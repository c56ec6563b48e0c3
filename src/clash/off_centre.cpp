#include "clash/off_centre.hpp"

#include <algorithm>
#include <cmath>

#include "lamella/voi.hpp"

namespace lamella::clash {
namespace {

/// By how much of a cell a grid is wider, along one axis and the other: chosen on the gearbox's volumes, far from 1/2
/// and from each other.
constexpr float kLess = 0.37f, kMore = 0.61f;

/// Halves of symmetric views differ by rounding alone, a part of the volume; those of others hardly ever by so little.
constexpr double kAlike = 2e-5;

}  // namespace

bool is_mirrored(const Grid& grid, std::span<const Span> spans) {
  double columns[2] = {}, rows[2] = {};
  for (const Span& s : spans) {
    const double length = double{s.end} - s.begin;
    columns[s.column % grid.columns % 2] += length;
    rows[s.column / grid.columns % 2] += length;
  }
  const auto alike = [](const double(&half)[2]) { return std::abs(half[0] - half[1]) <= kAlike * (half[0] + half[1]); };
  return alike(columns) || alike(rows);
}

OffCentreViews::OffCentreViews() : engine_(software::make_boxed_engine({.threads = 1})) {}

Aabb OffCentreViews::shared_box(MeshView a, MeshView b) {
  const auto voi = choose_shared_voi(bounds(a), bounds(b));
  return voi ? voi->box : Aabb{};
}

void OffCentreViews::sample(MeshView a, MeshView b, Aabb box, Axis axis, std::uint32_t columns, Side side,
                            Overlap& out) {
  if (box.empty()) {
    out = {};
    return;
  }
  const Grid centred = square_grid(box, axis, columns);
  const int u = centred.u(), v = centred.v();
  const auto cell_u = static_cast<float>(centred.cell_u()), cell_v = static_cast<float>(centred.cell_v());
  if (side == Side::high) {
    box.max[u] += kLess * cell_u;
    box.max[v] += kMore * cell_v;
  } else {
    box.min[u] -= kMore * cell_u;
    box.min[v] -= kLess * cell_v;
  }
  engine_->set_box(box);
  engine_->intersect(a, b, {.resolution = columns, .axis = axis}, out);
}

void OffCentreViews::sample_twice(MeshView a, MeshView b, const Aabb& box, Axis axis, std::uint32_t columns,
                                  Overlap& out) {
  sample(a, b, box, axis, columns, Side::high, out);
  sample(a, b, box, axis, columns, Side::low, second_);
  if (!(out.volume > 0 && second_.volume > 0)) return;
  const double both = out.volume + second_.volume;
  out.centroid = out.centroid * (out.volume / both) + second_.centroid * (second_.volume / both);
  out.volume_error =
      std::max(std::sqrt(0.5 * (out.volume_error * out.volume_error + second_.volume_error * second_.volume_error)),
               std::abs(out.volume - second_.volume));
  out.volume = 0.5 * both;
  for (int i = 0; i < 3; ++i) {
    out.bounds.min[i] = std::min(out.bounds.min[i], second_.bounds.min[i]);
    out.bounds.max[i] = std::max(out.bounds.max[i], second_.bounds.max[i]);
  }
}

}  // namespace lamella::clash
