#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lamella/mesh_io.hpp"
#include "proof/meet_elsewhere.hpp"
#include "proof/prove.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/shared_meshes.hpp"

namespace lamella::proof {
namespace {

Proof prove(const Mesh& mesh) {
  Workers workers(1);
  ProofScratch scratch;
  return prove_self(mesh, {}, workers, scratch);
}

Verdict verdict_of(const Mesh& mesh) {
  const Proof proof = prove(mesh);
  EXPECT_EQ(proof.certificate.certain, proof.verdict != Verdict::undecided);
  return proof.verdict;
}

Mesh with(Mesh mesh, const Mesh& part) {
  test::append(mesh, part);
  return mesh;
}
Mesh turned(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}
Mesh box(Vec3 low, Vec3 high) { return test::box_mesh(low, high); }

TEST(MeetElsewhere, TrianglesThatShareCorners) {
  const Vec3 o{0, 0, 0}, x{4, 0, 0}, y{0, 4, 0}, z{0, 0, 4};
  const Vec3 base[3] = {o, x, y};
  const auto meet = [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 other[3] = {a, b, c};
    const bool one = meet_elsewhere(base, other), two = meet_elsewhere(other, base);
    EXPECT_EQ(one, two);
    return one;
  };
  EXPECT_FALSE(meet(o, x, z));                          // an edge in common, at an angle
  EXPECT_FALSE(meet(x, o, {1, -4, 0}));                 // in one plane, side by side
  EXPECT_TRUE(meet(o, x, {1, 1, 0}));                   // folded
  EXPECT_TRUE(meet(x, o, {5, 5, 0}));                   // folded beyond
  EXPECT_TRUE(meet(o, x, y));                           // the same
  EXPECT_TRUE(meet(o, y, x));                           // the same, turned
  EXPECT_FALSE(meet(o, {-1, -1, 3}, {-1, -2, 3}));      // a corner in common
  EXPECT_TRUE(meet(o, {1, 1, 3}, {2, 2, -3}));          // the edge opposite to it passes through
  EXPECT_TRUE(meet(o, {1, 1, 0}, {2, 2, 3}));           // an edge lies in the other
  EXPECT_FALSE(meet(o, {-1, -1, 0}, {-1, -3, 0}));      // in one plane, a corner in common
  EXPECT_TRUE(meet(o, {3, 1, 0}, {1, 3, 0}));           // in one plane, one in the other
  EXPECT_FALSE(meet({0, 0, 1}, {4, 0, 1}, {0, 4, 1}));  // above
  EXPECT_TRUE(meet({1, 1, -1}, {1, 1, 1}, {9, 9, 1}));
  EXPECT_FALSE(meet(o, o, {1, 1, 0}));  // no area
  EXPECT_FALSE(meet(o, {1, 1, 0}, {2, 2, 0}));
}

TEST(ProveSelf, ModelsThatDoAndDoNot) {
  EXPECT_EQ(verdict_of({}), Verdict::clear);
  EXPECT_EQ(verdict_of(box({0, 0, 0}, {1, 1, 1})), Verdict::clear);
  EXPECT_EQ(verdict_of(scenes::torus_knot(4000)), Verdict::clear);
  EXPECT_EQ(verdict_of(scenes::torus_knot(4000, 0.6f)), Verdict::colliding);
  EXPECT_EQ(verdict_of(scenes::hand(8000, 0)), Verdict::clear);
}

TEST(ProveSelf, PartsThatMeet) {
  const Mesh a = box({0, 0, 0}, {1, 1, 1});
  const Proof proof = prove(with(a, box({0.5f, 0.5f, 0.5f}, {2, 2, 2})));
  EXPECT_EQ(proof.verdict, Verdict::colliding);
  ASSERT_TRUE(proof.certificate.triangles);
  EXPECT_LT((*proof.certificate.triangles)[0], 12u);
  EXPECT_GE((*proof.certificate.triangles)[1], 12u);
  EXPECT_EQ(verdict_of(with(a, box({2, 0, 0}, {3, 1, 1}))), Verdict::clear);
  EXPECT_EQ(verdict_of(with(a, box({1, 0.5f, 0}, {2, 1, 1}))), Verdict::colliding);  // they touch
}

TEST(ProveSelf, PartsInsideOthers) {
  const Mesh outer = box({0, 0, 0}, {4, 4, 4}), inner = box({1, 1, 1}, {2, 2, 2});
  const Proof proof = prove(with(outer, inner));
  EXPECT_EQ(proof.verdict, Verdict::colliding);
  EXPECT_TRUE(proof.certificate.witness);
  EXPECT_FALSE(proof.certificate.triangles);
  EXPECT_EQ(verdict_of(with(outer, turned(inner))), Verdict::clear);  // a cavity
  EXPECT_EQ(verdict_of(with(with(outer, turned(inner)), box({1.25f, 1.25f, 1.25f}, {1.5f, 1.5f, 1.5f}))),
            Verdict::clear);
}

TEST(ProveSelf, OpenMeshes) {
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_EQ(verdict_of(open), Verdict::undecided);
  EXPECT_EQ(verdict_of(with(open, box({0.5f, 0.5f, 0.5f}, {2, 2, 2}))), Verdict::colliding);
  open.positions[0].x = NAN;
  EXPECT_EQ(verdict_of(open), Verdict::undecided);
}

TEST(ProveSelf, TrianglesThatShareNoVerticesByIndex) {
  const Mesh mesh = scenes::torus(600);
  Mesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(mesh.positions[t[k]]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_EQ(verdict_of(soup), Verdict::clear);
}

/// What the manifest says of meshes: exact counts of triangles that intersect.
TEST(ProveSelf, RealMeshesAsTheirManifestSays) {
  LAMELLA_NEED_SHARED_MESHES();
  const struct {
    const char* file;
    bool meets;
  } meshes[] = {{"turbine_18k.ply", false},
                {"knot_6k.ply", false},
                {"phone_4k.ply", false},
                {"mug_21k.ply", false},
                {"anatomy/liver_19k.ply", false},
                {"helicopter_1k.ply", true},
                {"defects/cow_selfint.ply", true},
                {"defects/man_selfint.ply", true},
                {"defects/selfint_A.ply", true},
                {"defects/selfint_B.ply", true},
                {"hand_seq_38k/hand_seq_38k_rest.ply", false}};
  for (const auto& [file, meets] : meshes) {
    const auto path = test::shared_meshes() / file;
    if (!std::filesystem::exists(path)) continue;
    EXPECT_EQ(verdict_of(in_world(read_mesh(path))), meets ? Verdict::colliding : Verdict::clear) << file;
  }
}

}  // namespace
}  // namespace lamella::proof
