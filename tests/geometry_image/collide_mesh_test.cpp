#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using namespace test;

TEST(ImageAgainstMesh, AllPairsAreThoseOfBruteForce) {
  std::mt19937 random(1);
  int colliding = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const ImageBody a = make_body({lumpy_ball(3 + seed % 2, seed), hills(2, seed)});
    const Mesh b = seed % 2 == 0 ? scenes::torus(300, 0.5f, 0.2f) : scenes::blob(400, seed);
    const Transform pose_a = random_pose(random, 3), shift = random_pose(random, 1.6);
    const Transform pose_b{pose_a.translation + shift.translation, shift.rotation};
    const auto expected = brute_force({unwelded(a.images[0]), unwelded(a.images[1])}, pose_a, {b}, pose_b);
    ASSERT_EQ(sorted(collide(a, pose_a, b, pose_b, {.all = true}).pairs), expected) << "seed " << seed;
    const ImageCollision first = collide(a, pose_a, b, pose_b);
    ASSERT_EQ(first.colliding(), !expected.empty());
    if (expected.empty()) continue;
    ++colliding;
    ASSERT_EQ(first.pairs.size(), 1u);
    EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), first.pairs[0]));
  }
  EXPECT_GT(colliding, 20);
  EXPECT_LT(colliding, 58);
}

TEST(ImageAgainstMesh, TheMeshOfAnImageCollidesLikeTheImage) {
  std::mt19937 random(2);
  const ImageBody a = make_body({lumpy_ball(4, 1)}), b = make_body({lumpy_ball(4, 2)});
  const Mesh mesh = unwelded(b.images[0]);
  for (int i = 0; i < 30; ++i) {
    const Transform pose = random_pose(random, 1.5);
    EXPECT_EQ(sorted(collide(a, {}, mesh, pose, {.all = true}).pairs),
              sorted(collide(a, {}, b, pose, {.all = true}).pairs));
  }
}

TEST(ImageAgainstMesh, TrianglesOfAnySizeAreFound) {
  const ImageBody a = make_body({lumpy_ball(4, 3)});
  const Mesh huge{{{-1e6f, -1e6f, 0}, {1e6f, -1e6f, 0}, {0, 2e6f, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(sorted(collide(a, {}, huge, {}, {.all = true}).pairs),
            brute_force({unwelded(a.images[0])}, {}, {huge}, {}));
  EXPECT_TRUE(collide(a, {}, huge, {}).colliding());
}

TEST(ImageAgainstMesh, BrokenTrianglesArePassedOver) {
  const ImageBody a = make_body({image_of_sphere(3)});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Mesh mesh{{{nan, 0, 0}, {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {3e18f, 0, 0}}, {{0, 1, 2}, {1, 2, 3}, {1, 2, 4}}};
  const ImageCollision found = collide(a, {}, mesh, {}, {.all = true});
  EXPECT_TRUE(found.colliding());
  for (const TrianglePair& pair : found.pairs) EXPECT_EQ(pair.triangle_b, 1u);
}

TEST(ImageAgainstMesh, AnEmptyMeshIsSeparate) {
  EXPECT_EQ(collide(make_body({image_of_sphere(3)}), {}, MeshView{}, {}).verdict, Verdict::clear);
}

TEST(ImageAgainstMesh, AnIndexOutOfRangeIsRefused) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 3}}};
  try {
    (void)collide(make_body({image_of_sphere(3)}), {}, mesh, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("triangle 1"));
  }
}

TEST(ImageAgainstMesh, AnIndexIsCheckedInEveryPartOfAMesh) {
  // Parts of 128 triangles and more: the bad index is the last of one, or the first.
  const ImageBody a = make_body({image_of_sphere(2)});
  for (const std::size_t bad : {0u, 127u, 128u, 255u, 256u, 999u}) {
    Mesh mesh{{{9, 9, 9}, {9, 9, 8}, {9, 8, 9}}, std::vector<Triangle>(1000, Triangle{0, 1, 2})};
    EXPECT_NO_THROW((void)collide(a, {}, mesh, {}));
    mesh.triangles[bad].b = 3;
    EXPECT_THROW((void)collide(a, {}, mesh, {}), Error) << bad;
  }
}

TEST(ImageAgainstMesh, EveryVertexOfALargeMeshIsPlaced) {
  // A mesh far away but for its last triangle, at sizes about those of the parts in which vertices are placed.
  const ImageBody a = make_body({image_of_sphere(3)});
  ImageCollider collider;
  for (const std::uint32_t count : {3u, 126u, 128u, 129u, 4095u, 4096u, 4101u, 9000u}) {
    Mesh mesh{std::vector<Vec3>(count, Vec3{90, 90, 90}), {{count - 3, count - 2, count - 1}}};
    mesh.positions[count - 3] = {5, 0, 0.1f};
    mesh.positions[count - 2] = {7, 0, 0.1f};
    mesh.positions[count - 1] = {6, 2, 0.1f};
    EXPECT_FALSE(collider.collide(a, {}, mesh, {}).colliding());
    EXPECT_TRUE(collider.collide(a, {}, mesh, {{-5.1, 0, 0}, {}}).colliding()) << count;
  }
}

TEST(ImageAgainstMesh, AStrayVertexBlursNothing) {
  const ImageBody a = make_body({image_of_sphere(5)});
  Mesh mesh = scenes::sphere(2000, 0.9f);
  const ImageCollision alone = collide(a, {}, mesh, {});
  mesh.positions.push_back({1e12f, 0, 0});
  const ImageCollision with_stray = collide(a, {}, mesh, {});
  EXPECT_EQ(with_stray.verdict, Verdict::clear);
  EXPECT_EQ(with_stray.sphere_test_count, alone.sphere_test_count);
}

TEST(ImageAgainstMesh, AMeshThatIsNowhereNearEndsAtItsLimitToo) {
  const ImageBody a = make_body({image_of_sphere(5)});
  const ImageCollision found = collide(a, {}, scenes::sphere(20000), {{1000, 0, 0}, {}}, {.max_tests = 100});
  EXPECT_EQ(found.sphere_test_count, 100u);
  EXPECT_FALSE(found.complete);
}

TEST(ImageAgainstMesh, WithoutTimeAMeshIsNotEvenPlaced) {
  const ImageBody a = make_body({image_of_sphere(5)});
  const ImageCollision found = collide(a, {}, scenes::sphere(200000), {}, {.budget = std::chrono::nanoseconds(1)});
  EXPECT_EQ(found.sphere_test_count, 0u);
  EXPECT_EQ(found.verdict, Verdict::undecided);
}

TEST(ImageAgainstMesh, LimitsHoldHereToo) {
  const ImageBody a = make_body({image_of_sphere(5)});
  const Mesh mesh = scenes::sphere(5000, 0.99f);
  const ImageCollision whole = collide(a, {}, mesh, {});
  const std::uint64_t needed = whole.sphere_test_count + whole.triangle_test_count;
  ASSERT_EQ(whole.verdict, Verdict::clear);
  const ImageCollision cut = collide(a, {}, mesh, {}, {.max_tests = needed / 2});
  EXPECT_EQ(cut.verdict, Verdict::undecided);
  EXPECT_FALSE(cut.complete);
  EXPECT_GE(cut.sphere_test_count + cut.triangle_test_count, needed / 2);
  EXPECT_LE(cut.sphere_test_count + cut.triangle_test_count, needed / 2 + 16);
}

}  // namespace
}  // namespace lamella
