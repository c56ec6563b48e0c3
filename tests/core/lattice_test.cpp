// The lattice, windows of a grid, and the rows of triangles on the lattice against testing every sample.

#include "core/lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/rows.hpp"
#include "core/window.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::Random;

TEST(Lattice, TheCentreOfACellIsASample) {
  const Grid grid{{{1, 2, 3}, {5, 4, 11}}, Axis::y, 8, 2};  // u is z, v is x
  const Lattice lattice = make_lattice(grid);
  EXPECT_EQ(lattice.origin_u, 3);
  EXPECT_EQ(lattice.origin_v, 1);
  EXPECT_EQ(lattice.origin_w, 2);
  EXPECT_EQ(lattice.scale_u, 1024);
  EXPECT_EQ(lattice.scale_v, 512);
  for (std::size_t column = 0; column < grid.column_count(); ++column) {
    LatticeVertex vertex;
    ASSERT_TRUE(place(to_float(sample_position(grid, column, 0.5)), grid, lattice, vertex));
    EXPECT_EQ(vertex.u, static_cast<std::int64_t>(column % 8 + 1) * 1024);
    EXPECT_EQ(vertex.v, static_cast<std::int64_t>(column / 8 + 1) * 1024);
    EXPECT_EQ(vertex.depth, 0.5f);
  }
}

TEST(Lattice, RoundsToTheNearestPointAndTiesToTheEvenOne) {
  for (const auto& [x, nearest] :
       {std::pair(0.5f, 0), std::pair(1.5f, 2), std::pair(2.5f, 2), std::pair(-0.5f, 0), std::pair(-1.5f, -2),
        std::pair(2.4f, 2), std::pair(2.6f, 3), std::pair(-2.6f, -3)}) {
    EXPECT_EQ(snap(x), nearest);
    EXPECT_EQ(round_to_int(x), nearest);
  }
  EXPECT_EQ(snap(0x1.8p50f), std::int64_t{3} << 49);
}

TEST(Lattice, AVertexTooFarAwayOrBrokenIsNotPlaced) {
  const Grid grid{{{0, 0, 0}, {1024, 1024, 1024}}, Axis::z, 1024, 1024};  // a cell of 1: scale 1024
  const Lattice lattice = make_lattice(grid);
  const float limit = 0x1p50f;  // of a coordinate: the lattice coordinate is then 2^60
  LatticeVertex vertex{1, 2, 3};
  for (int k = 0; k < 2; ++k)
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 p{1, 2, 3};
      p[k] = sign * limit;
      EXPECT_FALSE(place(p, grid, lattice, vertex));
      p[k] = sign * std::nextafter(limit, 0.0f);
      EXPECT_TRUE(place(p, grid, lattice, vertex));
    }
  for (int k = 0; k < 3; ++k)
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 p{1, 2, 3};
      p[k] = sign * kMaxCoordinate;
      EXPECT_TRUE(usable(p));
      p[k] = sign * std::nextafter(kMaxCoordinate, INFINITY);
      EXPECT_FALSE(usable(p));
      EXPECT_FALSE(place(p, grid, lattice, vertex));
      p[k] = NAN;
      EXPECT_FALSE(usable(p));
    }
  EXPECT_TRUE(place({1, 2, -0x1p99f}, grid, lattice, vertex)) << "depth has no limit of its own";
  EXPECT_EQ(kMaxCoordinate, 0x1p100f);
}

TEST(Window, SharesAndUnitesCells) {
  const auto has = [](const Window& w, std::uint32_t u, std::uint32_t v) {
    return w.first_u <= u && u < w.end_u && w.first_v <= v && v < w.end_v;
  };
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Window windows[2];
    for (Window& w : windows) w = {random.below(4), random.below(4), random.below(5), random.below(5)};
    const auto& [a, b] = windows;
    bool any_a = false, any_b = false, shared = false;
    Window around{9, 9, 0, 0};
    for (std::uint32_t u = 0; u < 5; ++u)
      for (std::uint32_t v = 0; v < 5; ++v) {
        any_a = any_a || has(a, u, v);
        any_b = any_b || has(b, u, v);
        shared = shared || (has(a, u, v) && has(b, u, v));
        if (has(a, u, v) || has(b, u, v))
          around = {std::min(around.first_u, u), std::min(around.first_v, v), std::max(around.end_u, u + 1),
                    std::max(around.end_v, v + 1)};
      }
    EXPECT_EQ(a.empty(), !any_a);
    if (any_a && any_b) {
      EXPECT_EQ(overlap(a, b), shared);
    }
    if (any_a || any_b) {
      EXPECT_EQ(unite(a, b), around);
    } else {
      EXPECT_TRUE(unite(a, b).empty());
    }
  }
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 3, 5};
  EXPECT_EQ(whole(grid), (Window{0, 0, 3, 5}));
}

TEST(Rows, DivisionRoundsDown) {
  for (int n = -20; n <= 20; ++n)
    for (int d = 1; d <= 7; ++d) {
      const int expected = static_cast<int>(std::floor(static_cast<double>(n) / d));
      EXPECT_EQ(floor_div<std::int64_t>(n, d), expected);
      EXPECT_EQ(static_cast<int>(floor_div<Wide>(n, d)), expected);
    }
}

/// With 64 bits that matter and one below them: rounding twice would give another double.
TEST(Rows, WideIntegersBecomeTheNearestDouble) {
  for (const int sign : {-1, 1}) {
    for (const std::int64_t x : {0ll, 1ll, 5ll, (1ll << 53) + 1, (1ll << 62) + 12345})
      EXPECT_EQ(to_double<Wide>(Wide{x} * sign), static_cast<double>(x * sign));
    const Wide half = Wide{(std::int64_t{1} << 53) + 1} << 40;  // halfway between two doubles
    EXPECT_EQ(to_double<Wide>(half * sign), sign * 0x1p93);
    EXPECT_EQ(to_double<Wide>((half + 1) * sign), sign * 0x1.0000000000001p93);
    EXPECT_EQ(to_double<Wide>((half - 1) * sign), sign * 0x1p93);
    EXPECT_EQ(to_double<Wide>((Wide{3} << 100) * sign), sign * 0x1.8p101);
  }
}

TEST(Rows, SamplesBeforeACoordinateAreCountedWithinTheWindow) {
  for (std::int64_t x = -3000; x < 9000; x += 1) {
    std::int64_t before = 0;
    for (std::int64_t i = 0; i < 12; ++i) before += (i + 1) * 1024 < x ? 1 : 0;
    EXPECT_EQ(samples_before(x, 0, 12), before) << x;
    EXPECT_EQ(samples_before(x, 2, 5), std::clamp<std::int64_t>(before, 2, 5)) << x;
  }
}

TEST(Rows, NearCornersHaveAllCoordinatesBelowTwoToThe30) {
  const std::int64_t limit = std::int64_t{1} << 30;
  for (int corner = 0; corner < 3; ++corner)
    for (const std::int64_t sign : {-1, 1}) {
      LatticeVertex corners[3];
      for (auto part : {&LatticeVertex::u, &LatticeVertex::v}) {
        corners[corner].*part = sign * limit;
        EXPECT_FALSE(is_near(corners));
        corners[corner].*part = sign * (limit - 1);
        EXPECT_TRUE(is_near(corners));
      }
    }
}

/// Twice the area of p, q and a sample that is moved by (e, e^2): its sign.
int side(const LatticeVertex& p, const LatticeVertex& q, std::int64_t u, std::int64_t v) {
  const std::int64_t du = q.u - p.u, dv = q.v - p.v, value = du * (v - p.v) - dv * (u - p.u);
  for (const std::int64_t x : {value, -dv, du})
    if (x != 0) return x > 0 ? 1 : -1;
  return 0;
}

/// Corners now and then exactly on samples, or in line with them.
LatticeVertex random_corner(Random& random) {
  const auto at = [&]() -> std::int64_t {
    const std::int64_t cell = static_cast<std::int64_t>(random.below(12)) - 2;
    return cell * 1024 + (random.below(2) == 0 ? 0 : static_cast<std::int64_t>(random.below(1024)));
  };
  return {at(), at(), random.uniform(0, 4)};
}

template <class Int>
void expect_rows(const LatticeVertex (&corners)[3], const Window& window, std::uint32_t columns) {
  RowTriangle<Int> rows;
  const auto& [a, b, c] = corners;
  const std::int64_t area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  ASSERT_EQ(set_up_rows(corners, window, rows), area != 0);
  if (area == 0) return;
  EXPECT_EQ(rows.depth.entry, area < 0);
  EXPECT_EQ(rows.depth.low, std::min({a.depth, b.depth, c.depth}));
  EXPECT_EQ(rows.depth.high, std::max({a.depth, b.depth, c.depth}));
  EXPECT_EQ(rows.depth.z0, a.depth);
  std::vector<int> covered(std::size_t{8} * 8), expected(covered.size());
  const int turn = area > 0 ? 1 : -1;
  for (std::uint32_t v = window.first_v; v < window.end_v; ++v)
    for (std::uint32_t u = window.first_u; u < window.end_u; ++u) {
      const std::int64_t su = (u + 1) * 1024, sv = (v + 1) * 1024;
      if (side(a, b, su, sv) == turn && side(b, c, su, sv) == turn && side(c, a, su, sv) == turn)
        expected[v * columns + u] = 1;
    }
  for (std::int64_t row = rows.first_row; row < rows.last_row; ++row) {
    RowSpan span;
    if (!rows.row(row, columns, span)) continue;
    EXPECT_GT(span.count, 0u);
    for (std::uint32_t i = 0; i < span.count; ++i) {
      const std::uint32_t column = span.first_column + i;
      ++covered.at(column);
      EXPECT_EQ(column / columns, row);
      const double u = (column % columns + 1) * 1024.0, v = (column / columns + 1) * 1024.0;
      // The plane through the corners, by Cramer's rule.
      const auto weight = [&](const LatticeVertex& p, const LatticeVertex& q) {
        return ((q.u - p.u) * (v - p.v) - (q.v - p.v) * (u - p.u)) / static_cast<double>(area);
      };
      const double depth = a.depth * weight(b, c) + b.depth * weight(c, a) + c.depth * weight(a, b);
      const double b1 = span.b1 + static_cast<double>(span.b1_step) * i,
                   b2 = span.b2 + static_cast<double>(span.b2_step) * i;
      EXPECT_NEAR(rows.depth.z0 + b1 * rows.depth.dz1 + b2 * rows.depth.dz2, depth, 1e-4);
    }
  }
  EXPECT_EQ(covered, expected);
}

TEST(Rows, CoverTheSamplesInsideAndTheirDepthsAreThoseOfThePlane) {
  Random random(2);
  for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const LatticeVertex corners[3] = {random_corner(random), random_corner(random), random_corner(random)};
    Window window{0, 0, 8, 8};
    if (random.below(2) == 0) window = {random.below(4), random.below(4), 4 + random.below(5), 4 + random.below(5)};
    expect_rows<std::int64_t>(corners, window, 8);
    expect_rows<Wide>(corners, window, 8);
  }
}

bool same(const RowSpan& a, const RowSpan& b) {
  return a.first_column == b.first_column && a.count == b.count && a.b1 == b.b1 && a.b2 == b.b2 &&
         a.b1_step == b.b1_step && a.b2_step == b.b2_step;
}

template <class Int>
void expect_same_walk(const LatticeVertex (&corners)[3], const Window& window, std::uint32_t skipped) {
  RowTriangle<Int> rows;
  if (!set_up_rows(corners, window, rows) || rows.first_row + skipped >= rows.last_row) return;
  RowWalk<Int> walk(rows, rows.first_row + skipped);
  for (std::int64_t row = rows.first_row + skipped; row < rows.last_row; ++row) {
    RowSpan direct{}, walked{};
    const bool covers = rows.row(row, window.end_u, direct);
    ASSERT_EQ(walk.next(window.end_u, walked), covers) << "row " << row;
    EXPECT_TRUE(same(direct, walked)) << "row " << row;
  }
}

TEST(Rows, OneAfterTheOtherAreThoseThatAreAskedForOneByOne) {
  Random random(3);
  constexpr Window kWindow{0, 0, 300, 300};
  const auto far_corner = [&](std::int64_t reach) -> LatticeVertex {
    const auto at = [&] {
      return static_cast<std::int64_t>((random.uniform(0, 2) - 1) * static_cast<float>(reach)) +
             static_cast<std::int64_t>(random.below(1024));
    };
    return {at(), at(), random.uniform(0, 4)};
  };
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const std::int64_t reach = std::int64_t{1} << (12 + random.below(18));  // below 2^30, where 64 bits are enough
    const LatticeVertex corners[3] = {far_corner(reach), far_corner(reach), far_corner(reach)};
    const std::uint32_t skipped = random.below(2) == 0 ? 0 : random.below(40);
    expect_same_walk<std::int64_t>(corners, kWindow, skipped);
    expect_same_walk<Wide>(corners, kWindow, skipped);
    const std::int64_t beyond = std::int64_t{1} << (31 + random.below(20));
    const LatticeVertex remote[3] = {far_corner(reach), far_corner(beyond), far_corner(beyond)};
    expect_same_walk<Wide>(remote, kWindow, skipped);
  }
}

}  // namespace
}  // namespace lamella
