#include <bit>
#include <vector>

#include "core/lattice.hpp"
#include "core/random_plane.hpp"
#include "lamella/repair.hpp"

namespace lamella {
namespace {

/// In the plane, and whether the vertex can be used at all.
struct Placed {
  PlanePoint at;
  bool usable = false;
};

/// Equal for equal coordinates: -0 becomes 0.
Placed placed(Vec3 p) {
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x + 0.0f)}; };
  return {plane_point(mix(bits(p.x) << 32 | bits(p.y)) + bits(p.z)), usable(p)};
}

Placed placed(Vec3d p) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); };
  return {plane_point(mix(mix(bits(p.x)) + bits(p.y)) + bits(p.z)), usable(to_float(p))};
}

/// `place` gives the Placed of an index.
template <class Place>
bool areas_cancel(std::span<const Triangle> triangles, const Place& place) {
  std::uint64_t sum = 0;
  for (const Triangle t : triangles) {
    const Placed a = place(t.a), b = place(t.b), c = place(t.c);
    if (a.usable && b.usable && c.usable) sum += twice_area(a.at, b.at, c.at);
  }
  return sum == 0;
}

template <class Vector>
bool is_closed(std::span<const Vector> positions, std::span<const Triangle> triangles) {
  // Most vertices have six triangles: place each once. In a soup, do without the memory.
  if (positions.size() > triangles.size())
    return areas_cancel(triangles, [&](std::uint32_t i) { return placed(positions[i]); });
  std::vector<PlanePoint> points(positions.size());
  bool all = true;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Placed p = placed(positions[i]);
    points[i] = p.at;
    all = all && p.usable;
  }
  if (all) return areas_cancel(triangles, [&](std::uint32_t i) { return Placed{points[i], true}; });
  return areas_cancel(triangles, [&](std::uint32_t i) { return placed(positions[i]); });
}

}  // namespace

bool is_closed(MeshView mesh) {
  return mesh.wide.empty() ? is_closed(mesh.positions, mesh.triangles) : is_closed(mesh.wide, mesh.triangles);
}

}  // namespace lamella
