// Pairs of a group on the CPU against brute force. Objects are boxes at whole numbers, so that depths are exact and
// surfaces often share one. What a ray crosses comes from the reference engine, one triangle at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "engines/software/engines.hpp"
#include "hand_made_group.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::HandMadeGroup;
using test::Random;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Hit {
  float depth = 0;
  bool entry = false;
  std::uint32_t face = 0;

  [[nodiscard]] auto order() const { return std::tuple(depth, entry, face); }
};

/// Inside one object, from a surface to a surface.
struct Inside {
  Hit begin, end;
};

/// One object on one ray.
struct Passage {
  std::vector<Hit> hits;
  std::vector<Inside> inside;
  double self_length = 0;
  bool open = false, inside_out = false;
};

/// Stretches of a ray where `counts(winding)`, joined where one ends at the depth at which the next begins.
template <class Counts>
std::vector<Inside> stretches(const std::vector<Hit>& hits, const Counts& counts) {
  std::vector<Inside> found;
  int winding = 0;
  for (const Hit& h : hits) {
    const int after = winding + (h.entry ? 1 : -1);
    if (!counts(winding) && counts(after)) {
      if (!found.empty() && found.back().end.depth == h.depth)
        found.back().end.depth = std::numeric_limits<float>::infinity();  // goes on
      else
        found.push_back({h, {std::numeric_limits<float>::infinity(), false, 0}});
    }
    if (counts(winding) && !counts(after)) found.back().end = h;
    winding = after;
  }
  return found;
}

Passage passage_of(std::vector<Hit> hits, float thickness) {
  Passage p;
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.order() < b.order(); });
  int winding = 0;
  for (const Hit& h : hits) winding += h.entry ? 1 : -1;
  p.open = winding != 0;
  float below = 0;
  winding = 0;
  for (const Hit& h : hits) {
    if (winding == 0 && !h.entry) below = h.depth;
    winding += h.entry ? 1 : -1;
    if (winding == 0 && h.entry && h.depth - below > thickness) p.inside_out = true;
  }
  p.inside = stretches(hits, [](int w) { return w >= 1; });
  for (const Inside& twice : stretches(hits, [](int w) { return w >= 2; }))
    if (twice.end.depth - twice.begin.depth > thickness) p.self_length += twice.end.depth - twice.begin.depth;
  p.hits = std::move(hits);
  return p;
}

bool holds(const Window& w, std::uint32_t u, std::uint32_t v) {
  return w.first_u <= u && u < w.end_u && w.first_v <= v && v < w.end_v;
}

using SurfaceFields = std::tuple<std::uint32_t, std::uint32_t>;
SurfaceFields fields(const Surface& s) { return {s.crossing.key, s.face}; }
SurfaceFields fields(const Hit& h) { return {Crossing::make(h.depth, h.entry).key, h.face}; }
using SpanFields = std::tuple<std::uint32_t, std::uint32_t, float, float, SurfaceFields, SurfaceFields>;
using PointFields = std::tuple<std::uint32_t, std::uint32_t, SurfaceFields, SurfaceFields>;

/// All that is to be found.
struct Expected {
  std::vector<SpanFields> spans;
  std::vector<PointFields> points;
  std::vector<ObjectFacts> objects;
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
};

class BruteForce {
 public:
  explicit BruteForce(const HandMadeGroup& made) : group_(made.group), hits_(group_.objects.size()) {
    const auto reference = make_engine({.engine = "reference"});
    Ldi ldi;
    for (std::size_t i = 0; i < group_.objects.size(); ++i) {
      const GroupObject& o = group_.objects[i];
      hits_[i].resize(group_.grid.column_count());
      for (std::uint32_t t = 0; t < o.mesh.triangles.size(); ++t) {
        reference->build(MeshView{o.mesh.positions, o.mesh.triangles.subspan(t, 1)}, group_.grid, ldi);
        for (std::size_t c = 0; c < group_.grid.column_count(); ++c)
          for (const Crossing x : ldi.column(c)) hits_[i][c].push_back({x.depth(), x.entry(), o.first_face + t});
      }
    }
  }

  [[nodiscard]] Expected find(const GroupQuery& query) const {
    Expected e;
    e.objects.resize(group_.objects.size());
    for (std::size_t i = 0; i < group_.objects.size(); ++i) {
      const MeshView mesh = group_.objects[i].mesh;
      for (const Triangle& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
          if (std::isnan(mesh.positions[t[k]].x)) {
            e.objects[i].skipped_triangles += is_sampled(i) ? 1 : 0;
            break;
          }
    }
    for (std::uint32_t c = 0; c < group_.grid.column_count(); ++c) look_at(c, query, e);
    std::stable_sort(e.spans.begin(), e.spans.end(),
                     [](const SpanFields& a, const SpanFields& b) { return std::get<0>(a) < std::get<0>(b); });
    std::stable_sort(e.points.begin(), e.points.end(),
                     [](const PointFields& a, const PointFields& b) { return std::get<0>(a) < std::get<0>(b); });
    return e;
  }

 private:
  [[nodiscard]] bool is_sampled(std::size_t object) const {
    return std::any_of(group_.windows.begin(), group_.windows.end(),
                       [&](const ObjectWindow& w) { return w.object == object; });
  }

  void look_at(std::uint32_t column, const GroupQuery& query, Expected& e) const {
    std::vector<Passage> passages(group_.objects.size());
    bool occupied = false, open = false, inside_out = false;
    for (const ObjectWindow& w : group_.windows)
      if (holds(w.window, column % group_.grid.columns, column / group_.grid.columns))
        passages[w.object] = passage_of(hits_[w.object][column], query.thickness);
    for (std::size_t i = 0; i < passages.size(); ++i) {
      const Passage& p = passages[i];
      occupied = occupied || !p.hits.empty();
      open = open || p.open;
      inside_out = inside_out || (p.inside_out && !p.open);
      e.objects[i].open_columns += p.open ? 1 : 0;
      e.objects[i].inside_out_columns += p.inside_out && !p.open ? 1 : 0;
      if (!p.open) e.objects[i].self_length += p.self_length;
    }
    e.occupied_columns += occupied ? 1 : 0;
    e.open_columns += open ? 1 : 0;
    e.inside_out_columns += inside_out ? 1 : 0;
    for (std::uint32_t i = 0; i < group_.candidates.size(); ++i) {
      const Candidate& c = group_.candidates[i];
      if (!passages[c.a].open && !passages[c.b].open)
        meet(i, column, passages[c.a].inside, passages[c.b].inside, query, e);
    }
  }

  void meet(std::uint32_t candidate, std::uint32_t column, const std::vector<Inside>& a, const std::vector<Inside>& b,
            const GroupQuery& query, Expected& e) const {
    std::vector<std::pair<Inside, Inside>> met;
    for (const Inside& x : a)
      for (const Inside& y : b)
        if (std::min(x.end.depth, y.end.depth) - std::max(x.begin.depth, y.begin.depth) > query.thickness)
          met.emplace_back(x, y);
    const auto order = [](const auto& m) {
      const auto x = m.first.begin.order(), y = m.second.begin.order();
      return std::pair(std::max(x, y), std::min(x, y));
    };
    std::sort(met.begin(), met.end(), [&](const auto& m, const auto& n) { return order(m) < order(n); });
    for (const auto& [x, y] : met) {
      const bool forward = y.end.depth - x.begin.depth <= x.end.depth - y.begin.depth;
      e.spans.emplace_back(candidate, column, std::max(x.begin.depth, y.begin.depth),
                           std::min(x.end.depth, y.end.depth), fields(forward ? x.begin : x.end),
                           fields(forward ? y.end : y.begin));
      if (!query.points || !group_.candidates[candidate].points) continue;
      for (const Hit& p : {x.begin, x.end})
        for (const Hit& q : {y.begin, y.end})
          if (std::abs(p.depth - q.depth) <= query.threshold)
            e.points.emplace_back(candidate, column, fields(p), fields(q));
    }
  }

  const Group& group_;
  std::vector<std::vector<std::vector<Hit>>> hits_;  ///< object, column
};

constexpr int kSide = 12;  ///< of all boxes together

Mesh any_box(Random& random) {
  Vec3 low, high;
  for (int k = 0; k < 3; ++k) {
    low[k] = static_cast<float>(random.below(5));
    high[k] = low[k] + 1 + static_cast<float>(random.below(kSide - 4));
  }
  return box_mesh(low, high);
}

/// One box or several, which may overlap, touch, share faces, be inside out, have no thickness, or lack triangles.
Mesh any_object(Random& random) {
  Mesh mesh;
  const std::uint32_t kind = random.below(8), count = kind == 0 ? 24 : 1 + random.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    Mesh box = any_box(random);
    if (random.below(6) == 0)
      for (Triangle& t : box.triangles) std::swap(t.b, t.c);
    if (random.below(8) == 0) {  // a fin
      const int axis = static_cast<int>(random.below(3));
      for (Vec3& p : box.positions) p[axis] = 5;
    }
    test::append(mesh, box);
  }
  if (kind == 1) mesh.triangles.erase(mesh.triangles.begin() + random.below(12));
  if (kind == 2) mesh.positions[random.below(8)].x = kNan;
  return mesh;
}

/// Up to two windows that do not overlap, for most objects.
void choose_windows(Random& random, Group& g) {
  const std::uint32_t columns = g.grid.columns, rows = g.grid.rows;
  g.windows.clear();
  for (std::uint32_t i = 0; i < g.objects.size(); ++i) {
    const std::uint32_t kind = random.below(5), u = random.below(columns), v = random.below(rows);
    if (kind < 2) g.windows.push_back({i, whole(g.grid)});
    if (kind == 2) g.windows.push_back({i, {u / 2, v / 2, u + 1, v + 1}});
    if (kind == 3 && u > 0) {
      g.windows.push_back({i, {0, v / 2, u, rows}});
      g.windows.push_back({i, {u, 0, columns, v + 1}});
    }
  }
}

void choose_candidates(Random& random, Group& g) {
  const std::vector<Candidate> all = std::move(g.candidates);
  g.candidates.clear();
  g.first_candidate.clear();
  for (std::uint32_t i = 0; i <= g.objects.size(); ++i) {
    g.first_candidate.push_back(static_cast<std::uint32_t>(g.candidates.size()));
    for (const Candidate& c : all)
      if (c.a == i && random.below(5) != 0) g.candidates.push_back({c.a, c.b, random.below(4) != 0});
  }
}

HandMadeGroup any_group(Random& random) {
  std::vector<Mesh> meshes(2 + random.below(5));
  for (Mesh& m : meshes) m = any_object(random);
  HandMadeGroup made = test::make_group(std::move(meshes), static_cast<Axis>(random.below(3)), 8, true);
  Grid& grid = made.group.grid;
  const float side = kSide;
  grid.box = {{-1, -1, -1}, {side + 1, side + 1, side + 1}};
  const std::uint32_t sizes[] = {7, 9, 14, 28};  // samples at halves, at whole numbers, and elsewhere
  grid.columns = sizes[random.below(4)];
  grid.rows = sizes[random.below(3)];
  choose_windows(random, made.group);
  choose_candidates(random, made.group);
  return made;
}

/// An answer full of what an earlier group may have left in it.
GroupAnswer used_answer() {
  GroupAnswer out;
  out.spans.resize(7);
  out.sums.resize(3);
  out.points.resize(5);
  out.objects.assign(9, {10, 11, 12, 13});
  out.open_columns = out.occupied_columns = out.inside_out_columns = 14;
  out.dropped_crossings = 15;
  out.round_count = 16;
  out.passed_over = 17;
  out.read_back_bytes = 18;
  out.ms.gpu = 19;
  return out;
}

void expect_answer(const GroupAnswer& out, const Expected& expected) {
  std::vector<SpanFields> spans;
  for (const PairSpan& s : out.spans)
    spans.emplace_back(s.candidate, s.column, s.begin, s.end, fields(s.a), fields(s.b));
  EXPECT_EQ(spans, expected.spans);
  std::vector<PointFields> points;
  for (const PairPoint& p : out.points) points.emplace_back(p.candidate, p.column, fields(p.a), fields(p.b));
  EXPECT_EQ(points, expected.points);
  ASSERT_EQ(out.objects.size(), expected.objects.size());
  for (std::size_t i = 0; i < out.objects.size(); ++i) {
    EXPECT_EQ(out.objects[i].open_columns, expected.objects[i].open_columns) << "object " << i;
    EXPECT_EQ(out.objects[i].inside_out_columns, expected.objects[i].inside_out_columns) << "object " << i;
    EXPECT_EQ(out.objects[i].skipped_triangles, expected.objects[i].skipped_triangles) << "object " << i;
    EXPECT_EQ(out.objects[i].self_length, expected.objects[i].self_length) << "object " << i;
  }
  EXPECT_EQ(out.open_columns, expected.open_columns);
  EXPECT_EQ(out.occupied_columns, expected.occupied_columns);
  EXPECT_EQ(out.inside_out_columns, expected.inside_out_columns);
  EXPECT_TRUE(out.sums.empty());
  EXPECT_EQ(out.dropped_crossings + out.round_count + out.passed_over + out.read_back_bytes, 0u);
  EXPECT_EQ(out.ms.gpu, 0);
}

TEST(SoftwarePairs, AreThoseOfBruteForceOnRandomGroups) {
  const auto finder = software::make_pair_finder({.threads = 2});
  EXPECT_TRUE(finder->on_cpu());
  EXPECT_TRUE(finder->gives_volumes());
  std::size_t spans = 0, points = 0, open = 0, inside_out = 0, skipped = 0;
  double self_length = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const HandMadeGroup made = any_group(random);
    GroupQuery query;
    query.thickness = static_cast<float>(random.below(3));
    query.threshold = static_cast<float>(random.below(4));
    query.points = random.below(4) != 0;
    const Expected expected = BruteForce(made).find(query);
    GroupAnswer out = used_answer();
    finder->find(made.group, query, out);
    expect_answer(out, expected);
    if (testing::Test::HasFailure()) return;
    SpanBudget budget;
    query.spans = &budget;
    budget.start(expected.spans.size());
    finder->find(made.group, query, out);
    expect_answer(out, expected);
    if (!expected.spans.empty()) {
      budget.start(expected.spans.size() - 1);
      EXPECT_THROW(finder->find(made.group, query, out), Error);
    }
    spans += expected.spans.size();
    points += expected.points.size();
    open += expected.open_columns;
    inside_out += expected.inside_out_columns;
    for (const ObjectFacts& o : expected.objects) {
      skipped += o.skipped_triangles;
      self_length += o.self_length;
    }
  }
  EXPECT_GT(spans, 1000u) << "else little was compared";
  EXPECT_GT(points, 600u);
  EXPECT_GT(open, 300u);
  EXPECT_GT(inside_out, 300u);
  EXPECT_GT(skipped, 30u);
  EXPECT_GT(self_length, 1000);
}

TEST(SoftwarePairs, TrianglesSkippedInSeveralWindowsOfAnObjectCountOnce) {
  std::vector<Mesh> meshes{box_mesh({0, 0, 0}, {4, 4, 4}), box_mesh({0, 0, 2}, {4, 4, 6})};
  for (const std::uint32_t vertex : {0u, 7u}) meshes[1].positions[vertex].y = kNan;
  HandMadeGroup made = test::make_group(std::move(meshes), Axis::z, 8);
  made.group.windows = {{0, whole(made.group.grid)}, {1, {0, 0, 4, 7}}, {1, {4, 0, 6, 7}}, {1, {6, 0, 8, 7}}};
  const auto finder = software::make_pair_finder({.threads = 1});
  GroupAnswer out;
  finder->find(made.group, {}, out);
  EXPECT_EQ(out.objects[0].skipped_triangles, 0u);
  std::uint32_t broken = 0;
  for (const Triangle& t : made.meshes[1].triangles) broken += t.a % 7 == 0 || t.b % 7 == 0 || t.c % 7 == 0 ? 1 : 0;
  EXPECT_EQ(out.objects[1].skipped_triangles, broken);
}

/// So many columns that they are processed in several chunks, by several threads.
TEST(SoftwarePairs, ALargeGridHasOneSpanInEveryColumnThatBothCover) {
  const HandMadeGroup made =
      test::make_group({box_mesh({0, 0, 0}, {20, 20, 2}), box_mesh({4, 10, 1}, {20, 20, 5})}, Axis::z, 240);
  ASSERT_EQ(made.group.grid.rows, 210u);
  const float low = made.group.grid.box.min.z;
  for (const unsigned threads : {1u, 0u}) {
    const auto finder = software::make_pair_finder({.threads = threads});
    GroupAnswer out;
    for (int round = 0; round < 2; ++round) {
      finder->find(made.group, {}, out);
      ASSERT_EQ(out.spans.size(), 192u * 105);
      std::size_t i = 0;
      for (std::uint32_t v = 105; v < 210; ++v)
        for (std::uint32_t u = 48; u < 240; ++u, ++i) {
          ASSERT_EQ(out.spans[i].column, v * 240 + u);
          ASSERT_EQ(out.spans[i].begin, 1 - low);
          ASSERT_EQ(out.spans[i].end, 2 - low);
        }
      EXPECT_EQ(out.occupied_columns, 240u * 210);
      EXPECT_EQ(out.open_columns + out.inside_out_columns, 0u);
    }
    EXPECT_GT(out.ms.ldi, 0);
    EXPECT_GT(out.ms.query, 0);
    EXPECT_GT(out.ms.points, 0);
  }
}

TEST(SoftwarePairs, MoreCrossingsThanAllowedAreAnError) {
  const HandMadeGroup made =
      test::make_group({box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({0, 0, 1}, {2, 2, 3})}, Axis::z, 8);
  GroupAnswer out;
  const std::uint64_t all = 4u * 8 * 7;
  EXPECT_THROW(software::make_pair_finder({.threads = 1, .max_crossings = all - 1})->find(made.group, {}, out), Error);
  software::make_pair_finder({.threads = 1, .max_crossings = all})->find(made.group, {}, out);
  EXPECT_EQ(out.spans.size(), 8u * 7);
}

}  // namespace
}  // namespace lamella
