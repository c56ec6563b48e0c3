#include "query/line_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/query.hpp"

namespace lamella {
namespace {

Grid unit_grid(std::uint32_t resolution) { return square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, resolution); }

/// The error of a solid whose height at the middle of cell (u, v) is `height(x, y)`.
template <class Height>
double error_of(std::uint32_t resolution, const Height& height, double* volume = nullptr) {
  const Grid grid = unit_grid(resolution);
  LineSums lines;
  lines.start(grid);
  double sum = 0;
  for (std::uint32_t v = 0; v < resolution; ++v)
    for (std::uint32_t u = 0; u < resolution; ++u) {
      const double h = height((u + 0.5) / resolution, (v + 0.5) / resolution);
      lines.add(u, v, h);
      sum += h * grid.cell_area();
    }
  if (volume != nullptr) *volume = sum;
  return volume_error(grid, lines.facts(), sum, {});
}

TEST(LineSums, AFlatBlockThatFillsItsBoxIsExactButForRounding) {
  const double error = error_of(64, [](double, double) { return 0.5; });
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 1e-6);
}

// Classes of 33 and of 32 lines must not look like an error, whether the solid reaches the grid's ends or not.
TEST(LineSums, AnyNumberOfLinesWillDo) {
  const auto dome = [](double x, double y) {
    const double r = std::hypot(x - 0.5, y - 0.5);
    return r < 0.4 ? std::cos(r / 0.4 * M_PI) + 1 : 0.0;
  };
  for (const std::uint32_t resolution : {128u, 129u, 130u, 131u, 132u}) {
    EXPECT_LT(error_of(resolution, [](double, double) { return 0.5; }), 1e-6) << resolution;
    EXPECT_LT(error_of(resolution, dome), 1e-5) << resolution;
  }
}

TEST(LineSums, NothingHasNoError) {
  EXPECT_EQ(error_of(64, [](double, double) { return 0.0; }), 0);
}

TEST(LineSums, TooFewLinesCannotTell) {
  double volume = 0;
  EXPECT_EQ(error_of(
                7, [](double, double) { return 0.5; }, &volume),
            volume);
}

// All of a line is inside or outside at once; whether the number of lines inside is even or a multiple of four must not
// hide it.
TEST(LineSums, AFaceAlongTheLinesIsSeenWhereverItIs) {
  int within = 0, all = 0;
  for (int i = 0; i < 400; ++i) {
    const double edge = 0.3 + 0.4 * i / 400;
    for (const bool along_u : {true, false}) {
      double volume = 0;
      const double error = error_of(
          64, [&](double x, double y) { return (along_u ? x : y) < edge ? 0.5 : 0.0; }, &volume);
      EXPECT_GE(error, 0.4 * 0.5 / 64) << "edge at " << edge;
      EXPECT_LE(error, 1.0 / 64) << "edge at " << edge;
      within += std::abs(volume - 0.5 * edge) <= error ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GE(within, all * 95 / 100);
}

TEST(LineSums, AHillsErrorFallsAsTheGridGetsFiner) {
  const auto ball = [](double x, double y) {
    const double r2 = 0.16 - (x - 0.5) * (x - 0.5) - (y - 0.5) * (y - 0.5);
    return r2 > 0 ? std::sqrt(r2) : 0.0;
  };
  const double exact = 2.0 / 3 * M_PI * 0.064;
  double before = 1;
  for (const std::uint32_t resolution : {32u, 64u, 128u, 256u, 512u}) {
    double volume = 0;
    const double error = error_of(resolution, ball, &volume);
    EXPECT_LE(std::abs(volume - exact), 2 * error) << resolution;
    EXPECT_LT(error, before / 2) << resolution;
    before = error;
  }
}

TEST(LineSums, SpansAndPartsAddUpToTheSame) {
  const Grid grid = unit_grid(32);
  LineSums whole, parts[2], spans;
  for (LineSums* l : {&whole, &parts[0], &parts[1], &spans}) l->start(grid);
  std::vector<Span> list;
  for (std::uint32_t column = 0; column < grid.column_count(); column += 3) {
    const float length = static_cast<float>(column % 7 + 1) / 16;
    whole.add(column % 32, column / 32, length);
    parts[column % 2].add(column % 32, column / 32, length);
    list.push_back({column, 0.125f, 0.125f + length});
  }
  parts[0].add(parts[1]);
  spans.add(list);
  const LineFacts expected = whole.facts();
  for (const LineSums* l : {&parts[0], &spans}) {
    const LineFacts facts = l->facts();
    for (std::size_t k = 0; k < std::size(facts.classes); ++k) EXPECT_EQ(facts.classes[k], expected.classes[k]);
    EXPECT_EQ(facts.squared_steps, expected.squared_steps);
  }
}

}  // namespace
}  // namespace lamella
