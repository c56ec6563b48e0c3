// The spheres of GI-COLLIDE as they are published: Benes, Gomez Villanueva, section 3.
//
// A quad's sphere is centred on the min-max box of its four vertices; its radius is half of the longer one of the
// quad's two diagonals. Each level above: the sphere around four of the level below, centred on the box of these four.
//
// That radius reaches all four vertices only where the box's centre lies in the middle of the longer diagonal. In a
// saddle, for one, it does not: (0, 0), (1, 1) at height 0 and (1, 0), (0, 1) at height 1 have diagonals of 1.41 and
// a half of 0.71, but all four are 0.87 away from the box's centre. Such quads are counted; `enclosing` enlarges their
// spheres, and no others.
//
// Roundings are outward, so that a sphere is never smaller than as written.

#include <atomic>

#include "geometry_image/sphere_pyramid_kernels.hpp"

namespace lamella::pyramid {
namespace {

float outward(double radius) { return static_cast<float>(radius) * kEnlargeSum + kLeast; }

/// More than a length in double can be too short by.
constexpr double kRounding = 1 + 0x1p-50;

double length_of(Vec3d v) { return std::sqrt(dot(v, v)); }

struct QuadSphere {
  Sphere sphere;
  bool open = false;  ///< leaves a vertex outside
};

QuadSphere quad_sphere(const Vec3 quad[4], bool enclosing) {
  Aabb box;
  for (int i = 0; i < 4; ++i) box = extend(box, quad[i]);
  const Vec3d exact = (to_double(box.min) + to_double(box.max)) * 0.5;
  const Vec3 c = to_float(exact + Vec3d{});
  const double diagonal =
      std::max(length_of(to_double(quad[2]) - to_double(quad[0])), length_of(to_double(quad[3]) - to_double(quad[1])));
  // Around the rounded centre it must be larger by what the centre moved.
  QuadSphere out{{c.x, c.y, c.z, outward(diagonal / 2 + length_of(to_double(c) - exact))}};
  double furthest = 0;
  for (int i = 0; i < 4; ++i) furthest = std::max(furthest, length_of(to_double(quad[i]) - to_double(c)));
  if (furthest * kRounding <= out.sphere.radius) return out;
  if (enclosing)
    out.sphere.radius = outward(furthest);
  else
    out.open = true;
  return out;
}

/// Around four spheres, the first two of each of two rows.
Sphere around_four(const Sphere* low, const Sphere* high) {
  const Sphere* const four[4] = {low, low + 1, high, high + 1};
  Vec3d least{1e300, 1e300, 1e300}, most{-1e300, -1e300, -1e300};
  for (const Sphere* s : four) {
    const Vec3d at{s->x, s->y, s->z};
    for (int k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], at[k] - s->radius);
      most[k] = std::max(most[k], at[k] + s->radius);
    }
  }
  const Vec3 c = to_float((least + most) * 0.5 + Vec3d{});
  double reach = 0;
  for (const Sphere* s : four) reach = std::max(reach, length_of(Vec3d{s->x, s->y, s->z} - to_double(c)) + s->radius);
  return {c.x, c.y, c.z, outward(reach)};
}

}  // namespace

std::uint64_t build_published(const Vec3* positions, const Places& places, bool enclosing, Workers& workers) {
  const std::size_t quads = places.side(0), side = quads + 1;
  std::atomic<std::uint64_t> open = 0;
  workers.for_chunks(quads, 16, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint64_t count = 0;
    for (std::size_t y = begin; y < end; ++y)
      for (std::size_t x = 0; x < quads; ++x) {
        const Vec3* const p = positions + y * side + x;
        const Vec3 quad[4] = {p[0], p[1], p[side + 1], p[side]};
        const QuadSphere made = quad_sphere(quad, enclosing);
        places.row(0, y)[x] = made.sphere;
        count += made.open ? 1 : 0;
      }
    open += count;
  });
  for (int k = 1; k <= places.n; ++k)
    workers.for_chunks(places.side(k), 16, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t y = begin; y < end; ++y)
        for (std::size_t x = 0; x < places.side(k); ++x)
          places.row(k, y)[x] = around_four(places.row(k - 1, 2 * y) + 2 * x, places.row(k - 1, 2 * y + 1) + 2 * x);
    });
  return open;
}

}  // namespace lamella::pyramid
