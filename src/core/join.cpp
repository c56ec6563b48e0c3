#include "core/join.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/lattice.hpp"

namespace lamella {
namespace {

/// A cube of the grid that join_near() sorts vertices into. Doubles: whole numbers of any size.
using Cell = std::array<double, 3>;

class LeaderGrid {
 public:
  LeaderGrid(std::span<const Vec3> positions, double distance) : positions_(positions), distance_(distance) {
    for (const Vec3 p : positions)
      if (usable(p)) cells_.push_back(cell_of(to_double(p)));
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    first_.assign(cells_.size(), kNone);
    next_.assign(positions.size(), kNone);
  }

  /// The lowest leader within the distance; `i` itself, as a new leader, when there is none. A cell is twice the
  /// distance wide, so that only eight can hold one, and leaders are apart, so that each holds few.
  std::uint32_t leader_of(std::uint32_t i) {
    const Vec3d p = to_double(positions_[i]);
    std::uint32_t best = kNone;
    const Cell low = cell_of(p - Vec3d{distance_, distance_, distance_}),
               high = cell_of(p + Vec3d{distance_, distance_, distance_});
    for (int corner = 0; corner < 8; ++corner) {
      Cell cell;
      bool repeated = false;
      for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(k);
        cell[at] = (corner >> k & 1) != 0 ? high[at] : low[at];
        repeated = repeated || ((corner >> k & 1) != 0 && high[at] == low[at]);
      }
      if (!repeated) best = std::min(best, nearest_in(cell, p));
    }
    if (best != kNone) return best;
    const std::size_t own = find(cell_of(p));
    next_[i] = first_[own];
    first_[own] = i;
    return i;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] Cell cell_of(Vec3d p) const {
    const double width = 2 * distance_;
    return {std::floor(p.x / width), std::floor(p.y / width), std::floor(p.z / width)};
  }
  [[nodiscard]] std::size_t find(const Cell& cell) const {
    const auto at = std::lower_bound(cells_.begin(), cells_.end(), cell);
    return at != cells_.end() && *at == cell ? static_cast<std::size_t>(at - cells_.begin()) : cells_.size();
  }
  [[nodiscard]] std::uint32_t nearest_in(const Cell& cell, Vec3d p) const {
    const std::size_t at = find(cell);
    std::uint32_t best = kNone;
    if (at == cells_.size()) return best;
    for (std::uint32_t j = first_[at]; j != kNone; j = next_[j])
      if (length(to_double(positions_[j]) - p) <= distance_) best = std::min(best, j);
    return best;
  }

  std::span<const Vec3> positions_;
  double distance_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> first_, next_;  ///< leaders of each cell, as lists
};

}  // namespace

std::vector<std::uint32_t> join_equal(std::span<const Vec3> positions) {
  std::vector<std::uint32_t> joined(positions.size());
  std::iota(joined.begin(), joined.end(), 0u);
  join_sorted(
      positions.size(), [&](std::uint32_t i) { return to_double(positions[i]); },
      [&](std::uint32_t first, std::uint32_t i) { joined[i] = first; },
      [&](std::uint32_t i) { return usable(positions[i]); });  // NaN stays alone
  return joined;
}

std::vector<std::uint32_t> join_near(std::span<const Vec3> positions, float distance) {
  LeaderGrid grid(positions, distance);
  std::vector<std::uint32_t> joined(positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) joined[i] = usable(positions[i]) ? grid.leader_of(i) : i;
  return joined;
}

}  // namespace lamella
