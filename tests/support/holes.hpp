#pragma once

// Meshes with holes, and how many points two ways to close them get wrong.

#include <numeric>

#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "support/closed_meshes.hpp"
#include "support/winding_number.hpp"

namespace lamella::test {

/// A mesh and what was taken out of it; both have the positions of the whole mesh.
struct Holed {
  Mesh open, missing;
};

template <class Missing>
Holed without(const Mesh& whole, const Missing& missing) {
  Holed out{{whole.positions, {}}, {whole.positions, {}}};
  for (std::size_t i = 0; i < whole.triangles.size(); ++i)
    (missing(i) ? out.missing : out.open).triangles.push_back(whole.triangles[i]);
  return out;
}

/// `count` triangles at random places.
inline Holed without_random(const Mesh& whole, std::size_t count, Random& random) {
  std::vector<bool> gone(whole.triangles.size());
  for (std::size_t left = std::min(count, whole.triangles.size()); left > 0;) {
    const std::uint32_t i = random.below(static_cast<std::uint32_t>(gone.size()));
    if (gone[i]) continue;
    gone[i] = true;
    --left;
  }
  return without(whole, [&](std::size_t i) { return gone[i]; });
}

/// `count` triangles that lie together, around a random one.
inline Holed without_patch(const Mesh& whole, std::size_t count, Random& random) {
  const auto middle = [&](std::size_t i) {
    const Triangle& t = whole.triangles[i];
    return whole.positions[t.a] + whole.positions[t.b] + whole.positions[t.c];
  };
  const Vec3 center = middle(random.below(static_cast<std::uint32_t>(whole.triangles.size())));
  std::vector<std::size_t> order(whole.triangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const float a = length(middle(i) - center), b = length(middle(j) - center);
    return a != b ? a < b : i < j;
  });
  std::vector<bool> gone(order.size());
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) gone[order[i]] = true;
  return without(whole, [&](std::size_t i) { return gone[i]; });
}

/// Triangles whose vertices all have dot(normal, p) above `offset`.
inline Holed without_cap(const Mesh& whole, Vec3 normal, float offset) {
  return without(whole, [&](std::size_t i) {
    const Triangle& t = whole.triangles[i];
    return dot(normal, whole.positions[t.a]) > offset && dot(normal, whole.positions[t.b]) > offset &&
           dot(normal, whole.positions[t.c]) > offset;
  });
}

/// Points wrong, of as many as there are.
struct Wrong {
  std::size_t open = 0;      ///< sampled as it is: inside is where the winding is 1 or more in a column that closes
  std::size_t closed = 0;    ///< sampled with its holes closed
  std::size_t winding = 0;   ///< by the winding number of the open mesh
  std::size_t sampling = 0;  ///< the whole mesh, sampled: what sampling alone errs there
  std::size_t fans_too = 0;  ///< the same on the closed mesh, whose fans are surfaces as well
  std::size_t differ = 0;    ///< where the closed mesh and the winding number differ
  std::size_t exact = 0;     ///< where they differ when the closed mesh is not sampled
  std::uint32_t open_columns = 0;  ///< of the closed mesh
  std::size_t edges = 0, holes = 0;
};

/// The truth is the whole mesh's winding number. With nothing missing, only `differ` and `exact` say something.
inline Wrong compare(const Holed& mesh, std::span<const Vec3> points, std::uint32_t resolution = 1024) {
  Options options{.engine = "software", .resolution = resolution};
  options.close_holes = false;
  const Closure closure = find_closure(mesh.open);
  const Mesh mended = closed(mesh.open, closure);
  Mesh whole = mesh.open;
  whole.triangles.insert(whole.triangles.end(), mesh.missing.triangles.begin(), mesh.missing.triangles.end());
  const std::vector<double> open = winding_numbers(mesh.open, points), missing = winding_numbers(mesh.missing, points),
                            fans = winding_numbers({mended.positions, closure.fans}, points);
  const Containment sampled_open = contains(mesh.open, points, options), sampled = contains(mended, points, options),
                    sampled_whole = contains(whole, points, options);
  Wrong wrong{.open_columns = sampled.health.open_columns, .edges = closure.edge_count, .holes = closure.rims.size()};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool truth = open[i] + missing[i] >= 0.5, by_winding = open[i] >= 0.5, by_fans = open[i] + fans[i] >= 0.5,
               in = sampled.inside[i] == kPointInside;
    wrong.open += (sampled_open.inside[i] == kPointInside) != truth ? 1 : 0;
    wrong.closed += in != truth ? 1 : 0;
    wrong.winding += by_winding != truth ? 1 : 0;
    wrong.sampling += (sampled_whole.inside[i] == kPointInside) != truth ? 1 : 0;
    wrong.fans_too += in != by_fans ? 1 : 0;
    wrong.differ += in != by_winding ? 1 : 0;
    wrong.exact += by_fans != by_winding ? 1 : 0;
  }
  return wrong;
}

inline std::vector<Vec3> random_points(MeshView mesh, std::size_t count, Random& random) {
  const Aabb box = bounds(mesh);
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = random.in(box);
  return points;
}

}  // namespace lamella::test
