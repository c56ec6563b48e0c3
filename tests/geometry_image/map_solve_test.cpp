#include <gtest/gtest.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/map_descent.hpp"
#include "geometry_image/make/map_elimination.hpp"
#include "geometry_image/make/map_repair.hpp"
#include "geometry_image/make/map_weights.hpp"
#include "geometry_image/map_discs.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using gi::Disc;
using gi::MapWeights;
using gi::Vec2d;

/// The largest difference of a coordinate.
double difference(const std::vector<Vec2d>& a, const std::vector<Vec2d>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max({most, std::abs(a[i].x - b[i].x), std::abs(a[i].y - b[i].y)});
  return most;
}

/// What the descent lowers: stretch from the square to the surface, and back.
double both_ways(const Disc& disc) {
  const auto areas = [&](const Triangle& t) {
    const Vec3d a = disc.positions[t.a], normal = cross(disc.positions[t.b] - a, disc.positions[t.c] - a);
    const Vec2d p = disc.map[t.a], q = disc.map[t.b], r = disc.map[t.c];
    return std::pair(std::sqrt(dot(normal, normal)) / 2, ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / 2);
  };
  double total = 0, sum = 0;
  for (const Triangle& t : disc.triangles) total += areas(t).first;
  const gi::Stretch stretch = gi::stretch_of(disc);
  for (std::size_t i = 0; i < disc.triangles.size(); ++i) {
    const auto [surface, map] = areas(disc.triangles[i]);
    const double back = total * map / surface;
    sum += surface * stretch.triangles[i] * stretch.triangles[i] * (1 + back * back);
  }
  return sum / total;
}

bool same_bits(const std::vector<Vec2d>& a, const std::vector<Vec2d>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Vec2d p, Vec2d q) { return p.x == q.x && p.y == q.y; });
}

/// The same equations by Eigen's general solver.
std::vector<Vec2d> solved_by_eigen(const Disc& disc, const MapWeights& weights) {
  const auto size = static_cast<Eigen::Index>(disc.positions.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX2d right = Eigen::MatrixX2d::Zero(size, 2);
  for (Eigen::Index v = 0; v < size; ++v) {
    const auto row = static_cast<std::size_t>(v);
    entries.emplace_back(v, v, 1.0);
    for (std::size_t i = weights.start[row]; i < weights.start[row + 1]; ++i)
      entries.emplace_back(v, weights.neighbour[i], -weights.weight[i]);
    if (weights.start[row] == weights.start[row + 1]) right.row(v) << disc.map[row].x, disc.map[row].y;
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(matrix);
  const Eigen::MatrixX2d solution = solver.solve(right);
  std::vector<Vec2d> map;
  for (Eigen::Index v = 0; v < size; ++v) map.push_back({solution(v, 0), solution(v, 1)});
  return map;
}

TEST(SolveMap, OneInteriorVertexIsInTheMiddleOfARegularFan) {
  Disc disc = square_disc(2);
  disc.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 5, 4}, {5, 8, 4}, {8, 7, 4}, {7, 6, 4}, {6, 3, 4}, {3, 0, 4}};
  disc.map[4] = {0.1, 0.9};
  gi::solve_map(disc, {});
  EXPECT_DOUBLE_EQ(disc.map[4].x, 0.5);
  EXPECT_DOUBLE_EQ(disc.map[4].y, 0.5);
}

TEST(SolveMap, ADiscWithoutInteriorVerticesStaysAsItIs) {
  Disc disc = square_disc(1);
  const std::vector<Vec2d> before = disc.map;
  gi::solve_map(disc, {.relax_steps = 3});
  EXPECT_TRUE(same_bits(disc.map, before));
}

TEST(SolveMap, MeanValueWeightsMapAFlatDiscToItself) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    // 0.2 cells: no triangle of the plane is turned over.
    Disc disc = rough_disc(20, 0.2, 0.0, seed);
    gi::solve_map(disc, {});
    std::vector<Vec2d> plane;
    for (const Vec3d& p : disc.positions) plane.push_back({p.x, p.y});
    EXPECT_LT(difference(disc.map, plane), 1e-13);
    EXPECT_NEAR(gi::stretch_of(disc).total, 1, 1e-12);
  }
}

TEST(SolveMap, AgreesWithEigensSparseLU) {
  for (const std::uint32_t cells : {3u, 10u, 40u}) {
    Disc disc = rough_disc(cells, 0.3, 0.2, cells);
    const MapWeights weights = gi::mean_value_weights(disc);
    gi::MapElimination(disc, weights).solve(weights, disc.map);
    EXPECT_LT(difference(disc.map, solved_by_eigen(disc, weights)), 1e-12);
  }
}

TEST(SolveMap, EveryInteriorVertexIsTheMeanOfItsNeighboursToRounding) {
  Disc disc = rough_disc(60, 0.3, 0.5, 5);
  const MapWeights weights = gi::mean_value_weights(disc);
  gi::MapElimination(disc, weights).solve(weights, disc.map);
  for (std::size_t v = 0; v < disc.positions.size(); ++v) {
    if (weights.start[v] == weights.start[v + 1]) continue;
    Vec2d mean;
    for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i) {
      mean.x += weights.weight[i] * disc.map[weights.neighbour[i]].x;
      mean.y += weights.weight[i] * disc.map[weights.neighbour[i]].y;
    }
    ASSERT_NEAR(disc.map[v].x, mean.x, 2e-15);
    ASSERT_NEAR(disc.map[v].y, mean.y, 2e-15);
  }
}

TEST(SolveMap, RandomDiscsAreNeverTurnedOver) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const double shift = 0.1 * (seed % 12), height = seed % 3 == 0 ? 3.0 : 0.05 * (seed % 7);
    Disc disc = rough_disc(2 + seed % 17, shift, height, seed);
    for (const int steps : {0, 3}) {
      gi::solve_map(disc, {.relax_steps = steps});
      ASSERT_TRUE(gi::flipped_triangles(disc).empty()) << "seed " << seed << ", steps " << steps;
    }
  }
}

TEST(SolveMap, TrianglesOfTheSizeOfAFewRoundingsAreNotTurnedOver) {
  Disc disc = tube_disc(32, 32);
  gi::solve_map(disc, {});
  const std::size_t tip = disc.positions.size() - 1;
  EXPECT_LT(std::abs(disc.map[tip].x - disc.map[tip - 1].x), 1e-13);
  EXPECT_TRUE(gi::flipped_triangles(disc).empty());
}

TEST(SolveMap, SomeOfWhatRoundingTurnsOverIsRepaired) {
  Disc disc = tube_disc(38, 32), repaired = disc;
  const MapWeights weights = gi::mean_value_weights(disc);
  gi::MapElimination(disc, weights).solve(weights, disc.map);
  gi::solve_map(repaired, {});
  EXPECT_GT(gi::flipped_triangles(disc).size(), 0u);
  EXPECT_LT(gi::flipped_triangles(repaired).size(), gi::flipped_triangles(disc).size());
}

TEST(SolveMap, RelaxationUnfoldsWhatThePlainMapLosesToRounding) {
  Disc disc = tube_disc(42, 24);
  gi::solve_map(disc, {});
  EXPECT_FALSE(gi::flipped_triangles(disc).empty());
  gi::solve_map(disc, {.relax_steps = 10});
  EXPECT_TRUE(gi::flipped_triangles(disc).empty());
  EXPECT_LT(gi::stretch_of(disc).total, 1000);  // above 1e15 were the plain map exact
}

TEST(SolveMap, MoreStepsOfRelaxationLowerTheStretchThereAndBack) {
  for (const bool tube : {false, true}) {
    Disc disc = tube ? tube_disc(6, 24) : rough_disc(30, 0.3, 0.1, 3);
    double last = std::numeric_limits<double>::infinity();
    for (const int steps : {0, 1, 4}) {
      gi::solve_map(disc, {.relax_steps = steps});
      const double total = both_ways(disc);
      EXPECT_LT(total, last) << steps;
      EXPECT_TRUE(gi::flipped_triangles(disc).empty());
      last = total;
    }
    EXPECT_GE(gi::stretch_of(disc).total, 1);
    EXPECT_LT(gi::stretch_of(disc).total, 2);
  }
}

TEST(SolveMap, TrianglesWithoutAreaLeadToNoBrokenNumber) {
  for (int kind = 0; kind < 4; ++kind) {
    Disc disc = rough_disc(12, 0.3, 0.2, 9);
    for (std::size_t v = 0; v < disc.positions.size(); ++v) {
      if (on_border(disc, v)) continue;
      Vec3d& p = disc.positions[v];
      if (kind == 0 && v % 3 != 0) p = disc.positions[v - 1];  // edges without length
      if (kind == 1) p = {p.x, 0.5, 0};                        // a line
      if (kind == 2) p = {0.5, 0.5, 0};                        // a point
      if (kind == 3) p = p * (v % 2 == 0 ? 1e-200 : 1e150);    // squares that under- and overflow
    }
    const MapWeights weights = gi::mean_value_weights(disc);
    for (const double w : weights.weight) ASSERT_TRUE(w > 0 && w <= 1) << kind;
    gi::solve_map(disc, {.relax_steps = 2});
    for (const Vec2d& p : disc.map) ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1) << kind;
    EXPECT_TRUE(gi::flipped_triangles(disc).empty()) << kind;
  }
}

TEST(SolveMap, APartThatIsNotConnectedToTheBoundaryIsAnError) {
  Disc disc = square_disc(3);
  const auto first = static_cast<std::uint32_t>(disc.positions.size());
  disc.positions.insert(disc.positions.end(), {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 2}});
  disc.map.resize(disc.positions.size());
  for (const Triangle& t : {Triangle{0, 2, 1}, Triangle{0, 1, 3}, Triangle{1, 2, 3}, Triangle{2, 0, 3}})
    disc.triangles.push_back({first + t.a, first + t.b, first + t.c});
  EXPECT_THROW(gi::solve_map(disc, {}), Error);
}

TEST(SolveMap, RepairTurnsTrianglesBackByMovingFewVertices) {
  Disc disc = rough_disc(30, 0.3, 0.1, 6);
  gi::solve_map(disc, {});
  const MapWeights weights = gi::mean_value_weights(disc);
  const std::vector<Vec2d> valid = disc.map;
  gi::repair(disc, weights);
  EXPECT_TRUE(same_bits(disc.map, valid)) << "nothing to repair, so nothing may move";
  std::mt19937 random(2);
  int moved = 0;
  for (std::size_t v = 0; v < disc.map.size(); ++v) {
    if (on_border(disc, v) || v % 10 != 0) continue;
    disc.map[v].x += 0.1 * (random_unit(random) - 0.5);
    disc.map[v].y += 0.1 * (random_unit(random) - 0.5);
    ++moved;
  }
  EXPECT_GT(gi::flipped_triangles(disc).size(), 20u);
  gi::repair(disc, weights);
  EXPECT_TRUE(gi::flipped_triangles(disc).empty());
  int differ = 0;
  for (std::size_t v = 0; v < disc.map.size(); ++v)
    differ += disc.map[v].x != valid[v].x || disc.map[v].y != valid[v].y;
  EXPECT_LE(differ, 4 * moved);
}

TEST(SolveMap, DescentNeverRaisesTheStretchThereAndBackNorTurnsATriangleOver) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Disc disc = rough_disc(10, 0.45, 0.4, seed);
    gi::solve_map(disc, {});
    double last = both_ways(disc);
    for (int i = 0; i < 10; ++i) {
      gi::lower_stretch(disc, 1, [](double) {});
      const double total = both_ways(disc);
      ASSERT_LE(total, last * (1 + 1e-12)) << seed;
      ASSERT_TRUE(gi::flipped_triangles(disc).empty()) << seed;
      last = total;
    }
  }
}

TEST(SolveMap, GivesTheSameBitsAtEveryOptimisationLevelAndInstructionSet) {
  Disc disc = rough_disc(25, 0.4, 0.3, 11);
  gi::solve_map(disc, {.relax_steps = 6});
  std::uint64_t hash = 14695981039346656037u;
  for (const Vec2d& p : disc.map)
    for (const double each : {p.x, p.y}) hash = (hash ^ std::bit_cast<std::uint64_t>(each)) * 1099511628211u;
  EXPECT_EQ(hash, 6296511790437497593u);
}

TEST(SolveMap, GivesTheSameBitsEveryTimeAndFromAnyGuess) {
  const Disc disc = rough_disc(40, 0.4, 0.3, 4);
  Disc first = disc, second = disc;
  for (std::size_t v = 0; v < disc.positions.size(); ++v)
    if (!on_border(disc, v)) second.map[v] = {0.25, 0.125};
  gi::solve_map(first, {.relax_steps = 2});
  gi::solve_map(second, {.relax_steps = 2});
  EXPECT_TRUE(same_bits(first.map, second.map));
}

}  // namespace
}  // namespace lamella::test
