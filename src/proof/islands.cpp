#include "proof/islands.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/exact.hpp"
#include "core/union_find.hpp"

namespace lamella::proof {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

bool has_area(MeshView mesh, const Triangle& t) {
  const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
  return orient2d(a, b, c, 0) != 0 || orient2d(a, b, c, 1) != 0 || orient2d(a, b, c, 2) != 0;
}

bool holds(const Aabb& box, Vec3 p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
         p.z <= box.max.z;
}

/// a + b, if that is a double.
bool add_exactly(double a, double b, double& sum) {
  sum = a + b;
  const double part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}

/// The highest vertex of each part along an axis or against it, and others that are higher than all their neighbours;
/// of equal ones the one with the higher index. Only those in the box, around which all triangles are `inside`.
std::vector<std::uint32_t> find_peaks(MeshView mesh, std::span<const std::uint32_t> inside, const Aabb& within,
                                      int axis, float sign) {
  constexpr std::uint8_t kPeak = 1, kLower = 2;
  std::vector<std::uint8_t> seen(mesh.positions.size(), 0);
  const auto above = [&](std::uint32_t i, std::uint32_t k) {
    const float x = sign * mesh.positions[i][axis], y = sign * mesh.positions[k][axis];
    return x != y ? x > y : i > k;
  };
  for (const std::uint32_t i : inside) {
    const Triangle& t = mesh.triangles[i];
    std::uint32_t high = t.a, low = t.b;
    if (above(low, high)) std::swap(low, high);
    seen[low] |= low != high ? kLower : kPeak;
    low = t.c;
    if (above(low, high)) std::swap(low, high);
    seen[low] |= low != high ? kLower : kPeak;
    seen[high] |= kPeak;
  }
  std::vector<std::uint32_t> peaks;
  for (std::uint32_t i = 0; i < seen.size(); ++i)
    if (seen[i] == kPeak && holds(within, mesh.positions[i])) peaks.push_back(i);
  return peaks;
}

/// The side of the box `own` that reaches farthest beyond the other box: few peaks there are within the other.
void farthest_side(const Aabb& own, const Aabb& other, int& axis, float& sign) {
  float best = -std::numeric_limits<float>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (const float beyond = own.max[k] - other.max[k]; beyond > best) best = beyond, axis = k, sign = 1;
    if (const float beyond = other.min[k] - own.min[k]; beyond > best) best = beyond, axis = k, sign = -1;
  }
}

/// An island for each peak, with triangles around it.
std::vector<Island> islands_at(MeshView mesh, std::span<const std::uint32_t> peaks, std::size_t most) {
  std::vector<Island> islands(peaks.size());
  std::vector<std::uint32_t> number(mesh.positions.size(), kNone);
  for (std::uint32_t i = 0; i < peaks.size(); ++i) number[peaks[i]] = i;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (const std::uint32_t n = number[mesh.triangles[i][k]]; n != kNone && islands[n].triangles.size() < most)
        islands[n].triangles.push_back(i);
  return islands;
}

/// For each vertex the first one with the same coordinates.
std::vector<std::uint32_t> welded(std::span<const Vec3> positions) {
  std::vector<std::uint32_t> order(positions.size()), first(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    return std::array{positions[i].x + 0.0f, positions[i].y + 0.0f, positions[i].z + 0.0f};
  };
  const auto bits = [&](std::uint32_t i) {
    return std::bit_cast<std::array<std::uint32_t, 3>>(key(i));
  };  // NaN has an order
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
    const auto x = bits(i), y = bits(k);
    return x != y ? x < y : i < k;
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i != 0 && bits(order[i]) == bits(order[i - 1]) ? first[order[i - 1]] : order[i];
  return first;
}

/// By all that hangs together. `weld`: also through vertices with equal coordinates.
std::vector<Island> islands_of_parts(MeshView mesh, const Aabb& within, std::size_t most, bool with_area, bool weld) {
  UnionFind parts(mesh.positions.size());
  if (weld) {
    const std::vector<std::uint32_t> first = welded(mesh.positions);
    for (std::uint32_t i = 0; i < first.size(); ++i) parts.unite(i, first[i]);
  }
  std::vector<std::uint32_t> counting;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (with_area && !has_area(mesh, t)) continue;
    counting.push_back(i);
    parts.unite(t.a, t.b);
    parts.unite(t.a, t.c);
  }
  // Each root: kNone, its island, or that it reaches beyond the box.
  constexpr std::uint32_t kOutside = kNone - 1;
  std::vector<std::uint32_t> island_of(mesh.positions.size(), kNone);
  for (const std::uint32_t i : counting)
    for (int k = 0; k < 3; ++k)
      if (const std::uint32_t v = mesh.triangles[i][k]; !holds(within, mesh.positions[v]))
        island_of[parts.root(v)] = kOutside;
  std::vector<Island> islands;
  for (const std::uint32_t i : counting) {
    std::uint32_t& island = island_of[parts.root(mesh.triangles[i].a)];
    if (island == kOutside) continue;
    if (island == kNone) {
      island = static_cast<std::uint32_t>(islands.size());
      islands.emplace_back();
    }
    if (islands[island].triangles.size() < most) islands[island].triangles.push_back(i);
  }
  return islands;
}

}  // namespace

std::vector<Island> find_islands(MeshView mesh, std::span<const std::uint32_t> inside, const Aabb& own,
                                 const Aabb& within, std::size_t most, bool with_area) {
  constexpr std::size_t kFewPeaks = 64, kFewParts = 64;
  if (!with_area) {
    int axis = 0;
    float sign = 1;
    farthest_side(own, within, axis, sign);
    const std::vector<std::uint32_t> peaks = find_peaks(mesh, inside, within, axis, sign);
    if (peaks.empty()) return {};
    if (peaks.size() <= kFewPeaks) return islands_at(mesh, peaks, most);
  }
  std::vector<Island> islands = islands_of_parts(mesh, within, most, with_area, false);
  return islands.size() <= kFewParts ? islands : islands_of_parts(mesh, within, most, with_area, true);
}

Vec3d point_on(MeshView mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
              c = to_double(mesh.positions[t.c]);
  Vec3d sum;
  for (int k = 0; k < 3; ++k) {
    double ab = 0;
    if (!add_exactly(a[k], b[k], ab) || !add_exactly(ab, 2 * c[k], sum[k])) return c;
  }
  return sum * 0.25;
}

}  // namespace lamella::proof
