// GI-COLLIDE as published: its zigzag, and spheres that need not enclose.

#include <gtest/gtest.h>

#include "geometry_image/shapes.hpp"

namespace lamella {
namespace {

using namespace test;

const ImageCollideOptions kZigzag{.walk = ImageWalk::zigzag}, kAllZigzag{.all = true, .walk = ImageWalk::zigzag};

/// A saddle of one quad in the first corner of a flat sheet, from (0, 0) to (2, 2).
GeometryImage saddle() {
  GeometryImage image{.n = 1, .positions = {}, .normals = {}};
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      image.positions.push_back({static_cast<float>(x), static_cast<float>(y), x == y && x < 2 ? 1.0f : 0.0f});
  return image;
}

TEST(CollidePublished, TheZigzagFindsThePairsThatAllTrianglesHave) {
  std::mt19937 random(5);
  int colliding = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const auto fit = seed % 2 == 0 ? SphereFit::published_enclosing : SphereFit::tight;
    const ImageBody a = make_body({lumpy_ball(3 + static_cast<int>(seed % 2), seed)}, fit);
    const ImageBody b = make_body({seed % 3 == 0 ? hills(2, seed) : lumpy_ball(3, seed + 50, 0.7f)}, fit);
    const Transform pose_a = random_pose(random, 1.4), pose_b = random_pose(random, 1.4);
    const auto expected = brute_force({unwelded(a.images[0])}, pose_a, {unwelded(b.images[0])}, pose_b);
    const ImageCollision found = collide(a, pose_a, b, pose_b, kAllZigzag);
    EXPECT_EQ(sorted(found.pairs), expected) << seed;
    EXPECT_TRUE(found.enclosing);
    const ImageCollision first = collide(a, pose_a, b, pose_b, kZigzag);
    EXPECT_EQ(first.colliding(), !expected.empty());
    EXPECT_EQ(first.verdict == Verdict::clear, expected.empty());
    colliding += first.colliding() ? 1 : 0;
  }
  EXPECT_GT(colliding, 3);
  EXPECT_LT(colliding, 12);
}

TEST(CollidePublished, StrokesAlternateStrictlyBeginningWithA) {
  // Two equal sheets on each other: every pair of spheres that lie above each other overlaps.
  const ImageBody sheet = make_body({hills(1, 1, 0)}, SphereFit::published);
  const ImageCollision found = collide(sheet, {}, sheet, {}, {.all = true, .max_level = 0, .walk = ImageWalk::zigzag});
  EXPECT_EQ(found.sphere_test_count, 1u) << "the roots";
  // The roots, then four of a against b's root, then each of these against four of b.
  const ImageCollision next = collide(sheet, {}, sheet, {}, {.all = true, .max_level = 1, .walk = ImageWalk::zigzag});
  EXPECT_EQ(next.sphere_test_count, 1u + 4 + 4 * 4);
  EXPECT_EQ(next.sphere_pair_count, 16u) << "neighbours touch";
  // Ours makes the same strokes, b first; with a pyramid that ends sooner, the other is walked on alone.
  const ImageBody fine = make_body({hills(3, 1, 0)}, SphereFit::published);
  const ImageCollision uneven = collide(sheet, {}, fine, {}, kAllZigzag);
  EXPECT_EQ(sorted(uneven.pairs), brute_force({unwelded(sheet.images[0])}, {}, {unwelded(fine.images[0])}, {}));
  EXPECT_EQ(uneven.level, 1) << "of the less deep";
}

TEST(CollidePublished, TestsComeInTheSameOrderWhateverTheLimit) {
  const ImageBody a = make_body({lumpy_ball(4, 1)}, SphereFit::published_enclosing), b = make_body({lumpy_ball(4, 2)});
  const Transform near{{0.4, 0.3, 0.2}, {}};
  const ImageCollision whole = collide(a, {}, b, near, kAllZigzag);
  ASSERT_TRUE(whole.colliding());
  for (const std::uint64_t tests : {10u, 100u, 1000u}) {
    const ImageCollision cut = collide(a, {}, b, near, {.all = true, .max_tests = tests, .walk = ImageWalk::zigzag});
    EXPECT_FALSE(cut.complete);
    ASSERT_LE(cut.pairs.size(), whole.pairs.size());
    EXPECT_TRUE(std::equal(cut.pairs.begin(), cut.pairs.end(), whole.pairs.begin()));
  }
}

TEST(CollidePublished, SpheresThatDoNotEncloseMissACollisionAndTheAnswerSaysSo) {
  const ImageBody as_written = make_body({saddle()}, SphereFit::published),
                  enlarged = make_body({saddle()}, SphereFit::published_enclosing);
  ASSERT_GT(as_written.pyramids[0].open_quad_count(), 0u);
  // A speck at a corner of the saddle, which its sphere does not reach and no other quad has.
  std::vector<Vec3> speck;
  for (int i = 0; i < 9; ++i)
    speck.push_back({0.02f * static_cast<float>(i % 3) - 0.02f, 0.02f * static_cast<float>(i / 3) - 0.02f, 0.99f});
  const ImageBody small = make_body({image_from_positions(speck)});
  const ImageCollision exact = collide(enlarged, {}, small, {});
  EXPECT_TRUE(exact.colliding());
  EXPECT_TRUE(exact.enclosing);
  const ImageCollision missed = collide(as_written, {}, small, {});
  EXPECT_FALSE(missed.colliding());
  EXPECT_EQ(missed.verdict, Verdict::undecided) << "not separate: it does not know";
  EXPECT_TRUE(missed.complete);
  EXPECT_FALSE(missed.enclosing);
  EXPECT_EQ(missed.within, std::numeric_limits<double>::infinity());
  EXPECT_EQ(collide(as_written, {}, unwelded(small.images[0]), {}).verdict, Verdict::undecided) << "against a mesh too";
  EXPECT_EQ(collide(as_written, {}, small, {{5, 0, 0}, {}}).verdict, Verdict::undecided);
  EXPECT_EQ(collide(enlarged, {}, small, {{5, 0, 0}, {}}).verdict, Verdict::clear);
}

}  // namespace
}  // namespace lamella
