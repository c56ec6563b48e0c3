#include <gtest/gtest.h>

#include <cmath>

#include "proof/prove.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/winding_number.hpp"

namespace lamella::proof {
namespace {

Proof prove(const Mesh& a, const Mesh& b, unsigned threads = 1) {
  Workers workers(threads);
  ProofScratch scratch;
  return prove_pair(a, b, {}, workers, scratch);
}

Mesh box(Vec3 low, Vec3 high) { return test::box_mesh(low, high); }

void expect_clear(const Proof& proof, bool touching) {
  EXPECT_EQ(proof.verdict, Verdict::clear);
  EXPECT_TRUE(proof.certificate.certain);
  EXPECT_EQ(proof.certificate.touching, touching);
  EXPECT_FALSE(proof.certificate.witness);
}

void expect_colliding(const Proof& proof) {
  EXPECT_EQ(proof.verdict, Verdict::colliding);
  EXPECT_TRUE(proof.certificate.certain);
  EXPECT_FALSE(proof.certificate.touching);
}

TEST(ProvePair, NothingIsClearOfEverything) {
  expect_clear(prove({}, {}), false);
  expect_clear(prove({}, box({0, 0, 0}, {1, 1, 1})), false);
}

TEST(ProvePair, TwoBoxes) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  expect_clear(prove(a, box({2, 0, 0}, {3, 1, 1})), false);
  expect_clear(prove(a, box({1, 0, 0}, {2, 1, 1})), true);                            // a face
  expect_clear(prove(a, box({1, 1, 0}, {2, 2, 1})), true);                            // an edge
  expect_clear(prove(a, box({1, 1, 1}, {2, 2, 2})), true);                            // a corner
  expect_clear(prove(a, box({1, 0.25f, 0.25f}, {2, 0.75f, 0.75f})), true);            // a part of a face
  expect_clear(prove(a, box({std::nextafter(1.0f, 2.0f), 0, 0}, {2, 1, 1})), false);  // the smallest gap
  expect_colliding(prove(a, box({std::nextafter(1.0f, 0.0f), 0, 0}, {2, 1, 1})));     // the thinnest film
  expect_colliding(prove(a, box({std::nextafter(1.0f, 0.0f), 0.5f, 0.5f}, {2, 2, 2})));
  expect_colliding(prove(a, a));
  expect_colliding(prove(a, box({0.25f, 0.25f, 0.25f}, {0.5f, 0.5f, 0.5f})));  // inside
  expect_colliding(prove(a, box({0, 0, 0}, {0.5f, 0.5f, 0.5f})));              // inside, in a corner
}

TEST(ProvePair, ABoxInACavity) {
  Mesh shell = box({0, 0, 0}, {4, 4, 4});
  Mesh cavity = box({1, 1, 1}, {3, 3, 3});
  for (Triangle& t : cavity.triangles) std::swap(t.b, t.c);
  test::append(shell, cavity);
  expect_clear(prove(shell, box({1.5f, 1.5f, 1.5f}, {2, 2, 2})), false);
  expect_clear(prove(shell, box({1, 1, 1}, {2, 2, 2})), true);
  expect_clear(prove(shell, box({1, 1, 1}, {3, 3, 3})), true);
  expect_colliding(prove(shell, box({0.9f, 1.5f, 1.5f}, {2, 2, 2})));
  expect_colliding(prove(shell, box({0.1f, 0.1f, 0.1f}, {0.5f, 0.5f, 0.5f})));
}

TEST(ProvePair, APlateInADeepBox) {
  const Mesh deep = box({0, 0, 0}, {1, 1, 1000});
  expect_colliding(prove(deep, box({-1, -1, 500}, {2, 2, 500.0001f})));
  expect_clear(prove(deep, box({-1, -1, 1000}, {2, 2, 1000.001f})), true);
  expect_clear(prove(deep, box({-1, -1, 1000.0001f}, {2, 2, 1000.001f})), false);
}

TEST(ProvePair, AVertexOnAFaceAndAnEdgeOnAnEdge) {
  const Mesh a = box({0, 0, 0}, {4, 4, 4});
  expect_clear(prove(a, test::tetrahedron({1, 1, 5}, {2, 1, 5}, {1, 2, 5}, {1, 1, 4})), true);
  expect_clear(prove(a, test::tetrahedron({1, 4, 4}, {3, 4, 4}, {2, 5, 4}, {2, 5, 6})), true);
  expect_clear(prove(a, test::tetrahedron({3, 5, 4}, {5, 3, 4}, {4.5f, 4.5f, 6}, {5, 5, 4})), true);  // edges cross
}

TEST(ProvePair, MirroredCopies) {
  Mesh a = scenes::blob(3000);
  const float plane = 0.25f;
  for (Vec3& p : a.positions) p.x = std::min(p.x, plane);  // a flat face of many triangles
  Mesh b = a;
  for (Vec3& p : b.positions) p.x = 2 * plane - p.x;
  for (Triangle& t : b.triangles) std::swap(t.b, t.c);
  expect_clear(prove(a, b), true);
  for (Vec3& p : b.positions) p.x -= 0x1p-20f;
  expect_colliding(prove(a, b));
}

TEST(ProvePair, AWitnessIsInsideBoth) {
  const Mesh a = scenes::torus_knot(2000);
  Mesh b = scenes::blob(3000);
  for (Vec3& p : b.positions) p = p + Vec3{0.9f, 0.35f, 0.1f};
  const Proof proof = prove(a, b);
  expect_colliding(proof);
  ASSERT_TRUE(proof.certificate.witness);
  const Vec3 at = to_float(*proof.certificate.witness);
  EXPECT_NEAR(test::winding_number(a, at), 1, 1e-2);
  EXPECT_NEAR(test::winding_number(b, at), 1, 1e-2);
}

TEST(ProvePair, OpenMeshesProveNothingButThatTheyAreApart) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  Mesh open = box({0.5f, 0, 0}, {2, 1, 1});
  open.triangles.pop_back();
  const Proof proof = prove(a, open);
  EXPECT_EQ(proof.verdict, Verdict::undecided);
  EXPECT_FALSE(proof.certificate.certain);
  EXPECT_FALSE(proof.open[0]);
  EXPECT_TRUE(proof.open[1]);
  for (Vec3& p : open.positions) p.x += 5;
  expect_clear(prove(a, open), false);
}

TEST(ProvePair, BrokenAndHugeVerticesDoNoHarm) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  for (const float x : {NAN, INFINITY, 3e38f}) {
    Mesh b = box({0.5f, 0, 0}, {2, 1, 1});
    b.positions[3].x = x;
    EXPECT_EQ(prove(a, b).verdict, Verdict::undecided);
  }
  expect_colliding(prove(a, box({-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f})));
  expect_clear(prove(a, box({1, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f})), true);
  expect_clear(prove(a, box({0x1p-149f, 0x1p-149f, 1}, {0x1p-148f, 0x1p-148f, 2})), true);
  expect_colliding(prove(a, box({0, 0, 0}, {0x1p-148f, 0x1p-148f, 0x1p-148f})));
}

TEST(ProvePair, TrianglesWithoutAreaDoNotCount) {
  Mesh a = box({0, 0, 0}, {1, 1, 1});
  a.positions.push_back({0.5f, 0.5f, 1});
  a.triangles.push_back({8, 8, 8});
  a.triangles.push_back({0, 7, 0});
  a.triangles.push_back({0, 0, 7});
  expect_clear(prove(a, box({0, 0, 1}, {1, 1, 2})), true);
  expect_clear(prove(a, box({0, 0, 2}, {1, 1, 3})), false);
  expect_colliding(prove(a, box({0, 0, 0.5f}, {1, 1, 2})));
}

TEST(ProvePair, TheSameForAnyNumberOfThreadsAndEitherOrder) {
  const Mesh a = scenes::torus(60'000);
  for (const float x : {0.5f, 1.0f, 1.2f}) {
    Mesh b = scenes::blob(70'000);
    for (Vec3& p : b.positions) p = p * 0.6f + Vec3{x, 0.1f, 0.5f};
    const Proof one = prove(a, b, 1), two = prove(a, b, 2), turned = prove(b, a, 1);
    EXPECT_EQ(one.verdict, two.verdict);
    EXPECT_EQ(one.certificate.witness, two.certificate.witness);
    EXPECT_EQ(one.certificate.triangles, two.certificate.triangles);
    EXPECT_EQ(one.verdict, turned.verdict);
    EXPECT_TRUE(one.certificate.certain);
  }
}

}  // namespace
}  // namespace lamella::proof
