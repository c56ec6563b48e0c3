// Points and vertices looked up in LDIs, against brute force, point by point.

#include "query/point_lookup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "lamella/ldi_query.hpp"
#include "query/contains_kernel.hpp"
#include "query/random_ldi.hpp"
#include "query/sparse.hpp"

namespace lamella {

std::ostream& operator<<(std::ostream& out, const VertexInside& v) {
  return out << v.vertex << " (" << v.back << ", " << v.ahead << ')';
}

namespace {

using test::Interval;
using test::Intervals;
using test::is_open;
using test::Random;
using test::sum_of_signs;
using test::winding_between;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Often exactly on a crossing, on a face of the box, between two cells, or just outside.
Vec3 any_point(Random& random, const Grid& grid) {
  Vec3 p;
  const auto across = [&](std::uint32_t cells, double cell) {
    return static_cast<float>((static_cast<double>(random.below(4 * cells + 3)) - 1) / 4 * cell);
  };
  p[grid.u()] = across(grid.columns, grid.cell_u());
  p[grid.v()] = across(grid.rows, grid.cell_v());
  p[grid.w()] = exact_depth(random, grid);
  if (random.below(3) == 0) p[grid.w()] += (static_cast<float>(random.below(3)) - 1) / 32 * grid.depth();
  p = p + grid.box.min;
  const auto axis = static_cast<int>(random.below(3));
  switch (random.below(16)) {
    case 0:
      p[axis] = std::numeric_limits<float>::quiet_NaN();
      break;
    case 1:
      p[axis] = random.below(2) == 0 ? kInfinity : -kInfinity;
      break;
    case 2:
      p[axis] = grid.box.max[axis];
      break;
    case 3:
      p[axis] = grid.box.min[axis];
      break;
    case 4:
      p[axis] = -p[axis];
      break;
    default:
      break;
  }
  return p;
}

/// A mesh's box: each face is the grid's, beyond it, or within it.
Aabb any_mesh_box(Random& random, const Grid& grid) {
  const auto step = [&](int k) {
    return static_cast<float>(static_cast<int>(random.below(3)) - 1) * extent(grid.box)[k] / 8;
  };
  Aabb box = grid.box;
  for (int k = 0; k < 3; ++k) {
    box.min[k] += step(k);
    box.max[k] += step(k);
  }
  return box;
}

/// What is expected of one point.
struct PointFacts {
  bool looked_up = false, untrusted = false, inside = false;
  std::size_t column = 0;
};

std::uint8_t flag_of(const PointFacts& facts) {
  return facts.untrusted ? kPointUnknown : facts.inside ? kPointInside : kPointOutside;
}

PointFacts brute_force(const Ldi& ldi, const std::optional<Aabb>& mesh_box, Vec3 p) {
  const Grid& g = ldi.grid;
  PointFacts facts;
  bool in = true, in_mesh = true;
  for (int k = 0; k < 3; ++k) {
    // The high faces across the rays belong to the next cells, which the grid does not have.
    const bool high_face = mesh_box || k == g.w();
    in = in && g.box.min[k] <= p[k] && (high_face ? p[k] <= g.box.max[k] : p[k] < g.box.max[k]);
    in_mesh = in_mesh && (!mesh_box || (mesh_box->min[k] < p[k] && p[k] < mesh_box->max[k]));
  }
  facts.looked_up = in;
  if (!in || !in_mesh) return facts;
  const auto cell = [&](int axis, double size, std::uint32_t count) {
    return std::min(static_cast<std::size_t>(std::floor((static_cast<double>(p[axis]) - g.box.min[axis]) / size)),
                    std::size_t{count} - 1);
  };
  facts.column = cell(g.v(), g.cell_v(), g.rows) * g.columns + cell(g.u(), g.cell_u(), g.columns);
  const auto column = ldi.column(facts.column);
  if (is_open(column, ldi.outside)) {
    facts.untrusted = true;
    return facts;
  }
  const float depth = p[g.w()] - g.box.min[g.w()];
  const bool continues_below = mesh_box && mesh_box->min[g.w()] < g.box.min[g.w()];
  const auto before = [&](float d) { return d < depth || (d == 0 && continues_below); };
  const int winding = ldi.outside == End::high ? -sum_of_signs(column, [&](float d) { return !before(d); })
                                               : sum_of_signs(column, before);
  facts.inside = winding >= 1;
  facts.untrusted = winding < 0;  // inside out there
  return facts;
}

std::vector<Vec3> any_points(Random& random, const Grid& grid, std::size_t count) {
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = any_point(random, grid);
  return points;
}

class PointLookup : public testing::Test {
 protected:
  void expect_flags(const ColumnsView& columns, std::span<const Vec3> points, const std::vector<PointFacts>& facts) {
    std::vector<std::uint8_t> flags(points.size() + 1, 7), expected;
    PointCounts count;
    for (const PointFacts& f : facts) {
      expected.push_back(flag_of(f));
      count.inside += f.inside ? 1 : 0;
      count.untrusted += f.untrusted ? 1 : 0;
      count.looked_up += f.looked_up ? 1 : 0;
    }
    expected.push_back(7);  // beyond the last flag nothing is written
    const PointCounts counts = flag_points(columns, points, flags.data());
    EXPECT_EQ(flags, expected);
    EXPECT_EQ(counts.inside, count.inside);
    EXPECT_EQ(counts.untrusted, count.untrusted);
    EXPECT_EQ(counts.looked_up, count.looked_up);
    inside_ += count.inside;
    untrusted_ += count.untrusted;
  }
  std::size_t inside_ = 0, untrusted_ = 0;
};

TEST_F(PointLookup, FlagsAndCountsAreThoseOfBruteForce) {
  const test::Sparse<Crossing> many(std::size_t{1} << 31);
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Ldi ldi = random_ldi(random, test::exact_grid(random));
    const auto points = any_points(random, ldi.grid, random.below(100));
    for (const bool part : {false, true}) {
      const auto mesh_box = part ? std::optional(any_mesh_box(random, ldi.grid)) : std::nullopt;
      std::vector<PointFacts> facts;
      for (const Vec3 p : points) facts.push_back(brute_force(ldi, mesh_box, p));
      ColumnsView columns{ldi.grid, ldi.outside, ldi.offsets, ldi.crossings, mesh_box ? &*mesh_box : nullptr};
      expect_flags(columns, points, facts);
      if (!many.exists()) continue;
      // The same columns at the beginning of an array too long for signed indices.
      std::copy(ldi.crossings.begin(), ldi.crossings.end(), many.get().begin());
      columns.crossings = many.get();
      expect_flags(columns, points, facts);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(inside_, 3000u);
  EXPECT_GT(untrusted_, 500u);
}

TEST_F(PointLookup, AGridWithoutColumnsHasNoPointsInside) {
  const Grid grid;
  std::vector<std::uint8_t> flags(3, 7);
  const PointCounts counts = flag_points(ColumnsView{grid, End::both, {}, {}}, std::vector<Vec3>(2), flags.data());
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{0, 0, 7}));
  EXPECT_EQ(counts.looked_up, 0u);
}

/// The smallest depth above 0 is not moved onto the face.
TEST_F(PointLookup, OnlyCrossingsExactlyOnTheLowFaceLieBeforeEveryPoint) {
  Ldi ldi;
  ldi.grid = {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1};
  const float smallest = std::numeric_limits<float>::denorm_min();
  const Aabb mesh_box{{-1, -1, -1}, {2, 2, 2}};
  const Vec3 point{0.5f, 0.5f, 0};
  for (const float exit : {0.0f, smallest}) {
    ldi.crossings = {Crossing::make(0, true), Crossing::make(exit, false)};
    std::sort(ldi.crossings.begin(), ldi.crossings.end());
    std::uint8_t flag = 7;
    const std::uint32_t offsets[] = {0, 2};
    (void)flag_points(ColumnsView{ldi.grid, End::both, offsets, ldi.crossings, &mesh_box}, {&point, 1}, &flag);
    EXPECT_EQ(flag, exit == 0 ? 0 : 1);
  }
}

/// Turned by a quarter about each axis and moved, so that nothing is rounded.
Placement exact_placement(Random& random) {
  static constexpr Vec3d kTurned[2][3] = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}};
  const auto& rows = kTurned[random.below(2)];
  return {{rows[0], rows[1], rows[2]}, {1, -2, static_cast<double>(random.below(5))}};
}

/// The point that `placement` moves to `p`: its rows are unit vectors.
Vec3 placed_back(const Placement& placement, Vec3 p) {
  const Vec3d moved = to_double(p) - placement.translation;
  return to_float(placement.rows[0] * moved.x + placement.rows[1] * moved.y + placement.rows[2] * moved.z);
}

Health health_by_brute_force(const Ldi& ldi) {
  Health health;
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    const auto column = ldi.column(i);
    const Intervals pieces = test::pieces({column}, ldi.grid.depth());
    health.occupied_columns += column.empty() ? 0 : 1;
    if (is_open(column, ldi.outside)) {
      ++health.open_columns;
      continue;
    }
    health.inside_out_columns += std::any_of(pieces.begin(), pieces.end(), [&](const Interval& piece) {
      return piece.end - piece.begin > test::kThin * ldi.grid.depth() &&
             winding_between(column, ldi.outside, piece) < 0;
    });
  }
  health.skipped_triangles = ldi.skipped_triangles;
  health.dropped_crossings = ldi.dropped_crossings;
  return health;
}

void expect_equal(const Health& got, const Health& expected) {
  EXPECT_EQ(got.open_columns, expected.open_columns);
  EXPECT_EQ(got.occupied_columns, expected.occupied_columns);
  EXPECT_EQ(got.inside_out_columns, expected.inside_out_columns);
  EXPECT_EQ(got.skipped_triangles, expected.skipped_triangles);
  EXPECT_EQ(got.dropped_crossings, expected.dropped_crossings);
  EXPECT_EQ(got.untrusted_volume, expected.untrusted_volume);
  EXPECT_EQ(got.untrusted_points, expected.untrusted_points);
}

TEST_F(PointLookup, ContainmentHasTheHealthOfAllColumns) {
  Containment out;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Ldi ldi = random_ldi(random, seed % 50 == 0 ? exact_grid(random, 260, 200) : test::exact_grid(random));
    ldi.alternating = random.below(2) == 0;
    const auto points = any_points(random, ldi.grid, random.below(50));
    Health health = health_by_brute_force(ldi);
    std::vector<std::uint8_t> inside;
    for (const Vec3 p : points) {
      const PointFacts facts = brute_force(ldi, std::nullopt, p);
      inside.push_back(flag_of(facts));
      health.untrusted_points += facts.untrusted ? 1 : 0;
    }
    contains(ldi, points, out);
    EXPECT_EQ(out.grid, ldi.grid);
    EXPECT_EQ(out.inside, inside);
    EXPECT_EQ(out.inside_count, static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), 1)));
    EXPECT_EQ(out.alternating, ldi.alternating);
    EXPECT_EQ(out.not_looked_at, 0u);
    expect_equal(out.health, health);
    Workers workers(2);
    health.untrusted_points = 0;
    expect_equal(health_of_columns(ldi, workers), health);
    if (HasFailure()) return;
  }
}

TEST_F(PointLookup, PlacedPointsAreLookedUpWhereTheyArePlaced) {
  LookupScratch scratch;
  Containment out;
  Workers workers(2);
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Ldi ldi = random_ldi(random, test::exact_grid(random));
    const Placement into_grid = exact_placement(random);
    // Several chunks of points, now and then.
    auto points = any_points(random, ldi.grid, seed % 20 == 0 ? 45000 : random.below(50));
    const Aabb mesh_box = any_mesh_box(random, ldi.grid);
    const bool part = random.below(2) == 0;
    std::vector<std::uint8_t> inside;
    Health health;
    health.open_columns = 3;
    for (Vec3& p : points) {
      p = placed_back(into_grid, p);
      Vec3 placed;
      (void)place_positions({&p, 1}, into_grid, &placed);
      const PointFacts facts = brute_force(ldi, part ? std::optional(mesh_box) : std::nullopt, placed);
      inside.push_back(flag_of(facts));
      health.untrusted_points += facts.untrusted ? 1 : 0;
    }
    flag_points({ldi, &into_grid, part ? &mesh_box : nullptr}, points, health, workers, scratch, out);
    EXPECT_EQ(out.inside, inside);
    EXPECT_EQ(out.inside_count, static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), 1)));
    expect_equal(out.health, health);
    if (HasFailure()) return;
  }
}

/// The ways out of the interval around a point that is inside.
VertexInside ways_out(const Ldi& ldi, const Aabb& mesh_box, std::size_t column_index, Vec3 p, std::uint32_t vertex) {
  const Grid& g = ldi.grid;
  const auto column = ldi.column(column_index);
  const float depth = p[g.w()] - g.box.min[g.w()];
  VertexInside way{vertex, 0, 0};
  const Intervals inside = joined(test::pieces({column}, g.depth()), 0, [&](const Interval& piece) {
    return winding_between(column, ldi.outside, piece) >= 1;
  });
  for (const Interval& i : inside)
    if (i.begin <= depth && depth <= i.end) {
      const bool beyond_low = i.begin == 0 && mesh_box.min[g.w()] < g.box.min[g.w()];
      const bool beyond_high = i.end == g.depth() && mesh_box.max[g.w()] > g.box.max[g.w()];
      way.back = beyond_low ? kInfinity : depth - i.begin;
      way.ahead = beyond_high ? kInfinity : i.end - depth;
    }
  return way;
}

TEST_F(PointLookup, VerticesInsideAndTheirWaysOutAreThoseOfBruteForce) {
  LookupScratch scratch;
  Workers workers(2);
  std::size_t found = 0, beyond = 0, touching = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Ldi ldi = random_ldi(random, test::exact_grid(random));
    const Placement into_grid = exact_placement(random);
    const bool placed = random.below(2) == 0;
    const Aabb mesh_box = any_mesh_box(random, ldi.grid);
    auto vertices = any_points(random, ldi.grid, seed % 100 == 0 ? 45000 : random.below(200));
    const float thickness = static_cast<float>(random.below(3)) / 16 * ldi.grid.depth();
    std::vector<VertexInside> expected;
    std::uint64_t looked_up = 0, untrusted = 0;
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
      Vec3 p = vertices[i];
      if (placed) {
        vertices[i] = placed_back(into_grid, p);
        (void)place_positions({&vertices[i], 1}, into_grid, &p);
      }
      const PointFacts facts = brute_force(ldi, mesh_box, p);
      looked_up += facts.looked_up ? 1 : 0;
      untrusted += facts.untrusted ? 1 : 0;
      if (!facts.inside) continue;
      const VertexInside way = ways_out(ldi, mesh_box, facts.column, p, i);
      const float depth = std::min(way.back, way.ahead);
      if (depth > thickness)
        expected.push_back(way);
      else
        ++touching;
      beyond += std::isinf(way.back) || std::isinf(way.ahead) ? 1 : 0;
    }
    VerticesOfOne out;
    EXPECT_EQ(
        find_vertices({ldi, placed ? &into_grid : nullptr, &mesh_box}, vertices, thickness, workers, scratch, out),
        untrusted);
    EXPECT_EQ(out.grid, ldi.grid);
    EXPECT_EQ(out.inside, expected);
    EXPECT_EQ(out.looked_up, looked_up);
    if (HasFailure()) return;
    found += expected.size();
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(beyond, 100u);
  EXPECT_GT(touching, 100u);
}

}  // namespace
}  // namespace lamella
