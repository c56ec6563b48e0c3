#include "core/shells.hpp"

#include <algorithm>
#include <cmath>

#include "core/edge_table.hpp"
#include "core/nesting.hpp"
#include "core/random_plane.hpp"
#include "core/union_find.hpp"

namespace lamella {
namespace {

/// A volume below this part of the sum of its terms' sizes is rounding.
constexpr double kRounding = 1e-12;

/// Gives each triangle the number of its shell.
void number_shells(std::span<const Vec3> positions, std::span<const Triangle> triangles, Shells& shells) {
  UnionFind patches(triangles.size()), parts(triangles.size());
  with_edge_table({positions, triangles}, [&](const auto& table) {
    for_each_edge(table, [&](std::size_t, std::size_t, const auto& uses) {
      const auto first = static_cast<std::uint32_t>(uses[0].triangle());
      for (const auto& use : uses) parts.unite(first, static_cast<std::uint32_t>(use.triangle()));
      if (uses.size() == 2) patches.unite(first, static_cast<std::uint32_t>(uses[1].triangle()));
    });
  });
  std::vector<std::uint64_t> area(triangles.size());  // 0 for a patch that is closed by itself
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const Triangle& k = triangles[t];
    area[patches.root(t)] += twice_area(plane_point(k.a), plane_point(k.b), plane_point(k.c));
  }
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> number(triangles.size(), kNone), rest(triangles.size(), kNone);
  shells.of_triangle.resize(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const std::uint32_t patch = patches.root(t);
    std::uint32_t& shell = area[patch] == 0 ? number[patch] : rest[parts.root(t)];
    if (shell == kNone) shell = static_cast<std::uint32_t>(shells.count++);
    shells.of_triangle[t] = shell;
  }
}

std::vector<double> volumes_of(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                               const Shells& shells) {
  struct Sum {
    Vec3d origin;  ///< on the shell, so that no digits are lost
    bool begun = false;
    double volume = 0, size = 0;
  };
  std::vector<Sum> sums(shells.count);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Sum& sum = sums[shells.of_triangle[t]];
    if (!sum.begun) sum.origin = to_double(positions[triangles[t].a]), sum.begun = true;
    const Vec3d a = to_double(positions[triangles[t].a]) - sum.origin,
                b = to_double(positions[triangles[t].b]) - sum.origin,
                c = to_double(positions[triangles[t].c]) - sum.origin;
    const double volume = dot(a, cross(b, c)) / 6;
    sum.volume += volume;
    sum.size += std::abs(volume);
  }
  std::vector<double> volumes(shells.count);
  for (std::size_t s = 0; s < shells.count; ++s)
    volumes[s] = std::abs(sums[s].volume) > kRounding * sums[s].size ? sums[s].volume : 0;
  return volumes;
}

/// Decides from the outside in; `order` has the shells with a volume, the largest first.
void judge(const std::vector<double>& volumes, std::span<const std::uint32_t> order, const Nesting& nesting,
           Shells& shells) {
  std::vector<int> sign(shells.count);
  for (const std::uint32_t s : order) {
    int winding = 0;
    bool turn = false;
    double parent = HUGE_VAL;
    const auto range = std::equal_range(nesting.pairs.begin(), nesting.pairs.end(), std::pair(s, 0u),
                                        [](const auto& x, const auto& y) { return x.first < y.first; });
    for (auto pair = range.first; pair != range.second; ++pair) {
      const double around = std::abs(volumes[pair->second]);
      if (!(around > std::abs(volumes[s]))) continue;
      winding += sign[pair->second];
      if (around < parent) parent = around, turn = shells.turn[pair->second];
    }
    const auto looks_inwards = [&] { return (volumes[s] < 0) != turn; };
    if (looks_inwards() && winding <= 0) turn = !turn;
    sign[s] = looks_inwards() ? -1 : 1;
    shells.turn[s] = turn;
    shells.inside_out += turn ? 1 : 0;
    shells.cavities += sign[s] < 0 ? 1 : 0;
  }
}

}  // namespace

Shells find_shells(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  Shells shells;
  number_shells(positions, triangles, shells);
  shells.turn.resize(shells.count);
  const std::vector<double> volumes = volumes_of(positions, triangles, shells);
  if (std::none_of(volumes.begin(), volumes.end(), [](double v) { return v < 0; })) return shells;
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < shells.count; ++s)
    if (volumes[s] != 0) order.push_back(s);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return std::abs(volumes[a]) > std::abs(volumes[b]); });
  const Nesting nesting = find_nesting(positions, triangles, shells.of_triangle, shells.count, order);
  shells.unjudged = order.size() - nesting.looked_at;
  judge(volumes, order, nesting, shells);
  return shells;
}

}  // namespace lamella
