// Pairs that a plane separates are not sampled, and nothing changes for the others.
#include "scene/separation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/lattice.hpp"
#include "core/positions.hpp"
#include "registry/registry.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

PlacedObject placed_object(const Mesh& mesh, std::uint32_t id = 0) {
  PlacedObject o;
  o.id = id;
  o.mesh = mesh;
  o.box = bounds(mesh);
  o.center = to_double(center(o.box));
  o.closed = closes(mesh.triangles);
  return o;
}

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

TEST(Separation, OfBoxesFaceToFaceIsTheirDistance) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  for (const float apart : {0.001f, 0.25f, 7.0f}) {
    const Mesh other = moved(box, {2 + apart, 0, 0});
    const float gap = gap_between(placed_object(box), placed_object(other));
    EXPECT_LE(gap, apart);
    EXPECT_GT(gap, apart - 1e-4f);
    EXPECT_EQ(gap_between(placed_object(other), placed_object(box)), gap);
  }
}

TEST(Separation, IsNoneWhereObjectsTouchOverlapOrNest) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1}), small = test::scaled(box, 0.25f);
  for (const Mesh& other : {moved(box, {2, 0, 0}), moved(box, {1.9f, 0.5f, 0}), box, small, moved(small, {0.3f, 0, 0})})
    EXPECT_EQ(gap_between(placed_object(box), placed_object(other)), 0.0f);
}

TEST(Separation, IsNotLookedForInMeshesThatAreMuchLarger) {
  const Mesh large = scenes::sphere(40000), small = moved(test::box_mesh({-1, -1, -1}, {1, 1, 1}), {5, 0, 0});
  EXPECT_EQ(gap_between(placed_object(large), placed_object(small)), 0.0f);
  EXPECT_EQ(gap_between(placed_object(small), placed_object(large)), 0.0f);
  EXPECT_GT(gap_between(placed_object(scenes::sphere(4000)), placed_object(small)), 2.9f);
}

TEST(Separation, IsNeverMoreThanTheDistanceOfTwoVertices) {
  int separated = 0;
  for (std::uint32_t seed = 0; seed < 140; ++seed) {
    const std::vector<Mesh> meshes = test::placed(test::random_scene(seed));
    for (const test::NearPair& p : test::near_pairs(meshes)) {
      const float gap = gap_between(placed_object(meshes[p.a]), placed_object(meshes[p.b]));
      if (gap == 0) continue;
      ++separated;
      float least = std::numeric_limits<float>::max();
      for (const Vec3& a : meshes[p.a].positions)
        for (const Vec3& b : meshes[p.b].positions) least = std::min(least, length(a - b));
      ASSERT_LE(gap, least) << seed;
    }
  }
  EXPECT_GT(separated, 50);
}

TEST(Separation, OnlyWhatIsClosedIsLeftOut) {
  Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  const Mesh other = moved(box, {3, 0, 0});
  EXPECT_GT(gap_between(placed_object(box), placed_object(other)), 0.9f);
  EXPECT_TRUE(closes(scenes::torus_knot(500).triangles));
  EXPECT_TRUE(closes({}));
  Mesh turned = box;
  std::swap(turned.triangles[3].b, turned.triangles[3].c);
  EXPECT_FALSE(closes(turned.triangles));
  Mesh doubled = box;
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_FALSE(closes(doubled.triangles));
  box.triangles.pop_back();
  EXPECT_FALSE(closes(box.triangles));
  EXPECT_EQ(gap_between(placed_object(box), placed_object(other)), 0.0f);
  EXPECT_EQ(gap_between(placed_object(other), placed_object(box)), 0.0f);
}

TEST(Separation, ReachAlongLooksAtEveryUsablePosition) {
  test::Random random(3);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<Vec3> positions(count);
    for (Vec3& p : positions) p = random.in({{-3, -2, -1}, {1, 2, 3}});
    if (count > 5) positions[count / 2] = {nan, 9, 9}, positions[count - 1] = {9, 0x1p101f, 9};
    const Vec3 n = random.in({{-1, -1, -1}, {1, 1, 1}});
    float least = std::numeric_limits<float>::infinity(), largest = -least;
    for (const Vec3& p : positions) {
      if (!usable(p)) continue;
      least = std::min(least, dot(n, p));
      largest = std::max(largest, dot(n, p));
    }
    const Reach reach = reach_along(n, positions);
    EXPECT_EQ(reach.least, least) << count;
    EXPECT_EQ(reach.largest, largest) << count;
  }
}

/// Depths may differ in their last bits: an engine may compute them in another way where windows cut triangles.
void expect_same(const GroupAnswer& x, const GroupAnswer& y, float rounding) {
  EXPECT_EQ(x.open_columns, y.open_columns);
  ASSERT_EQ(x.objects.size(), y.objects.size());
  for (std::size_t i = 0; i < x.objects.size(); ++i) {
    EXPECT_EQ(x.objects[i].open_columns, y.objects[i].open_columns);
    EXPECT_EQ(x.objects[i].skipped_triangles, y.objects[i].skipped_triangles);
  }
  const auto expect_same_surface = [&](const Surface& s, const Surface& t) {
    EXPECT_EQ(s.face, t.face);
    EXPECT_EQ(s.crossing.entry(), t.crossing.entry());
    EXPECT_NEAR(s.crossing.depth(), t.crossing.depth(), rounding);
  };
  const auto expect_same_records = [&](const auto& records, const auto& others) {
    ASSERT_EQ(records.size(), others.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(records[i].candidate, others[i].candidate);
      EXPECT_EQ(records[i].column, others[i].column);
      expect_same_surface(records[i].a, others[i].a);
      expect_same_surface(records[i].b, others[i].b);
    }
  };
  expect_same_records(x.spans, y.spans);
  expect_same_records(x.points, y.points);
  for (std::size_t i = 0; i < x.spans.size(); ++i) {
    EXPECT_NEAR(x.spans[i].begin, y.spans[i].begin, rounding);
    EXPECT_NEAR(x.spans[i].end, y.spans[i].end, rounding);
  }
}

/// What the software engine finds in each group of a random scene, along all axes, and how many windows it sampled.
std::vector<GroupAnswer> answers_of(const std::vector<Mesh>& meshes, const GridSettings& settings, bool with_gaps,
                                    std::size_t& windows) {
  std::vector<PlacedObject> objects;
  for (std::uint32_t i = 0; i < meshes.size(); ++i) objects.push_back(placed_object(meshes[i], i));
  std::vector<ScenePairCandidate> candidates;
  for (const test::NearPair& p : test::near_pairs(meshes)) {
    candidates.push_back({p.a, p.b, std::uint64_t{p.a} << 32 | p.b});
    if (with_gaps) candidates.back().gap = gap_between(objects[p.a], objects[p.b]);
  }
  Grouping grouping;
  grouping.add_pairs(candidates, objects, true, settings);
  const auto finder = make_pair_finder("software", {1, std::nullopt, std::uint64_t{1} << 28});
  std::vector<GroupAnswer> found;
  for (const Group& g : grouping.groups()) {
    GroupAnswer& answer = found.emplace_back();
    finder->find(g, {.thickness = 0x1p-20f * g.grid.depth(), .threshold = static_cast<float>(g.grid.cell_u())}, answer);
    windows += g.windows.size();
  }
  return found;
}

TEST(Separation, ChangesNoSpanAndNoPoint) {
  // A coarse grid moves vertices to its lattice by much, a fine one by little. Scenes of packed boxes have many that
  // touch; those of nested bodies have some inside others.
  std::size_t all = 0, sampled = 0;
  for (const GridSettings& settings :
       {GridSettings{.resolution = 3}, GridSettings{.resolution = 40}, GridSettings{.cell = 0.05f}})
    for (std::uint32_t seed = 0; seed < 70; ++seed) {
      const std::vector<Mesh> meshes = test::placed(test::random_scene(seed));
      const auto with = answers_of(meshes, settings, true, sampled), without = answers_of(meshes, settings, false, all);
      ASSERT_EQ(with.size(), without.size());
      for (std::size_t i = 0; i < with.size(); ++i) expect_same(with[i], without[i], 1e-4f);
      ASSERT_FALSE(HasFailure()) << seed;
    }
  EXPECT_LT(sampled, all);
}

TEST(Separation, OneThatTheLatticeCouldCloseIsSampled) {
  // Cells of one unit: the lattice has a thousandth of it, and boxes a ten-thousandth apart may meet there.
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  for (const float apart : {1e-4f, 0.1f}) {
    const std::vector<Mesh> meshes{test::box_mesh({-1, -1, -1}, {1, 1, 1}), moved(box, {2 + apart, 0, 0})};
    const std::vector<PlacedObject> objects{placed_object(meshes[0], 0), placed_object(meshes[1], 1)};
    ScenePairCandidate candidate{0, 1, 1};
    candidate.gap = gap_between(objects[0], objects[1]);
    Grouping grouping;
    grouping.add_pairs({&candidate, 1}, objects, true, {.cell = 1});
    ASSERT_EQ(grouping.groups().size(), 3u);
    EXPECT_EQ(grouping.groups()[2].windows.empty(), apart > 0.01f) << apart;
  }
}

TEST(Separation, ASceneSamplesNothingWhereAllPairsAreSeparated) {
  // Two balls whose boxes share a corner, and their oriented boxes and spheres too.
  const Mesh rock = scenes::blob(400, 3);
  const double radius = 0.5 * length(to_double(extent(bounds(rock)))) / std::sqrt(3.0);
  Scene scene({.cell = 0.05f, .views = 1, .threads = 1});
  (void)scene.add(rock);
  const ObjectId other = scene.add(rock);
  bool dropped = false;
  for (double apart = 1.2; apart < 2.2; apart += 0.02) {
    scene.move(other, {Vec3d{1, 1, 0.9} * (apart * radius / std::sqrt(2.81)), {}});
    const SceneResult& r = scene.collide();
    if (r.candidate_count == 0) break;
    if (r.colliding()) {
      EXPECT_GT(r.health.occupied_columns, 0u);
    }
    dropped = dropped || (r.groups.size() == 1 && r.health.occupied_columns == 0);
  }
  EXPECT_TRUE(dropped);
}

}  // namespace
}  // namespace lamella
