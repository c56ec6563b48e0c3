// A scene's pairs against intersect() of two meshes at a time, on the same grids and on grids of the same cell size.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "lamella/engine.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/voi.hpp"
#include "scene/random_scenes.hpp"
#include "scene/result_bits.hpp"

namespace lamella {
namespace {

using test::Bodies;
using test::NearPair;

/// How far scenes are from brute force.
struct Comparison {
  std::size_t near = 0, candidates = 0, pairs = 0, without_group = 0;
  double worst_volume = 0;  ///< relative
  double worst_length = 0;  ///< of a span on average, in parts of the group's depth
};

/// LDIs on the grids of a scene's groups, made when they are asked for.
class GroupLdis {
 public:
  GroupLdis(const Bodies& bodies, const SceneResult& result, const std::string& engine)
      : bodies_(bodies), result_(result), engine_(make_engine({.engine = engine, .threads = 1})) {}

  const Overlap& overlap(const NearPair& pair, std::size_t group) {
    // A part of the depth that the two share, and more than what rounding makes.
    const Grid& grid = result_.groups[group].grid;
    const float least = SceneOptions{}.min_thickness * extent(pair.shared)[grid.w()] / grid.depth();
    intersect(ldi(pair.a, group), ldi(pair.b, group), std::max(least, 0x1p-22f), overlap_);
    return overlap_;
  }

 private:
  const Ldi& ldi(std::uint32_t mesh, std::size_t group) {
    const auto [at, is_new] = ldis_.try_emplace({mesh, group});
    const SceneGroup& g = result_.groups[group];
    if (is_new) engine_->build(test::placed(bodies_[mesh], g.origin), g.grid, at->second);
    return at->second;
  }

  const Bodies& bodies_;
  const SceneResult& result_;
  std::unique_ptr<Engine> engine_;
  std::map<std::pair<std::uint32_t, std::size_t>, Ldi> ldis_;
  Overlap overlap_;
};

void compare_told(const ScenePair& pair, const NearPair& near, const SceneResult& result, GroupLdis& ldis,
                  Comparison& seen) {
  ++seen.pairs;
  const SceneGroup& group = result.groups[pair.group];
  const Grid& grid = group.grid;
  EXPECT_TRUE(test::holds(group, near)) << "the group is another's";
  const Overlap& overlap = ldis.overlap(near, pair.group);
  ASSERT_NE(overlap.span_count, 0u);
  EXPECT_EQ(pair.span_count, overlap.spans.size());
  ASSERT_TRUE(pair.volume.has_value());
  const double difference = std::abs(*pair.volume - overlap.volume);
  // What is thin beside the group's depth is measured more closely than depths are.
  const bool thin = grid.depth() > 64 * extent(near.shared)[grid.w()];
  if (!thin) seen.worst_volume = std::max(seen.worst_volume, difference / overlap.volume);
  seen.worst_length = std::max(seen.worst_length, difference / (grid.cell_area() * pair.span_count) / grid.depth());
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(pair.centroid[i], overlap.centroid[i] + group.origin[i], 1e-4);
}

/// For a pair that the scene does not report: along every axis, a group that contains both bodies must see no overlap;
/// where no group contains them they were no candidate, and then they must not share anything.
void compare_untold(const NearPair& near, const SceneResult& result, const std::vector<Mesh>& meshes, GroupLdis& ldis,
                    Comparison& seen) {
  std::map<Axis, bool> unseen;
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    const Grid& grid = result.groups[g].grid;
    if (!test::holds(result.groups[g], near)) continue;
    const bool sees_nothing = ldis.overlap(near, g).span_count == 0;
    unseen[grid.axis] = unseen[grid.axis] || sees_nothing;
  }
  for (const auto& [axis, nothing] : unseen) EXPECT_TRUE(nothing) << "seen along axis " << static_cast<int>(axis);
  if (!unseen.empty()) return;
  ++seen.without_group;
  EXPECT_FALSE(intersect(meshes[near.a], meshes[near.b], {.engine = "software", .resolution = 100}).colliding());
}

void compare(const Bodies& bodies, const SceneOptions& options, const std::string& engine, Comparison& seen) {
  Scene scene(options);
  test::add_all(scene, bodies);
  const SceneResult& result = scene.collide();
  const std::vector<Mesh> meshes = test::placed(bodies);
  const std::vector<NearPair> near_pairs = test::near_pairs(meshes);
  EXPECT_EQ(result.object_count, bodies.size());
  EXPECT_LE(result.candidate_count, near_pairs.size());
  EXPECT_GE(result.candidate_count, result.pairs.size());
  EXPECT_TRUE(result.health.ok());
  EXPECT_TRUE(result.defects.empty());
  seen.near += near_pairs.size();
  seen.candidates += result.candidate_count;

  GroupLdis ldis(bodies, result, engine);
  auto pair = result.pairs.begin();
  for (const NearPair& near : near_pairs) {
    SCOPED_TRACE(testing::Message() << "objects " << near.a << " and " << near.b);
    if (pair != result.pairs.end() && pair->a.number == near.a && pair->b.number == near.b)
      compare_told(*pair++, near, result, ldis, seen);
    else
      compare_untold(near, result, meshes, ldis, seen);
  }
  EXPECT_EQ(pair, result.pairs.end()) << "a pair whose boxes share nothing, or out of order";
}

/// All options for views, one after another.
SceneOptions options_of(std::uint32_t seed) {
  SceneOptions o{.engine = "software", .resolution = 8 + seed * 7 % 50, .threads = 1, .max_contacts = seed % 3};
  const std::uint32_t way = seed / 7 % 6;
  if (way == 0) o.views = 1;
  if (way >= 3) o.axis = static_cast<Axis>(way - 3);
  if (seed % 4 == 3) o.cell = 0.05f + 0.01f * static_cast<float>(seed % 11);
  o.max_resolution = 96;
  return o;
}

void report(const Comparison& seen) {
  testing::Test::RecordProperty("boxes that share a volume", static_cast<int>(seen.near));
  testing::Test::RecordProperty("candidates", static_cast<int>(seen.candidates));
  testing::Test::RecordProperty("pairs", static_cast<int>(seen.pairs));
  testing::Test::RecordProperty("pairs that no group holds", static_cast<int>(seen.without_group));
  testing::Test::RecordProperty("relative difference of volumes", std::to_string(seen.worst_volume * 1e6) + "e-6");
  testing::Test::RecordProperty("difference of a span, of the depth", std::to_string(seen.worst_length * 1e9) + "e-9");
}

TEST(ScenePairs, AreThoseOfIntersectOnTheSameGrid) {
  Comparison seen;
  for (std::uint32_t seed = 0; seed < 588; ++seed) {
    SCOPED_TRACE(testing::Message() << "scene " << seed);
    compare(test::random_scene(seed), options_of(seed), "software", seen);
    if (HasFatalFailure()) return;
  }
  report(seen);
  EXPECT_GT(seen.pairs, 5000u);
  EXPECT_GT(seen.near, seen.pairs + 1000);
  // An object is sampled only where it can meet another, and a large triangle's rows then begin elsewhere: its depths
  // may round another way, by the 8 roundings that the engine allows itself at most.
  EXPECT_LT(seen.worst_length, 2 * 8 * 0x1p-24);
  EXPECT_LT(seen.worst_volume, 1e-5);
}

TEST(ScenePairs, AreThoseOfTheReferenceEngine) {
  Comparison seen;
  for (std::uint32_t seed = 1000; seed < 1126; ++seed) {
    SCOPED_TRACE(testing::Message() << "scene " << seed);
    Bodies bodies = test::random_scene(seed);
    if (bodies.size() > 12) bodies.resize(12);
    SceneOptions options = options_of(seed);
    options.resolution = std::min(options.resolution, 24u);
    options.max_resolution = 24;
    compare(bodies, options, "reference", seen);
    if (HasFatalFailure()) return;
  }
  report(seen);
  EXPECT_GT(seen.pairs, 500u);
  EXPECT_LT(seen.worst_length, 2 * 8 * 0x1p-24);
  EXPECT_LT(seen.worst_volume, 1e-4);  // short spans
}

/// Side of the largest square, in fine cells, whose rays all pass through the shared volume by more than `thickness`.
std::uint32_t largest_square(const Overlap& overlap, float thickness) {
  const std::uint32_t columns = overlap.grid.columns;
  std::vector<std::uint32_t> side(overlap.grid.column_count(), 0);
  for (const Span& s : overlap.spans)
    if (s.end - s.begin > thickness) side[s.column] = 1;
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < side.size(); ++i) {
    if (side[i] != 0 && i >= columns && i % columns != 0)
      side[i] = 1 + std::min({side[i - 1], side[i - columns], side[i - columns - 1]});
    most = std::max(most, side[i]);
  }
  return most;
}

/// How thin the shared volume of two meshes is across rays along `axis`: the side of the largest square within it.
double thinness(MeshView a, MeshView b, int axis, float thickness) {
  const auto voi = choose_pair_voi(bounds(a), bounds(b), static_cast<Axis>(axis));
  const auto engine = make_engine({.engine = "software", .threads = 1});
  const Grid grid{voi->box, voi->axis, 400, 400};
  Ldi ldi_a, ldi_b;
  engine->build(a, grid, ldi_a);
  engine->build(b, grid, ldi_b);
  Overlap overlap;
  intersect(ldi_a, ldi_b, 0x1p-22f, overlap);
  return largest_square(overlap, thickness) * std::min(grid.cell_u(), grid.cell_v());
}

/// A pair that intersect() and the scene disagree on: how thin is what it shares along the axis that missed it?
double thinness_where_missed(const NearPair& near, bool told, const SceneResult& result,
                             const std::vector<Mesh>& meshes) {
  double thinnest = std::numeric_limits<double>::infinity();
  const auto look = [&](int axis, float depth) {
    thinnest = std::min(thinnest, thinness(meshes[near.a], meshes[near.b], axis, 0x1p-18f * depth));
  };
  if (told) {
    const Axis axis = choose_pair_voi(bounds(meshes[near.a]), bounds(meshes[near.b]))->axis;
    look(static_cast<int>(axis), extent(near.both)[static_cast<int>(axis)]);
  } else {
    for (const SceneGroup& g : result.groups)
      if (test::holds(g, near)) look(g.grid.w(), g.grid.depth());
  }
  return thinnest;
}

/// On their own grid two meshes are sampled at other points; a shared volume smaller than a cell may be missed.
TEST(ScenePairs, DifferFromIntersectOnItsOwnGridOnlyWhereLessThanACellIsShared) {
  std::size_t near = 0, missed_by_scene = 0, missed_by_pair = 0;
  for (std::uint32_t seed = 2000; seed < 2140; ++seed) {
    SCOPED_TRACE(testing::Message() << "scene " << seed);
    const Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    const float cell = 0.08f;
    Scene scene({.engine = "software", .cell = cell, .views = seed % 2 == 0 ? 1u : 3u, .threads = 1});
    test::add_all(scene, bodies);
    const SceneResult& result = scene.collide();
    auto pair = result.pairs.begin();
    for (const NearPair& n : test::near_pairs(meshes)) {
      ++near;
      const bool told = pair != result.pairs.end() && pair->a.number == n.a && pair->b.number == n.b;
      if (told) ++pair;
      const Vec3 size = extent(n.shared);
      const auto resolution = static_cast<std::uint32_t>(std::ceil(std::max({size.x, size.y, size.z}) / cell));
      const Overlap o =
          intersect(meshes[n.a], meshes[n.b], {.engine = "software", .resolution = resolution, .threads = 1});
      if (o.colliding() == told) continue;
      ++(told ? missed_by_pair : missed_by_scene);
      EXPECT_LT(thinness_where_missed(n, told, result, meshes), 1.01 * cell)
          << "objects " << n.a << " and " << n.b << ", told by the scene: " << told;
    }
  }
  RecordProperty("boxes that share a volume", static_cast<int>(near));
  RecordProperty("pairs of the scene alone", static_cast<int>(missed_by_pair));
  RecordProperty("pairs of intersect alone", static_cast<int>(missed_by_scene));
  EXPECT_GT(near, 2000u);
  EXPECT_LT(missed_by_pair, near / 20);
  EXPECT_LT(missed_by_scene, near / 20);
}

/// Three frames: what is remembered from one to the next must not depend on threads either.
std::vector<test::ResultBits> frames_of(const Bodies& bodies, SceneOptions options, unsigned threads) {
  options.threads = threads;
  options.self_overlap = true;
  options.max_contacts = 8;
  Scene scene(options);
  test::add_all(scene, bodies);
  std::vector<test::ResultBits> frames;
  for (int frame = 0; frame < 3; ++frame) {
    frames.emplace_back(scene.collide());
    for (std::uint32_t i = 0; i < bodies.size(); i += 2) {
      Transform pose = scene.pose({i});
      pose.translation = pose.translation + Vec3d{0.01, -0.007, 0.013};
      scene.move({i}, pose);
    }
  }
  return frames;
}

TEST(ScenePairs, AreTheSameBitsForAnyNumberOfThreadsAndEveryTime) {
  for (std::uint32_t seed = 3000; seed < 3028; ++seed) {
    SCOPED_TRACE(testing::Message() << "scene " << seed);
    const Bodies bodies = test::random_scene(seed);
    SceneOptions options = options_of(seed);
    options.resolution = 128;
    const auto once = frames_of(bodies, options, 1);
    EXPECT_EQ(once, frames_of(bodies, options, 1));
    EXPECT_EQ(once, frames_of(bodies, options, 2));
  }
}

}  // namespace
}  // namespace lamella
