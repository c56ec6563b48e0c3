// gl-pairs: what is read back, and what is left out of it on the device.

#include <gmock/gmock.h>

#include "opengl_pairs_oracle.hpp"
#include "opengl_pairs_scenes.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::HandMadeGroup;
using test::make_group;
using test::OpenGlPairs;
using test::Pairs;
using test::pairs_of;
using test::random_scene;
using test::usual_query;

auto point_key(const PairPoint& p) {
  return std::tuple(p.candidate, p.column, p.a.crossing.key, p.b.crossing.key, p.a.face, p.b.face);
}

std::vector<decltype(point_key(PairPoint{}))> keys(const std::vector<PairPoint>& points) {
  std::vector<decltype(point_key(PairPoint{}))> all;
  for (const PairPoint& p : points) all.push_back(point_key(p));
  return all;
}

GroupQuery points_only(const Grid& grid) {
  GroupQuery query = usual_query(grid);
  query.keep_spans = false;
  return query;
}

/// Counters of every round, sums of every candidate and every point once.
std::uint64_t most_bytes(const HandMadeGroup& made, const GroupAnswer& answer) {
  const std::uint64_t report = 32 + 8 * made.group.objects.size();
  return (answer.round_count + 1) * report + 36 * made.group.candidates.size() + 24 * answer.points.size();
}

std::vector<PairSum> sums_of(const HandMadeGroup& made, const GroupAnswer& answer) {
  std::vector<PairSum> sums(made.group.candidates.size());
  for (const PairSpan& s : answer.spans) {
    PairSum& sum = sums[s.candidate];
    const double l = static_cast<double>(s.end) - s.begin;
    const double u = s.column % made.group.grid.columns + 0.5, v = s.column / made.group.grid.columns + 0.5;
    ++sum.spans;
    sum.length += l;
    sum.moment = sum.moment + Vec3d{u * l, v * l, 0.5 * (static_cast<double>(s.begin) + s.end) * l};
  }
  return sums;
}

TEST_F(OpenGlPairs, PointsAloneAreTheSamePointsWithTheSumsOfTheSpans) {
  std::size_t points = 0;
  for (std::uint32_t seed = 0; seed < 15; ++seed) {
    const HandMadeGroup made = make_group(random_scene(seed), test::kAxes[seed % 3], 40);
    const GroupAnswer full = find(made), few = find(*finder_, made, points_only(made.group.grid));
    EXPECT_EQ(keys(few.points), keys(full.points)) << seed;
    EXPECT_TRUE(few.spans.empty());
    EXPECT_TRUE(full.sums.empty());
    EXPECT_LE(few.read_back_bytes, most_bytes(made, few)) << seed;
    EXPECT_GE(full.read_back_bytes, 32 * full.spans.size());
    points += few.points.size();
    const std::vector<PairSum> expected = sums_of(made, full);
    ASSERT_EQ(few.sums.size(), made.group.candidates.size());
    const double depth = made.group.grid.depth();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const PairSum &sum = few.sums[i], &wanted = expected[i];
      EXPECT_EQ(sum.spans, wanted.spans);
      const double rounding = (wanted.spans + 1) * 0x1p-20 * depth;  // lengths are whole numbers of 2^-20 of the depth
      EXPECT_NEAR(sum.length, wanted.length, rounding);
      EXPECT_NEAR(sum.moment.x, wanted.moment.x, rounding * made.group.grid.columns);
      EXPECT_NEAR(sum.moment.y, wanted.moment.y, rounding * made.group.grid.rows);
      EXPECT_NEAR(sum.moment.z, wanted.moment.z, 2 * rounding * depth);
    }
  }
  EXPECT_GT(points, 500u);
}

TEST_F(OpenGlPairs, WhatIsReadDoesNotGrowWithTheVolumeShared) {
  const Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 2}), b = test::box_mesh({0.01f, 0.01f, 0.5f}, {0.99f, 0.99f, 1.5f});
  const HandMadeGroup coarse = make_group({a, b}, Axis::z, 16), fine = make_group({a, b}, Axis::z, 128);
  const GroupAnswer few = find(*finder_, coarse, points_only(coarse.group.grid));
  const GroupAnswer many = find(*finder_, fine, points_only(fine.group.grid));
  EXPECT_TRUE(many.points.empty()) << "one is deep inside the other";
  EXPECT_GT(many.sums.at(0).spans, 10'000u);
  EXPECT_EQ(many.read_back_bytes, few.read_back_bytes);
  EXPECT_LE(many.read_back_bytes, most_bytes(fine, many));
}

/// Every byte of a drawing whose rounds had enough room at once.
TEST_F(OpenGlPairs, WhatIsReadIsWhatWasAskedForToTheByte) {
  const HandMadeGroup made =
      make_group({test::box_mesh({0, 0, 0}, {1, 1, 2}), test::box_mesh({0.01f, 0.01f, 1}, {0.99f, 0.99f, 3}),
                  test::box_mesh({0.02f, 0.02f, 2.9f}, {0.98f, 0.98f, 4})},
                 Axis::z, 16);
  const std::uint64_t report = 32 + 8 * 3, columns = made.group.grid.column_count();
  ASSERT_EQ(made.group.candidates.size(), 2u);
  GroupQuery query = usual_query(made.group.grid);
  query.threshold = 0.2f;
  const GroupAnswer full = find(*finder_, made, query);
  EXPECT_EQ(full.spans.size(), 2 * columns);
  EXPECT_EQ(full.points.size(), columns) << "fronts and backs of the last two";
  EXPECT_EQ(full.read_back_bytes, (full.round_count + 1) * report + 32 * 2 * columns + 24 * columns);
  query.keep_spans = false;
  const GroupAnswer few = find(*finder_, made, query);
  EXPECT_EQ(few.round_count, full.round_count);
  EXPECT_EQ(few.read_back_bytes, (few.round_count + 1) * report + 36 * 2 + 24 * columns);
  query.keep_spans = true;
  query.points = false;
  const GroupAnswer spans = find(*finder_, made, query);
  EXPECT_EQ(spans.read_back_bytes, spans.round_count * report + 32 * 2 * columns) << "there are no points to gather";
  query.keep_spans = false;
  const GroupAnswer sums = find(*finder_, made, query);
  EXPECT_EQ(sums.read_back_bytes, (sums.round_count + 1) * report + 36 * 2);
}

/// How the host did it: sorted by place and depth, of the same two faces the first stays.
std::vector<PairPoint> without_doubles(std::vector<PairPoint> points) {
  std::sort(points.begin(), points.end(),
            [](const PairPoint& x, const PairPoint& y) { return point_key(x) < point_key(y); });
  std::vector<PairPoint> kept;
  for (const PairPoint& p : points) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const PairPoint& q) {
      return q.candidate == p.candidate && q.column == p.column && q.a.face == p.a.face && q.b.face == p.b.face;
    });
    if (!known) kept.push_back(p);
  }
  return kept;
}

TEST_F(OpenGlPairs, TheDeviceRemovesThoseDoublesThatTheHostWouldRemove) {
  const auto raw = make({.doubles = true});
  std::size_t doubles = 0;
  for (const std::uint32_t seed : {0u, 1u, 2u, 3u, 4u, 9u, 14u}) {
    const HandMadeGroup made = make_group(random_scene(seed), test::kAxes[seed % 3], 32);
    const GroupAnswer all = find(*raw, made, usual_query(made.group.grid)), answer = find(made);
    EXPECT_EQ(keys(answer.points), keys(without_doubles(all.points))) << seed;
    doubles += all.points.size() - answer.points.size();
  }
  EXPECT_GT(doubles, 100u);
}

TEST_F(OpenGlPairs, PointsAloneFitIntoLittleRoomInTheEnd) {
  const auto little = make({.records = 1});
  const HandMadeGroup made = make_group({scenes::blob(500, 3), scenes::torus(300), scenes::sphere(200)}, Axis::y, 48);
  const GroupAnswer answer = find(*finder_, made, points_only(made.group.grid));
  ASSERT_GT(answer.points.size(), 100u);
  const GroupAnswer other = find(*little, made, points_only(made.group.grid));
  EXPECT_EQ(keys(other.points), keys(answer.points));
  ASSERT_EQ(other.sums.size(), answer.sums.size());
  for (std::size_t i = 0; i < answer.sums.size(); ++i) {
    EXPECT_EQ(other.sums[i].spans, answer.sums[i].spans) << "a round that is repeated counts once";
    EXPECT_EQ(other.sums[i].length, answer.sums[i].length);
  }
}

TEST_F(OpenGlPairs, WhereAnObjectIsOpenOrInsideOutTheSpansAreReadAfterAll) {
  Mesh open = test::box_mesh({0, 0, 1}, {1, 1, 3});
  open.triangles.erase(open.triangles.begin() + 3);
  const Mesh slab = test::box_mesh({0.001f, 0.001f, 0}, {0.999f, 0.999f, 2});
  const Mesh turned = test::inside_out(test::box_mesh({0.002f, 0.002f, 1}, {0.998f, 0.998f, 3}));
  for (const Mesh& broken : {open, turned}) {
    const HandMadeGroup made =
        make_group({slab, broken, test::box_mesh({0.003f, 0.003f, 1.99f}, {0.997f, 0.997f, 4})}, Axis::z, 24);
    GroupQuery query = points_only(made.group.grid);
    query.threshold = 0.1f;
    const GroupAnswer few = find(*finder_, made, query);
    query.keep_spans = true;
    const GroupAnswer full = find(*finder_, made, query);
    EXPECT_EQ(keys(few.points), keys(full.points));
    EXPECT_EQ(few.spans.size(), full.spans.size());
    EXPECT_TRUE(few.sums.empty());
    EXPECT_EQ(few.open_columns, full.open_columns);
    EXPECT_EQ(few.inside_out_columns, full.inside_out_columns);
    EXPECT_EQ(few.round_count, full.round_count);
    EXPECT_FALSE(full.points.empty());
  }
}

TEST_F(OpenGlPairs, WhatFewLayersHideIsAlsoFoundWithPointsAlone) {
  const auto few = make({.layers = 4});
  std::vector<Mesh> beads{test::box_mesh({0, 0, 0}, {1, 1, 9})};
  for (int i = 1; i <= 8; ++i) {
    const float z = static_cast<float>(i);
    beads.push_back(test::box_mesh({0.2f, 0.2f, z - 0.3f}, {0.8f, 0.8f, z + 0.3f}));
  }
  const HandMadeGroup made = make_group(beads, Axis::z, 16);
  const GroupAnswer answer = find(*few, made, points_only(made.group.grid));
  EXPECT_GT(few->redraws(), 0u);
  // The sums are read twice: before it is decided what to draw again, and in the end.
  EXPECT_EQ(answer.read_back_bytes, (answer.round_count + 1) * (32 + 8 * made.group.objects.size()) +
                                        2 * 36 * made.group.candidates.size() + 24 * answer.points.size());
  for (const PairSum& sum : answer.sums) EXPECT_GT(sum.spans, 0u);
}

}  // namespace
}  // namespace lamella
