// The parts of making an image, each against a slow computation of its own or a case small enough to know the answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "geometry_image/make/border.hpp"
#include "geometry_image/make/components.hpp"
#include "geometry_image/make/cut_graph.hpp"
#include "geometry_image/make/extend_cut.hpp"
#include "geometry_image/make/image_distance.hpp"
#include "geometry_image/make/paths.hpp"
#include "geometry_image/make/progress.hpp"
#include "geometry_image/make_shapes.hpp"
#include "geometry_image/map_discs.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::gi {
namespace {

using testing::ElementsAre;

Mesh uneven(Mesh mesh, std::uint32_t seed, float by = 0.2f) {
  test::Random random(seed);
  for (Vec3& p : mesh.positions) p = p + random.in({{-by, -by, -by}, {by, by, by}});
  return mesh;
}

Surface surface_of(const Mesh& mesh) { return gi::split_components(mesh).front(); }

std::uint64_t hash_of(const std::vector<Vec3>& points) {
  std::uint64_t hash = 14695981039346656037u;
  for (const Vec3 p : points)
    for (const float each : {p.x, p.y, p.z}) hash = (hash ^ std::bit_cast<std::uint32_t>(each)) * 1099511628211u;
  return hash;
}

// ---- components and half-edges

TEST(MakeComponents, KeepTheOrderOfVerticesAndTrianglesAndLeaveOutWhatIsUnused) {
  Mesh mesh{{{9, 9, 9}}, {}};  // used by none
  test::append(mesh, test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}));
  test::append(mesh, test::tetrahedron({5, 0, 0}, {7, 0, 0}, {5, 2, 0}, {5, 0, 2}));
  test::append(mesh, test::tetrahedron({8, 0, 0}, {9, 0, 0}, {8, 1, 0}, {8, 0, 1}));
  std::swap(mesh.triangles[1], mesh.triangles[5]);  // components take turns
  const std::vector<Surface> parts = gi::split_components(mesh);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].positions.size(), 4u);
  const double root3 = std::sqrt(3.0);
  EXPECT_NEAR(area_of(parts[0]), 6 + 2 * root3, 1e-12) << "the largest";
  EXPECT_NEAR(area_of(parts[1]), 1.5 + root3 / 2, 1e-12);
  EXPECT_EQ(parts[1].positions[0], (Vec3d{0, 0, 0})) << "of equals the first";
  EXPECT_EQ(parts[2].positions[0], (Vec3d{8, 0, 0}));
  // Vertices in the order in which triangles name them: 0, 2, 1 and then 3.
  EXPECT_EQ(parts[2].positions[1], (Vec3d{8, 1, 0}));
  EXPECT_EQ(parts[2].positions[2], (Vec3d{9, 0, 0}));
  EXPECT_EQ(parts[2].positions[3], (Vec3d{8, 0, 1}));
  EXPECT_THAT(parts[2].origins, ElementsAre(0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3));
}

TEST(MakeComponents, AcceptCoordinatesUpToTheirLimit) {
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {1.0f, -1.0f}) {
      Mesh mesh = test::octahedron();
      mesh.positions[2][axis] = sign * 1e18f;
      EXPECT_NO_THROW((void)gi::split_components(mesh));
      mesh.positions[2][axis] = std::nextafter(sign * 1e18f, sign * 2e18f);
      EXPECT_THROW((void)gi::split_components(mesh), Error) << axis;
    }
}

TEST(MakeComponents, RefuseATriangleThatNamesAnyVertexTwice) {
  for (const Triangle t : {Triangle{1, 1, 2}, Triangle{2, 1, 1}, Triangle{1, 2, 1}}) {
    Mesh mesh = test::octahedron();
    mesh.triangles.push_back(t);
    EXPECT_THROW((void)gi::split_components(mesh), Error);
  }
}

TEST(MakeSurface, SplitAtAFractionPutsTheVertexThere) {
  Surface s = surface_of(uneven(test::octahedron(), 1));
  const double area = area_of(s);
  s.set_cut(4, true);
  for (const std::uint32_t h : {4u, 7u}) {
    const Vec3d from = s.positions[s.origins[h]], to = s.positions[s.end(h)];
    const std::uint32_t twin = s.twins[h], m = split_edge(s, h, 0.25);
    EXPECT_LT(length(s.positions[m] - (from * 0.75 + to * 0.25)), 1e-15);
    EXPECT_NEAR(s.length(h), length(to - from) / 4, 1e-15);
    EXPECT_EQ(s.end(twin), m);
    std::size_t cut = 0, leaving = 0;
    for_each_leaving(s, m, [&](std::uint32_t e) {
      cut += s.cut[e];
      ++leaving;
    });
    EXPECT_EQ(leaving, 4u);
    EXPECT_EQ(cut, h == 4 ? 2u : 0u);
  }
  EXPECT_NEAR(area_of(s), area, 1e-12);
  EXPECT_EQ(genus_of(s), 0);
}

TEST(MakePaths, AreTheShortestFromTheNearestSource) {
  const Surface s = surface_of(uneven(test::plate_with_holes(1, 1), 2));
  const std::vector<std::uint32_t> sources{3, 17};
  // By repetition until nothing gets shorter.
  std::vector<double> shortest(s.vertex_count(), std::numeric_limits<double>::infinity());
  for (const std::uint32_t v : sources) shortest[v] = 0;
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::uint32_t h = 0; h < s.half_edge_count(); ++h)
      if (shortest[s.origins[h]] + s.length(h) < shortest[s.end(h)]) {
        shortest[s.end(h)] = shortest[s.origins[h]] + s.length(h);
        shorter = true;
      }
  }
  const PathTree tree = grow_paths(s, sources);
  const double reach = shortest[30];
  const PathTree near = grow_paths(s, sources, reach);
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v) {
    ASSERT_EQ(tree.distances[v], shortest[v]);
    if (shortest[v] <= reach) {
      EXPECT_EQ(near.distances[v], shortest[v]);
    }
    const std::vector<std::uint32_t> path = tree.path(s, v);
    EXPECT_NEAR(length_of(s, path), shortest[v], 1e-12);
    EXPECT_EQ(path.empty(), v == 3 || v == 17);
    if (path.empty()) continue;
    EXPECT_TRUE(s.origins[path.front()] == 3 || s.origins[path.front()] == 17);
    EXPECT_EQ(s.end(path.back()), v);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) EXPECT_EQ(s.end(path[i]), s.origins[path[i + 1]]);
  }
}

TEST(MakeCut, PathsGoFromNodeToNode) {
  Surface s = surface_of(uneven(test::plate_with_holes(2, 1), 3));
  cut_to_disc(s);
  cut_towards(s, 1);
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  std::size_t edges = 0;
  for (const CutPath& path : cut_paths(s)) {
    edges += path.size();
    EXPECT_NE(degrees[s.origins[path.front()]], 2u);
    EXPECT_NE(degrees[s.end(path.back())], 2u);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      EXPECT_EQ(degrees[s.end(path[i])], 2u);
      EXPECT_EQ(s.end(path[i]), s.origins[path[i + 1]]);
    }
    for (const std::uint32_t h : path) {
      const CutPath through = path_through(s, degrees, h);
      EXPECT_EQ(through, path) << "from any of its edges";
    }
  }
  EXPECT_EQ(2 * edges, static_cast<std::size_t>(std::count(s.cut.begin(), s.cut.end(), 1)));
}

TEST(MakeCut, AcrossASurfaceWithoutHandlesJoinsPlacesThatAreFarApart) {
  Surface s = surface_of(uneven(test::cubes({9, 1, 1}, [](int, int, int) { return true; }), 4));
  cut_to_disc(s);
  const std::vector<CutPath> paths = cut_paths(s);
  ASSERT_EQ(paths.size(), 1u);
  const std::uint32_t from = s.origins[paths[0].front()], to = s.end(paths[0].back());
  const std::vector<double> distances = grow_paths(s, {&from, 1}).distances;
  EXPECT_NEAR(length_of(s, paths[0]), distances[to], 1e-12) << "a shortest path";
  const std::uint32_t other = distances[to] == *std::max_element(distances.begin(), distances.end()) ? from : to;
  const std::vector<double> back = grow_paths(s, {&other, 1}).distances;
  EXPECT_NEAR(length_of(s, paths[0]), *std::max_element(back.begin(), back.end()), 1e-12) << "to the furthest vertex";
}

// ---- the border

TEST(MakeBorder, PixelsGoOnceAroundTheSquare) {
  std::vector<std::size_t> pixels;
  for (std::uint32_t place = 0; place < 8; ++place) pixels.push_back(border_pixel(1, place));
  EXPECT_THAT(pixels, ElementsAre(0, 1, 2, 5, 8, 7, 6, 3));
}

TEST(MakeBorder, NeedsFewSamplesForAPathAndMoreForLoopsAndParallelPaths) {
  Surface line = surface_of(test::octahedron());
  cut_to_disc(line);
  EXPECT_EQ(fewest_intervals(line), 1u);
  cut_towards(line, cut_degrees(line)[0] == 0 ? 0 : 1);
  EXPECT_EQ(fewest_intervals(line), cut_paths(line).size()) << "without loops one each";
  for (const int genus : {1, 2, 3}) {
    Surface s = surface_of(uneven(test::plate_with_holes(genus, 1), 5));
    cut_to_disc(s);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> parallel;
    const auto ends = [&](const CutPath& p) { return std::minmax({s.origins[p.front()], s.end(p.back())}); };
    for (const CutPath& p : cut_paths(s)) ++parallel[ends(p)];
    std::uint32_t expected = 0;
    for (const CutPath& p : cut_paths(s))
      expected += ends(p).first == ends(p).second ? 4 : parallel[ends(p)] > 1 ? 2 : 1;
    EXPECT_EQ(fewest_intervals(s), expected) << genus;
  }
}

/// The weighted length up to each vertex of a path; a thousandth of the mean edge is added to every edge.
std::vector<double> measures(const Surface& s, const CutWeights& weights, const std::vector<std::uint32_t>& vertices) {
  std::vector<double> edges;
  double total = 0;
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const double weight = (weights[vertices[i]] + weights[vertices[i + 1]]) / 2;
    edges.push_back(weight * length(s.positions[vertices[i + 1]] - s.positions[vertices[i]]));
    total += edges.back();
  }
  std::vector<double> along{0};
  for (const double edge : edges)
    along.push_back(along.back() + edge + total / (1000.0 * static_cast<double>(edges.size())));
  return along;
}

CutWeights random_weights(const Surface& s, std::uint32_t seed) {
  test::Random random(seed);
  CutWeights weights;
  for (std::uint32_t v = 0; v < s.vertex_count(); ++v) weights.push_back(random.uniform(0.5f, 2));
  return weights;
}

TEST(MakeBorder, GivesEveryPathItsShareOfTheSamples) {
  for (const int genus : {0, 1, 3})
    for (const int n : {4, 6}) {
      Surface s = surface_of(uneven(test::plate_with_holes(genus, 1), 6));
      cut_to_disc(s);
      for (const std::uint32_t v : {2u, 9u, 13u}) cut_towards(s, v);
      const CutWeights weights = random_weights(s, 7);
      const Border border = lay_border(s, weights, n);
      EXPECT_EQ(border.paths.size(), cut_paths(s).size());
      double total = 0;
      std::vector<double> lengths;
      for (const BorderPath& p : border.paths) {
        lengths.push_back(measures(s, weights, p.vertices).back());
        total += lengths.back();
      }
      std::uint32_t sum = 0;
      bool least = false;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double share = lengths[i] / total * (2 << n);
        const BorderPath& p = border.paths[i];
        least = least || p.intervals > share + 1;
        sum += p.intervals;
        if (!least && n == 6) {
          EXPECT_LT(std::abs(p.intervals - share), 1) << "rounded up or down";
        }
        const std::vector<double> along = measures(s, weights, p.vertices);
        for (std::size_t k = 0; k < along.size(); ++k)
          EXPECT_NEAR(p.places[k], along[k] / along.back() * p.intervals, 1e-9);
      }
      EXPECT_EQ(sum, 2u << n);
    }
}

TEST(MakeBorder, SharesByLargestRemainders) {
  // Three paths from one node: a tree with three leaves.
  Surface s = surface_of(uneven(test::tripod(6), 8));
  cut_to_disc(s);
  const std::vector<std::uint32_t> degrees = cut_degrees(s);
  const PathTree tree = [&] {
    std::vector<std::uint32_t> on;
    for (std::uint32_t v = 0; v < s.vertex_count(); ++v)
      if (degrees[v] != 0) on.push_back(v);
    return grow_paths(s, on);
  }();
  cut_towards(s, static_cast<std::uint32_t>(std::max_element(tree.distances.begin(), tree.distances.end()) -
                                            tree.distances.begin()));
  const CutWeights even(s.vertex_count(), 1.0);
  for (const int n : {2, 3, 4, 5}) {
    const Border border = lay_border(s, even, n);
    ASSERT_EQ(border.paths.size(), 3u);
    double total = 0;
    for (const BorderPath& p : border.paths) total += measures(s, even, p.vertices).back();
    std::vector<std::pair<double, std::size_t>> rests;
    std::vector<std::uint32_t> expected;
    std::uint32_t dealt = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double share = measures(s, even, border.paths[i].vertices).back() / total * (2 << n);
      expected.push_back(static_cast<std::uint32_t>(share));
      dealt += expected.back();
      rests.emplace_back(-(share - std::floor(share)), i);
    }
    std::sort(rests.begin(), rests.end());
    for (std::size_t i = 0; dealt < (2u << n); ++i, ++dealt) ++expected[rests[i].second];
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(border.paths[i].intervals, expected[i]) << n;
  }
}

TEST(MakeBorder, TakesSamplesFromLongPathsWhereShortOnesNeedTheirFewest) {
  // Handles of very different size: the loops of the small one need more than their share.
  Mesh mesh = test::cubes(
      {12, 5, 1}, [](int x, int y, int) { return !(x == 1 && y == 1) && !(x >= 4 && x < 11 && y >= 1 && y < 4); });
  mesh = uneven(std::move(mesh), 9, 0.05f);
  Surface s = surface_of(mesh);
  EXPECT_EQ(genus_of(s), 2);
  cut_to_disc(s);
  const std::uint32_t needed = fewest_intervals(s);
  const CutWeights even(s.vertex_count(), 1.0);
  int n = 1;
  while ((2u << n) < needed) ++n;
  const Border border = lay_border(s, even, n);
  std::uint32_t sum = 0;
  for (const BorderPath& p : border.paths) {
    EXPECT_GE(p.intervals, p.vertices.front() == p.vertices.back() ? 4u : 1u);
    sum += p.intervals;
  }
  EXPECT_EQ(sum, 2u << n);
  try {
    (void)lay_border(s, even, n - 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "a cut of " + std::to_string(border.paths.size()) + " paths needs " + std::to_string(2 * needed) +
                  " samples on the border of the image, but at n = " + std::to_string(n - 1) + " it has " +
                  std::to_string(4u << (n - 1)) + ": use a larger n");
  }
}

TEST(MakeBorder, OnACircleFollowsTheWeightedLength) {
  Surface s = surface_of(uneven(test::plate_with_holes(1, 1), 10));
  cut_to_disc(s);
  const CutWeights weights = random_weights(s, 11);
  const OpenSurface open = open_on_circle(s, weights);
  std::vector<std::uint32_t> around;
  for (const std::uint32_t v : open.disc.boundary) around.push_back(open.vertices[v]);
  around.push_back(around.front());
  const std::vector<double> along = measures(s, weights, around);
  for (std::size_t i = 0; i < open.disc.boundary.size(); ++i) {
    const Vec2d p = open.disc.map[open.disc.boundary[i]];
    const double angle = 2 * std::numbers::pi * along[i] / along.back(), radius = std::sqrt(1 / std::numbers::pi);
    EXPECT_NEAR(p.x, radius * std::cos(angle), 1e-12);
    EXPECT_NEAR(p.y, radius * std::sin(angle), 1e-12);
  }
}

TEST(MakeBorder, OnTheSquareEveryVertexIsAtItsPlace) {
  for (const std::uint32_t turn : {0u, 3u, 13u, 20u}) {
    SCOPED_TRACE(turn);
    Surface s = surface_of(uneven(test::plate_with_holes(1, 1), 12));
    cut_to_disc(s);
    cut_towards(s, 5);
    const Border laid = lay_border(s, random_weights(s, 13), 4);
    Border border = laid;
    turn_border(s, border, turn);
    const OpenSurface open = open_on_square(s, border);
    // From side to side, in the order of the loop; sides are shifted by the turn.
    std::map<std::uint32_t, std::multiset<double>> expected, found;  // places of every vertex of the surface
    for (std::size_t i = 0; i < border.sides.size(); ++i) {
      EXPECT_EQ(border.sides[i].start, (laid.sides[i].start + turn) % 64);
      const BorderPath& p = border.paths[border.sides[i].path];
      for (std::size_t k = 0; k + 1 < p.vertices.size(); ++k) {
        const bool backwards = border.sides[i].backwards;
        const std::size_t at = backwards ? p.vertices.size() - 1 - k : k;
        const double along = backwards ? p.intervals - p.places[at] : p.places[at];
        expected[p.vertices[at]].insert(std::fmod(border.sides[i].start + along, 64));
      }
    }
    double last = -1;
    int falls = 0;
    for (const std::uint32_t v : open.disc.boundary) {
      const Vec2d p = open.disc.map[v];
      const double place = p.y == 0 && p.x < 1   ? 16 * p.x
                           : p.x == 1 && p.y < 1 ? 16 + 16 * p.y
                           : p.y == 1 && p.x > 0 ? 32 + 16 * (1 - p.x)
                                                 : 48 + 16 * (1 - p.y);
      found[open.vertices[v]].insert(place);
      falls += place < last ? 1 : 0;
      last = place;
    }
    EXPECT_LE(falls, 1) << "counter-clockwise, once around";
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [v, places] : expected) {
      ASSERT_EQ(found[v].size(), places.size());
      auto at = found[v].begin();
      for (const double place : places) EXPECT_NEAR(*at++, place, 1e-9);
    }
  }
}

TEST(MakeBorder, CornersAreSplitInOrTakenFromAVertexThatIsVeryNearButNeverFromANode) {
  // Few edges, each of some fifty samples: corners fall anywhere on them, also within a sample of a node.
  const Surface cut = [] {
    Surface s = surface_of(uneven(test::octahedron(), 18));
    cut_to_disc(s);
    cut_towards(s, cut_degrees(s)[0] == 0 ? 0 : cut_degrees(s)[1] == 0 ? 1 : 2);
    return s;
  }();
  const Border laid = lay_border(cut, CutWeights(cut.vertex_count(), 1.0), 7);
  std::size_t split = 0, taken = 0;
  for (std::uint32_t turn = 0; turn < 512; ++turn) {
    Surface s = cut;
    Border border = laid;
    turn_border(s, border, turn);
    std::set<std::uint32_t> at_vertices;  // whole places of the border with a vertex
    for (const BorderSide& side : border.sides) {
      const BorderPath& p = border.paths[side.path];
      ASSERT_EQ(p.places.front(), 0);
      ASSERT_EQ(p.places.back(), p.intervals);
      ASSERT_TRUE(std::is_sorted(p.places.begin(), p.places.end(), std::less_equal<>()));
      for (const double place : p.places)
        if (place == std::floor(place)) {
          const auto along = static_cast<std::uint32_t>(side.backwards ? p.intervals - place : place);
          at_vertices.insert((side.start + along) % border.size());
        }
    }
    for (const std::uint32_t corner : {0u, 128u, 256u, 384u}) ASSERT_TRUE(at_vertices.contains(corner)) << turn;
    // A vertex is moved by less than a fiftieth of its edge.
    for (std::size_t i = 0; i < border.paths.size(); ++i) {
      const BorderPath &now = border.paths[i], &before = laid.paths[i];
      split += now.vertices.size() - before.vertices.size();
      for (std::size_t k = 1; k + 1 < before.places.size(); ++k) {
        const auto at = std::find(now.vertices.begin(), now.vertices.end(), before.vertices[k]);
        const double moved =
            std::abs(now.places[static_cast<std::size_t>(at - now.vertices.begin())] - before.places[k]);
        taken += moved > 0 ? 1 : 0;
        const double edge = std::max(before.places[k + 1] - before.places[k], before.places[k] - before.places[k - 1]);
        ASSERT_LT(moved, 0.02 * edge);
      }
    }
  }
  EXPECT_GT(split, 1000u);
  EXPECT_GT(taken, 3u);
}

TEST(MakeBorder, ATubesEndsGetAQuarterOfTheSamplesEach) {
  Surface s = surface_of(uneven(test::cubes({30, 1, 1}, [](int, int, int) { return true; }), 14));
  cut_to_disc(s);
  const CutPath path = cut_paths(s).front();
  const double whole = length_of(s, path);
  const CutWeights weights = tube_weights(s, 0.1);
  double along = 0;
  for (const std::uint32_t h : path) {
    const double t = along / whole;
    EXPECT_NEAR(weights[s.origins[h]], t < 0.1 || t > 0.9 ? 2.5 : 0.625, 1e-12);
    along += s.length(h);
  }
  EXPECT_NEAR(weights[s.end(path.back())], 2.5, 1e-12);
  std::size_t others = 0;
  for (const double w : weights) others += w == 1 ? 1 : 0;
  EXPECT_EQ(others, s.vertex_count() - path.size() - 1);
}

/// Whether the image is a closed manifold when places of the border with the same point are one vertex: each edge of
/// all its triangles is there once in either direction.
bool closes(const Border& border, std::uint32_t turn) {
  const std::uint32_t quarter = border.quarter(), side = quarter + 1;
  std::vector<std::size_t> names(std::size_t{side} * side);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = 1'000'000 + i;
  for (const BorderSide& each : border.sides) {
    const BorderPath& p = border.paths[each.path];
    for (std::uint32_t j = 0; j <= p.intervals; ++j) {
      const std::uint32_t k = each.backwards ? p.intervals - j : j;
      const std::size_t name = k == 0             ? p.vertices.front()
                               : k == p.intervals ? p.vertices.back()
                                                  : 10'000 + 1000 * each.path + k;
      names[border_pixel(border.n, (each.start + j + turn) % border.size())] = name;
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, int> edges;
  for (std::uint32_t i = 0; i < 2 * quarter * quarter; ++i) {
    const Triangle t = image_triangle(border.n, i);
    for (int k = 0; k < 3; ++k) ++edges[{names[t[k]], names[t[(k + 1) % 3]]}];
  }
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return e.second == 1 && e.first.first != e.first.second && edges.contains({e.first.second, e.first.first});
  });
}

TEST(MakeBorder, TurnsThatCloseAreThoseThatMakeAClosedMesh) {
  std::size_t open = 0, closed = 0;
  for (const int genus : {0, 1, 2})
    for (const int n : {1, 2, 3, 4}) {
      SCOPED_TRACE(testing::Message() << "genus " << genus << ", n " << n);
      Surface s = surface_of(uneven(test::plate_with_holes(genus, 1), 15));
      cut_to_disc(s);
      for (const std::uint32_t v : {0u, 9u}) cut_towards(s, v);
      if (fewest_intervals(s) > (2u << n)) continue;
      const Border border = lay_border(s, random_weights(s, 16), n);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t turn = 0; turn < border.quarter(); ++turn)
        if (closes(border, turn)) expected.push_back(turn);
      EXPECT_EQ(turns_that_close(s, border, border.quarter()), expected);
      EXPECT_EQ(turns_that_close(s, border, 1000), expected);
      const std::vector<std::uint32_t> one = turns_that_close(s, border, 1);
      EXPECT_EQ(one.size(), expected.empty() ? 0u : 1u);
      closed += expected.size();
      open += border.quarter() - expected.size();
    }
  EXPECT_GT(open, 3u);
  EXPECT_GT(closed, 20u);
}

TEST(MakeBorder, IsWrittenWithTheSameBitsEverywhere) {
  // Uneven; with all points at few places; with points nearer than a file distinguishes; without any extent.
  const std::uint64_t expected[] = {1566326165795188549u, 5118499573508743251u, 17631723833706159885u,
                                    17000387533596649790u};
  for (int kind = 0; kind < 4; ++kind) {
    Mesh mesh = uneven(test::plate_with_holes(1, 1), 17);
    for (Vec3& p : mesh.positions) {
      if (kind == 1) p = {std::round(p.x), std::round(p.y / 2), 0};
      if (kind == 2) p = {p.x * 1e-6f + 3, p.y * 1e-6f - 5, p.x > 3.5f ? 1e4f : 0};
      if (kind == 3) p = {-7, 8, 9};
    }
    Surface s = surface_of(mesh);
    cut_to_disc(s);
    Border border = lay_border(s, CutWeights(s.vertex_count(), 1.0), 4);
    turn_border(s, border, 5);
    std::vector<Vec3> positions(17 * 17, to_float(s.positions[0]));
    write_border(s, border, positions);
    EXPECT_EQ(hash_of(positions), expected[kind]) << kind;
    std::size_t points = 0, nodes = 0;
    std::map<std::array<float, 3>, int> counts;
    for (std::uint32_t place = 0; place < border.size(); ++place) {
      const Vec3 p = positions[border_pixel(4, place)];
      ++counts[{p.x, p.y, p.z}];
    }
    for (const BorderPath& p : border.paths) points += p.intervals - 1;
    for (const std::uint32_t degree : cut_degrees(s)) nodes += degree != 0 && degree != 2 ? 1 : 0;
    EXPECT_EQ(counts.size(), points + nodes) << "no two are equal";
  }
}

// ---- how far, and how well

double squared_to_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  // Ericson, "Real-time collision detection", 2005, 5.1.5: by the regions of corners, edges and the face.
  const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  const auto squared = [&](Vec3d q) { return dot(p - q, p - q); };
  if (d1 <= 0 && d2 <= 0) return squared(a);
  if (d3 >= 0 && d4 <= d3) return squared(b);
  if (d6 >= 0 && d5 <= d6) return squared(c);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return squared(a + ab * (d1 / (d1 - d3)));
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return squared(a + ac * (d2 / (d2 - d6)));
  if (va <= 0 && d4 >= d3 && d5 >= d6) return squared(b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))));
  return squared(a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc)));
}

TEST(ImageDistance, IsThatOfTheFurthestVertexFromAllTriangles) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    Disc disc = test::rough_disc(6, 0.4, 0.4, seed);
    solve_map(disc, {});
    GeometryImage image{.n = 1 + static_cast<int>(seed % 4), .positions = {}, .normals = {}};
    sample(disc, image.n, image.positions);
    test::Random random(seed);
    for (Vec3& p : image.positions) p = p + random.in({{-0.1f, -0.1f, -0.3f}, {0.1f, 0.1f, 0.3f}});
    double furthest = 0;
    for (const Vec3d p : disc.positions) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < image.triangle_count(); ++i) {
        const Triangle t = image_triangle(image.n, i);
        nearest =
            std::min(nearest, squared_to_triangle(p, to_double(image.positions[t.a]), to_double(image.positions[t.b]),
                                                  to_double(image.positions[t.c])));
      }
      furthest = std::max(furthest, std::sqrt(nearest));
    }
    EXPECT_NEAR(furthest_from_image(disc, image), furthest, 1e-12) << seed;
  }
}

TEST(ImageDistance, OfNormalsIsZeroForAFlatDiscAndAsItWasForOthers) {
  Disc flat = test::square_disc(4);
  for (std::size_t v = 0; v < flat.map.size(); ++v) flat.map[v] = {flat.positions[v].x, flat.positions[v].y};
  EXPECT_NEAR(normal_error(flat, 3), 0, 1e-12);
  for (const auto& [cells, n, expected] :
       {std::tuple{5u, 2, 0.045532995650861}, {9u, 3, 0.161872531233395}, {12u, 9, 0.401096949723518}}) {
    Disc rough = test::rough_disc(cells, 0.3, 0.2, cells);
    solve_map(rough, {});
    EXPECT_NEAR(normal_error(rough, n), expected, 1e-12) << cells;
    if (n == 9) {
      EXPECT_EQ(normal_error(rough, 9), normal_error(rough, 8)) << "no finer than 257 x 257";
    }
  }
}

// ---- progress

TEST(MakeProgress, CountsThousandStepsAComponent) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  MakeImageOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { calls.emplace_back(done, total); };
  Progress progress(options, 2);
  progress.at(Progress::kCut, 0);  // nothing is done yet
  progress.at(Progress::kCut, 0.5);
  progress.at(Progress::kCut, 0.25);  // less than before
  progress.at(Progress::kCut, 7);
  progress.at(Progress::kBorder, -1);
  progress.at(Progress::kBorder, 0.5);
  progress.at(Progress::kTrials, 0.1);
  progress.at(Progress::kMap, 0.2);
  progress.at(Progress::kImage, 0);
  progress.at(Progress::kImage, 0.5);
  progress.next_component();
  progress.at(Progress::kCut, 0.1);
  progress.next_component();
  using Call = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(calls,
              ElementsAre(Call{55, 2000}, Call{110, 2000}, Call{180, 2000}, Call{297, 2000}, Call{770, 2000},
                          Call{970, 2000}, Call{985, 2000}, Call{1000, 2000}, Call{1011, 2000}, Call{2000, 2000}));
}

}  // namespace
}  // namespace lamella::gi
