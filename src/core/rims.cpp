#include "core/rims.hpp"

#include <algorithm>

#include "core/mesh_check.hpp"

namespace lamella {
namespace {

bool overlap(const WideBox& a, const WideBox& b) {
  for (int i = 0; i < 3; ++i)
    if (!(a.min[i] <= b.max[i] && b.min[i] <= a.max[i])) return false;
  return true;
}

bool holds(const WideBox& outer, const WideBox& inner) {
  for (int i = 0; i < 3; ++i)
    if (!(outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])) return false;
  return true;
}

}  // namespace

std::vector<WideBox> rims_of(const Closure& closure, std::span<const Vec3> positions, Vec3d origin,
                             const Transform& pose) {
  std::vector<WideBox> boxes;
  for (const Aabb& box : rim_boxes(closure, positions))
    if (!box.empty()) boxes.push_back(wide_box(wide_box(box, origin), pose));
  std::sort(boxes.begin(), boxes.end(), [](const WideBox& x, const WideBox& y) { return x.min.x < y.min.x; });
  return boxes;
}

bool comes_near(MeshView mesh, std::span<const WideBox> rims) {
  WideBox all;
  double widest = 0;
  for (const WideBox& b : rims) {
    all = unite(all, b);
    widest = std::max(widest, b.max.x - b.min.x);
  }
  for (const Triangle& t : mesh.triangles) {
    if (!usable(mesh, t)) continue;
    Aabb box;
    for (int k = 0; k < 3; ++k) box = extend(box, mesh.positions[t[k]]);
    const WideBox wide = wide_box(box, mesh.origin);
    if (!overlap(wide, all)) continue;
    auto b = std::lower_bound(rims.begin(), rims.end(), wide.min.x - widest,
                              [](const WideBox& x, double at) { return x.min.x < at; });
    for (; b != rims.end() && b->min.x <= wide.max.x; ++b)
      if (overlap(*b, wide)) return true;
  }
  return false;
}

bool in_one_rim(const WideBox& box, std::span<const WideBox> rims) {
  return std::any_of(rims.begin(), rims.end(), [&](const WideBox& rim) { return holds(rim, box); });
}

}  // namespace lamella
