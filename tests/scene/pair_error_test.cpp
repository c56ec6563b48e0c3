// Error bars of pairs: by the lines around their spans alone, and the same as by all lines of the grid.

#include "scene/pair_error.hpp"

#include <gtest/gtest.h>

#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "query/line_sums.hpp"
#include "scene/random_scenes.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::Random;

Grid grid_of(std::uint32_t columns, std::uint32_t rows) {
  return {
      {{0, 0, 0}, {0.25f * static_cast<float>(columns), 0.5f * static_cast<float>(rows), 8}}, Axis::z, columns, rows};
}

/// Spans in a window of the grid, some columns with none and some with two.
std::vector<PairSpan> random_spans(Random& random, const Grid& grid, std::uint32_t u, std::uint32_t v,
                                   std::uint32_t width, std::uint32_t height) {
  std::vector<PairSpan> spans;
  for (std::uint32_t row = v; row < v + height; ++row)
    for (std::uint32_t column = u; column < u + width; ++column)
      for (std::uint32_t n = random.below(3); n > 0; --n) {
        PairSpan s;
        s.column = row * grid.columns + column;
        s.length = random.uniform(0.1f, 3);
        spans.push_back(s);
      }
  return spans;
}

double volume_of(const Grid& grid, std::span<const PairSpan> spans) {
  double length = 0;
  for (const PairSpan& s : spans) length += static_cast<double>(s.length);
  return length * grid.cell_area();
}

/// By all lines of the grid.
double error_by_all_lines(const Grid& grid, std::span<const PairSpan> spans) {
  LineSums lines;
  lines.start(grid);
  for (const PairSpan& s : spans)
    lines.add(s.column % grid.columns, s.column / grid.columns, static_cast<double>(s.length));
  return volume_error(grid, lines.facts(), volume_of(grid, spans), {});  // spans here have no depth
}

TEST(PairErrors, OneSpanIsUncertainByAboutItself) {
  const Grid grid = grid_of(64, 64);
  PairSpan s;
  s.column = 20 * 64 + 30;
  s.length = 2;
  PairErrors errors;
  const double volume = 2 * grid.cell_area(), error = errors.error_of(grid, {&s, 1}, volume);
  EXPECT_NEAR(error, error_by_all_lines(grid, {&s, 1}), 1e-12 * error);
  EXPECT_GT(error, 0.1 * volume);
  EXPECT_EQ(errors.error_of(grid, {}, 0), 0);
}

TEST(PairErrors, AGridTooSmallForClassesSaysNothing) {
  PairSpan s;
  s.length = 2;
  PairErrors errors;
  for (const Grid& grid : {grid_of(7, 64), grid_of(64, 7), grid_of(1, 1)})
    EXPECT_EQ(errors.error_of(grid, {&s, 1}, 2 * grid.cell_area()), 2 * grid.cell_area());
}

TEST(PairErrors, LinesAroundTheSpansSayWhatAllLinesSay) {
  Random random(11);
  PairErrors errors;
  int at_border = 0;
  for (int round = 0; round < 400; ++round) {
    const Grid grid = grid_of(4 * (3 + random.below(40)), 4 * (3 + random.below(40)));
    const std::uint32_t width = 1 + random.below(std::min(grid.columns, 1 + random.below(40)));
    const std::uint32_t height = 1 + random.below(std::min(grid.rows, 1 + random.below(40)));
    const std::uint32_t u = random.below(grid.columns - width + 1), v = random.below(grid.rows - height + 1);
    const auto spans = random_spans(random, grid, u, v, width, height);
    if (spans.empty()) continue;
    const double expected = error_by_all_lines(grid, spans);
    EXPECT_NEAR(errors.error_of(grid, spans, volume_of(grid, spans)), expected, 1e-12 * expected)
        << width << " x " << height << " at " << u << ", " << v << " of " << grid.columns << " x " << grid.rows;
    at_border += u == 0 || u + width == grid.columns ? 1 : 0;
  }
  EXPECT_GT(at_border, 20);
}

/// A box whose sides are parallel to the grid: whole lines are inside or outside. In a grid of any size.
TEST(PairErrors, StepsCountWhereverTheWindowIs) {
  PairErrors errors;
  for (const std::uint32_t columns : {41u, 64u, 1001u})
    for (const std::uint32_t u : {0u, 1u, 5u, 21u, 25u}) {
      const Grid grid = grid_of(columns, 64);
      std::vector<PairSpan> spans;
      for (std::uint32_t row = 8; row < 24; ++row)
        for (std::uint32_t column = u; column < u + 16; ++column) {
          spans.emplace_back();
          spans.back().column = row * columns + column;
          spans.back().length = 1;
        }
      const double volume = volume_of(grid, spans), error = errors.error_of(grid, spans, volume);
      // A side within the grid makes a step of a line, which is off by half of itself or less: there are up to four.
      EXPECT_GT(error, 0.5 * volume / 16) << columns << ' ' << u;
      EXPECT_LT(error, 2 * volume / 16) << columns << ' ' << u;
    }
}

TEST(PairErrors, ASharedGridBoundsTheTrueErrorMostOfTheTime) {
  const double radius = 0.5;
  int bounded = 0, all = 0;
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    Scene scene({.engine = "software", .cell = 0.04f, .threads = 1, .points = false, .max_contacts = 0});
    const Mesh ball = test::round_sphere(64, 128, static_cast<float>(radius));
    const Vec3 p = random.in({{-3, -3, -3}, {3, 3, 3}});
    const double apart = 0.5;
    (void)scene.add(ball, {to_double(p), {}});
    (void)scene.add(ball, {to_double(p) + Vec3d{apart, 0, 0}, {}});
    const ScenePair& pair = scene.collide().pairs.at(0);
    const Overlap fine =
        intersect(transformed(ball, {to_double(p), {}}), transformed(ball, {to_double(p) + Vec3d{apart, 0, 0}, {}}),
                  {.engine = "software", .resolution = 512, .threads = 1});
    ++all;
    bounded += std::abs(*pair.volume - fine.volume) <= *pair.volume_error ? 1 : 0;
    EXPECT_LT(*pair.volume_error, 0.05 * *pair.volume);
  }
  EXPECT_GE(bounded, all * 8 / 10);
}

}  // namespace
}  // namespace lamella
