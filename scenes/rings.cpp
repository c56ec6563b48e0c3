#include "scenes/rings.hpp"

#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lamella/elementary.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "scenes/grids.hpp"

namespace lamella::scenes {
namespace {

/// A curve on a torus, and the torus' own normal: it is at right angles to the curve, and periodic, which makes it the
/// natural frame of a tube around the knot.
struct KnotPoint {
  Vec3d position, normal, tangent;
};

KnotPoint knot_point(double u, int p, int q) {
  constexpr double kRing = 0.92, kTube = 0.38;
  const double around = 2 * kPi * p * u;
  const double through = 2 * kPi * q * u;
  const Vec3d outward{elementary::cos(around), elementary::sin(around), 0};
  const Vec3d forward{-elementary::sin(around), elementary::cos(around), 0};
  const Vec3d up{0, 0, 1};
  const double radius = kRing + kTube * elementary::cos(through);
  const Vec3d turn = outward * (-elementary::sin(through)) + up * elementary::cos(through);
  return {outward * radius + up * (kTube * elementary::sin(through)),
          outward * elementary::cos(through) + up * elementary::sin(through),
          normalize(forward * (p * radius) + turn * (q * kTube))};
}

double knot_length(int p, int q) {
  constexpr int kSteps = 512;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    sum += length(knot_point(double(i + 1) / kSteps, p, q).position - knot_point(double(i) / kSteps, p, q).position);
  }
  return sum;
}

/// Along a ring; the same for all rings.
struct Turns {
  std::vector<double> cos, sin;

  explicit Turns(std::size_t points) {
    for (std::size_t j = 0; j < points; ++j) {
      const double v = 2 * kPi * (double(j) / double(points));
      cos.push_back(elementary::cos(v));
      sin.push_back(elementary::sin(v));
    }
  }
};

/// Calls use(triangle) for the two of each quad between a ring and the next.
template <class Use>
void join_rings(const RingSurface& surface, std::size_t ring, std::span<const Vec3d> here, std::span<const Vec3d> next,
                const Use& use) {
  const std::size_t after = (ring + 1) % surface.rings;
  const auto id = [&](std::size_t of, std::size_t j) { return static_cast<std::uint32_t>(of * surface.points + j); };
  for (std::size_t j = 0; j < surface.points; ++j) {
    const std::size_t k = (j + 1) % surface.points;
    const std::uint32_t a = id(ring, j), b = id(after, j), c = id(after, k), d = id(ring, k);
    if (first_diagonal_is_shorter(here[j], next[j], next[k], here[k])) {
      use(Triangle{a, b, c});
      use(Triangle{a, c, d});
    } else {
      use(Triangle{a, b, d});
      use(Triangle{b, c, d});
    }
  }
}

/// Calls use_point(p) for all points, in order, then use(triangle) for all triangles.
template <class UsePoint, class Use>
void visit(const RingSurface& surface, const UsePoint& use_point, const Use& use) {
  std::vector<Vec3d> first(surface.points), here(surface.points), next(surface.points);
  for (std::size_t i = 0; i < surface.rings; ++i) {
    surface.place(i, here);
    for (const Vec3d& p : here) use_point(to_float(p));
  }
  surface.place(0, first);
  here = first;
  for (std::size_t i = 0; i < surface.rings; ++i) {
    if (i + 1 < surface.rings)
      surface.place(i + 1, next);
    else
      next = first;
    join_rings(surface, i, here, next, use);
    std::swap(here, next);
  }
}

}  // namespace

RingSurface torus_surface(std::size_t faces, float ring_radius, float tube_radius) {
  const auto [rings, points] = torus_cells(faces, double(ring_radius) / tube_radius);
  return {rings, points, [=, rings = rings, turns = Turns(points)](std::size_t ring, std::span<Vec3d> out) {
            const double u = 2 * kPi * (double(ring) / double(rings));
            const double cos_u = elementary::cos(u), sin_u = elementary::sin(u);
            for (std::size_t j = 0; j < out.size(); ++j) {
              const double radius = ring_radius + tube_radius * turns.cos[j];
              out[j] = {radius * cos_u, radius * sin_u, tube_radius * turns.sin[j]};
            }
          }};
}

RingSurface knot_surface(std::size_t faces, float tube_radius, int p, int q) {
  assert(p != 0 || q != 0);
  // With fewer stations than this per winding, the tube's rings would turn against one another.
  const auto stations = static_cast<std::size_t>(8 * std::max({std::abs(p), std::abs(q), 1}));
  const auto [rings, points] = torus_cells(faces, knot_length(p, q) / (2 * kPi * tube_radius), stations);
  return {rings, points, [=, rings = rings, turns = Turns(points)](std::size_t ring, std::span<Vec3d> out) {
            const KnotPoint k = knot_point(double(ring) / double(rings), p, q);
            const Vec3d side = cross(k.normal, k.tangent);
            for (std::size_t j = 0; j < out.size(); ++j)
              out[j] = k.position + (k.normal * turns.cos[j] + side * turns.sin[j]) * tube_radius;
          }};
}

Mesh make_mesh(const RingSurface& surface) {
  Mesh mesh;
  mesh.positions.reserve(surface.vertex_count());
  mesh.triangles.reserve(surface.triangle_count());
  visit(
      surface, [&](Vec3 p) { mesh.positions.push_back(p); }, [&](const Triangle& t) { mesh.triangles.push_back(t); });
  return mesh;
}

Aabb write_ply(const std::filesystem::path& path, const RingSurface& surface, const RingProgress& progress) {
  constexpr std::uint64_t kStep = 1 << 20;
  const std::uint64_t total = surface.vertex_count() + surface.triangle_count();
  if (surface.vertex_count() > std::uint64_t{std::numeric_limits<std::int32_t>::max()})
    throw Error(printable(path.string()) + ": cannot have more vertices than 31-bit indices can name");
  NewFile file(path);
  file.write("ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(surface.vertex_count()) +
             "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
             std::to_string(surface.triangle_count()) + "\nproperty list uchar int vertex_indices\nend_header\n");
  std::uint64_t done = 0;
  const auto advance = [&] {
    if (++done % kStep == 0 && progress) progress(done, total);
  };
  Aabb box;
  visit(
      surface,
      [&](Vec3 p) {
        box = extend(box, p);
        file.write(std::as_bytes(std::span(&p, 1)));
        advance();
      },
      [&](const Triangle& t) {
        char record[1 + sizeof t] = {3};
        std::memcpy(record + 1, &t, sizeof t);
        file.write(std::string_view(record, sizeof record));
        advance();
      });
  file.commit();
  return box;
}

}  // namespace lamella::scenes
