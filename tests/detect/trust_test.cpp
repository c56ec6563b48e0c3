// Answers that were wrong and did not say so, each with what is true. docs/accuracy.md has the same as a table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lamella/lamella.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using ::testing::HasSubstr;

Mesh moved(const Mesh& mesh, Vec3 by) {
  Mesh out = mesh;
  for (Vec3& p : out.positions) p = p + by;
  return out;
}

Mesh turned_inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh out = a;
  const auto base = static_cast<std::uint32_t>(a.positions.size());
  out.positions.insert(out.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles) out.triangles.push_back({t.a + base, t.b + base, t.c + base});
  return out;
}

bool has_doubt(const Overlap& o, Doubt::Cause cause, int mesh) {
  return std::any_of(o.doubts.begin(), o.doubts.end(),
                     [&](const Doubt& d) { return d.cause == cause && d.mesh == mesh; });
}

class Trust : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] Options options(std::uint32_t resolution = 128) const {
    return {.engine = GetParam(), .resolution = resolution};
  }
};

TEST_P(Trust, AMeshTurnedInsideOutIsUndecidedAndNamed) {
  const Mesh ball = scenes::sphere(2000), other = moved(scenes::sphere(2000), {0.5f, 0, 0});
  ASSERT_EQ(intersect(ball, other, options()).verdict, Verdict::colliding);
  for (const int wrong : {0, 1}) {
    const Mesh a = wrong == 0 ? turned_inside_out(ball) : ball, b = wrong == 1 ? turned_inside_out(other) : other;
    const Overlap o = intersect(a, b, options());
    EXPECT_EQ(o.verdict, Verdict::undecided);
    EXPECT_FALSE(o.colliding());
    EXPECT_FALSE(o.health.ok());
    EXPECT_TRUE(has_doubt(o, Doubt::Cause::inside_out, wrong));
    EXPECT_FALSE(has_doubt(o, Doubt::Cause::inside_out, 1 - wrong));
    Options strict = options();
    strict.strict = true;
    try {
      (void)intersect(a, b, strict);
      ADD_FAILURE() << "strict must refuse";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(wrong == 0 ? "the first mesh" : "the second mesh"));
      EXPECT_THAT(e.what(), HasSubstr("inwards"));
    }
  }
}

TEST_P(Trust, AMeshInsideOutThatIsFarFromTheOtherIsClear) {
  const Mesh ball = turned_inside_out(scenes::sphere(2000));
  EXPECT_EQ(intersect(ball, moved(scenes::sphere(2000), {5, 0, 0}), options()).verdict, Verdict::clear);
}

TEST_P(Trust, AReversedComponentIsReported) {
  const Mesh two = joined(scenes::sphere(2000), turned_inside_out(moved(scenes::sphere(2000), {4, 0, 0})));
  Options explain = options();
  explain.explain = true;
  const Overlap o = intersect(two, scenes::box(12, {5, 0.5f, 0.5f}), explain);
  EXPECT_EQ(o.verdict, Verdict::colliding) << "the other component does collide";
  EXPECT_FALSE(o.health.ok());
  EXPECT_TRUE(has_doubt(o, Doubt::Cause::inside_out, 0));
}

TEST_P(Trust, APlateDeepInsideALargeBoxIsFound) {
  const Mesh plate = scenes::box(12, {0.5f, 0.5f, 0.0002f}), box = scenes::box(12, {500, 500, 500});
  for (const std::uint32_t resolution : {16u, 128u}) {
    const Overlap o = intersect(plate, box, options(resolution));
    EXPECT_EQ(o.verdict, Verdict::colliding);
    EXPECT_NEAR(o.volume, 0.0004, 4e-7);
  }
  const Mesh blob = scenes::blob(3000);
  EXPECT_NEAR(intersect(blob, box, options()).volume, signed_volume(blob), 0.01 * signed_volume(blob));
}

TEST_P(Trust, OrderOfThePairDoesNotMatter) {
  const Mesh knot = scenes::torus_knot(3000), blob = moved(scenes::blob(2000), {0.3f, 0.2f, 0.1f}),
             small = scenes::sphere(500, 0.1f);
  for (const auto& [a, b] : {std::pair{&knot, &blob}, {&blob, &small}, {&knot, &small}}) {
    const Overlap ab = intersect(*a, *b, options()), ba = intersect(*b, *a, options());
    EXPECT_EQ(ab.verdict, ba.verdict);
    EXPECT_EQ(ab.volume, ba.volume);
    EXPECT_EQ(ab.centroid, ba.centroid);
    EXPECT_EQ(ab.spans, ba.spans);
    EXPECT_EQ(ab.grid, ba.grid);
  }
}

Quaternion random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalized(Quaternion{normal(random), normal(random), normal(random), normal(random)});
}

/// Two boxes that touch over part of a face, turned together.
std::pair<Mesh, Mesh> touching(std::mt19937& random) {
  std::uniform_real_distribution<float> slide(-0.6f, 0.6f);
  const Mesh a = scenes::box(12, {0.5f, 0.5f, 0.5f});
  const Mesh b = moved(scenes::box(48, {0.5f, 0.4f, 0.3f}), {1, slide(random), slide(random)});
  const Transform turn{{}, random_turn(random)};
  return {transformed(a, turn), transformed(b, turn)};
}

TEST_P(Trust, BoxesThatTouchDoNotCollide) {
  std::mt19937 random(19);
  for (int i = 0; i < 18; ++i) {
    const auto [a, b] = touching(random);
    for (const std::uint32_t resolution : {64u, 256u}) {
      const Overlap o = intersect(a, b, options(resolution));
      EXPECT_NE(o.verdict, Verdict::colliding) << i;
      EXPECT_EQ(o.volume, 0);
      if (o.verdict == Verdict::undecided) {
        EXPECT_TRUE(has_doubt(o, Doubt::Cause::touching, -1));
        EXPECT_NE(o.health.uncertain_spans, 0u);
        EXPECT_TRUE(o.health.ok()) << "the meshes are fine";
      }
    }
  }
}

TEST_P(Trust, BoxesThatOverlapByAThousandthDo) {
  std::mt19937 random(20);
  for (int i = 0; i < 12; ++i) {
    auto [a, b] = touching(random);
    const Vec3 towards = center(bounds(a)) - center(bounds(b));
    const float way = 0.004f / std::sqrt(dot(towards, towards));
    const Overlap o = intersect(a, moved(b, towards * way), options(256));
    EXPECT_EQ(o.verdict, Verdict::colliding) << i;
  }
}

TEST_P(Trust, PointsWhereAMeshIsOpenOrInsideOutAreUnknown) {
  Mesh ball = scenes::sphere(2000);
  const std::vector<Vec3> points{{0, 0, 0}, {3, 0, 0}};
  Options as_is = options();
  as_is.close_holes = false;
  EXPECT_THAT(contains(ball, points, as_is).inside, ::testing::ElementsAre(kPointInside, kPointOutside));
  EXPECT_THAT(contains(turned_inside_out(ball), points, as_is).inside,
              ::testing::ElementsAre(kPointUnknown, kPointOutside));
  // Open above the middle, along any axis that the rays may take.
  std::erase_if(ball.triangles, [&](const Triangle& t) {
    const Vec3 p = ball.positions[t.a];
    return p.z > 0.8f;
  });
  as_is.axis = Axis::z;
  const Containment open = contains(ball, points, as_is);
  EXPECT_THAT(open.inside, ::testing::ElementsAre(kPointUnknown, kPointOutside));
  EXPECT_EQ(open.health.untrusted_points, 1u);
  EXPECT_EQ(open.inside_count, 0u);
}

TEST_P(Trust, MeshesFarAwayAnswerAsAtTheOrigin) {
  const Mesh a = scenes::torus_knot(3000), b = moved(scenes::blob(2000), {0.3f, 0.2f, 0.1f});
  const Overlap here = intersect(a, b, options());
  ASSERT_TRUE(here.colliding());
  for (const double far : {1e6, 1e7, 1e9}) {
    const Vec3d at{far, -far, far};
    MeshView there_a = a, there_b = b;
    there_a.origin = there_b.origin = at;
    const Overlap with_origin = intersect(there_a, there_b, options());
    EXPECT_EQ(with_origin.verdict, Verdict::colliding);
    EXPECT_EQ(with_origin.volume, here.volume) << "the same floats";
    EXPECT_NEAR(with_origin.centroid.x, far + here.centroid.x, 1e-6);

    std::vector<Vec3d> wide_a, wide_b;
    for (const Vec3 p : a.positions) wide_a.push_back(to_double(p) + at);
    for (const Vec3 p : b.positions) wide_b.push_back(to_double(p) + at);
    const auto* indices = [](const Mesh& m) { return reinterpret_cast<const std::uint32_t*>(m.triangles.data()); }(a);
    const Overlap wide = intersect(make_view(&wide_a[0].x, wide_a.size(), indices, a.triangles.size()),
                                   MeshView{.positions = {}, .triangles = b.triangles, .wide = wide_b}, options());
    EXPECT_EQ(wide.verdict, Verdict::colliding);
    EXPECT_NEAR(wide.volume, here.volume, 2e-4 * here.volume) << far;
    EXPECT_NEAR(wide.centroid.y + far, here.centroid.y, 1e-4);

    // One with an origin, one in doubles.
    const Overlap mixed =
        intersect(there_a, MeshView{.positions = {}, .triangles = b.triangles, .wide = wide_b}, options());
    EXPECT_NEAR(mixed.volume, here.volume, 2e-4 * here.volume);
  }
}

TEST_P(Trust, PointsFarAwayAreFlaggedAsAtTheOrigin) {
  const Mesh knot = scenes::torus_knot(3000);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-1.4f, 1.4f);
  std::vector<Vec3> near;
  std::vector<Vec3d> far;
  const Vec3d at{1e7, 2e7, -1e7};
  for (int i = 0; i < 2000; ++i) {
    near.push_back({place(random), place(random), place(random)});
    far.push_back(to_double(near.back()) + at);
  }
  MeshView there = knot;
  there.origin = at;
  const Containment here = contains(knot, near, options()), away = contains(there, far, options());
  int different = 0;
  for (std::size_t i = 0; i < near.size(); ++i) different += here.inside[i] != away.inside[i] ? 1 : 0;
  EXPECT_LE(different, 2) << "doubles at 1e7 are 2e-9 apart";
  EXPECT_GT(here.inside_count, 100u);
}

INSTANTIATE_TEST_SUITE_P(Engines, Trust, ::testing::Values("software", "reference", "automatic"),
                         [](const auto& info) { return std::string(info.param); });

TEST(TrustDetector, RigidMeshesFarAwayAnswerAsAtTheOrigin) {
  const Mesh a = scenes::torus_knot(3000), b = scenes::blob(2000);
  Detector detector({.engine = "software"});
  const ObjectId ra = detector.add_rigid(a), rb = detector.add_rigid(b, {{0.3, 0.2, 0.1}, {}});
  const double here = detector.intersect(ra, rb).volume;
  const std::size_t vertices = detector.vertices_inside(ra, rb).a_in_b.inside.size();
  ASSERT_GT(here, 0);
  for (const double far : {1e6, 1e7}) {
    detector.move(ra, {{far, far, far}, {}});
    detector.move(rb, {{far + 0.3, far + 0.2, far + 0.1}, {}});
    const Overlap& o = detector.intersect(ra, rb);
    EXPECT_EQ(o.verdict, Verdict::colliding);
    EXPECT_NEAR(o.volume, here, 2e-4 * here);
    EXPECT_NEAR(static_cast<double>(detector.vertices_inside(ra, rb).a_in_b.inside.size()),
                static_cast<double>(vertices), 3);
  }
}

TEST(TrustDetector, DeformingInDoublesMovesTheOrigin) {
  const Mesh a = scenes::torus_knot(3000), b = scenes::blob(2000);
  Detector detector({.engine = "software"});
  const ObjectId ia = detector.add(a), ib = detector.add(b);
  const double here = detector.intersect(ia, ib).volume;
  std::vector<Vec3d> wide_a, wide_b;
  for (const Vec3 p : a.positions) wide_a.push_back(to_double(p) + Vec3d{1e7, 0, 0});
  for (const Vec3 p : b.positions) wide_b.push_back(to_double(p) + Vec3d{1e7, 0, 0});
  detector.deform(ia, wide_a);
  EXPECT_EQ(detector.intersect(ia, ib).verdict, Verdict::clear);
  detector.deform(ib, wide_b);
  EXPECT_NEAR(detector.intersect(ia, ib).volume, here, 2e-4 * here);
}

TEST(TrustBatch, PairsPosedFarAwayAnswerAsAtTheOrigin) {
  Batch batch({.engine = "software", .resolution = 64});
  const ObjectId knot = batch.add(scenes::torus_knot(3000)), blob = batch.add(scenes::blob(2000));
  std::mt19937 random(5);
  std::vector<BatchPair> near, far;
  const Vec3d at{1e7, -3e7, 1e7};
  for (int i = 0; i < 20; ++i) {
    std::uniform_real_distribution<double> place(-1.5, 1.5);
    const Transform pose_a{{}, random_turn(random)},
        pose_b{{place(random), place(random), place(random)}, random_turn(random)};
    near.push_back({knot, blob, pose_a, pose_b});
    far.push_back({knot, blob, {pose_a.translation + at, pose_a.rotation}, {pose_b.translation + at, pose_b.rotation}});
  }
  const auto first = batch.intersect(near);
  const std::vector<PairOverlap> here(first.begin(), first.end());
  const auto there = batch.intersect(far);
  int colliding = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(there[i].verdict, here[i].verdict) << i;
    EXPECT_NEAR(there[i].volume, here[i].volume, 1e-3 * here[i].volume + 1e-6);
    colliding += here[i].colliding() ? 1 : 0;
  }
  EXPECT_GT(colliding, 5);
}

}  // namespace
}  // namespace lamella
