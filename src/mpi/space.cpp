#include "mpi/space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lamella::mpi {
namespace {

std::uint32_t morton(const std::array<std::uint32_t, 3>& cell, int bits) {
  std::uint32_t code = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int axis = 0; axis < 3; ++axis) code = code << 1 | (cell[static_cast<std::size_t>(axis)] >> bit & 1u);
  return code;
}

}  // namespace

Space::Space(const Processes& all, std::span<const PartBox> boxes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 6> ends;  // the low ends, and the high ones with the other sign
  ends.fill(kInfinity);
  for (const PartBox& box : boxes) {
    if (std::isnan(box.min.x)) continue;
    for (int i = 0; i < 3; ++i) {
      ends[static_cast<std::size_t>(i)] = std::min(ends[static_cast<std::size_t>(i)], box.min[i]);
      ends[static_cast<std::size_t>(i) + 3] = std::min(ends[static_cast<std::size_t>(i) + 3], -box.max[i]);
    }
  }
  all.least(ends);
  for (int i = 0; i < 3; ++i) {
    const double low = ends[static_cast<std::size_t>(i)], high = -ends[static_cast<std::size_t>(i) + 3];
    low_[i] = std::isfinite(low) ? low : 0;
    cell_[i] = high > low ? (high - low) / kCells : 1;
  }
  std::vector<std::uint64_t> count(std::size_t{1} << 3 * kBits);
  for (const PartBox& box : boxes)
    if (!std::isnan(box.min.x)) ++count[morton(cell_of(box.min), kBits)];
  all.sum(count);
  std::uint64_t total = 0, before = 0;
  for (const std::uint64_t n : count) total += n;
  owner_.resize(count.size());
  for (std::size_t i = 0; i < count.size(); ++i) {
    const std::uint64_t rank = total == 0 ? 0 : before * static_cast<std::uint64_t>(all.size()) / total;
    owner_[i] = static_cast<int>(std::min<std::uint64_t>(rank, static_cast<std::uint64_t>(all.size()) - 1));
    before += count[i];
  }
}

/// Rises with the point along each axis: the cells of a box's corners enclose those of all points in it.
std::array<std::uint32_t, 3> Space::cell_of(Vec3d point) const {
  std::array<std::uint32_t, 3> cell{};
  for (int i = 0; i < 3; ++i) {
    const double at = std::floor((point[i] - low_[i]) / cell_[i]);
    cell[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(std::clamp(at, 0.0, double{kCells - 1}));
  }
  return cell;
}

int Space::owner(Vec3d point) const { return owner_[morton(cell_of(point), kBits)]; }

void Space::owners(const PartBox& box, std::vector<int>& out) const {
  out.clear();
  if (std::isnan(box.min.x)) return;
  const auto first = cell_of(box.min), last = cell_of(box.max);
  std::array<std::uint32_t, 3> cell{};
  for (cell[0] = first[0]; cell[0] <= last[0]; ++cell[0])
    for (cell[1] = first[1]; cell[1] <= last[1]; ++cell[1])
      for (cell[2] = first[2]; cell[2] <= last[2]; ++cell[2]) {
        const int rank = owner_[morton(cell, kBits)];
        if (std::find(out.begin(), out.end(), rank) == out.end()) out.push_back(rank);
      }
  std::sort(out.begin(), out.end());
}

}  // namespace lamella::mpi
