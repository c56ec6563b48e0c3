#include <bit>
#include <vector>

#include "core/closed_sum.hpp"
#include "core/lattice.hpp"
#include "core/origin.hpp"
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
  return {plane_point(mix(mix(bits(p.x)) + bits(p.y)) + bits(p.z)), usable(narrow(p))};
}

/// `place` gives the Placed of an index.
template <class Place>
std::uint64_t sum_of_areas(std::span<const Triangle> triangles, const Place& place) {
  std::uint64_t sum = 0;
  for (const Triangle t : triangles) {
    const Placed a = place(t.a), b = place(t.b), c = place(t.c);
    if (a.usable && b.usable && c.usable) sum += twice_area(a.at, b.at, c.at);
  }
  return sum;
}

template <class Vector>
std::uint64_t sum_of_areas(std::span<const Vector> positions, std::span<const Triangle> triangles) {
  // Most vertices have six triangles: place each once. In a soup, do without the memory.
  if (positions.size() > triangles.size())
    return sum_of_areas(triangles, [&](std::uint32_t i) { return placed(positions[i]); });
  std::vector<PlanePoint> points(positions.size());
  bool all = true;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Placed p = placed(positions[i]);
    points[i] = p.at;
    all = all && p.usable;
  }
  if (all) return sum_of_areas(triangles, [&](std::uint32_t i) { return Placed{points[i], true}; });
  return sum_of_areas(triangles, [&](std::uint32_t i) { return placed(positions[i]); });
}

}  // namespace

std::uint64_t closed_sum(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  // Triangles next to each other share vertices: those met last need not be placed again.
  constexpr std::uint32_t kRemembered = 4096, kNone = 0xffffffffu;
  struct Remembered {
    std::uint32_t vertex = kNone;
    Placed place;
  };
  if (triangles.size() < kRemembered) return sum_of_areas(positions, triangles);
  std::vector<Remembered> table(kRemembered);
  return sum_of_areas(triangles, [&](std::uint32_t i) {
    Remembered& r = table[i % kRemembered];
    if (r.vertex != i) r = {i, placed(positions[i])};
    return r.place;
  });
}

bool is_closed(MeshView mesh) {
  return (mesh.wide.empty() ? sum_of_areas(mesh.positions, mesh.triangles) : sum_of_areas(mesh.wide, mesh.triangles)) ==
         0;
}

}  // namespace lamella
