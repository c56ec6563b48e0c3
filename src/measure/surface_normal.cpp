#include "measure/surface_normal.hpp"

#include <algorithm>
#include <cmath>

#include "core/unit.hpp"
#include "lamella/elementary.hpp"
#include "measure/closest_kernel.hpp"

namespace lamella::measure {
namespace {

struct Face {
  Vec3d at[3];
  [[nodiscard]] Vec3d normal() const { return unit(cross(at[1] - at[0], at[2] - at[0])); }
  /// Between the edges that meet at a corner.
  [[nodiscard]] double angle(int corner) const {
    const Vec3d u = at[(corner + 1) % 3] - at[corner], v = at[(corner + 2) % 3] - at[corner];
    return elementary::atan2(length(cross(u, v)), dot(u, v));
  }
};
Face face_of(const TriangleTree& tree, std::uint32_t place) {
  return {
      {to_double(tree.corner_of(place, 0)), to_double(tree.corner_of(place, 1)), to_double(tree.corner_of(place, 2))}};
}

/// How much the face counts at an edge or, where both ends are the same, at a corner.
double weight_at(const Face& face, Vec3d from, Vec3d to) {
  double angle = 0;
  bool has_to = false;
  for (int i = 0; i < 3; ++i) {
    if (face.at[i] == from) angle += face.angle(i);
    has_to = has_to || face.at[i] == to;
  }
  if (from == to) return angle;
  return has_to ? 1 : 0;
}

}  // namespace

Vec3d normal_at(const TriangleTree& tree, std::uint32_t place, Vec3d weights, std::vector<std::uint32_t>& scratch) {
  const Face own = face_of(tree, place);
  int corners[3], count = 0;
  for (int i = 0; i < 3; ++i)
    if (weights[i] != 0) corners[count++] = i;
  if (count == 3 || count == 0) return own.normal();
  const Vec3d from = own.at[corners[0]], to = own.at[corners[count - 1]];
  find_around(tree, to_float(from), scratch);
  const auto ids = tree.ids();
  std::sort(scratch.begin(), scratch.end(), [&](std::uint32_t i, std::uint32_t k) { return ids[i] < ids[k]; });
  Vec3d sum;
  for (const std::uint32_t i : scratch) {
    const Face face = face_of(tree, i);
    sum += face.normal() * weight_at(face, from, to);
  }
  const double size = length(sum);
  return size > 0x1p-40 ? sum * (1 / size) : own.normal();
}

}  // namespace lamella::measure
