#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/components.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/extend_cut.hpp"
#include "geometry_image/make/paths.hpp"
#include "geometry_image/make_shapes.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::gi {
namespace {

/// Progress that nobody looks at.
constexpr auto kSilent = [](double) {};

Surface surface_of(const Mesh& mesh) { return gi::split_components(mesh).front(); }

/// Everything that holds between half-edges of a closed surface.
void expect_sound(const Surface& s) {
  for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) {
    ASSERT_EQ(s.twins[s.twins[h]], h);
    ASSERT_EQ(s.origins[s.twins[h]], s.end(h));
    ASSERT_EQ(s.cut[s.twins[h]], s.cut[h]);
  }
  std::size_t around = 0;
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v)
    for_each_leaving(s, v, [&](std::uint32_t h) {
      ASSERT_EQ(s.origins[h], v);
      ++around;
    });
  EXPECT_EQ(around, s.half_edge_count());
}

/// Opened along its cut the surface has one boundary, along all of the cut, and the Euler number of a disc.
void expect_disc(const Surface& s) {
  const OpenSurface open = open_along_cut(s);
  const std::size_t cut = std::accumulate(s.cut.begin(), s.cut.end(), std::size_t{0});
  ASSERT_GT(cut, 0u);
  EXPECT_EQ(open.loop.size(), cut);
  const std::size_t edges = (s.half_edge_count() + cut) / 2;
  EXPECT_EQ(open.disc.positions.size() + s.triangle_count(), edges + 1);
  for (std::size_t i = 0; i < open.loop.size(); ++i) {
    EXPECT_EQ(open.vertices[open.disc.boundary[i]], s.origins[open.loop[i]]);
    EXPECT_EQ(open.border[open.disc.boundary[i]], i);
  }
}

double cut_length(const Surface& s) {
  double length = 0;
  for (const CutPath& path : cut_paths(s)) length += length_of(s, path);
  return length;
}

std::size_t dead_ends(const Surface& s) {
  const auto degrees = cut_degrees(s);
  return static_cast<std::size_t>(std::count(degrees.begin(), degrees.end(), 1u));
}

TEST(MakeSurface, StaysSoundWhenEveryEdgeIsSplitAndCutEdgesStayCut) {
  Surface s = surface_of(test::octahedron());
  cut_to_disc(s);
  expect_sound(s);
  const double length = cut_length(s);
  for (std::uint32_t h = 0; h < 24; ++h) {
    const std::uint32_t from = s.origins[h];
    const std::uint32_t m = split_edge(s, h, 0.25);
    EXPECT_EQ(s.origins[h], from);
    EXPECT_EQ(s.end(h), m);
  }
  expect_sound(s);
  EXPECT_EQ(genus_of(s), 0);
  EXPECT_EQ(s.triangle_count(), 8u + 48u);
  EXPECT_NEAR(cut_length(s), length, 1e-12);
  expect_disc(s);
}

TEST(MakeSurface, KnowsItsGenus) {
  for (int genus = 0; genus < 5; ++genus) {
    const Surface s = surface_of(test::plate_with_holes(genus, 1));
    expect_sound(s);
    EXPECT_EQ(genus_of(s), genus);
  }
}

TEST(MakeCut, OpensEveryGenusIntoADisc) {
  for (int genus = 0; genus < 7; ++genus) {
    SCOPED_TRACE(genus);
    Surface s = surface_of(test::plate_with_holes(genus, 2));
    cut_to_disc(s);
    expect_sound(s);
    expect_disc(s);
    EXPECT_EQ(dead_ends(s), genus == 0 ? 2u : 0u);
  }
}

TEST(MakeCut, OfATorusIsAboutOneTurnEachWay) {
  const double pi = std::acos(-1.0);
  Surface s = surface_of(scenes::torus(4000, 1.0f, 0.35f));
  cut_to_disc(s);
  // The shortest: once around the hole, along its inside, and once around the tube. Paths along edges are longer.
  const double shortest = 2 * pi * (0.65 + 0.35);
  EXPECT_GT(cut_length(s), 0.95 * shortest);
  EXPECT_LT(cut_length(s), 1.35 * shortest);
}

/// Cuts a surface with handles along a winding way: everywhere but across the edges of a tree that goes through all
/// triangles, depth first, less its dead ends.
void cut_winding(Surface& s) {
  s.cut.assign(s.half_edge_count(), 1);
  std::vector<std::uint8_t> reached(s.triangle_count(), 0);
  std::vector<std::uint32_t> ways;  // half-edges to the triangle of which the tree may grow
  reached[0] = 1;
  for (std::uint32_t h = 0; h < 3; ++h) ways.push_back(s.twins[h]);
  while (!ways.empty()) {
    const std::uint32_t h = ways.back(), t = h / 3;
    ways.pop_back();
    if (reached[t] != 0) continue;
    reached[t] = 1;
    s.set_cut(h, false);
    for (std::uint32_t k = 3 * t; k < 3 * t + 3; ++k) ways.push_back(s.twins[k]);
  }
  for (bool dropped = true; dropped;) {
    dropped = false;
    const auto degrees = cut_degrees(s);
    for (std::uint32_t h = 0; h < s.half_edge_count(); ++h)
      if (s.cut[h] != 0 && degrees[s.origins[h]] == 1) {
        s.set_cut(h, false);
        dropped = true;
      }
  }
}

TEST(MakeCut, StraightenedIsMuchShorterThanAWindingOneAndStaysADisc) {
  for (const int genus : {1, 2, 4}) {
    SCOPED_TRACE(genus);
    Surface s = surface_of(test::plate_with_holes(genus, 3));
    cut_winding(s);
    expect_disc(s);
    EXPECT_EQ(dead_ends(s), 0u);
    const double winding = cut_length(s);
    straighten_cut(s);
    expect_disc(s);
    const double straight = cut_length(s);
    EXPECT_LT(straight, 0.8 * winding);
    straighten_cut(s);
    EXPECT_LE(cut_length(s), straight * (1 + 1e-12));
  }
}

TEST(MakeCut, TowardsAPlaceEndsThere) {
  Surface s = surface_of(test::plate_with_holes(2, 2));
  cut_to_disc(s);
  for (std::uint32_t v = 0; v < s.vertex_count(); v += 7) cut_towards(s, v);
  const auto degrees = cut_degrees(s);
  for (std::uint32_t v = 0; v < s.vertex_count(); v += 7) EXPECT_GT(degrees[v], 0u);
  expect_disc(s);
}

TEST(MakeCut, ReachesTheFingersOfAHand) {
  Surface s = surface_of(scenes::hand(4000));
  cut_to_disc(s);
  const int added = extend_cut(s, 40, kSilent);
  EXPECT_GE(added, 3);
  EXPECT_GE(dead_ends(s), 5u);
  expect_disc(s);
}

TEST(MakeCut, AddsNoMorePathsThanAllowed) {
  for (const int most : {0, 1, 2}) {
    Surface s = surface_of(scenes::hand(2000));
    cut_to_disc(s);
    EXPECT_LE(extend_cut(s, most, kSilent), most);
    EXPECT_LE(cut_paths(s).size(), 1u + 2u * most);
  }
}

/// What every border must hold for both copies of the cut to sample the same points.
void expect_fits(const Surface& s, const Border& border) {
  std::map<std::uint32_t, int> copies;
  std::uint32_t at = border.sides.front().start;
  for (const BorderSide& side : border.sides) {
    EXPECT_EQ(side.start, at);
    at = (at + border.paths[side.path].intervals) % border.size();
    ++copies[side.path];
  }
  EXPECT_EQ(at, border.sides.front().start);
  EXPECT_EQ(copies.size(), border.paths.size());
  std::uint32_t sum = 0;
  for (const BorderPath& p : border.paths) {
    EXPECT_GE(p.intervals, 1u);
    sum += 2 * p.intervals;
    EXPECT_EQ(p.places.front(), 0);
    EXPECT_EQ(p.places.back(), p.intervals);
    EXPECT_TRUE(std::is_sorted(p.places.begin(), p.places.end(), std::less_equal<>()));
  }
  EXPECT_EQ(sum, border.size());
  for (const auto& [path, count] : copies) EXPECT_EQ(count, 2);
  const auto degrees = cut_degrees(s);
  for (const BorderSide& side : border.sides) {
    const BorderPath& p = border.paths[side.path];
    const std::uint32_t node = side.backwards ? p.vertices.back() : p.vertices.front();
    EXPECT_FALSE(degrees[node] == 1 && side.start % border.quarter() == 0) << "a dead end on a corner";
  }
}

TEST(MakeBorder, DealsSamplesToBothCopiesAlikeAndPutsVerticesOnCorners) {
  for (const int genus : {0, 1, 3})
    for (const int n : {4, 6}) {
      SCOPED_TRACE(testing::Message() << "genus " << genus << ", n " << n);
      Surface s = surface_of(test::plate_with_holes(genus, 2));
      cut_to_disc(s);
      extend_cut(s, 6, kSilent);
      const Border laid = lay_border(s, CutWeights(s.vertex_count(), 1.0), n);
      const std::vector<std::uint32_t> turns = turns_that_close(s, laid, 4);
      ASSERT_FALSE(turns.empty());
      for (const std::uint32_t turn : turns) {
        Surface split = s;
        Border border = laid;
        turn_border(split, border, turn);
        expect_sound(split);
        expect_fits(split, border);
        const OpenSurface open = open_on_square(split, border);
        int corners = 0;
        for (const std::uint32_t v : open.disc.boundary) {
          const Vec2d p = open.disc.map[v];
          EXPECT_TRUE(p.x == 0 || p.x == 1 || p.y == 0 || p.y == 1);
          corners += (p.x == 0 || p.x == 1) && (p.y == 0 || p.y == 1) ? 1 : 0;
        }
        EXPECT_EQ(corners, 4);
      }
    }
}

TEST(MakeBorder, LeavesNoTriangleAndNoEdgeFlatOnASide) {
  for (const Mesh& mesh : {test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), test::octahedron(),
                           test::plate_with_holes(1, 1), test::plate_with_holes(3, 1)}) {
    Surface s = surface_of(mesh);
    cut_to_disc(s);
    Border border = lay_border(s, weigh_cut(s, kSilent), 5);
    turn_border(s, border, turns_that_close(s, border, 1).at(0));
    const OpenSurface open = open_on_square(s, border);
    for (std::uint32_t h = 0; h < s.half_edge_count(); ++h) {
      if (s.cut[h] != 0) continue;
      const std::uint32_t a = open.disc.triangles[h / 3][static_cast<int>(h % 3)];
      const std::uint32_t b = open.disc.triangles[h / 3][static_cast<int>(Surface::next(h) % 3)];
      if (open.border[a] == kNone || open.border[b] == kNone) continue;
      const Vec2d p = open.disc.map[a], q = open.disc.map[b];
      EXPECT_FALSE((p.x == q.x && (p.x == 0 || p.x == 1)) || (p.y == q.y && (p.y == 0 || p.y == 1)));
    }
  }
}

TEST(MakeBorder, GivesEitherEndOfATubeAWholeSide) {
  Surface s = surface_of(scenes::make_model("serpent", 2000));
  cut_to_disc(s);
  constexpr int kN = 6;
  Border border = lay_border(s, tube_weights(s, 0.05), kN);
  turn_border(s, border, border.quarter() / 2);
  ASSERT_EQ(border.paths.size(), 1u);
  const BorderPath& p = border.paths[0];
  const double length = length_of(s, cut_paths(s).front());
  double along = 0;
  for (std::size_t i = 0; i + 1 < p.vertices.size(); ++i) {
    const bool at_an_end = p.places[i] <= border.quarter() / 2 || p.places[i] >= 1.5 * border.quarter();
    if (along < 0.04 * length || along > 0.96 * length) {
      EXPECT_TRUE(at_an_end);
    }
    if (along > 0.08 * length && along < 0.92 * length) {
      EXPECT_FALSE(at_an_end);
    }
    const Vec3d d = s.positions[p.vertices[i + 1]] - s.positions[p.vertices[i]];
    along += std::sqrt(dot(d, d));
  }
}

TEST(MakeBorder, WritesBothCopiesOfTheCutWithTheSameBitsAndNoOthersEqual) {
  Surface s = surface_of(scenes::make_model("torus_knot", 2000));
  cut_to_disc(s);
  extend_cut(s, 5, kSilent);
  Border border = lay_border(s, weigh_cut(s, kSilent), 5);
  turn_border(s, border, turns_that_close(s, border, 1).at(0));
  std::vector<Vec3> positions(33 * 33);
  write_border(s, border, positions);
  std::map<std::array<float, 3>, std::size_t> counts;
  for (std::uint32_t place = 0; place < border.size(); ++place) {
    const Vec3 p = positions[border_pixel(5, place)];
    ++counts[{p.x, p.y, p.z}];
  }
  // Points within paths lie on the border twice, nodes as often as cut edges meet there.
  const auto degrees = cut_degrees(s);
  std::size_t within = 0;
  for (const BorderPath& p : border.paths) within += p.intervals - 1;
  std::map<std::size_t, std::size_t> expected{{2, within}}, found;
  for (const std::uint32_t degree : degrees)
    if (degree != 0 && degree != 2) ++expected[degree];
  for (const auto& [point, count] : counts) ++found[count];
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace lamella::gi
