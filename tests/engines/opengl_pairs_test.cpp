// gl-pairs against brute force on the LDIs of the software engine.

#include <gmock/gmock.h>

#include <map>

#include "opengl_pairs_oracle.hpp"
#include "opengl_pairs_scenes.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::HandMadeGroup;
using test::make_group;
using test::OpenGlPairs;
using test::Oracle;
using test::Pairs;
using test::pairs_of;
using test::random_scene;
using test::usual_query;

/// OpenGL moves vertices to 1/256 of a cell and the CPU engines to 1/1024: a sample this near an edge may fall to
/// either side of it. In cells.
constexpr double kNearEdge = 1.0 / 128;
/// Depths agree within 4 roundings; the difference of two within 8.
constexpr double kRoundings = 4;

/// Whether a pair that only one of the two finds is a matter of samples next to an edge, or of rounding.
bool explained(const HandMadeGroup& made, const Oracle& oracle, const GroupAnswer& answer, const Candidate& c) {
  const double slight = usual_query(made.group.grid).thickness + 2 * kRoundings * oracle.rounding_of_depth();
  const auto marginal = [&](std::size_t column, double length) {
    return length <= slight || test::distance_to_edges(made, column) <= kNearEdge;
  };
  for (std::size_t column = 0; column < made.group.grid.column_count(); ++column)
    if (const double length = oracle.shared(column, c); length > 0 && !marginal(column, length)) return false;
  for (const PairSpan& s : answer.spans) {
    const Candidate& found = made.group.candidates[s.candidate];
    if (found.a == c.a && found.b == c.b && !marginal(s.column, s.end - s.begin)) return false;
  }
  return true;
}

TEST_F(OpenGlPairs, FindsTheSamePairsAsBruteForceOnRandomScenes) {
  std::size_t pairs = 0, differences = 0;
  for (std::uint32_t seed = 0; seed < 160; ++seed) {
    const HandMadeGroup made = make_group(random_scene(seed), test::kAxes[seed % 3], 24 + seed % 17);
    const GroupAnswer answer = find(made);
    const Oracle oracle(*software_, made, usual_query(made.group.grid));
    const Pairs found = pairs_of(made, answer);
    for (const Candidate& c : made.group.candidates) {
      bool expected = false;
      for (std::size_t i = 0; !expected && i < made.group.grid.column_count(); ++i) expected = oracle.shared(i, c) > 0;
      pairs += expected ? 1 : 0;
      if (expected == (found.count({c.a, c.b}) != 0)) continue;
      ++differences;
      EXPECT_TRUE(explained(made, oracle, answer, c))
          << "seed " << seed << ", objects " << c.a << " and " << c.b << ", expected " << expected;
    }
    EXPECT_EQ(answer.open_columns, 0u) << seed;
    EXPECT_EQ(answer.inside_out_columns, 0u) << seed;
  }
  RecordProperty("pairs", static_cast<int>(pairs));
  RecordProperty("differences", static_cast<int>(differences));
  EXPECT_GT(pairs, 1000u);
  EXPECT_LE(differences * 100, pairs) << differences << " of " << pairs;
}

/// Of a column of the answer, in the oracle's terms.
struct ColumnAnswer {
  std::vector<PairSpan> spans;
  std::vector<PairPoint> points;
};

/// Whether the two say the same, depths within the tolerance; `worst` becomes the largest difference. Points are made
/// for pairs that have a span somewhere.
bool same_column(const HandMadeGroup& made, const ColumnAnswer& answer, const Oracle& oracle,
                 const std::vector<test::Event>& events, const Pairs& pairs_with_spans, double& worst) {
  const double tolerance = kRoundings * oracle.rounding_of_depth();
  const auto close = [&](double x, double y) {
    if (!(std::abs(x - y) <= tolerance)) return false;
    worst = std::max(worst, std::abs(x - y) / oracle.rounding_of_depth());
    return true;
  };
  const auto candidate = [&](std::uint32_t i) { return made.group.candidates[i]; };
  auto pairs = oracle.pairs(events);
  std::erase_if(pairs, [&](const test::FoundPair& p) {
    return std::any_of(answer.spans.begin(), answer.spans.end(), [&](const PairSpan& s) {
      const Candidate c = candidate(s.candidate);
      return c.a == p.objects.a && c.b == p.objects.b && close(s.begin, p.front) && close(s.end, p.back);
    });
  });
  const std::size_t pair_count = oracle.pairs(events).size();
  auto points = oracle.points(events);
  std::erase_if(points, [&](const test::FoundPoint& p) {
    return pairs_with_spans.count({p.a.object, p.b.object}) == 0;
  });
  const std::size_t point_count = points.size();
  std::erase_if(points, [&](const test::FoundPoint& p) {
    return std::any_of(answer.points.begin(), answer.points.end(), [&](const PairPoint& q) {
      const Candidate c = candidate(q.candidate);
      return c.a == p.a.object && c.b == p.b.object && q.a.crossing.entry() == p.a.front &&
             q.b.crossing.entry() == p.b.front && close(q.a.crossing.depth(), p.a.depth) &&
             close(q.b.crossing.depth(), p.b.depth);
    });
  });
  return pairs.empty() && points.empty() && pair_count == answer.spans.size() && point_count == answer.points.size();
}

TEST_F(OpenGlPairs, RecordsInEveryColumnTheSpansAndPointsThatTheMethodDefines) {
  std::size_t occupied = 0, near_edge = 0, undecided = 0, points = 0;
  double worst = 0;
  std::map<std::pair<bool, bool>, std::size_t> kinds;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    if (seed % 5 == 2 || seed % 5 == 3) continue;  // touching and coincident: rounding decides everywhere
    const HandMadeGroup made = make_group(random_scene(seed), test::kAxes[seed % 3], 40, true);
    const GroupAnswer answer = find(made);
    const Oracle oracle(*software_, made, usual_query(made.group.grid));
    std::vector<ColumnAnswer> columns(made.group.grid.column_count());
    for (const PairSpan& s : answer.spans) columns[s.column].spans.push_back(s);
    for (const PairPoint& p : answer.points) columns[p.column].points.push_back(p);
    const Pairs pairs = pairs_of(made, answer);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto events = oracle.events(i);
      occupied += events.empty() ? 0 : 1;
      points += columns[i].points.size();
      for (const PairPoint& p : columns[i].points) ++kinds[{p.a.crossing.entry(), p.b.crossing.entry()}];
      if (same_column(made, columns[i], oracle, events, pairs, worst)) continue;
      if (oracle.undecided(events, 2 * kRoundings))
        ++undecided;
      else if (test::distance_to_edges(made, i) <= kNearEdge)
        ++near_edge;
      else
        ADD_FAILURE() << "seed " << seed << ", column " << i << ": " << columns[i].spans.size() << " spans, "
                      << oracle.pairs(events).size() << " expected; " << columns[i].points.size() << " points, "
                      << oracle.points(events).size() << " expected at most";
    }
  }
  RecordProperty("columns", static_cast<int>(occupied));
  RecordProperty("near_edge", static_cast<int>(near_edge));
  RecordProperty("undecided", static_cast<int>(undecided));
  RecordProperty("points", static_cast<int>(points));
  RecordProperty("worst_roundings", std::to_string(worst));
  EXPECT_GT(points, 1000u);
  EXPECT_EQ(kinds.size(), 4u) << "front-front, front-back, back-front, back-back";
  EXPECT_LT(near_edge * 100, occupied) << near_edge << " of " << occupied;
  EXPECT_LT(undecided * 200, occupied) << undecided << " of " << occupied;
}

/// Cells by which the column's sample is outside the projected triangle, and the depth of its plane there.
std::pair<double, double> look_at_face(const Mesh& mesh, const Grid& grid, std::uint32_t face, std::size_t column) {
  const Vec3d sample = sample_position(grid, column, 0);
  Vec3d p[3];
  for (int i = 0; i < 3; ++i) {
    const Vec3d q = to_double(mesh.positions[mesh.triangles.at(face)[i]]) - sample;
    p[i] = {q[grid.u()] / grid.cell_u(), q[grid.v()] / grid.cell_v(), q[grid.w()]};
  }
  const auto turn = [](const Vec3d& x, const Vec3d& y) { return x.x * y.y - x.y * y.x; };
  const double w[3] = {turn(p[1], p[2]), turn(p[2], p[0]), turn(p[0], p[1])};
  const double sum = w[0] + w[1] + w[2];
  double outside = 0;
  for (int i = 0; i < 3; ++i)
    if (w[i] * sum < 0)
      outside = std::max(
          outside, test::distance_to_segment(p[(i + 1) % 3].x, p[(i + 1) % 3].y, p[(i + 2) % 3].x, p[(i + 2) % 3].y));
  return {outside, (w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z) / sum};
}

TEST_F(OpenGlPairs, EverySurfaceNamesTheFaceThatTheRayCrossesThere) {
  std::size_t checked = 0, off = 0;
  for (const std::uint32_t seed : {0u, 4u, 9u, 10u}) {
    const HandMadeGroup made = make_group(random_scene(seed), test::kAxes[seed % 3], 48);
    const GroupAnswer answer = find(made);
    const auto check = [&](const Surface& s, std::uint32_t object, std::uint32_t column) {
      ASSERT_EQ(made.group.object_of(s.face), object);
      const Mesh& mesh = made.meshes[object];
      const std::uint32_t face = s.face - made.group.objects[object].first_face;
      const auto [outside, depth] = look_at_face(mesh, made.group.grid, face, column);
      EXPECT_LE(outside, kNearEdge);
      ++checked;
      // On a steep face, or outside of one, the plane is elsewhere; the vertex's lattice moves it by 1/2048 cell.
      if (std::abs(depth - s.crossing.depth()) > 0.02 * made.group.grid.cell_u()) ++off;
    };
    for (const PairSpan& s : answer.spans) {
      const Candidate& c = made.group.candidates[s.candidate];
      check(s.a, c.a, s.column);
      check(s.b, c.b, s.column);
      EXPECT_NE(s.a.crossing.entry(), s.b.crossing.entry());
      EXPECT_EQ(s.begin, (s.a.crossing.entry() ? s.a : s.b).crossing.depth());
      EXPECT_EQ(s.end, (s.a.crossing.entry() ? s.b : s.a).crossing.depth());
    }
    for (const PairPoint& p : answer.points) {
      const Candidate& c = made.group.candidates[p.candidate];
      check(p.a, c.a, p.column);
      check(p.b, c.b, p.column);
    }
  }
  EXPECT_GT(checked, 1000u);
  EXPECT_LT(off * 50, checked) << off << " of " << checked;
}

}  // namespace
}  // namespace lamella
