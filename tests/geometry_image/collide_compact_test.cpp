// Bodies of 16-bit codes give the answers of the floats that the codes stand for.

#include <gtest/gtest.h>

#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"
#include "lamella/image_scene.hpp"

namespace lamella {
namespace {

using namespace test;

/// A body twice: as codes, and as the floats of these codes.
struct Twice {
  explicit Twice(const std::vector<GeometryImage>& from, SphereFit fit = SphereFit::tight) {
    std::vector<CompactImage> codes;
    std::vector<GeometryImage> images;
    for (const GeometryImage& image : from) {
      codes.push_back(lamella::compacted(image));
      images.push_back(expanded(codes.back()));
    }
    compact = make_body(std::move(codes), fit);
    floats = make_body(std::move(images), fit);
  }
  CompactBody compact;
  ImageBody floats;
};

TEST(CollideCompact, FindsThePairsOfTheFloats) {
  std::mt19937 random(11);
  std::size_t pairs = 0;
  for (unsigned seed = 0; seed < 15; ++seed) {
    const Twice a({lumpy_ball(3 + static_cast<int>(seed % 3), seed)});
    const Twice b({seed % 3 == 0 ? hills(4, seed) : lumpy_ball(4, seed + 7, 0.6f)});
    const Transform pose_a = random_pose(random, 0.6), pose_b = random_pose(random, 0.6);
    const auto expected = sorted(collide(a.floats, pose_a, b.floats, pose_b, {.all = true}).pairs);
    pairs += expected.size();
    for (const ImageWalk walk : {ImageWalk::guided, ImageWalk::zigzag}) {
      const ImageCollideOptions all{.all = true, .walk = walk};
      EXPECT_EQ(sorted(collide(a.compact, pose_a, b.compact, pose_b, all).pairs), expected) << seed;
      EXPECT_EQ(sorted(collide(a.compact, pose_a, b.floats, pose_b, all).pairs), expected) << seed;
      EXPECT_EQ(sorted(collide(a.floats, pose_a, b.compact, pose_b, all).pairs), expected) << seed;
    }
    const Mesh mesh = unwelded(b.floats.images[0]);
    EXPECT_EQ(sorted(collide(a.compact, pose_a, mesh, pose_b, {.all = true}).pairs), expected) << seed;
  }
  EXPECT_GT(pairs, 100u);
}

TEST(CollideCompact, LargeBodiesWhoseSpheresAreMadeInParts) {
  const Twice a({lumpy_ball(9, 3)}, SphereFit::fast), b({lumpy_ball(5, 4, 0.5f)});
  const Transform near{{0.9, 0.2, 0.1}, rotation_about({1, 2, 3}, 0.5)};
  const ImageCollision floats = collide(a.floats, {}, b.floats, near, {.all = true});
  ASSERT_GT(floats.pairs.size(), 10u);
  EXPECT_EQ(sorted(collide(a.compact, {}, b.compact, near, {.all = true}).pairs), sorted(floats.pairs));
}

TEST(CollideCompact, BodiesOfSeveralImagesAndLimitsWork) {
  const auto moved = [](GeometryImage image, float by) {
    for (Vec3& p : image.positions) p.x += by;
    return image;
  };
  const Twice row({lumpy_ball(3, 1, 0.4f), moved(lumpy_ball(3, 2, 0.4f), 1), moved(lumpy_ball(4, 3, 0.4f), 2)});
  const Transform pose{{0.3, 0.2, 0}, {}};
  const ImageCollision expected = collide(row.floats, {}, row.floats, pose, {.all = true});
  ASSERT_FALSE(expected.pairs.empty());
  EXPECT_EQ(sorted(collide(row.compact, {}, row.compact, pose, {.all = true}).pairs), sorted(expected.pairs));
  const ImageCollision cut = collide(row.compact, {}, row.compact, pose, {.all = true, .max_tests = 20});
  EXPECT_FALSE(cut.complete);
  EXPECT_EQ(collide(row.compact, {}, row.compact, {{0, 9, 0}, {}}).verdict, Verdict::clear);
}

TEST(CollideCompact, PyramidsOfAnotherSizeAreRefused) {
  Twice body({lumpy_ball(3, 1)});
  body.compact.images[0] = compacted(image_of_sphere(2));
  EXPECT_THROW((void)collide(body.compact, {}, body.floats, {}), Error);
  body.compact.pyramids.clear();
  EXPECT_THROW((void)collide(body.floats, {}, body.compact, {}), Error);
}

TEST(CollideCompact, AreObjectsOfAScene) {
  const Twice ball({lumpy_ball(4, 1, 0.5f)});
  const auto compact = std::make_shared<const CompactBody>(ball.compact);
  const auto floats = std::make_shared<const ImageBody>(ball.floats);
  ImageScene mixed({.threads = 1}), plain({.threads = 1});
  for (int i = 0; i < 6; ++i) {
    const Transform pose{{0.7 * i, 0.05 * i, 0}, rotation_about({0, 1, 1}, i)};
    (void)(i % 2 == 0 ? mixed.add(compact, pose) : mixed.add(floats, pose));
    (void)plain.add(floats, pose);
  }
  const ImageSceneResult &one = mixed.collide(), &other = plain.collide();
  EXPECT_GT(other.colliding_count, 0u);
  EXPECT_EQ(one.colliding_count, other.colliding_count);
  ASSERT_EQ(one.candidates.size(), other.candidates.size());
  for (std::size_t i = 0; i < one.candidates.size(); ++i)
    EXPECT_EQ(one.candidates[i].verdict, other.candidates[i].verdict) << i;
  EXPECT_THROW(mixed.add(std::shared_ptr<const CompactBody>()), Error);
}

}  // namespace
}  // namespace lamella
