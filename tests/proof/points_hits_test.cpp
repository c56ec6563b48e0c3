// Crossings that floats decide, against exact ones.

#include "proof/points_hits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "proof/points_crossing.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::proof {
namespace {

using test::Random;

/// On a small lattice, so that points lie on edges and faces, or next to it by a float.
Vec3 lattice_point(Random& random, float unit) {
  Vec3 p;
  for (int k = 0; k < 3; ++k) {
    p[k] = (static_cast<float>(random.below(9)) - 4) * unit;
    if (random.below(3) == 0) p[k] = std::nextafter(p[k], random.below(2) == 0 ? 8 * unit : -8 * unit);
  }
  return p;
}

struct Case {
  Mesh mesh;
  std::vector<std::uint32_t> ids;
  std::vector<RayStart> points;
};

Case make_case(Random& random, float unit, Way way) {
  Case c;
  for (std::uint32_t i = 0; i < 30; ++i) c.mesh.positions.push_back(lattice_point(random, unit));
  for (std::uint32_t i = 0; i < 40; ++i) {
    c.mesh.triangles.push_back({random.below(30), random.below(30), random.below(30)});
    c.ids.push_back(i);
  }
  for (std::uint32_t i = 0; i < 50; ++i) c.points.push_back({lattice_point(random, unit), RayStart::encode(i, way)});
  return c;
}

struct Totals {
  std::vector<std::int32_t> windings;
  std::vector<std::uint8_t> on_surface;

  void add(const Case& c, std::uint32_t point, std::uint32_t triangle) {
    const Triangle& t = c.mesh.triangles[triangle];
    const auto& p = c.mesh.positions;
    const PointCrossing crossing = cross_triangle(c.points[point].at, {p[t.a], p[t.b], p[t.c]});
    if (crossing.on_surface) on_surface[point] = 1;
    const bool down = c.points[point].way() == Way::down;
    if (crossing.turn != 0 && crossing.above != down) windings[point] += down ? -crossing.turn : crossing.turn;
  }
};

RC_GTEST_PROP(PointHits, FloatsAndExactPredicatesTogetherFindEveryCrossing, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const float unit = std::ldexp(1.0f, static_cast<int>(random.below(180)) - 145);
  const Way way = random.below(2) == 0 ? Way::up : Way::down;
  static constexpr Adding kAddings[] = {Adding::none, Adding::alone, Adding::shared};
  const Adding adding = kAddings[random.below(3)];
  Case c = make_case(random, unit, way);
  const std::size_t count = c.points.size();
  Totals wanted{std::vector<std::int32_t>(count), std::vector<std::uint8_t>(count)}, found = wanted;
  for (std::uint32_t i = 0; i < count; ++i)
    for (const std::uint32_t id : c.ids) wanted.add(c, i, id);

  found.windings.resize(count + kPad);
  std::vector<float> at[3];
  for (auto& x : at) x.resize(count + kPad);
  c.points.resize(count + kPad);
  split_points(std::span(c.points).first(count), at[0].data(), at[1].data(), at[2].data());
  const std::uint32_t begin[2] = {0, static_cast<std::uint32_t>(count)};
  const BinnedPoints points{
      {0, 0}, {0, 0}, {1, 1}, begin, {at[0].data(), at[1].data(), at[2].data()}, found.windings.data()};
  struct Owner {
    const Case& of;
    Totals& to;
  } owner{c, found};
  const HitSink sink{&owner, [](void* to, std::span<const BoxHit> hits) {
                       auto& o = *static_cast<Owner*>(to);
                       for (const BoxHit& hit : hits) o.to.add(o.of, hit.point, hit.triangle);
                     }};
  RC_ASSERT(find_hits(c.mesh, c.ids, {0, 1, 2}, points, way, adding, sink) == count * c.ids.size());
  found.windings.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    RC_ASSERT(found.on_surface[i] == wanted.on_surface[i]);
    RC_ASSERT(found.windings[i] == wanted.windings[i]);
  }
}

}  // namespace
}  // namespace lamella::proof
