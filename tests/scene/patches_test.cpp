// Contact patches: one for each region that two objects share, with a normal and a depth that converge.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lamella/scene.hpp"
#include "scene/contact_shapes.hpp"
#include "scene/random_scenes.hpp"
#include "scenes/random.hpp"

namespace lamella {
namespace {

constexpr double kPi = std::numbers::pi;

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

double angle(Vec3d x, Vec3d y) { return std::acos(std::clamp(dot(x, y), -1.0, 1.0)) * 180 / kPi; }

SceneOptions options_of(std::uint32_t resolution) {
  return {.engine = "software", .resolution = resolution, .threads = 1, .points = false};
}

/// The patches of two bodies, a first.
std::vector<ContactPatch> patches(const Mesh& a, const Transform& pose_a, const Mesh& b, const Transform& pose_b,
                                  const SceneOptions& options = options_of(128)) {
  Scene scene(options);
  (void)scene.add(a, pose_a);
  (void)scene.add(b, pose_b);
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.pairs.size(), 1u);
  if (r.pairs.empty()) return {};
  const auto of_pair = r.patches_of(r.pairs[0]);
  EXPECT_EQ(of_pair.size(), r.patches.size());
  double sum = 0;
  for (const ContactPatch& p : of_pair) {
    EXPECT_NEAR(length(p.normal), 1, 1e-12);
    EXPECT_GE(p.one_sided, 0);
    EXPECT_LE(p.one_sided, 1);
    EXPECT_NEAR(p.depth * p.area, p.volume, 1e-12 * p.volume);
    sum += p.volume;
  }
  const double apart = options.cell == 0 ? 0.02 : 0.5;
  EXPECT_NEAR(sum, *r.pairs[0].volume, apart * sum) << "they are all of it, seen along another axis";
  return {of_pair.begin(), of_pair.end()};
}

TEST(Patches, OfABoxOnASlabIsItsFace) {
  const auto found = patches(test::cube(), at(0.1, 0.2, 0.45), test::slab(), {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(angle(found[0].normal, {0, 0, 1}), 1e-3) << "from the slab to the box";
  EXPECT_NEAR(found[0].area, 1, 0.01);
  EXPECT_NEAR(found[0].depth, 0.05, 5e-4);
  EXPECT_NEAR(found[0].volume, 0.05, 5e-4);
  EXPECT_GT(found[0].one_sided, 0.99);
  EXPECT_LT(length(found[0].center - Vec3d{0.1, 0.2, -0.025}), 0.01);
}

TEST(Patches, OfABallInASlabIsACap) {
  for (const double h : {0.02, 0.2, 0.6}) {
    const auto found = patches(scenes::sphere(20000), at(0, 0, 1 - h), test::slab(), {});
    ASSERT_EQ(found.size(), 1u);
    const double volume = kPi * h * h * (3 - h) / 3, area = kPi * (2 * h - h * h);
    EXPECT_LT(angle(found[0].normal, {0, 0, 1}), 0.3);
    // The mesh is inside the ball, by up to 3e-4.
    EXPECT_NEAR(found[0].volume, volume, 0.005 * volume + 4e-4 * area);
    EXPECT_NEAR(found[0].area, area, 0.005 * area + 4e-4 * 2 * kPi);
    EXPECT_NEAR(found[0].depth, volume / area, 0.005 * volume / area + 4e-4);
    EXPECT_GT(found[0].one_sided, 0.98);
  }
}

TEST(Patches, TurnWithTheirObjects) {
  scenes::Random random(21);
  for (int n = 0; n < 12; ++n) {
    const Transform turn{random.direction() * 3.0, rotation_about(random.direction(), random.uniform(0, 3))};
    const auto placed = [&](double z) { return Transform{apply(turn, {0.1, 0.2, z}), turn.rotation}; };
    const auto found = patches(test::cube(), placed(0.45), test::slab(), turn);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(angle(found[0].normal, rotate(turn.rotation, {0, 0, 1})), 1.0);
    EXPECT_NEAR(found[0].depth, 0.05, 0.0015);
    EXPECT_LT(length(found[0].center - apply(turn, {0.1, 0.2, -0.025})), 0.01);
  }
}

TEST(Patches, OfAThinTiltedFilmAreOne) {
  // A film much thinner than a cell: spans of neighbouring columns do not overlap along the rays.
  for (const double radians : {0.3, 0.6, kPi / 4}) {
    const Quaternion tilt = rotation_about({1, 0.3, 0}, radians);
    const auto found = patches(test::cube(), {rotate(tilt, {0, 0, 0.4995}), tilt}, test::slab(), {{}, tilt});
    ASSERT_EQ(found.size(), 1u) << radians;
    EXPECT_LT(angle(found[0].normal, rotate(tilt, {0, 0, 1})), 2);
    EXPECT_NEAR(found[0].depth, 0.0005, 0.00005);
  }
}

TEST(Patches, OfAFilmThatIsThinnerThanACellHaveItsDepth) {
  // Cells of the scene's, not of the pair's: along two of the axes hardly a ray meets the film.
  for (const double radians : {0.0, 0.2, 0.35, 0.6}) {
    const Quaternion tilt = rotation_about({0, 1, 0}, radians);
    SceneOptions options = options_of(128);
    options.cell = 0.05f;
    const auto found = patches(test::cube(), {rotate(tilt, {0, 0, 0.497}), tilt}, test::slab(), {{}, tilt}, options);
    EXPECT_LE(found.size(), 2u) << radians;
    EXPECT_NEAR(found[0].depth, 0.003, 0.0006) << radians;
    EXPECT_NEAR(found[0].volume, 0.003, 0.0005) << radians;
    EXPECT_LT(angle(found[0].normal, rotate(tilt, {0, 0, 1})), 1) << radians;
  }
}

void add_box(Mesh& mesh, Vec3 low, Vec3 high) {
  const Mesh box = test::box_mesh(low, high);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), box.positions.begin(), box.positions.end());
  for (const Triangle t : box.triangles) mesh.triangles.push_back({t.a + first, t.b + first, t.c + first});
}

TEST(Patches, ThereIsOneForEachRegionHoweverMany) {
  // A comb of 25 teeth: more than contacts can be.
  Mesh comb;
  for (int i = 0; i < 25; ++i) {
    const float x = 0.2f * static_cast<float>(i % 5) - 0.4f, y = 0.2f * static_cast<float>(i / 5) - 0.4f;
    add_box(comb, {x, y, -0.01f * static_cast<float>(i + 1)}, {x + 0.1f, y + 0.1f, 1});
  }
  SceneOptions options = options_of(200);
  options.max_contacts = 1;
  auto found = patches(comb, {}, test::slab(), {}, options);
  ASSERT_EQ(found.size(), 25u);
  const auto larger = [](const ContactPatch& x, const ContactPatch& y) { return x.volume > y.volume; };
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), larger));
  std::sort(found.begin(), found.end(), [](const ContactPatch& x, const ContactPatch& y) { return x.depth < y.depth; });
  for (int i = 0; i < 25; ++i) {
    EXPECT_NEAR(found[static_cast<std::size_t>(i)].depth, 0.01 * (i + 1), 1e-5);
    EXPECT_LT(angle(found[static_cast<std::size_t>(i)].normal, {0, 0, 1}), 1);
  }
}

/// Two legs that stand in a slab, 0.1 and 0.2 deep, so far apart.
Mesh legs(float gap) {
  Mesh mesh;
  add_box(mesh, {-0.4f, -0.2f, -0.1f}, {0, 0.2f, 1});
  add_box(mesh, {gap, -0.2f, -0.2f}, {gap + 0.4f, 0.2f, 1});
  return mesh;
}

TEST(Patches, AreTheSameWhetherRegionsHangTogetherByAThreadOrNot) {
  const float gap = 0.05f;
  Mesh bridged = legs(gap);
  add_box(bridged, {-0.1f, -0.01f, -0.06f}, {gap + 0.1f, 0.01f, 1});
  const auto one = patches(bridged, {}, test::slab(), {}), two = patches(legs(gap), {}, test::slab(), {});
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(two.size(), 2u);
  for (const ContactPatch& p : two) {
    EXPECT_NEAR(p.depth, one[0].depth, 0.005 * one[0].depth);
    EXPECT_LT(angle(p.normal, one[0].normal), 0.5);
  }
  EXPECT_NEAR(two[0].volume, 0.032, 3e-4) << "volume and place are those of the region";
  EXPECT_NEAR(two[1].volume, 0.016, 3e-4);
  EXPECT_NEAR(two[0].center.x, gap + 0.2, 0.005);
  EXPECT_NEAR(two[0].area + two[1].area, one[0].area, 0.01 * one[0].area);
}

TEST(Patches, ChangeLittleByLittleWhenRegionsMoveApart) {
  double last = 0.15;
  for (int i = 0; i <= 24; ++i) {
    const float gap = 0.03f + 0.0075f * static_cast<float>(i);
    const auto found = patches(legs(gap), {}, test::slab(), {});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].depth, last, 0.008) << gap;
    EXPECT_GT(found[0].depth, last - 1e-4) << gap;
    last = found[0].depth;
    if (gap < 0.201f) continue;  // half of their width
    EXPECT_NEAR(found[0].depth, 0.2, 1e-3) << "contacts of their own";
    EXPECT_NEAR(found[1].depth, 0.1, 1e-3);
  }
  EXPECT_NEAR(last, 0.2, 1e-3);
}

TEST(Patches, ARingThroughASlabHasTwo) {
  const Mesh ring = scenes::torus(20000, 1, 0.2f);
  const auto found = patches(ring, {{0, 0, 0.3}, rotation_about({1, 0, 0}, kPi / 2)}, test::slab(), {});
  ASSERT_EQ(found.size(), 1u);  // its lower part is in the slab as a whole
  const auto two = patches(ring, {{0, 0, -0.5}, rotation_about({1, 0, 0}, kPi / 2)},
                           test::box_mesh({-3, -3, -0.6f}, {3, 3, -0.4f}), {});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(two[0].volume, two[1].volume, 0.01 * two[0].volume);
  for (const ContactPatch& p : two) EXPECT_LT(p.one_sided, 0.1) << "it goes right through";
}

TEST(Patches, OfABoxInsideAnotherHasADepthAndNoSide) {
  const auto found = patches(test::cube(0.2f), at(0.1, 0, 0), test::cube(), {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(found[0].one_sided, 1e-6);
  EXPECT_NEAR(found[0].volume, 0.064, 0.001);
  EXPECT_GT(found[0].depth, 0.2);
  EXPECT_LT(found[0].depth, 0.42);
}

struct DeepPair {
  Mesh a, b;
  Transform pose_a, pose_b;
};

/// Of about a unit, their centres less than that apart.
std::vector<DeepPair> deep_pairs(std::size_t count) {
  scenes::Random random(7);
  std::vector<DeepPair> pairs;
  const auto any = [&] {
    const char* const names[] = {"torus_knot", "serpent", "hand", "phone", "blob", "torus", "hat", "rabbit"};
    return scenes::make_model(names[random.next() % std::size(names)], 4000);
  };
  const auto turn = [&] { return rotation_about(random.direction(), random.uniform(0, 3)); };
  while (pairs.size() < count) {
    DeepPair p{any(), any(), {{}, turn()}, {random.direction() * random.uniform(0.1, 0.5), turn()}};
    Scene scene(options_of(64));
    (void)scene.add(p.a, p.pose_a);
    (void)scene.add(p.b, p.pose_b);
    const SceneResult& r = scene.collide();
    if (!r.pairs.empty() && *r.pairs[0].volume > 0.01) pairs.push_back(std::move(p));
  }
  return pairs;
}

TEST(Patches, OfDeepPairsConverge) {
  std::vector<double> depths, turns;
  for (const DeepPair& p : deep_pairs(14)) {
    ContactPatch last;
    for (const std::uint32_t resolution : {128u, 256u, 512u}) {
      const auto found = patches(p.a, p.pose_a, p.b, p.pose_b, options_of(resolution));
      ASSERT_FALSE(found.empty());
      if (last.volume > 0) {
        EXPECT_NEAR(found[0].depth, last.depth, 0.02 * last.depth) << "pair " << depths.size() / 2;
        depths.push_back(std::abs(found[0].depth / last.depth - 1));
        if (last.one_sided > 0.1) turns.push_back(angle(found[0].normal, last.normal));
      }
      last = found[0];
    }
  }
  ASSERT_GT(turns.size(), 12u);
  std::sort(turns.begin(), turns.end());
  std::sort(depths.begin(), depths.end());
  EXPECT_LT(depths[depths.size() / 2], 0.003);
  EXPECT_LT(turns[turns.size() / 2], 0.5);
  EXPECT_LT(turns.back(), 5);
}

TEST(Patches, AreTheSameWithTheOtherNormalWhenObjectsChangePlaces) {
  std::size_t count = 0;
  for (const DeepPair& p : deep_pairs(8)) {
    const auto one = patches(p.a, p.pose_a, p.b, p.pose_b), other = patches(p.b, p.pose_b, p.a, p.pose_a);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_LT(length(one[i].normal + other[i].normal), 1e-9);
      EXPECT_EQ(one[i].center, other[i].center);
      EXPECT_EQ(one[i].volume, other[i].volume);
      EXPECT_NEAR(one[i].depth, other[i].depth, 1e-9 * one[i].depth);
      ++count;
    }
  }
  EXPECT_GT(count, 8u);
}

TEST(Patches, TheirNormalsAndAreasAreTheGradientOfTheVolume) {
  const auto volume_of = [](const std::vector<ContactPatch>& found) {
    double sum = 0;
    for (const ContactPatch& p : found) sum += p.volume;
    return sum;
  };
  int pushed = 0;
  for (const DeepPair& p : deep_pairs(14)) {
    const auto before = patches(p.a, p.pose_a, p.b, p.pose_b);
    if (before[0].one_sided < 0.3) continue;
    Transform forward = p.pose_a, back = p.pose_a;
    const double step = 0.05 * before[0].depth;
    forward.translation += before[0].normal * step;
    back.translation -= before[0].normal * step;
    const double slope =
        (volume_of(patches(p.a, back, p.b, p.pose_b)) - volume_of(patches(p.a, forward, p.b, p.pose_b))) / (2 * step);
    double expected = 0;
    for (const ContactPatch& patch : before)
      expected += patch.area * patch.one_sided * dot(patch.normal, before[0].normal);
    EXPECT_NEAR(slope, expected, 0.1 * std::abs(slope));
    ++pushed;
  }
  EXPECT_GT(pushed, 3);
}

TEST(Patches, AreMadeOnlyWhereTheyAreWanted) {
  SceneOptions without = options_of(64);
  without.patches = false;
  SceneOptions no_contacts = options_of(64);
  no_contacts.max_contacts = 0;
  for (const SceneOptions& options : {without, no_contacts}) {
    Scene scene(options);
    (void)scene.add(test::cube());
    (void)scene.add(test::cube(), at(0.1, 0.2, 0.3));
    const SceneResult& r = scene.collide();
    ASSERT_EQ(r.pairs.size(), 1u);
    EXPECT_EQ(r.pairs[0].patch_count, 0u);
    EXPECT_TRUE(r.patches.empty());
  }
}

TEST(Patches, FarFromTheOriginAreTheSame) {
  const Vec3d far{1e6, -2e6, 5e5};
  const auto near = patches(test::cube(), at(0.1, 0.2, 0.45), test::slab(), {});
  const auto found = patches(test::cube(), at(far.x + 0.1, far.y + 0.2, far.z + 0.45), test::slab(), {far, {}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].depth, near[0].depth, 1e-6);
  EXPECT_LT(length(found[0].center - near[0].center - far), 1e-6);
}

TEST(Patches, WithOneViewHaveANormalToo) {
  SceneOptions options = options_of(128);
  options.views = 1;
  const auto found = patches(scenes::sphere(20000), at(0, 0, 0.9), test::slab(), {}, options);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(angle(found[0].normal, {0, 0, 1}), 1);
  EXPECT_NEAR(found[0].area, kPi * 0.19, 0.03);
}

}  // namespace
}  // namespace lamella
