// The queries on LDIs against brute force, column by column, with every field of the answer.

#include "query/ldi_queries.hpp"

#include <gtest/gtest.h>

#include "query/random_ldi.hpp"
#include "support/errors.hpp"

namespace lamella {

std::ostream& operator<<(std::ostream& out, const Span& s) {
  return out << s.column << ": " << s.begin << " to " << s.end;
}

namespace {

using test::Interval;
using test::Intervals;
using test::is_open;
using test::Random;
using test::winding_between;

constexpr float kThicknesses[] = {0, test::kThin, 1.0f / 16, 2.0f / 16};

/// The sums over spans, as their descriptions say.
void expect_sums(const Overlap& got, const Grid& grid) {
  double length = 0, u = 0, v = 0, w = 0;
  Aabb bounds;
  for (const Span& s : got.spans) {
    const double l = static_cast<double>(s.end) - s.begin;
    const Vec3d middle = sample_position(grid, s.column, (static_cast<double>(s.begin) + s.end) / 2);
    length += l;
    u += l * middle[grid.u()];
    v += l * middle[grid.v()];
    w += l * middle[grid.w()];
    for (const double side : {-0.5, 0.5}) {
      Vec3d corner = sample_position(grid, s.column, side < 0 ? s.begin : s.end);
      corner[grid.u()] += side * grid.cell_u();
      corner[grid.v()] += side * grid.cell_v();
      bounds = extend(bounds, to_float(corner));
    }
  }
  EXPECT_EQ(got.volume, length * grid.cell_u() * grid.cell_v());
  EXPECT_EQ(got.bounds, bounds);
  if (length == 0) {
    EXPECT_EQ(got.centroid, Vec3d{});
    return;
  }
  EXPECT_NEAR(got.centroid[grid.u()], u / length, 1e-9);
  EXPECT_NEAR(got.centroid[grid.v()], v / length, 1e-9);
  EXPECT_NEAR(got.centroid[grid.w()], w / length, 1e-9);
}

/// Spans and health of an answer, as brute force finds them.
struct Expected {
  std::vector<Span> spans, inside_out;
  Health health;

  void add(std::vector<Span>& to, std::uint32_t column, const Intervals& intervals) {
    for (const Interval& i : intervals) to.push_back({column, i.begin, i.end});
  }
  void expect_equal(const Overlap& got, const Grid& grid) const {
    EXPECT_EQ(got.grid, grid);
    EXPECT_EQ(got.spans, spans);
    EXPECT_EQ(got.health.open_columns, health.open_columns);
    EXPECT_EQ(got.health.occupied_columns, health.occupied_columns);
    EXPECT_EQ(got.health.inside_out_columns, health.inside_out_columns);
    EXPECT_EQ(got.health.skipped_triangles, health.skipped_triangles);
    EXPECT_EQ(got.health.dropped_crossings, health.dropped_crossings);
    EXPECT_EQ(got.health.untrusted_volume, health.open_columns * grid.cell_u() * grid.cell_v() * grid.depth());
    EXPECT_EQ(got.health.untrusted_points, 0u);
    expect_sums(got, grid);
  }
};

Expected brute_force(const Ldi& a, const Ldi& b, float min_thickness) {
  Expected expected;
  const float depth = a.grid.depth(), thickness = min_thickness * depth;
  for (std::uint32_t i = 0; i < a.grid.column_count(); ++i) {
    const auto column_a = a.column(i), column_b = b.column(i);
    if (column_a.empty() && column_b.empty()) continue;
    ++expected.health.occupied_columns;
    if (is_open(column_a, a.outside) || is_open(column_b, b.outside)) {
      ++expected.health.open_columns;
      continue;
    }
    if (column_a.empty() || column_b.empty()) continue;  // nothing shared; inside out is not looked for
    const Intervals pieces = test::pieces({column_a, column_b}, depth);
    const auto windings = [&](const Interval& piece) {
      return std::pair(winding_between(column_a, a.outside, piece), winding_between(column_b, b.outside, piece));
    };
    expected.add(expected.spans, i, joined(pieces, thickness, [&](const Interval& piece) {
                   const auto [wa, wb] = windings(piece);
                   return wa > 0 && wb > 0;
                 }));
    expected.health.inside_out_columns += std::any_of(pieces.begin(), pieces.end(), [&](const Interval& piece) {
      const auto [wa, wb] = windings(piece);
      return (wa < 0 || wb < 0) && piece.end - piece.begin > thickness;
    });
  }
  expected.health.skipped_triangles = a.skipped_triangles + b.skipped_triangles;
  expected.health.dropped_crossings = a.dropped_crossings + b.dropped_crossings;
  return expected;
}

Expected brute_force(const Ldi& ldi, float min_thickness) {
  Expected expected;
  const float depth = ldi.grid.depth(), thickness = min_thickness * depth;
  for (std::uint32_t i = 0; i < ldi.grid.column_count(); ++i) {
    const auto column = ldi.column(i);
    if (column.empty()) continue;
    ++expected.health.occupied_columns;
    if (is_open(column, ldi.outside)) {
      ++expected.health.open_columns;
      continue;
    }
    const Intervals pieces = test::pieces({column}, depth);
    const auto where = [&](const auto& accepts) {
      return joined(pieces, thickness,
                    [&](const Interval& piece) { return accepts(winding_between(column, ldi.outside, piece)); });
    };
    expected.add(expected.spans, i, where([](int winding) { return winding > 1; }));
    const Intervals inside_out = where([](int winding) { return winding < 0; });
    expected.add(expected.inside_out, i, inside_out);
    expected.health.inside_out_columns += inside_out.empty() ? 0 : 1;
  }
  expected.health.skipped_triangles = ldi.skipped_triangles;
  expected.health.dropped_crossings = ldi.dropped_crossings;
  return expected;
}

/// A small grid, one of several chunks, or one with a row longer than a chunk.
Grid any_grid(Random& random, std::uint32_t seed) {
  if (seed % 64 == 0) return exact_grid(random, 70, 100);
  if (seed % 64 == 32) return exact_grid(random, 4099, 3);
  return test::exact_grid(random);
}

TEST(LdiQueries, ThePairsSpansSumsAndHealthAreThoseOfBruteForce) {
  QueryScratch scratch;  // one for all: what one query leaves must not show in the next
  Overlap out;
  out.engine = "kept";
  out.ms.ldi = 5;
  std::size_t spans = 0, inside_out = 0, open = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = any_grid(random, seed);
    Ldi a = random_ldi(random, grid), b = random_ldi(random, grid);
    a.alternating = random.below(4) == 0;
    b.alternating = random.below(4) == 0;
    const float thickness = kThicknesses[random.below(4)];
    Workers workers(1 + random.below(3));
    const Expected expected = brute_force(a, b, thickness);
    intersect(a, b, thickness, workers, scratch, out);
    expected.expect_equal(out, grid);
    EXPECT_EQ(out.alternating, a.alternating || b.alternating);
    Overlap mirrored;
    intersect(b, a, thickness, mirrored);
    expected.expect_equal(mirrored, grid);
    EXPECT_EQ(mirrored.alternating, out.alternating);
    if (HasFailure()) return;
    spans += out.spans.size();
    inside_out += out.health.inside_out_columns;
    open += out.health.open_columns;
  }
  EXPECT_EQ(out.engine, "kept");
  EXPECT_EQ(out.ms.ldi, 5);
  EXPECT_GT(spans, 1000u);
  EXPECT_GT(inside_out, 100u);
  EXPECT_GT(open, 100u);
}

TEST(LdiQueries, TheMeshsOwnSpansSumsAndHealthAreThoseOfBruteForce) {
  QueryScratch scratch;
  SelfOverlap out;
  std::size_t spans = 0, inside_out = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = any_grid(random, seed);
    const Ldi ldi = random_ldi(random, grid);
    const float thickness = kThicknesses[random.below(4)];
    Workers workers(1 + random.below(3));
    const Expected expected = brute_force(ldi, thickness);
    SelfOverlap alone;
    self_intersect(ldi, thickness, workers, scratch, out);
    self_intersect(ldi, thickness, alone);
    for (const SelfOverlap* got : {&out, &alone}) {
      expected.expect_equal(*got, grid);
      EXPECT_EQ(got->inside_out, expected.inside_out);
      double length = 0;
      for (const Span& s : expected.inside_out) length += static_cast<double>(s.end) - s.begin;
      EXPECT_EQ(got->inside_out_volume, length * grid.cell_u() * grid.cell_v());
      EXPECT_FALSE(got->alternating);
    }
    if (HasFailure()) return;
    spans += out.spans.size();
    inside_out += out.inside_out.size();
  }
  EXPECT_GT(spans, 1000u);
  EXPECT_GT(inside_out, 1000u);
}

TEST(LdiQueries, AnAlternatingImageCannotShowSelfOverlap) {
  Random random(1);
  Ldi ldi = random_ldi(random, test::exact_grid(random));
  ldi.alternating = true;
  SelfOverlap out;
  const Error error = test::error_of([&] { self_intersect(ldi, 0, out); });
  EXPECT_NE(std::string(error.what()).find("assumed to alternate"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace lamella
