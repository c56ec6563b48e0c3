// What a closure looks like for given positions: fan points, areas, boxes.

#include <algorithm>
#include <array>

#include "core/lattice.hpp"
#include "core/origin.hpp"
#include "lamella/error.hpp"
#include "lamella/repair.hpp"

namespace lamella {
namespace {

/// The rim's edges are the first two corners of each of its fan's triangles.
std::span<const Triangle> triangles_of(const Closure& closure, const Closure::Rim& rim) {
  return std::span(closure.fans).subspan(rim.first, rim.triangles);
}

/// Centre of the rim's edges, each with the weight of its length.
Vec3d center_of(std::span<const Triangle> fan, std::span<const Vec3> positions) {
  Vec3d sum;
  double total = 0;
  const Vec3d origin = to_double(positions[fan[0].a]);  // near the rim, so that no digits are lost
  for (const Triangle& t : fan) {
    const Vec3d a = to_double(positions[t.a]) - origin, b = to_double(positions[t.b]) - origin;
    const double weight = length(b - a);
    sum += (a + b) * (0.5 * weight);
    total += weight;
  }
  return total > 0 ? origin + sum * (1 / total) : origin;
}

double area(Vec3d a, Vec3d b, Vec3d c) { return length(cross(b - a, c - a)) / 2; }

double area_of(const Closure& closure, const Closure::Rim& rim, std::span<const Vec3> positions) {
  const std::span<const Triangle> fan = triangles_of(closure, rim);
  const auto at = [&](std::uint32_t i) { return to_double(positions[i]); };
  if (rim.point == Closure::kNoPoint) return area(at(fan[0].a), at(fan[0].b), at(fan[0].c));
  const Vec3d center = center_of(fan, positions);
  double sum = 0;
  for (const Triangle& t : fan) sum += area(at(t.a), at(t.b), center);
  return sum;
}

Aabb box_of(const Closure& closure, const Closure::Rim& rim, std::span<const Vec3> positions) {
  Aabb box;
  const int corners = rim.point == Closure::kNoPoint ? 3 : 2;
  for (const Triangle& t : triangles_of(closure, rim))
    for (int k = 0; k < corners; ++k) {
      const Vec3 p = positions[t[k]];
      if (!usable(p)) return {};
      box = extend(box, p);
    }
  const Vec3 size = extent(box);
  std::array<float, 3> sorted{size.x, size.y, size.z};
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < 3; ++k) {
    const float more = std::max(0.0f, sorted[1] - size[k]) / 2;
    box.min[k] -= more;
    box.max[k] += more;
  }
  return box;
}

}  // namespace

void Closure::place_points(std::span<const Vec3> positions, Vec3* to) const {
  for (const Rim& rim : rims)
    if (rim.point != kNoPoint) to[rim.point] = to_float(center_of(triangles_of(*this, rim), positions));
}

ClosureFacts closure_facts(const Closure& closure, std::span<const Vec3> positions) {
  ClosureFacts facts{.edges = closure.edge_count};
  for (const Closure::Rim& rim : closure.rims) {
    facts.fan_area += area_of(closure, rim, positions);
    const Aabb box = box_of(closure, rim, positions);
    const Vec3d size = box.empty() ? Vec3d{} : to_double(box.max) - to_double(box.min);
    facts.rim_box_volume += size.x * size.y * size.z;
  }
  return facts;
}

std::vector<Aabb> rim_boxes(const Closure& closure, std::span<const Vec3> positions) {
  std::vector<Aabb> boxes;
  boxes.reserve(closure.rims.size());
  for (const Closure::Rim& rim : closure.rims) boxes.push_back(box_of(closure, rim, positions));
  return boxes;
}

Mesh closed(MeshView mesh, const Closure& closure) {
  Mesh out = rounded(mesh);
  if (out.triangles.size() + closure.fans.size() > 0xffffffffu)
    throw Error("closing the mesh would take more than 2^32 - 1 triangles; split it");
  const std::size_t vertices = out.positions.size();
  out.positions.resize(vertices + closure.point_count);
  closure.place_points(std::span(out.positions).first(vertices), out.positions.data() + vertices);
  out.triangles.insert(out.triangles.end(), closure.fans.begin(), closure.fans.end());
  return out;
}

}  // namespace lamella
