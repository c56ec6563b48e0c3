// Rays along z from points of shells. A triangle covers a point of the xy plane as often as its outline winds around
// it; the outline is counted edge by edge, with the same arithmetic for an edge and its opposite, so that over a closed
// shell all that is not covered cancels exactly, also where a point lies below an edge.

#include "core/nesting.hpp"

#include <algorithm>
#include <cmath>

namespace lamella {
namespace {

constexpr int kPointsPerShell = 3;
constexpr std::uint64_t kMostTests = std::uint64_t{1} << 26;
constexpr int kMostCells = 1024;  ///< of the grid, in x and in y

struct Probe {
  Vec3d at;
  std::uint32_t shell = 0;
};

/// +1 or -1 when the edge passes the point on its right, seen along y; else 0.
int passes(Vec3d from, Vec3d to, Vec3d p) {
  if ((from.y > p.y) == (to.y > p.y)) return 0;
  const bool up = to.y > from.y;
  const Vec3d low = up ? from : to, high = up ? to : from;
  const double side = (high.x - low.x) * (p.y - low.y) - (p.x - low.x) * (high.y - low.y);
  return side > 0 ? (up ? 1 : -1) : 0;
}

/// Whether and how the ray up from `p` crosses the triangle: +1 where it leaves through its front.
int crossing(Vec3d a, Vec3d b, Vec3d c, Vec3d p) {
  const int covered = passes(a, b, p) + passes(b, c, p) + passes(c, a, p);
  if (covered == 0) return 0;
  const Vec3d n = cross(b - a, c - a);
  const double z = n.z == 0 ? std::max({a.z, b.z, c.z}) : a.z - (n.x * (p.x - a.x) + n.y * (p.y - a.y)) / n.z;
  return std::clamp(z, std::min({a.z, b.z, c.z}), std::max({a.z, b.z, c.z})) > p.z ? covered : 0;
}

/// Points in cells over the xy plane.
class ProbeGrid {
 public:
  explicit ProbeGrid(std::span<const Probe> probes) {
    low_ = high_ = probes[0].at;
    for (const Probe& p : probes)
      for (int k = 0; k < 2; ++k) low_[k] = std::min(low_[k], p.at[k]), high_[k] = std::max(high_[k], p.at[k]);
    cells_ = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(probes.size()))), 1, kMostCells);
    offsets_.assign(static_cast<std::size_t>(cells_) * static_cast<std::size_t>(cells_) + 1, 0);
    for (const Probe& p : probes) ++offsets_[cell_of(p.at) + 1];
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    std::vector<std::size_t> cursor(offsets_.begin(), offsets_.end() - 1);
    order_.resize(probes.size());
    for (std::uint32_t i = 0; i < probes.size(); ++i) order_[cursor[cell_of(probes[i].at)]++] = i;
  }

  /// Calls visit(begin, end) for the rows of cells that the box touches, as ranges of order().
  template <class Visit>
  void for_rows(Vec3d low, Vec3d high, const Visit& visit) const {
    if (high.x < low_.x || low.x > high_.x || high.y < low_.y || low.y > high_.y) return;
    for (int row = index(low.y, 1); row <= index(high.y, 1); ++row)
      visit(offsets_[cell(index(low.x, 0), row)], offsets_[cell(index(high.x, 0), row) + 1]);
  }
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }

 private:
  [[nodiscard]] int index(double x, int axis) const {
    const double size = high_[axis] - low_[axis];
    return size > 0 ? static_cast<int>(std::clamp((x - low_[axis]) / size * cells_, 0.0, cells_ - 1.0)) : 0;
  }
  [[nodiscard]] std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(cells_) + static_cast<std::size_t>(column);
  }
  [[nodiscard]] std::size_t cell_of(Vec3d p) const { return cell(index(p.x, 0), index(p.y, 1)); }

  Vec3d low_, high_;
  int cells_ = 1;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> order_;
};

/// Triangles in the order of their shells.
struct ByShell {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> triangles;
};

ByShell group(std::span<const std::uint32_t> shell_of, std::size_t shells) {
  ByShell out{std::vector<std::size_t>(shells + 1), std::vector<std::uint32_t>(shell_of.size())};
  for (const std::uint32_t s : shell_of) ++out.offsets[std::size_t{s} + 1];
  for (std::size_t i = 1; i < out.offsets.size(); ++i) out.offsets[i] += out.offsets[i - 1];
  std::vector<std::size_t> cursor(out.offsets.begin(), out.offsets.end() - 1);
  for (std::uint32_t t = 0; t < shell_of.size(); ++t) out.triangles[cursor[shell_of[t]]++] = t;
  return out;
}

struct Corners {
  Vec3d a, b, c, low, high;
};

Corners corners_of(std::span<const Vec3> positions, const Triangle& t) {
  Corners k{to_double(positions[t.a]), to_double(positions[t.b]), to_double(positions[t.c]), {}, {}};
  for (int i = 0; i < 3; ++i)
    k.low[i] = std::min({k.a[i], k.b[i], k.c[i]}), k.high[i] = std::max({k.a[i], k.b[i], k.c[i]});
  return k;
}

std::vector<Probe> probes_of(std::span<const Vec3> positions, std::span<const Triangle> triangles, const ByShell& by,
                             std::span<const std::uint32_t> asked) {
  std::vector<Probe> probes;
  for (const std::uint32_t shell : asked) {
    const std::size_t first = by.offsets[shell], count = by.offsets[std::size_t{shell} + 1] - first;
    for (int i = 0; i < kPointsPerShell; ++i) {
      const Corners k =
          corners_of(positions, triangles[by.triangles[first + count * static_cast<std::size_t>(i) / kPointsPerShell]]);
      probes.push_back({(k.a + k.b + k.c) * (1.0 / 3), shell});
    }
  }
  return probes;
}

/// How many of the points are in cells that the triangles' boxes touch.
std::uint64_t count_tests(std::span<const Vec3> positions, std::span<const Triangle> triangles, const ProbeGrid& grid) {
  std::uint64_t tests = 0;
  for (const Triangle& t : triangles) {
    const Corners k = corners_of(positions, t);
    grid.for_rows(k.low, k.high, [&](std::size_t begin, std::size_t end) { tests += 1 + end - begin; });
    if (tests > kMostTests) break;
  }
  return tests;
}

}  // namespace

Nesting find_nesting(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                     std::span<const std::uint32_t> shell_of, std::size_t shells,
                     std::span<const std::uint32_t> asked) {
  Nesting result;
  if (asked.empty() || shells < 2) return {{}, asked.size()};
  const ByShell by = group(shell_of, shells);
  std::vector<Probe> probes = probes_of(positions, triangles, by, asked);
  ProbeGrid grid(probes);
  while (asked.size() > 1 && count_tests(positions, triangles, grid) > kMostTests) {
    asked = asked.first(asked.size() / 4 + 1 < asked.size() ? asked.size() / 4 + 1 : asked.size() - 1);
    probes.resize(asked.size() * kPointsPerShell);
    grid = ProbeGrid(probes);
  }
  result.looked_at = asked.size();
  std::vector<int> winding(probes.size());
  std::vector<std::uint32_t> touched;
  for (std::uint32_t outer = 0; outer < shells; ++outer) {
    touched.clear();
    for (std::size_t i = by.offsets[outer]; i < by.offsets[std::size_t{outer} + 1]; ++i) {
      const Corners k = corners_of(positions, triangles[by.triangles[i]]);
      grid.for_rows(k.low, k.high, [&](std::size_t begin, std::size_t end) {
        for (const std::uint32_t p : grid.order().subspan(begin, end - begin)) {
          if (probes[p].shell == outer || k.high.z < probes[p].at.z) continue;
          const int sign = crossing(k.a, k.b, k.c, probes[p].at);
          if (sign == 0) continue;
          winding[p] += sign;
          touched.push_back(p);
        }
      });
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (std::size_t i = 0; i < touched.size();) {
      const std::uint32_t first = touched[i] / kPointsPerShell;
      int inside = 0;
      for (; i < touched.size() && touched[i] / kPointsPerShell == first; ++i)
        inside += std::exchange(winding[touched[i]], 0) != 0 ? 1 : 0;
      if (2 * inside > kPointsPerShell) result.pairs.emplace_back(asked[first], outer);
    }
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

}  // namespace lamella
