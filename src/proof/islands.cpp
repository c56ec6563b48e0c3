#include "proof/islands.hpp"

#include <algorithm>

#include "core/exact.hpp"
#include "core/union_find.hpp"

namespace lamella {
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

}  // namespace

std::vector<Island> find_islands(MeshView mesh, const Aabb& within, std::size_t most, bool with_area) {
  UnionFind parts(mesh.positions.size());
  const auto counts = [&](const Triangle& t) { return !with_area || has_area(mesh, t); };
  for (const Triangle& t : mesh.triangles) {
    if (!counts(t)) continue;
    parts.unite(t.a, t.b);
    parts.unite(t.a, t.c);
  }
  // Each root: kNone, its island, or that it reaches beyond the box.
  constexpr std::uint32_t kOutside = kNone - 1;
  std::vector<std::uint32_t> island_of(mesh.positions.size(), kNone);
  for (const Triangle& t : mesh.triangles) {
    if (!counts(t)) continue;
    for (int k = 0; k < 3; ++k)
      if (!holds(within, mesh.positions[t[k]])) island_of[parts.root(t.a)] = kOutside;
  }
  std::vector<Island> islands;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (!counts(t)) continue;
    std::uint32_t& island = island_of[parts.root(t.a)];
    if (island == kOutside) continue;
    if (island == kNone) {
      island = static_cast<std::uint32_t>(islands.size());
      islands.emplace_back();
    }
    if (islands[island].triangles.size() < most) islands[island].triangles.push_back(i);
  }
  return islands;
}

Vec3d point_on(MeshView mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]), c = to_double(mesh.positions[t.c]);
  Vec3d sum;
  for (int k = 0; k < 3; ++k) {
    double ab = 0;
    if (!add_exactly(a[k], b[k], ab) || !add_exactly(ab, 2 * c[k], sum[k])) return c;
  }
  return sum * 0.25;
}

}  // namespace lamella
