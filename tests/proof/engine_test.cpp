// Options::certify through whole queries.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/winding_number.hpp"

namespace lamella::proof {
namespace {

Mesh box(Vec3 low, Vec3 high) { return test::box_mesh(low, high); }
const Options kCertify{.engine = "software", .resolution = 32, .threads = 1, .certify = true};

bool has(const Overlap& overlap, Doubt::Cause cause) {
  return std::any_of(overlap.doubts.begin(), overlap.doubts.end(), [&](const Doubt& d) { return d.cause == cause; });
}

TEST(Certify, AnOverlapHasAWitness) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1}), b = box({0.5f, 0.5f, 0.5f}, {2, 2, 2});
  const Overlap overlap = intersect(a, b, kCertify);
  EXPECT_TRUE(overlap.colliding());
  EXPECT_TRUE(overlap.certificate.certain);
  ASSERT_TRUE(overlap.certificate.witness);
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT((*overlap.certificate.witness)[k], 0.5);
    EXPECT_LT((*overlap.certificate.witness)[k], 1.0);
  }
  EXPECT_NEAR(overlap.volume, 0.125, 1e-3);
  EXPECT_TRUE(overlap.doubts.empty());
}

TEST(Certify, NothingIsProvedUnlessAskedFor) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(intersect(a, a).certificate.certain);
}

TEST(Certify, AFilmThatNoRaySees) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1}), b = box({std::nextafter(1.0f, 0.0f), 0, 0}, {2, 1, 1});
  const Overlap overlap = intersect(a, b, kCertify);
  EXPECT_TRUE(overlap.colliding());
  EXPECT_TRUE(overlap.certificate.certain);
}

TEST(Certify, FacesThatTouchAreClear) {
  Mesh a = scenes::blob(2000);
  for (Vec3& p : a.positions) p.x = std::min(p.x, 0.25f);
  Mesh b = a;
  for (Vec3& p : b.positions) p.x = 0.5f - p.x;
  for (Triangle& t : b.triangles) std::swap(t.b, t.c);
  const Overlap overlap = intersect(a, b, kCertify);
  EXPECT_EQ(overlap.verdict, Verdict::clear);
  EXPECT_TRUE(overlap.certificate.certain);
  EXPECT_TRUE(overlap.certificate.touching);
  EXPECT_TRUE(overlap.spans.empty());
  EXPECT_EQ(overlap.volume, 0);
  EXPECT_EQ(overlap.health.uncertain_spans, 0u);
  EXPECT_TRUE(overlap.doubts.empty());
}

// Boxes that share no volume must not be rounded where floats are a unit apart: a gap would close.
TEST(Certify, GapsFarFromTheOriginStayOpen) {
  const Vec3d far{1e7, 1e7, 1e7};
  const auto at = [&](double gap) {
    const Mesh a = transformed(box({0, 0, 0}, {1, 1, 1}), {far, {}});
    const Mesh b = transformed(box({0, 0.25f, 0.25f}, {1, 0.5f, 0.5f}), {far + Vec3d{1 + gap, 0, 0}, {}});
    return intersect(a, b, kCertify);
  };
  for (const double gap : {0.25, 0x1p-10, 0x1p-20}) {
    const Overlap apart = at(gap);
    EXPECT_EQ(apart.verdict, Verdict::clear) << gap;
    EXPECT_TRUE(apart.certificate.certain) << gap;
    EXPECT_FALSE(apart.certificate.touching) << gap;
  }
  EXPECT_TRUE(at(0).certificate.certain);
  EXPECT_TRUE(at(0).certificate.touching);
  EXPECT_TRUE(at(-0x1p-20).colliding());
}

TEST(Certify, TiltedFacesThatTouch) {
  // Prisms on either side of a tilted plane: sampling sees spans of rounding there.
  const Vec3 p{0, 0, 0}, q{3, 1, 0}, r{1, 3, 1};
  const Mesh a = test::tetrahedron(p, q, r, {2, 2, 8}), b = test::tetrahedron(p, r, q, {2, 2, -8});
  for (const std::uint32_t resolution : {16u, 64u, 256u}) {
    Options options = kCertify;
    options.resolution = resolution;
    const Overlap overlap = intersect(a, b, options);
    EXPECT_EQ(overlap.verdict, Verdict::clear);
    EXPECT_TRUE(overlap.certificate.touching);
  }
}

TEST(Certify, TheWitnessIsInTheWorld) {
  Mesh a = box({0, 0, 0}, {1, 1, 1}), b = box({0.5f, 0.5f, 0.5f}, {2, 2, 2});
  a.origin = b.origin = {1e7, -2e7, 3e7};
  const Overlap overlap = intersect(a, b, kCertify);
  ASSERT_TRUE(overlap.certificate.witness);
  EXPECT_NEAR(overlap.certificate.witness->x, 1e7 + 0.75, 0.25);
  EXPECT_NEAR(overlap.certificate.witness->y, -2e7 + 0.75, 0.25);
}

TEST(Certify, OpenMeshesStayUndecided) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  Mesh open = box({0.5f, 0, 0}, {2, 1, 1});
  open.triangles.pop_back();
  Options options = kCertify;
  options.close_holes = false;
  const Overlap overlap = intersect(a, open, options);
  EXPECT_EQ(overlap.verdict, Verdict::undecided);
  EXPECT_FALSE(overlap.certificate.certain);
  EXPECT_TRUE(has(overlap, Doubt::Cause::open_columns));
}

TEST(Certify, AHoleBetweenTheRaysIsADoubt) {
  Mesh open = scenes::blob(20'000);
  open.triangles.pop_back();  // smaller than a cell
  const Mesh a = box({0, 0, 0}, {2, 2, 2});
  Options options = kCertify;
  options.close_holes = false;
  options.resolution = 8;
  const Overlap overlap = intersect(a, open, options);
  EXPECT_EQ(overlap.verdict, Verdict::undecided);
  ASSERT_TRUE(has(overlap, Doubt::Cause::open_columns));
  for (const Doubt& doubt : overlap.doubts) EXPECT_FALSE(describe(doubt).empty());
}

TEST(Certify, ClosedHolesThatMatterAreNotCertain) {
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  const Overlap overlap = intersect(open, box({0.9f, 0.2f, 0.1f}, {1.5f, 0.9f, 0.8f}), kCertify);
  EXPECT_EQ(overlap.certificate.certain, overlap.verdict != Verdict::undecided);
}

TEST(Certify, InsideOutMeshes) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  Mesh b = box({0.5f, 0.5f, 0.5f}, {2, 2, 2});
  for (Triangle& t : b.triangles) std::swap(t.b, t.c);
  const Overlap overlap = intersect(a, b, kCertify);
  EXPECT_EQ(overlap.verdict, Verdict::undecided);
  EXPECT_FALSE(overlap.certificate.certain);
  EXPECT_TRUE(has(overlap, Doubt::Cause::inside_out));
}

TEST(Certify, IndicesAreCheckedWhereNothingIsSampled) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  Mesh b = box({1, 0, 0}, {2, 1, 1});  // the boxes share a face, and no volume
  b.triangles[3].b = 99;
  Options options = kCertify;
  options.close_holes = false;
  EXPECT_THROW((void)intersect(a, b, options), Error);
}

TEST(Certify, SelfIntersections) {
  const SelfOverlap yes = self_intersect(scenes::torus_knot(4000, 0.6f), kCertify);
  EXPECT_TRUE(yes.colliding());
  EXPECT_TRUE(yes.certificate.certain);
  const SelfOverlap no = self_intersect(scenes::torus_knot(4000), kCertify);
  EXPECT_EQ(no.verdict, Verdict::clear);
  EXPECT_TRUE(no.certificate.certain);
}

TEST(Certify, WithoutSpansAndOnEveryEngineOfTheCpu) {
  const Mesh a = scenes::torus(2000), b = scenes::blob(2000);
  for (const char* engine : {"reference", "software", "software-wscg"}) {
    Options options = kCertify;
    options.engine = engine;
    options.keep_spans = false;
    const Overlap overlap = intersect(a, b, options);
    EXPECT_TRUE(overlap.colliding()) << engine;
    EXPECT_TRUE(overlap.certificate.certain) << engine;
    EXPECT_TRUE(overlap.certificate.witness) << engine;
  }
}

}  // namespace
}  // namespace lamella::proof
