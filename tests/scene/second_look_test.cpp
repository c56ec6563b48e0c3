// Pairs of a scene that intersect() is asked about again: for an accuracy, or for a proof.

#include "scene/second_look.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scene/random_scenes.hpp"
#include "scene/result_bits.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::Bodies;

SceneOptions coarse() { return {.engine = "software", .resolution = 32, .threads = 1, .points = false}; }

TEST(SecondLook, PairsWithinTheToleranceStayAsTheyAre) {
  for (std::uint32_t seed = 6000; seed < 6010; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    SceneOptions options = coarse();
    Scene plain(options), wide((options.tolerance = Tolerance{.relative = 10}, options));
    test::add_all(plain, bodies);
    test::add_all(wide, bodies);
    EXPECT_TRUE(test::ResultBits(plain.collide()) == test::ResultBits(wide.collide())) << seed;
  }
}

TEST(SecondLook, PairsAboveTheToleranceGetTheVolumeOfIntersect) {
  std::size_t refined = 0;
  for (std::uint32_t seed = 6010; seed < 6030; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    SceneOptions options = coarse();
    const Tolerance tolerance{.relative = 0.01};
    Scene plain(options), accurate((options.tolerance = tolerance, options));
    test::add_all(plain, bodies);
    test::add_all(accurate, bodies);
    const SceneResult &before = plain.collide(), &after = accurate.collide();
    ASSERT_EQ(before.pairs.size(), after.pairs.size());
    std::size_t wide = 0;
    for (std::size_t i = 0; i < before.pairs.size(); ++i) {
      const ScenePair &b = before.pairs[i], &a = after.pairs[i];
      EXPECT_EQ(a.contact_count, b.contact_count);
      if (*b.volume_error <= tolerance.of(*b.volume)) {
        EXPECT_EQ(a.volume, b.volume);
        continue;
      }
      ++wide;
      const Overlap o = intersect(meshes[a.a.number], meshes[a.b.number],
                                  {.engine = "software", .resolution = 32, .threads = 1, .tolerance = tolerance});
      if (!o.colliding()) continue;
      // Vertices are rounded relative to other origins.
      EXPECT_NEAR(*a.volume, o.volume, 1e-4 * o.volume + 0.1 * o.volume_error) << seed << " pair " << i;
      EXPECT_NEAR(*a.volume_error, o.volume_error, 0.2 * o.volume_error) << seed << " pair " << i;
      EXPECT_EQ(a.tolerance_met, o.tolerance_met) << seed << " pair " << i;
    }
    EXPECT_EQ(after.refined_count, wide);
    refined += wide;
  }
  EXPECT_GT(refined, 20u);
}

/// What is certain in intersect() is what the scene reports.
TEST(SecondLook, CertifiedScenesReportWhatIsProved) {
  for (std::uint32_t seed = 6030; seed < 6040; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    SceneOptions options = coarse();
    options.certify = true;
    Scene scene(options);
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    std::uint32_t certain = 0;
    for (std::uint32_t b = 1; b < meshes.size(); ++b)
      for (std::uint32_t a = 0; a < b; ++a) {
        const Overlap o =
            intersect(meshes[a], meshes[b], {.engine = "software", .resolution = 32, .threads = 1, .certify = true});
        const auto is_this = [&](const auto& p) { return p.a.number == a && p.b.number == b; };
        const auto pair = std::find_if(r.pairs.begin(), r.pairs.end(), is_this);
        if (pair != r.pairs.end()) {
          EXPECT_EQ(pair->certificate.certain, o.certificate.certain) << a << ' ' << b;
        }
        if (!o.certificate.certain) continue;
        certain += o.grid.columns != 0 ? 1 : 0;
        EXPECT_EQ(pair != r.pairs.end(), o.colliding()) << seed << ": " << a << ' ' << b;
        EXPECT_EQ(std::count_if(r.undecided.begin(), r.undecided.end(), is_this), 0) << a << ' ' << b;
      }
    // Pairs whose bounding spheres or oriented boxes are apart are no candidates.
    EXPECT_LE(r.certified_count, std::min(certain, r.candidate_count)) << seed;
    if (certain != 0) {
      EXPECT_GE(r.certified_count + r.undecided.size(), r.candidate_count) << seed;
    }
  }
}

/// Two needles across each other: what they share is far smaller than a cell.
const SceneResult& collide_needles(Scene& scene) {
  const Mesh needle = test::box_mesh({-1, -0.001f, -0.001f}, {1, 0.001f, 0.001f});
  (void)scene.add(needle, {{0, 0, 0}, rotation_about({0, 1, 0.3}, 0.7)});
  (void)scene.add(needle, {{0, 0, 0}, rotation_about({0.2, 0.9, 1}, -0.8)});
  return scene.collide();
}

TEST(SecondLook, WhatNoRayMeetsIsFoundByAProof) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  if (!intersect(box, box, {.engine = "software", .certify = true}).certificate.certain)
    GTEST_SKIP() << "this library proves nothing";
  const SceneOptions plain{.engine = "software", .resolution = 8, .threads = 1};
  SceneOptions proved = plain;
  proved.certify = true;
  Scene sampled(plain), certain(proved);
  EXPECT_TRUE(collide_needles(sampled).pairs.empty()) << "the needles are too thick to show anything";
  const SceneResult& r = collide_needles(certain);
  ASSERT_EQ(r.pairs.size(), 1u);
  const ScenePair& pair = r.pairs[0];
  EXPECT_TRUE(pair.certificate.certain);
  EXPECT_TRUE(pair.certificate.witness.has_value());
  EXPECT_EQ(pair.span_count, 0u);
  EXPECT_EQ(pair.contact_count, 0u);
  EXPECT_TRUE(pair.volume.has_value());
  EXPECT_LT(pair.group, r.groups.size());
  EXPECT_EQ(r.certified_count, 1u);
  EXPECT_EQ(r.verdict, Verdict::colliding);
}

TEST(SecondLook, WhatIsInTheHoleOfARingIsProvedToBeClear) {
  SceneOptions options = coarse();
  options.certify = true;
  Scene scene(options);
  const Mesh ring = scenes::torus(400);
  (void)scene.add(ring);
  (void)scene.add(test::box_mesh({-0.01f, -0.01f, -0.01f}, {0.01f, 0.01f, 0.01f}));
  const bool proves = intersect(ring, ring, {.engine = "software", .certify = true}).certificate.certain;
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.candidate_count, 1u);
  EXPECT_EQ(r.certified_count, proves ? 1u : 0u);
  EXPECT_EQ(r.verdict, Verdict::clear);
}

TEST(SecondLook, AnyNumberOfThreadsGivesTheSameBits) {
  const Bodies bodies = test::random_scene(6041);
  SceneOptions options = coarse();
  options.tolerance = Tolerance{.relative = 0.001};
  options.certify = true;
  std::optional<test::ResultBits> first;
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    Scene scene(options);
    test::add_all(scene, bodies);
    const test::ResultBits bits(scene.collide());
    if (!first) first = bits;
    EXPECT_TRUE(bits == *first) << threads;
  }
}

TEST(SecondLook, ALookGivesAPairItsVolume) {
  ScenePair pair;
  PairLook look;
  look.volume = 2;
  look.volume_error = 0.5;
  look.centroid = {1, 2, 3};
  take_look(look, true, pair);
  EXPECT_EQ(pair.volume, 2);
  EXPECT_EQ(pair.volume_error, 0.5);
  EXPECT_EQ(pair.centroid, (Vec3d{1, 2, 3}));
  pair = {};
  take_look(look, false, pair);
  EXPECT_FALSE(pair.volume.has_value()) << "an engine without volumes";
}

TEST(SecondLook, GlPairsHasNoVolumesToBeAccurate) {
  const Error e = test::error_of([] { Scene({.engine = "gl-pairs", .tolerance = Tolerance{.relative = 0.1}}); });
  EXPECT_THAT(e.what(), testing::HasSubstr("gives no volumes"));
}

}  // namespace
}  // namespace lamella
