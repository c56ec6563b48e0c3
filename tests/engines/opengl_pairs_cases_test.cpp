// gl-pairs, case by case: what it must find, what it must not, and what happens at its limits.

#include <gmock/gmock.h>

#include "opengl_pairs_oracle.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::HandMadeGroup;
using test::make_group;
using test::OpenGlPairs;
using test::Pairs;
using test::pairs_of;
using test::usual_query;
using testing::HasSubstr;

/// A box over the unit square from depth `low` to `high`, a little smaller for every one of `number`, so that no walls
/// coincide.
Mesh slab(float low, float high, int number = 0) {
  const float inset = 0.001f * static_cast<float>(number);
  return box_mesh({inset, inset, low}, {1 - inset, 1 - inset, high});
}

/// Slabs given by their ends.
std::vector<Mesh> slabs(std::initializer_list<std::pair<float, float>> ends) {
  std::vector<Mesh> meshes;
  for (const auto& [low, high] : ends) meshes.push_back(slab(low, high, static_cast<int>(meshes.size())));
  return meshes;
}

/// A long box with `count` small ones in it, one behind another along z.
std::vector<Mesh> string_of_beads(int count) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {1, 1, static_cast<float>(count) + 1})};
  for (int i = 0; i < count; ++i) {
    const float z = static_cast<float>(i) + 1;
    meshes.push_back(box_mesh({0.2f, 0.2f, z - 0.3f}, {0.8f, 0.8f, z + 0.3f}));
  }
  return meshes;
}

auto span_key(const PairSpan& s) {
  return std::tuple(s.candidate, s.column, s.begin, s.end, s.a.face, s.a.crossing.key, s.b.face, s.b.crossing.key);
}
auto point_key(const PairPoint& p) {
  return std::tuple(p.candidate, p.column, p.a.crossing.key, p.b.crossing.key, p.a.face, p.b.face);
}

void expect_same(const GroupAnswer& x, const GroupAnswer& y) {
  const auto keys = [](const auto& records, const auto& key) {
    std::vector<decltype(key(records[0]))> all;
    for (const auto& r : records) all.push_back(key(r));
    return all;
  };
  EXPECT_EQ(keys(x.spans, span_key), keys(y.spans, span_key));
  EXPECT_EQ(keys(x.points, point_key), keys(y.points, point_key));
}

TEST_F(OpenGlPairs, TwoBoxesThatOverlapAreAPairWithTheirSharedStretchInEveryColumn) {
  const HandMadeGroup made = make_group(slabs({{0, 1}, {0.75f, 2}}), Axis::z, 16);
  const GroupAnswer answer = find(made);
  EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}}));
  ASSERT_EQ(answer.spans.size(), made.group.grid.column_count());
  for (const PairSpan& s : answer.spans) {
    EXPECT_NEAR(s.end - s.begin, 0.25, 1e-6);
    EXPECT_FALSE(s.a.crossing.entry());
    EXPECT_TRUE(s.b.crossing.entry());
  }
  EXPECT_EQ(answer.occupied_columns, made.group.grid.column_count());
  EXPECT_GT(answer.read_back_bytes, answer.spans.size() * 32);
}

TEST_F(OpenGlPairs, AnObjectWithinAnotherIsFoundWhicheverComesFirst) {
  const Mesh outer = scenes::sphere(500), inner = scenes::torus(300, 0.4f, 0.1f);
  EXPECT_EQ(find(make_group({outer, inner}, Axis::x, 32)).spans.empty(), false);
  EXPECT_EQ(find(make_group({inner, outer}, Axis::x, 32)).spans.empty(), false);
}

TEST_F(OpenGlPairs, ObjectsThatCoincideArePairsOnAllRays) {
  for (const Axis axis : test::kAxes) {
    const Mesh knot = scenes::torus_knot(800);
    const HandMadeGroup made = make_group({knot, knot, knot}, axis, 32);
    const GroupAnswer answer = find(made);
    EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
    std::set<std::uint32_t> columns;
    for (const PairSpan& s : answer.spans)
      if (s.candidate == 0) columns.insert(s.column);
    EXPECT_GE(columns.size() * 50, answer.occupied_columns * 49u) << "but for rays that graze it";
    EXPECT_EQ(answer.inside_out_columns, 0u);
  }
}

TEST_F(OpenGlPairs, ObjectsThatTouchAreNoPair) {
  std::vector<Mesh> bricks;
  for (int i = 0; i < 8; ++i) {
    const Vec3 low{static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2)};
    bricks.push_back(box_mesh(low, low + Vec3{1, 1, 1}));
  }
  for (const Axis axis : test::kAxes) {
    const GroupAnswer answer = find(make_group(bricks, axis, 33, true));
    EXPECT_TRUE(answer.spans.empty());
    EXPECT_TRUE(answer.points.empty()) << "points are of pairs";
  }
}

TEST_F(OpenGlPairs, APairThatAThirdObjectFollowsOnEveryRayIsFound) {
  const HandMadeGroup staggered = make_group(slabs({{0, 4}, {1, 5}, {2, 6}}), Axis::z, 16);
  EXPECT_EQ(pairs_of(staggered, find(staggered)), (Pairs{{0, 1}, {0, 2}, {1, 2}})) << "f1 f2 f3 b1 b2 b3";
  const HandMadeGroup held = make_group(slabs({{0, 5}, {1, 2}, {3, 4}}), Axis::z, 16);
  EXPECT_EQ(pairs_of(held, find(held)), (Pairs{{0, 1}, {0, 2}})) << "f1 f2 b2 f3 b3 b1";
  EXPECT_EQ(finder_->redraws(), 0u);
}

TEST_F(OpenGlPairs, WhatFewLayersHideIsDrawnAgainTwoByTwo) {
  const auto few = make({.layers = 4});
  const HandMadeGroup made = make_group(string_of_beads(12), Axis::z, 16);
  Pairs all;
  for (std::uint32_t i = 1; i <= 12; ++i) all.emplace(0, i);
  EXPECT_EQ(pairs_of(made, find(made)), all);
  EXPECT_EQ(finder_->redraws(), 0u);
  EXPECT_EQ(pairs_of(made, find(*few, made, usual_query(made.group.grid))), all);
  EXPECT_GE(few->redraws(), 8u);
  EXPECT_LE(few->redraws(), 10u);
}

TEST_F(OpenGlPairs, FewLayersFindTheSamePairs) {
  const auto few = make({.layers = 4});
  std::uint32_t redraws = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    test::Random random(seed);
    std::vector<Mesh> heap;
    for (std::uint32_t i = 0; i < 10; ++i) {
      const Vec3 at = random.in({{0, 0, 0}, {0.2f, 0.2f, 2}});
      heap.push_back(box_mesh(at, at + random.in({{0.2f, 0.2f, 0.1f}, {1, 1, 2}})));
    }
    const HandMadeGroup made = make_group(heap, Axis::z, 24);
    EXPECT_EQ(pairs_of(made, find(*few, made, usual_query(made.group.grid))), pairs_of(made, find(made))) << seed;
    redraws += few->redraws();
    EXPECT_EQ(finder_->redraws(), 0u);
  }
  EXPECT_GT(redraws, 0u);
}

TEST_F(OpenGlPairs, RoundsGrowWithTheObjectsOnARayNotWithTheirSurfaces) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    std::vector<Mesh> row;
    for (std::uint32_t i = 0; i < n; ++i) row.push_back(slab(2 * static_cast<float>(i), 2 * static_cast<float>(i) + 1));
    EXPECT_EQ(find(make_group(row, Axis::z, 8, true)).round_count, (n + 1) / 2) << n;
  }
  EXPECT_EQ(find(make_group({test::stacked_plates(40), slab(-3, -2)}, Axis::z, 8, true)).round_count, 1u);
}

TEST_F(OpenGlPairs, MoreRecordsThanThereIsRoomForAreAllThereInTheEnd) {
  const auto little = make({.records = 1});
  const HandMadeGroup made = make_group({scenes::blob(500, 3), scenes::torus(300), scenes::sphere(200)}, Axis::y, 64);
  const GroupQuery query = usual_query(made.group.grid);
  const GroupAnswer answer = find(made);
  ASSERT_GT(answer.points.size(), 100u);
  expect_same(find(*little, made, query), answer);
  expect_same(find(*little, made, query), answer);
}

TEST_F(OpenGlPairs, MoreRecordsThanAllowedAreAnError) {
  const auto bounded = make({}, {.max_crossings = 100});
  const HandMadeGroup large = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 16);
  const HandMadeGroup small = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 8);
  const Error error = test::error_of([&] { (void)find(*bounded, large, usual_query(large.group.grid)); });
  EXPECT_EQ(error.kind(), Error::Kind::input);
  EXPECT_THAT(error.what(), HasSubstr("max_crossings"));
  EXPECT_EQ(find(*bounded, small, usual_query(small.group.grid)).spans.size(), small.group.grid.column_count());
}

TEST_F(OpenGlPairs, AnswersAreInOrderAndTheSameAgainAfterOtherGroups) {
  const HandMadeGroup made =
      make_group({scenes::torus_knot(900), scenes::blob(500), scenes::torus(400), scenes::torus(400)}, Axis::z, 48);
  const HandMadeGroup other = make_group(slabs({{0, 2}, {1, 3}}), Axis::x, 100);
  const GroupAnswer first = find(made);
  ASSERT_GT(first.points.size(), 100u);
  const auto span_order = [](const PairSpan& s) { return std::tuple(s.candidate, s.column, s.begin); };
  const auto point_order = [](const PairPoint& p) { return std::tuple(p.candidate, p.column, p.a.crossing.depth()); };
  for (std::size_t i = 1; i < first.spans.size(); ++i)
    EXPECT_LE(span_order(first.spans[i - 1]), span_order(first.spans[i]));
  for (std::size_t i = 1; i < first.points.size(); ++i)
    EXPECT_LE(point_order(first.points[i - 1]), point_order(first.points[i]));
  (void)find(other);
  expect_same(find(made), first);
}

TEST_F(OpenGlPairs, OnlyCandidatesAreReportedAndOnlyTheirPointsThatAreWanted) {
  HandMadeGroup made = make_group(slabs({{0, 4}, {1, 4.01f}, {2, 6}}), Axis::z, 16);
  made.group.candidates = {{0, 1, false}, {1, 2}};
  made.group.first_candidate = {0, 1, 2, 2};
  GroupQuery query = usual_query(made.group.grid);
  query.threshold = 2;
  const GroupAnswer answer = find(*finder_, made, query);
  EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}, {1, 2}}));
  ASSERT_FALSE(answer.points.empty());
  for (const PairPoint& p : answer.points) EXPECT_EQ(p.candidate, 1u);
  query.points = false;
  const GroupAnswer without = find(*finder_, made, query);
  EXPECT_TRUE(without.points.empty());
  EXPECT_EQ(without.spans.size(), answer.spans.size());
}

TEST_F(OpenGlPairs, TwoObjectsThatAreNoCandidateAreNotTakenForTheNextThatIs) {
  HandMadeGroup made = make_group(slabs({{0, 4}, {1, 5}, {2, 6}, {3, 7}}), Axis::z, 8);
  ASSERT_EQ(made.group.candidates.size(), 6u);
  const std::size_t columns = made.group.grid.column_count();
  made.group.candidates = {{0, 2}, {1, 3}};
  made.group.first_candidate = {0, 1, 2, 2, 2};
  for (const bool keep_spans : {true, false}) {
    GroupQuery query = usual_query(made.group.grid);
    query.keep_spans = keep_spans;
    const GroupAnswer answer = find(*finder_, made, query);
    EXPECT_EQ(answer.spans.size(), keep_spans ? 2 * columns : 0);
    for (const PairSpan& s : answer.spans) EXPECT_NEAR(s.end - s.begin, 2, 1e-5);
    for (const PairSum& s : answer.sums) {
      EXPECT_EQ(s.spans, columns);
      EXPECT_NEAR(s.length, 2.0 * static_cast<double>(columns), 0.01);
    }
  }
}

/// More vertices than are uploaded at a time, of several objects.
TEST_F(OpenGlPairs, ManyVerticesOfSeveralObjectsAreAllUploaded) {
  const Mesh ball = test::round_sphere(72, 120), box = box_mesh({-0.4f, -0.35f, -3}, {0.45f, 0.3f, 3});
  ASSERT_GT(ball.positions.size(), 8192u);
  const Mesh side = box_mesh({0.75f, -2, -0.2f}, {2, 2, 0.25f});
  for (const std::vector<Mesh>& meshes : {std::vector{box, ball, side}, std::vector{ball, box, side}}) {
    const HandMadeGroup made = make_group(meshes, Axis::z, 32);
    const GroupAnswer answer = find(made);
    const std::uint32_t first = meshes[0].positions.size() == 8 ? 1 : 0;
    EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}, {first, 2}}));
    EXPECT_EQ(answer.open_columns + answer.inside_out_columns, 0u);
    Mesh all;
    for (const Mesh& m : meshes) test::append(all, m);
    Ldi ldi;
    software_->build(all, made.group.grid, ldi);
    EXPECT_NEAR(answer.occupied_columns, validate(ldi).occupied_columns, 4) << "a driver may decide otherwise at edges";
  }
}

TEST_F(OpenGlPairs, AnOpenObjectIsNamedAndLeftOutWhereItIsOpen) {
  Mesh open = slab(1, 3);
  open.triangles.erase(open.triangles.begin() + 3);  // half of the side behind
  const HandMadeGroup made = make_group({slab(0, 2, 1), open, slab(2.5f, 4, 2)}, Axis::z, 32);
  const GroupAnswer answer = find(made);
  Ldi ldi;
  software_->build(open, made.group.grid, ldi);
  const std::uint32_t expected = validate(ldi).open_columns;
  ASSERT_GT(expected, 100u);
  EXPECT_NEAR(answer.open_columns, expected, 32) << "the diagonal may fall to either side";
  EXPECT_EQ(answer.objects[1].open_columns, answer.open_columns);
  EXPECT_EQ(answer.objects[0].open_columns + answer.objects[2].open_columns, 0u);
  EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(answer.spans.size(), 2 * (made.group.grid.column_count() - answer.open_columns));
}

TEST_F(OpenGlPairs, AnObjectInsideOutMakesNoPairAndIsCounted) {
  const HandMadeGroup made = make_group({test::inside_out(slab(1, 3)), slab(0, 4, 1), slab(2, 5, 2)}, Axis::z, 16);
  const GroupAnswer answer = find(made);
  EXPECT_EQ(pairs_of(made, answer), (Pairs{{1, 2}}));
  EXPECT_EQ(answer.inside_out_columns, made.group.grid.column_count());
  EXPECT_EQ(answer.open_columns, 0u);
}

TEST_F(OpenGlPairs, BrokenVerticesAreCountedForTheirObject) {
  Mesh far = slab(0, 2, 1), nan = slab(1, 3, 2);
  far.positions[0].x = 3e38f;
  nan.positions[7].z = std::numeric_limits<float>::quiet_NaN();
  HandMadeGroup made = make_group(slabs({{0, 2}, {1, 3}, {1, 4}}), Axis::z, 16);
  made.meshes[0] = far;
  made.meshes[1] = nan;
  for (int i = 0; i < 2; ++i)
    made.group.objects[static_cast<std::size_t>(i)].mesh = made.meshes[static_cast<std::size_t>(i)];
  const GroupAnswer answer = find(made);
  const auto broken = [](const Mesh& mesh, std::uint32_t vertex) {
    return std::count_if(mesh.triangles.begin(), mesh.triangles.end(),
                         [&](const Triangle& t) { return t.a == vertex || t.b == vertex || t.c == vertex; });
  };
  EXPECT_EQ(answer.objects[0].skipped_triangles, broken(far, 0));
  EXPECT_EQ(answer.objects[1].skipped_triangles, broken(nan, 7));
  EXPECT_EQ(answer.objects[2].skipped_triangles, 0u);
  EXPECT_GT(answer.open_columns, 0u);
}

TEST_F(OpenGlPairs, ObjectsAreSampledInTheirWindowsAlone) {
  HandMadeGroup made = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 16);
  made.group.windows = {{0, {3, 2, 9, 8}}, {1, {5, 0, 16, 6}}};
  for (const ObjectWindow& w : made.group.windows) made.group.objects[w.object].window = w.window;
  const GroupAnswer answer = find(made);
  EXPECT_EQ(answer.spans.size(), 4u * 4u);
  EXPECT_EQ(answer.open_columns, 0u);
  EXPECT_EQ(answer.occupied_columns, 6u * 6u + 11u * 6u - 4u * 4u);
}

TEST_F(OpenGlPairs, WhatLiesBeyondTheBoxIsMovedOntoItsFacesOrLeftOut) {
  HandMadeGroup made = make_group(slabs({{0, 4}, {1, 6}, {-2, 1.5f}}), Axis::z, 16);
  made.group.grid.box.min.z = 2;
  made.group.grid.box.max.z = 5;
  const GroupAnswer answer = find(made);
  EXPECT_EQ(pairs_of(made, answer), (Pairs{{0, 1}})) << "the third ends before the box";
  for (const PairSpan& s : answer.spans) {
    EXPECT_EQ(s.begin, 0);
    EXPECT_NEAR(s.end, 2, 1e-6);
  }
}

TEST_F(OpenGlPairs, AnIndexOutOfRangeIsAnErrorAndTheNextGroupIsAnswered) {
  HandMadeGroup made = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 16);
  made.meshes[1].triangles[5].b = 8;
  EXPECT_THROW((void)find(made), Error);
  made.meshes[1].triangles[5].b = 0;
  EXPECT_FALSE(find(made).spans.empty());
}

TEST_F(OpenGlPairs, EmptyGroupsAndObjectsHaveNoPairs) {
  EXPECT_TRUE(find(make_group(slabs({{0, 1}, {2, 3}}), Axis::z, 16)).spans.empty()) << "no candidates";
  EXPECT_TRUE(find(HandMadeGroup{}).spans.empty());
  for (const HandMadeGroup& none : {make_group(slabs({{0, 1}, {2, 3}}), Axis::z, 16),
                                    make_group({Mesh{{{0, 0, 0}, {1, 1, 1}}, {}}, Mesh{}}, Axis::z, 16, true)}) {
    GroupAnswer answer = find(make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 16));
    EXPECT_GT(answer.round_count, 0u);
    finder_->find(none.group, usual_query(none.group.grid), answer);
    EXPECT_TRUE(answer.spans.empty() && answer.points.empty() && answer.sums.empty());
    EXPECT_EQ(answer.objects.size(), 2u);
    EXPECT_EQ(answer.round_count, 0u) << "nothing was drawn";
    EXPECT_EQ(answer.read_back_bytes, 0u);
    EXPECT_EQ(answer.open_columns + answer.occupied_columns + answer.inside_out_columns, 0u);
    EXPECT_EQ(answer.dropped_crossings + answer.passed_over, 0u);
    EXPECT_EQ(answer.ms.total() + answer.ms.gpu, 0);
  }
  HandMadeGroup made = make_group({Mesh{}, slab(0, 2), Mesh{}, slab(1, 3, 1), Mesh{}}, Axis::z, 16, true);
  EXPECT_EQ(pairs_of(made, find(made)), (Pairs{{1, 3}}));
}

TEST_F(OpenGlPairs, ALostDeviceIsAnErrorOnceAndTheNextGroupIsAnswered) {
  const HandMadeGroup made = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 16);
  const GroupAnswer before = find(made);
  finder_->context().lose();
  const Error error = test::error_of([&] { (void)find(made); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), HasSubstr("gl-pairs"));
  expect_same(find(made), before);
}

TEST_F(OpenGlPairs, ADriversLimitIsNamed) {
  const HandMadeGroup made = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 64);
  const GroupAnswer before = find(made);
  const opengl::DeviceFacts facts = finder_->context().facts();
  opengl::DeviceFacts small = facts;
  small.max_image = 32;
  finder_->context().pretend(small);
  EXPECT_THAT(test::error_of([&] { (void)find(made); }).what(), HasSubstr("32 x 32"));
  small = facts;
  small.max_storage_bytes = 3000;
  finder_->context().pretend(small);
  EXPECT_THAT(test::error_of([&] { (void)find(made); }).what(), HasSubstr("buffer"));
  // Each list has its own limit: 12 bytes for a vertex, 36 for a face of the blocks of 256.
  const HandMadeGroup pair = make_group(slabs({{0, 2}, {1, 3}}), Axis::z, 4);
  small.max_storage_bytes = 2 * 256 * 36;
  finder_->context().pretend(small);
  EXPECT_EQ(find(pair).spans.size(), 4u * 4);
  --small.max_storage_bytes;
  finder_->context().pretend(small);
  EXPECT_THAT(test::error_of([&] { (void)find(pair); }).what(), HasSubstr("groups of 512 faces"));
  finder_->context().pretend(facts);
  expect_same(find(made), before);
}

}  // namespace
}  // namespace lamella
