#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "geometry_image/search.hpp"
#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;

GeometryImage flat_square(float at_z) { return image_from_heights(std::vector<float>(9, at_z), {0, 0, 0}, {2, 2, 0}); }

TEST(ImageCollide, TwoSquaresThatCrossCollideWhereTheyCross) {
  const ImageBody a = make_body({flat_square(0)}), b = a;
  const Transform upright{{1, 0, -1}, rotation_about({0, 1, 0}, -1.5707963267948966)};
  const ImageCollision found = collide(a, {}, b, upright);
  ASSERT_EQ(found.verdict, Verdict::colliding);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.within, 0);
  EXPECT_EQ(found.pairs.size(), 1u);
  EXPECT_NEAR(found.position.x, 1, 1e-6);
  EXPECT_NEAR(found.position.z, 0, 1e-6);
}

TEST(ImageCollide, TwoSquaresApartAreSeparate) {
  const ImageBody a = make_body({flat_square(0)}), b = make_body({flat_square(0.01f)});
  const ImageCollision found = collide(a, {}, b, {});
  EXPECT_EQ(found.verdict, Verdict::clear);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.within, std::numeric_limits<double>::infinity());
  EXPECT_THAT(found.pairs, testing::IsEmpty());
  EXPECT_EQ(found.level, 1) << "their spheres overlap down to the quads";
}

TEST(ImageCollide, FarApartNotEvenTheOutermostSpheresOverlap) {
  const ImageBody a = make_body({flat_square(0)});
  const ImageCollision found = collide(a, {}, a, {{100, 0, 0}, {}});
  EXPECT_EQ(found.level, -1);
  EXPECT_EQ(found.sphere_test_count, 1u);
  EXPECT_EQ(found.triangle_test_count, 0u);
}

TEST(ImageCollide, SurfacesThatTouchInOnePointCollide) {
  const ImageBody a = make_body({flat_square(0)});
  EXPECT_TRUE(collide(a, {}, a, {{2, 2, 0}, {}}).colliding()) << "corner at corner";
  EXPECT_FALSE(collide(a, {}, a, {{2.0000005, 2, 0}, {}}).colliding()) << "two roundings further";
}

TEST(ImageCollide, ABodyWithinAnotherDoesNotCollide) {
  const ImageBody outer = make_body({image_of_sphere(4, {}, 2)}), inner = make_body({image_of_sphere(4, {}, 0.5f)});
  EXPECT_EQ(collide(outer, {}, inner, {}).verdict, Verdict::clear);
}

TEST(ImageCollide, AllPairsAreThoseOfBruteForce) {
  std::mt19937 random(7);
  int colliding = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const ImageBody a = make_body({lumpy_ball(3 + seed % 2, seed)});
    const ImageBody b = make_body({seed % 3 == 0 ? hills(3, seed) : lumpy_ball(3, seed + 1000, 0.7f)});
    const Transform pose_a = random_pose(random, 5), shift = random_pose(random, 1.7);
    const Transform pose_b{pose_a.translation + shift.translation, shift.rotation};
    const auto expected = brute_force({unwelded(a.images[0])}, pose_a, {unwelded(b.images[0])}, pose_b);
    const ImageCollision all = collide(a, pose_a, b, pose_b, {.all = true});
    ASSERT_EQ(sorted(all.pairs), expected) << "seed " << seed;
    EXPECT_EQ(all.colliding(), !expected.empty());
    const ImageCollision first = collide(a, pose_a, b, pose_b);
    ASSERT_EQ(first.colliding(), !expected.empty()) << "seed " << seed;
    if (expected.empty()) continue;
    ++colliding;
    ASSERT_EQ(first.pairs.size(), 1u);
    EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), first.pairs[0]));
  }
  EXPECT_GT(colliding, 80);
  EXPECT_LT(colliding, 180);
}

TEST(ImageCollide, ImagesOfDifferentSizeAndScaleAreThoseOfBruteForce) {
  std::mt19937 random(8);
  int colliding = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const ImageBody a = make_body({hills(5, seed)}), b = make_body({lumpy_ball(1 + seed % 3, seed, 0.1f)});
    Transform pose = random_pose(random, 0.8);
    pose.translation.z *= 0.5;
    const auto expected = brute_force({unwelded(a.images[0])}, {}, {unwelded(b.images[0])}, pose);
    ASSERT_EQ(sorted(collide(a, {}, b, pose, {.all = true}).pairs), expected) << "seed " << seed;
    EXPECT_EQ(collide(b, pose, a, {}).colliding(), !expected.empty()) << "seed " << seed;
    colliding += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(colliding, 15);
  EXPECT_LT(colliding, 55);
}

TEST(ImageCollide, SeveralImagesOfABodyMoveAsOne) {
  std::mt19937 random(9);
  const auto shifted = [](GeometryImage image, Vec3 by) {
    for (Vec3& p : image.positions) p = p + by;
    return image;
  };
  const ImageBody a = make_body({lumpy_ball(2, 1, 0.5f), shifted(lumpy_ball(3, 2, 0.5f), {1, 0, 0}), hills(2, 3)});
  const ImageBody b = make_body({lumpy_ball(3, 4, 0.4f), shifted(lumpy_ball(2, 5, 0.3f), {0, 1, 0})});
  std::vector<Mesh> a_meshes, b_meshes;
  for (const GeometryImage& image : a.images) a_meshes.push_back(unwelded(image));
  for (const GeometryImage& image : b.images) b_meshes.push_back(unwelded(image));
  for (int i = 0; i < 30; ++i) {
    const Transform pose = random_pose(random, 1.5);
    ASSERT_EQ(sorted(collide(a, {}, b, pose, {.all = true}).pairs), brute_force(a_meshes, {}, b_meshes, pose));
  }
}

TEST(ImageCollide, FarFromTheOriginNothingIsMissed) {
  std::mt19937 random(10);
  const ImageBody a = make_body({lumpy_ball(3, 1)}), b = make_body({lumpy_ball(3, 2)});
  for (const double far : {1e3, 1e6, 1e9}) {
    for (int i = 0; i < 20; ++i) {
      Transform pose_a = random_pose(random, 1), pose_b = random_pose(random, 1);
      pose_a.translation = pose_a.translation + Vec3d{far, -far, far};
      pose_b.translation = pose_b.translation + Vec3d{far, -far, far};
      ASSERT_EQ(sorted(collide(a, pose_a, b, pose_b, {.all = true}).pairs),
                brute_force({unwelded(a.images[0])}, pose_a, {unwelded(b.images[0])}, pose_b));
    }
  }
}

TEST(ImageCollide, ImagesFarFromTheirOwnOriginMissNothing) {
  std::mt19937 random(11);
  GeometryImage image = lumpy_ball(3, 1);
  for (Vec3& p : image.positions) p = p + Vec3{3000, -5000, 2000};
  const ImageBody a = make_body({image});
  int colliding = 0;
  for (int i = 0; i < 30; ++i) {
    const Transform pose_a = random_pose(random, 1);
    Transform pose_b = pose_a;
    pose_b.translation = pose_b.translation + random_pose(random, 1.2).translation;
    const auto expected = brute_force({unwelded(image)}, pose_a, {unwelded(image)}, pose_b);
    ASSERT_EQ(sorted(collide(a, pose_a, a, pose_b, {.all = true}).pairs), expected);
    colliding += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(colliding, 10);
}

TEST(ImageCollide, TheLargestImageIsIndexedToItsLastTriangle) {
  const std::uint32_t last = (2u << (2 * kMaxImageLevels)) - 1, side = (1u << kMaxImageLevels) + 1;
  EXPECT_EQ(image_triangle(kMaxImageLevels, last),
            (Triangle{(side - 2) * side + side - 2, side * side - 1, side * side - 2}));
  gi::Node node{};
  for (int level = 0; level < kMaxImageLevels; ++level) node = node.child(3);
  EXPECT_EQ(node.level(), kMaxImageLevels);
  EXPECT_EQ(node.x(), side - 2);
  EXPECT_EQ(node.y(), side - 2);
}

TEST(ImageCollide, ABodyOnItselfMeetsInEveryTriangle) {
  const ImageBody a = make_body({lumpy_ball(2, 1)});
  const Transform pose{{1, 2, 3}, {}};
  const ImageCollision found = collide(a, pose, a, pose, {.all = true});
  EXPECT_EQ(sorted(found.pairs), brute_force({unwelded(a.images[0])}, pose, {unwelded(a.images[0])}, pose));
  for (std::uint32_t t = 0; t < a.images[0].triangle_count(); ++t)
    EXPECT_THAT(found.pairs, testing::Contains(TrianglePair{0, t, 0, t}));
}

TEST(ImageCollide, ImagesWithoutExtentAreTestedLikeAnyOther) {
  const ImageBody point = make_body({image_from_positions(std::vector<Vec3>(9, Vec3{1, 1, 0}))});
  const ImageBody square = make_body({flat_square(0)});
  EXPECT_EQ(collide(square, {}, point, {}, {.all = true}).pairs.size(),
            brute_force({unwelded(square.images[0])}, {}, {unwelded(point.images[0])}, {}).size());
  EXPECT_TRUE(collide(point, {}, point, {}).colliding());
  EXPECT_FALSE(collide(square, {}, point, {{0, 0, 1e-30}, {}}).colliding());
}

TEST(ImageCollide, TinyImagesAreNotLostToUnderflow) {
  GeometryImage image = lumpy_ball(3, 3);
  for (Vec3& p : image.positions) p = p * 1e-25f;
  const ImageBody a = make_body({image});
  std::mt19937 random(12);
  for (int i = 0; i < 20; ++i) {
    const Transform pose = random_pose(random, 1e-25);
    ASSERT_EQ(sorted(collide(a, {}, a, pose, {.all = true}).pairs),
              brute_force({unwelded(image)}, {}, {unwelded(image)}, pose));
  }
}

TEST(ImageCollide, APoseThatIsNotFiniteIsRefused) {
  const ImageBody a = make_body({flat_square(0)});
  EXPECT_THROW((void)collide(a, {}, a, {{std::nan(""), 0, 0}, {}}), Error);
  EXPECT_THROW((void)collide(a, {{}, {0, 0, 0, std::numeric_limits<double>::infinity()}}, a, {}), Error);
}

TEST(ImageCollide, ARotationThatIsNoneIsRefused) {
  const ImageBody a = make_body({flat_square(0)});
  EXPECT_THROW((void)collide(a, {}, a, {{}, {0, 0, 0, 1.00001}}), Error);
  EXPECT_NO_THROW((void)collide(a, {}, a, {{}, {0, 0, 0, 1 + 1e-7}}));
}

TEST(ImageCollide, CoordinatesWhoseSquaresOverflowAreRefused) {
  EXPECT_THROW(
      (void)make_body({GeometryImage{.n = 1, .positions = std::vector<Vec3>(9, Vec3{1e20f, 0, 0}), .normals = {}}}),
      Error);
  EXPECT_THROW((void)image_of_sphere(3, {3e38f, 0, 0}, 1), Error);
}

TEST(ImageCollide, SpheresThatAreNotTheImagesOwnAreRefused) {
  ImageBody a = make_body({flat_square(0)});
  const ImageBody b = a;
  a.images[0] = image_of_sphere(2);
  EXPECT_THROW((void)collide(a, {}, b, {}), Error);
  EXPECT_THROW((void)collide(b, {}, a, {}), Error);
  a.pyramids.clear();
  EXPECT_THROW((void)collide(a, {}, b, {}), Error);
  refit(a);
  EXPECT_NO_THROW((void)collide(a, {}, b, {}));
  a.images[0].positions.pop_back();
  EXPECT_THROW((void)collide(a, {}, b, {}), Error) << "n agrees, but not the positions";
  EXPECT_THROW((void)collide(b, {}, a, {}), Error);
  EXPECT_THROW((void)collide(a, {}, unwelded(b.images[0]), {}), Error);
}

TEST(ImageCollide, OfSeveralImagesEveryOneMustFitItsSpheres) {
  const ImageBody good = make_body({flat_square(0), flat_square(1)});
  ImageBody bad = good;
  bad.images[1] = image_of_sphere(2);
  EXPECT_THROW((void)collide(bad, {}, good, {}), Error);
  bad = good;
  bad.pyramids.pop_back();
  EXPECT_THROW((void)collide(bad, {}, good, {}), Error);
  try {
    (void)collide(good, {}, bad, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "a body's pyramids do not have the size of its images: call refit() after changing an image's size");
  }
}

TEST(ImageCollide, BodiesWithoutImagesAreSeparate) {
  const ImageBody none, ball = make_body({image_of_sphere(2)}), two = make_body({flat_square(0), flat_square(1)});
  for (const ImageBody* other : {&none, &ball, &two}) {
    EXPECT_EQ(collide(none, {}, *other, {}).verdict, Verdict::clear);
    EXPECT_EQ(collide(*other, {}, none, {}).verdict, Verdict::clear);
  }
  EXPECT_EQ(collide(none, {}, unwelded(ball.images[0]), {}).verdict, Verdict::clear);
}

TEST(ImageCollide, ABodyIsMadeWithTheSpheresAskedFor) {
  const GeometryImage image = lumpy_ball(4, 1);
  for (const SphereFit fit : {SphereFit::fast, SphereFit::tight, SphereFit::published}) {
    const ImageBody body = make_body({image, image}, fit);
    ASSERT_EQ(body.pyramids.size(), 2u);
    EXPECT_EQ(body.images[1].positions, image.positions);
    const SpherePyramid expected(image, fit);
    CompactPyramid codes;
    codes.build(compacted(image), fit);
    const CompactBody compact = make_body({compacted(image)}, fit, 2);
    for (int level = 0; level <= 4; ++level) {
      EXPECT_EQ(body.pyramids[1].at(level, 0, 0).radius, expected.at(level, 0, 0).radius);
      EXPECT_EQ(compact.pyramids[0].at(level, 0, 0).radius, codes.at(level, 0, 0).radius);
    }
  }
  ImageBody body = make_body({image}, SphereFit::tight);
  refit(body);
  EXPECT_EQ(body.pyramids[0].root().radius, SpherePyramid(image, SphereFit::fast).root().radius);
  EXPECT_NE(body.pyramids[0].root().radius, SpherePyramid(image, SphereFit::tight).root().radius);
  CompactImage broken = compacted(image);
  broken.n = 3;
  EXPECT_THROW((void)make_body({broken}), Error);
}

TEST(ImageCollide, ARelativePoseTakesOneFrameToTheOther) {
  std::mt19937 random(15);
  for (int i = 0; i < 20; ++i) {
    const Transform frame = random_pose(random, 3), placed = random_pose(random, 3);
    const Transform relative = relative_pose(frame, placed);
    for (const Vec3d p : {Vec3d{0, 0, 0}, Vec3d{1, 2, 3}}) {
      const Vec3d off = apply(frame, apply(relative, p)) - apply(placed, p);
      EXPECT_LT(std::sqrt(dot(off, off)), 1e-12);
    }
  }
}

TEST(ImageCollide, AfterADeformationRefitMakesTheAnswerRight) {
  ImageBody a = make_body({flat_square(0)});
  const ImageBody b = make_body({flat_square(1)});
  ASSERT_FALSE(collide(a, {}, b, {}).colliding());
  a.images[0].positions[4].z = 1.5f;
  refit(a);
  const ImageCollision found = collide(a, {}, b, {}, {.all = true});
  EXPECT_EQ(sorted(found.pairs), brute_force({unwelded(a.images[0])}, {}, {unwelded(b.images[0])}, {}));
  EXPECT_TRUE(found.colliding());
}

TEST(ImageCollide, AColliderGivesTheSameAnswersAsItsFirst) {
  std::mt19937 random(13);
  const ImageBody a = make_body({lumpy_ball(4, 1)}), b = make_body({hills(4, 2)});
  ImageCollider collider;
  for (int i = 0; i < 20; ++i) {
    const Transform pose = random_pose(random, 1.2);
    const ImageCollideOptions options{.all = i % 2 == 0};
    const ImageCollision fresh = collide(a, {}, b, pose, options);
    const ImageCollision& kept = collider.collide(a, {}, b, pose, options);
    EXPECT_EQ(kept.pairs, fresh.pairs);
    EXPECT_EQ(kept.verdict, fresh.verdict);
    EXPECT_EQ(kept.sphere_test_count, fresh.sphere_test_count);
    EXPECT_EQ(kept.position, fresh.position);
  }
}

TEST(ImageCollide, ThePlaceOfACollisionIsOnBothSurfaces) {
  std::mt19937 random(14);
  const ImageBody a = make_body({image_of_sphere(5, {}, 1)});
  int colliding = 0;
  for (int i = 0; i < 100; ++i) {
    const Transform pose_a = random_pose(random, 3);
    const Transform pose_b{pose_a.translation + random_pose(random, 1.2).translation, {}};
    const ImageCollision found = collide(a, pose_a, a, pose_b);
    if (!found.colliding()) continue;
    ++colliding;
    const Vec3d to_a = found.position - pose_a.translation, to_b = found.position - pose_b.translation;
    EXPECT_NEAR(std::sqrt(dot(to_a, to_a)), 1, 0.01);
    EXPECT_NEAR(std::sqrt(dot(to_b, to_b)), 1, 0.01);
  }
  EXPECT_GT(colliding, 50);
}

}  // namespace
}  // namespace lamella
