// The parts of a map: its weights by formulas of their own, the order of elimination by what it must hold, and golden
// hashes of what has the same bits everywhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "geometry_image/make/map_bulge.hpp"
#include "geometry_image/make/map_descent.hpp"
#include "geometry_image/make/map_dissection.hpp"
#include "geometry_image/make/map_elimination.hpp"
#include "geometry_image/make/map_fans.hpp"
#include "geometry_image/make/map_repair.hpp"
#include "geometry_image/make/map_split.hpp"
#include "geometry_image/make/map_weights.hpp"
#include "geometry_image/map_discs.hpp"

namespace lamella::test {
namespace {

using gi::Disc;
using gi::MapWeights;
using gi::Vec2d;

std::uint64_t hash_of(const std::vector<Vec2d>& map) {
  std::uint64_t hash = 14695981039346656037u;
  for (const Vec2d& p : map)
    for (const double each : {p.x, p.y}) hash = (hash ^ std::bit_cast<std::uint64_t>(each)) * 1099511628211u;
  return hash;
}

std::set<std::uint32_t> boundary_of(const Disc& disc) { return {disc.boundary.begin(), disc.boundary.end()}; }

/// The same disc with interior vertices as its first and its last.
Disc renumbered(Disc disc) {
  const auto last = static_cast<std::uint32_t>(disc.positions.size() - 1), middle = last / 2;
  const auto number = [&](std::uint32_t v) {
    return v == 0 ? middle : v == middle ? 0 : v == last ? middle + 1 : v == middle + 1 ? last : v;
  };
  for (Triangle& t : disc.triangles) t = {number(t.a), number(t.b), number(t.c)};
  for (std::uint32_t& v : disc.boundary) v = number(v);
  std::swap(disc.positions[0], disc.positions[middle]);
  std::swap(disc.positions[last], disc.positions[middle + 1]);
  std::swap(disc.map[0], disc.map[middle]);
  std::swap(disc.map[last], disc.map[middle + 1]);
  return disc;
}

// ---- weights

/// (tan(a / 2) + tan(b / 2)) / length for every directed edge from an interior vertex; tangents within a millionth and
/// a million, lengths at least a millionth of the mean edge.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> plain_weights(const Disc& disc) {
  const std::set<std::uint32_t> boundary = boundary_of(disc);
  double sum = 0;
  for (const Triangle& t : disc.triangles)
    for (int i = 0; i < 3; ++i) sum += length(disc.positions[t[(i + 1) % 3]] - disc.positions[t[i]]);
  const double mean = sum / (3.0 * static_cast<double>(disc.triangles.size())), least = mean > 0 ? 1e-6 * mean : 1;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> weights;
  for (const Triangle& t : disc.triangles)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t v = t[i];
      if (boundary.contains(v)) continue;
      const Vec3d p = disc.positions[v];
      const Vec3d b = disc.positions[t[(i + 1) % 3]] - p, c = disc.positions[t[(i + 2) % 3]] - p;
      // 0.577 where an edge without length has no angle.
      const bool none = length(b) * length(c) == 0;
      const double angle = std::atan2(length(cross(b, c)), dot(b, c));
      const double tangent = none ? 0.577 : std::clamp(std::tan(angle / 2), 1e-6, 1e6);
      weights[{v, t[(i + 1) % 3]}] += tangent / std::max(length(b), least);
      weights[{v, t[(i + 2) % 3]}] += tangent / std::max(length(c), least);
    }
  return weights;
}

/// Shares of at least a billionth of the row's largest, that sum to 1.
void expect_rows(const MapWeights& found, std::map<std::pair<std::uint32_t, std::uint32_t>, double> expected,
                 std::size_t vertices) {
  ASSERT_EQ(found.start.size(), vertices + 1);
  ASSERT_EQ(found.weight.size(), expected.size());
  for (std::uint32_t v = 0; v < vertices; ++v) {
    double most = 0, sum = 0;
    for (auto& [edge, weight] : expected)
      if (edge.first == v) most = std::max(most, weight);
    for (auto& [edge, weight] : expected)
      if (edge.first == v) sum += weight = std::max(weight / most, 1e-9);
    for (std::size_t i = found.start[v]; i < found.start[v + 1]; ++i) {
      const double weight = expected.at({v, found.neighbour[i]}) / sum;
      EXPECT_NEAR(found.weight[i] / weight, 1, 1e-9) << v << " to " << found.neighbour[i];
    }
  }
}

TEST(MapWeights, AreMeanValuesWithinTheirBounds) {
  for (int kind = 0; kind < 4; ++kind) {
    SCOPED_TRACE(kind);
    Disc disc = rough_disc(7, 0.4, 0.3, 31 + static_cast<std::uint32_t>(kind));
    for (std::size_t v = 0; v < disc.positions.size(); ++v) {
      if (on_border(disc, v)) continue;
      Vec3d& p = disc.positions[v];
      if (kind == 1 && v % 3 == 0) p = disc.positions[v - 1];  // edges without length
      if (kind == 2 && v % 5 == 0) p = p * 1e13;               // shares below the least
      if (kind == 3) p = p * 1e-9 + Vec3d{0.3, 0.4, 0};        // lengths below the least
    }
    if (kind == 0) disc = renumbered(disc);
    const MapWeights found = gi::mean_value_weights(disc);
    expect_rows(found, plain_weights(disc), disc.positions.size());
    std::vector<double> divisor;
    for (std::size_t v = 0; v < disc.positions.size(); ++v) divisor.push_back(0.25 + static_cast<double>(v % 7));
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> expected;
    for (std::uint32_t v = 0; v < disc.positions.size(); ++v)
      for (std::size_t i = found.start[v]; i < found.start[v + 1]; ++i)
        expected[{v, found.neighbour[i]}] = found.weight[i] / divisor[found.neighbour[i]];
    expect_rows(gi::divided(found, divisor), expected, disc.positions.size());
  }
}

TEST(MapWeights, AreBoundedAtAnglesNearZeroAndAHalfTurn) {
  const Disc disc{.positions = {{0, 0, 0}, {1, 0, 0}, {2, 1e-7, 0}, {-1, 1e-7, 0}, {0, -1, 0}},
                  .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}},
                  .boundary = {1, 2, 3, 4},
                  .map = std::vector<Vec2d>(5)};
  expect_rows(gi::mean_value_weights(disc), plain_weights(disc), 5);
}

TEST(MapFans, ListTheTrianglesOfEveryInteriorVertex) {
  const Disc disc = renumbered(square_disc(6, 3));
  const gi::Fans fans = gi::fans_of(disc);
  ASSERT_EQ(fans.start.size(), disc.positions.size() + 1);
  const std::set<std::uint32_t> boundary = boundary_of(disc);
  for (std::uint32_t v = 0; v < disc.positions.size(); ++v) {
    std::set<std::array<std::uint32_t, 3>> expected, found;
    for (std::uint32_t k = 0; k < disc.triangles.size(); ++k)
      for (int i = 0; i < 3; ++i) {
        const Triangle t = disc.triangles[k];
        if (t[i] == v && !boundary.contains(v)) expected.insert({t[(i + 1) % 3], t[(i + 2) % 3], k});
      }
    for (std::size_t i = fans.start[v]; i < fans.start[v + 1]; ++i)
      found.insert({fans.sides[i].from, fans.sides[i].to, fans.sides[i].triangle});
    EXPECT_EQ(found, expected);
    EXPECT_EQ(fans.start[v + 1] - fans.start[v], expected.size());
  }
}

// ---- the order of elimination

/// All of [0, count) below a separator: its own vertices, and those of its children, which do not touch each other.
struct Checked {
  std::set<std::uint32_t> vertices;
  std::size_t begin;
};

void expect_dissection(const Disc& disc) {
  const MapWeights weights = gi::mean_value_weights(disc);
  const gi::Dissection dissection = gi::dissect(disc, weights);
  const std::set<std::uint32_t> boundary = boundary_of(disc);
  std::set<std::uint32_t> all(dissection.order.begin(), dissection.order.end());
  EXPECT_EQ(all.size(), disc.positions.size() - boundary.size());
  EXPECT_EQ(dissection.order.size(), all.size());
  for (const std::uint32_t v : all) EXPECT_FALSE(boundary.contains(v));
  std::vector<Checked> waiting;
  for (const gi::Separator& separator : dissection.separators) {
    ASSERT_LE(separator.children, waiting.size());
    Checked part{{}, separator.first};
    std::vector<Checked> children(waiting.end() - separator.children, waiting.end());
    waiting.resize(waiting.size() - separator.children);
    for (const Checked& child : children) {
      part.vertices.insert(child.vertices.begin(), child.vertices.end());
      part.begin = std::min(part.begin, child.begin);
    }
    if (children.size() == 2) {
      for (const std::uint32_t v : children[0].vertices)
        for (std::size_t i = weights.start[v]; i < weights.start[v + 1]; ++i)
          ASSERT_FALSE(children[1].vertices.contains(weights.neighbour[i])) << "halves touch";
      const double larger = static_cast<double>(std::max(children[0].vertices.size(), children[1].vertices.size()));
      const std::size_t size = children[0].vertices.size() + children[1].vertices.size() + separator.count;
      EXPECT_LE(larger, static_cast<double>(size) / 2 + 1) << "no more than a half";
      EXPECT_GT(size, 16u) << "small parts are not divided";
    } else if (children.empty()) {
      EXPECT_LE(separator.count, 16u);
    }
    EXPECT_EQ(part.begin + part.vertices.size(), separator.first) << "after its children";
    for (std::size_t i = 0; i < separator.count; ++i) part.vertices.insert(dissection.order[separator.first + i]);
    waiting.push_back(part);
  }
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0].vertices, all);
}

TEST(MapDissection, SeparatesHalvesThatDoNotTouch) {
  for (const std::uint32_t cells : {2u, 3u, 5u, 6u, 12u, 33u, 40u}) {
    SCOPED_TRACE(cells);
    expect_dissection(rough_disc(cells, 0.3, 0.2, cells));
  }
  expect_dissection(tube_disc(20, 40));
  expect_dissection(renumbered(rough_disc(10, 0.3, 0.2, 1)));
  expect_dissection(renumbered(rough_disc(36, 0.3, 0.2, 2)));
}

TEST(MapDissection, DividesLongPartsAcross) {
  // Wide and low: separators are columns of seven vertices, or fewer, not rows of a hundred.
  Disc disc = square_disc(33);
  for (Vec3d& p : disc.positions) p.y *= 0.01;
  const gi::Dissection narrow = gi::dissect(disc, gi::mean_value_weights(disc));
  EXPECT_LE(narrow.separators.back().count, 33u);
  // A folded strip: by distance along it, not by its place in space.
  Disc folded = square_disc(34);
  for (std::size_t v = 0; v < folded.positions.size(); ++v) {
    const auto row = v / 35, column = v % 35;
    folded.positions[v] = {std::abs(static_cast<double>(column) - 17), static_cast<double>(row) * 0.001, 0};
  }
  EXPECT_LE(gi::dissect(folded, gi::mean_value_weights(folded)).separators.back().count, 70u);
}

// ---- golden hashes

TEST(MapBits, OfThePlainMapOfManyVertices) {
  Disc disc = rough_disc(45, 0.4, 0.3, 12);  // more than are divided by the longest axis alone
  gi::solve_map(disc, {});
  EXPECT_EQ(hash_of(disc.map), 4448975413574542277u);
}

TEST(MapBits, OfADiscWhoseFirstAndLastVertexAreInside) {
  const Disc before = rough_disc(10, 0.4, 0.3, 13);
  Disc plain = before, disc = renumbered(before);
  gi::solve_map(plain, {});
  gi::solve_map(disc, {});
  const Disc back = renumbered(disc);  // twice is not at all
  for (std::size_t v = 0; v < plain.map.size(); ++v) {
    EXPECT_NEAR(back.map[v].x, plain.map[v].x, 1e-13);
    EXPECT_NEAR(back.map[v].y, plain.map[v].y, 1e-13);
  }
  gi::solve_map(disc, {.relax_steps = 3});
  EXPECT_EQ(hash_of(disc.map), 13834742871178993913u);
  std::mt19937 random(4);
  for (std::size_t v = 0; v < disc.map.size(); ++v)
    if (!on_border(disc, v) && v % 3 == 0) disc.map[v].x += 0.3 * (random_unit(random) - 0.5);
  EXPECT_GT(gi::flipped_triangles(disc).size(), 10u);
  gi::repair(disc, gi::mean_value_weights(disc));
  EXPECT_EQ(hash_of(disc.map), 9459526192905312318u);
}

TEST(MapBits, OfRelaxationsOfSeveralLengths) {
  const std::uint64_t expected[] = {10354544089857898773u, 706390800844809682u, 4403707029500232841u,
                                    6969702291979906172u};
  for (int kind = 0; kind < 4; ++kind) {
    Disc disc = rough_disc(9, 0.45, kind % 2 == 0 ? 0.05 : 1.5, 40 + static_cast<std::uint32_t>(kind));
    gi::solve_map(disc, {.relax_steps = 1 + 3 * kind});
    EXPECT_EQ(hash_of(disc.map), expected[kind]) << kind;
  }
}

TEST(MapBits, OfRelaxationWhereTrianglesHaveNoArea) {
  Disc disc = rough_disc(9, 0.45, 0.2, 51);
  for (std::size_t v = 0; v < disc.positions.size(); ++v)
    if (!on_border(disc, v) && v % 3 == 0) disc.positions[v] = disc.positions[v - 1];
  gi::solve_map(disc, {.relax_steps = 4});
  EXPECT_EQ(hash_of(disc.map), 1661828810444158842u);
}

TEST(MapBits, OfRelaxationThatRaisesTheStretchAtFirst) {
  // Long thin parts: the first division of the weights goes too far, and its root is tried.
  Disc disc = rough_disc(12, 0.3, 0.02, 52);
  for (std::size_t v = 0; v < disc.positions.size(); ++v)
    if (!on_border(disc, v)) disc.positions[v].z += v % 13 == 6 ? 4 : 0;
  gi::solve_map(disc, {.relax_steps = 6});
  EXPECT_EQ(hash_of(disc.map), 16214332303649497916u);
}

TEST(MapBits, OfARepair) {
  Disc disc = rough_disc(14, 0.3, 0.1, 53);
  gi::solve_map(disc, {});
  const MapWeights weights = gi::mean_value_weights(disc);
  std::mt19937 random(3);
  for (std::size_t v = 0; v < disc.map.size(); ++v) {
    if (on_border(disc, v) || v % 4 != 0) continue;
    disc.map[v].x += 0.5 * (random_unit(random) - 0.5);
    disc.map[v].y += 0.5 * (random_unit(random) - 0.5);
  }
  const std::size_t flipped = gi::flipped_triangles(disc).size();
  EXPECT_GT(flipped, 50u);
  gi::repair(disc, weights);
  EXPECT_LT(gi::flipped_triangles(disc).size(), flipped / 4);
  EXPECT_EQ(hash_of(disc.map), 8930132475345354449u);
}

TEST(MapBits, OfBulgedMaps) {
  const std::uint64_t expected[] = {16461499132776899537u, 5415110863430474501u, 17805007653234956020u};
  for (int kind = 0; kind < 3; ++kind) {
    // All of the boundary but for a neck hangs on one side.
    Disc disc = rough_disc(8 + static_cast<std::uint32_t>(kind), 0.3, 0.3, 54);
    const std::size_t count = disc.boundary.size(), neck = 4;
    const Vec2d corners[] = {{0, 1}, {0, 0}, {1, 0}, {1, 1}};
    for (std::size_t i = 0; i < count; ++i)
      disc.map[disc.boundary[i]] =
          i < neck ? corners[i]
                   : Vec2d{1 - static_cast<double>(i - neck + 1) / static_cast<double>(count - neck + 1), 1};
    // The boundary may start anywhere, not only at a corner.
    std::rotate(disc.boundary.begin(), disc.boundary.begin() + 9 * kind, disc.boundary.end());
    ASSERT_TRUE(gi::solve_map_bulged(disc, {.relax_steps = kind}));
    EXPECT_EQ(hash_of(disc.map), expected[kind]) << kind;
  }
}

TEST(MapBits, OfARemapThatSplitsTriangles) {
  // A long edge below seven points that are near it; the function bends the edge across all of them.
  Disc disc{.positions = {}, .triangles = {}, .boundary = {0, 9, 8}, .map = {{0, 0}}};
  for (int k = 1; k < 8; ++k) disc.map.push_back({k / 8.0, 0.01});
  disc.map.push_back({1, 0});
  disc.map.push_back({0.5, -0.5});
  disc.triangles = {{0, 8, 4}, {0, 4, 3}, {0, 3, 2}, {0, 2, 1}, {4, 8, 5}, {5, 8, 6}, {6, 8, 7}, {8, 0, 9}};
  for (std::uint32_t k = 7; k > 0; --k) disc.boundary.push_back(k);
  for (const Vec2d& p : disc.map) disc.positions.push_back({3 * p.x, p.y, 0});
  const std::function<Vec2d(Vec2d)> bend = [](Vec2d p) { return Vec2d{p.x, p.y - 0.2 * p.x * (1 - p.x)}; };
  std::vector<Vec2d> places;
  for (const std::uint32_t v : disc.boundary) places.push_back(bend(disc.map[v]));
  const std::size_t before = disc.triangles.size();
  ASSERT_TRUE(gi::remap(disc, places, bend, 4000));
  EXPECT_TRUE(gi::flipped_triangles(disc).empty());
  EXPECT_GT(disc.triangles.size(), before);
  double area = 0;
  for (const Triangle& t : disc.triangles) {
    const Vec3d n = cross(disc.positions[t.b] - disc.positions[t.a], disc.positions[t.c] - disc.positions[t.a]);
    EXPECT_GT(n.z, 0);
    area += n.z / 2;
  }
  EXPECT_NEAR(area, 3 * (0.25 + 0.00875), 1e-12) << "of the surface, which stays the same";
  EXPECT_EQ(hash_of(disc.map), 4098879622766527580u);
}

// ---- repair of one vertex

/// One vertex in the middle of a polygon, at `start`, whose equation asks for the polygon's corner `asked`.
Vec2d repaired(const std::vector<Vec2d>& polygon, Vec2d start, std::uint32_t asked) {
  Disc disc;
  MapWeights weights{.start = {0}, .neighbour = {}, .weight = {}};
  const auto count = static_cast<std::uint32_t>(polygon.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    disc.boundary.push_back(i);
    disc.triangles.push_back({i, (i + 1) % count, count});
    weights.start.push_back(0);
    weights.neighbour.push_back(i);
    weights.weight.push_back(i == asked ? 1.0 : 0.0);
  }
  weights.start.push_back(count);
  disc.map = polygon;
  disc.map.push_back(start);
  disc.positions.resize(disc.map.size());
  gi::repair(disc, weights);
  for (std::uint32_t i = 0; i < count; ++i) EXPECT_TRUE(disc.map[i].x == polygon[i].x && disc.map[i].y == polygon[i].y);
  return disc.map.back();
}

TEST(MapRepair, TakesTheMiddleOfWhereNoTriangleIsTurned) {
  // All corners of it are (3, 0), (6, 0), (6, 3) and (4, 2).
  const Vec2d at = repaired({{0, 0}, {6, 0}, {6, 6}, {4, 2}}, {0, 5}, 0);
  EXPECT_NEAR(at.x, 4.75, 1e-12);
  EXPECT_NEAR(at.y, 1.25, 1e-12);
  const Vec2d turned = repaired({{6, 0}, {6, 6}, {4, 2}, {0, 0}}, {0, 5}, 2);
  EXPECT_NEAR(turned.x, 4.75, 1e-12);
  EXPECT_NEAR(turned.y, 1.25, 1e-12);
}

TEST(MapRepair, TakesTheMiddleOfTheBoxWhereEveryPlaceTurnsATriangle) {
  // The shape of a U: from nowhere are all of its sides seen.
  const std::vector<Vec2d> u{{10, -4}, {22, -4}, {22, 2}, {20, 2}, {20, -3}, {12, -3}, {12, 2}, {10, 2}};
  const Vec2d at = repaired(u, {50, 16}, 2);
  EXPECT_EQ(at.x, 16);
  EXPECT_EQ(at.y, -1);
}

TEST(MapRepair, TakesTheMeanWhereThatIsEnoughAndStaysWhereNothingIsBetter) {
  // The equation asks for a place that turns nothing: it is taken, though it is not the middle.
  Disc disc{.positions = std::vector<Vec3d>(5),
            .triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
            .boundary = {0, 1, 2, 3},
            .map = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {9, 9}}};
  const MapWeights weights{.start = {0, 0, 0, 0, 0, 4}, .neighbour = {0, 1, 2, 3}, .weight = {0.5, 0.25, 0.125, 0.125}};
  gi::repair(disc, weights);
  EXPECT_EQ(disc.map[4].x, 1.5);
  EXPECT_EQ(disc.map[4].y, 1);
  // In the U three triangles are turned wherever it is best; a vertex that has no more than these stays.
  const std::vector<Vec2d> u{{10, -4}, {22, -4}, {22, 2}, {20, 2}, {20, -3}, {12, -3}, {12, 2}, {10, 2}};
  const Vec2d at = repaired(u, {11, -3.5}, 2);
  EXPECT_EQ(at.x, 11);
  EXPECT_EQ(at.y, -3.5);
}

TEST(MapProgress, BeginsAfterTheFirstSolutionAndEndsWithOne) {
  std::vector<double> parts;
  const auto record = [&](double part) { parts.push_back(part); };
  Disc disc = rough_disc(8, 0.3, 0.2, 55);
  gi::solve_map(disc, {.relax_steps = 0, .progress = record});
  EXPECT_EQ(parts, std::vector<double>{1});
  parts.clear();
  gi::solve_map(disc, {.relax_steps = 2, .progress = record});
  EXPECT_EQ(parts.front(), 3.0 / 7);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_NE(std::find(parts.begin(), parts.end(), 5.0 / 7), parts.end()) << "before the sweeps";
  EXPECT_LE(parts.back(), 1);
  parts.clear();
  Disc other = rough_disc(8, 0.3, 0.9, 56);
  gi::solve_map(other, {.relax_steps = 1, .progress = record});
  // Three for the first solution, one for the step, one for the 36 sweeps, of which the last may be left out.
  const auto sweeps =
      static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), [](double p) { return p > 0.8; }));
  EXPECT_GE(sweeps, 17u);
  for (std::size_t i = 0; i < sweeps; ++i)
    EXPECT_NEAR(parts[parts.size() - sweeps + i], (4 + static_cast<double>(i + 1) / 36) / 5, 1e-12);
  parts.clear();
  gi::lower_stretch(disc, 4, record);
  EXPECT_EQ(parts, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(MapDescent, EndsWhereAVertexHasNoBetterPlace) {
  // One interior vertex: the sum over its triangles is lowest where it ends, whatever it starts from.
  for (const Vec2d start : {Vec2d{0.5, 0.5}, Vec2d{0.1, 0.2}, Vec2d{0.93, 0.4}}) {
    Disc disc{.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0.7, 0.4, 0.5}},
              .triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
              .boundary = {0, 1, 2, 3},
              .map = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, start}};
    double total = 0;
    const auto surface_area = [&](const Triangle& t) {
      return length(cross(disc.positions[t.b] - disc.positions[t.a], disc.positions[t.c] - disc.positions[t.a])) / 2;
    };
    for (const Triangle& t : disc.triangles) total += surface_area(t);
    const auto energy = [&] {  // of the stretch and that of the inverse, by area
      double sum = 0;
      const gi::Stretch stretch = gi::stretch_of(disc);
      for (std::size_t i = 0; i < 4; ++i) {
        const Triangle& t = disc.triangles[i];
        const Vec2d p = disc.map[t.a], q = disc.map[t.b], r = disc.map[t.c];
        const double map = ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / 2;
        const double back = total * map / surface_area(t);
        sum += surface_area(t) * stretch.triangles[i] * stretch.triangles[i] * (1 + back * back);
      }
      return sum;
    };
    gi::lower_stretch(disc, 200, [](double) {});
    const double best = energy();
    const Vec2d at = disc.map[4];
    for (const Vec2d step : {Vec2d{0.02, 0}, Vec2d{-0.02, 0}, Vec2d{0, 0.02}, Vec2d{0, -0.02}}) {
      disc.map[4] = {at.x + step.x, at.y + step.y};
      EXPECT_GT(energy(), best);
    }
  }
}

}  // namespace
}  // namespace lamella::test
