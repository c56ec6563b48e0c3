// Spans that are short beside the depth of their group. Contacts need the two surfaces that must pass each other, which
// may be far from the volume that two objects share: so a group's box is as deep as its objects, and depths are rounded
// to 2^-24 of that. For a thin plate in a large box that is too coarse. The faces that bound a span are known, so its
// length is computed again from them.

#include "scene/refine.hpp"

#include <algorithm>
#include <cmath>

#include "core/lattice.hpp"

namespace lamella {
namespace {

/// A group is so many times as deep as what two objects share: floats then lose more than 2^-18 of it. Where a grid is
/// shared, by objects in a wide space, 2^-12 will do: to measure every span again would take as long as sampling.
constexpr float kThin = 64, kThinAmongMany = 4096;
/// Rounding of two depths, relative to the largest: 4 units.
constexpr float kRounding = 0x1p-22f;

double depth_of(const Group& group, std::uint32_t face, std::uint32_t column) {
  const GroupObject& o = group.objects[group.object_of(face)];
  return exact_depth(o.mesh, face - o.first_face, group.grid, column);
}

}  // namespace

double exact_depth(MeshView mesh, std::uint32_t triangle, const Grid& grid, std::uint32_t column) {
  const Lattice lattice = make_lattice(grid);
  const double at_u = (column % grid.columns + 1.0) * kSubStep, at_v = (column / grid.columns + 1.0) * kSubStep;
  const Triangle t = mesh.triangles[triangle];
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    const Vec3 p = mesh.positions[t[k]];
    u[k] = std::nearbyint(lattice_coordinate(p[grid.u()], lattice.origin_u, lattice.scale_u)) - at_u;
    v[k] = std::nearbyint(lattice_coordinate(p[grid.v()], lattice.origin_v, lattice.scale_v)) - at_v;
    w[k] = static_cast<double>(p[grid.w()]) - lattice.origin_w;
  }
  const auto [low, high] = std::minmax({w[0], w[1], w[2]});
  const double a = u[1] * v[2] - u[2] * v[1], b = u[2] * v[0] - u[0] * v[2], c = u[0] * v[1] - u[1] * v[0];
  const double sum = a + b + c;
  if (!(std::abs(sum) > 0)) return low;
  return std::clamp((a * w[0] + b * w[1] + c * w[2]) / sum, low, high);
}

bool is_thin(const Group& group, const Candidate& candidate) {
  if (!(candidate.depth > 0)) return false;  // not known
  return group.grid.depth() > (group.candidates.size() == 1 ? kThin : kThinAmongMany) * candidate.depth;
}

float span_thickness(const Group& group, float min_thickness) {
  float depth = group.grid.depth();
  if (group.candidates.empty()) return min_thickness * depth;
  for (const Candidate& c : group.candidates) depth = std::min(depth, c.depth);
  return std::max(min_thickness * depth, std::min(min_thickness, kRounding) * group.grid.depth());
}

void drop_thin(const Group& group, float min_thickness, GroupAnswer& answer) {
  const auto is_short = [&](PairSpan& s) {
    const Candidate& c = group.candidates[s.candidate];
    if (is_thin(group, c)) {
      // Rounding may have exchanged two surfaces: then nothing is left.
      const double length = depth_of(group, s.end_face, s.column) - depth_of(group, s.begin_face, s.column);
      s.length = static_cast<float>(std::clamp(length, 0.0, static_cast<double>(c.depth)));
    }
    return !(s.length > min_thickness * c.depth);
  };
  std::erase_if(answer.spans, is_short);
}

}  // namespace lamella
