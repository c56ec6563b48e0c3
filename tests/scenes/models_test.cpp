#include "scenes/models.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "lamella/error.hpp"
#include "scenes/check.hpp"

namespace lamella::scenes {
namespace {

bool same(const Mesh& a, const Mesh& b) { return a.positions == b.positions && a.triangles == b.triangles; }

double off_by(const Mesh& mesh, std::size_t faces) {
  return std::abs(double(mesh.triangles.size()) / double(faces) - 1);
}

class EveryModel : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryModel, IsClosedAndOutwardAtEveryCount) {
  for (const std::size_t faces : {0, 4, 12, 37, 100, 333, 900, 4800, 15000, 17000}) {
    const Mesh mesh = make_model(GetParam(), faces);
    EXPECT_EQ(defect(mesh), "") << faces << " faces";
    EXPECT_EQ(components(mesh), 1u) << faces << " faces";
  }
}

TEST_P(EveryModel, IsClosedAndOutwardForEverySeed) {
  for (const std::uint32_t seed : {0u, 2u, 3u, 77u, 0xFFFFFFFFu}) {
    EXPECT_EQ(defect(make_model(GetParam(), 700, seed)), "") << "seed " << seed;
  }
}

TEST_P(EveryModel, HasNearlyTheFacesAskedFor) {
  for (const std::size_t faces : {1001, 1500, 2345, 4800, 12000, 50000, 110000}) {
    EXPECT_LT(off_by(make_model(GetParam(), faces), faces), faces < 2000 ? 0.03 : 0.01) << faces;
  }
}

TEST_P(EveryModel, IsAboutAUnitInSizeNearTheOrigin) {
  const Mesh mesh = make_model(GetParam(), 3000);
  Aabb box;
  for (const Vec3 p : mesh.positions) box = extend(box, p);
  EXPECT_GT(length(extent(box)), 0.8f);
  EXPECT_LT(length(extent(box)), 5.0f);
  EXPECT_LT(length(center(box)), 0.5f);
}

TEST_P(EveryModel, IsTheSameEveryTime) {
  EXPECT_TRUE(same(make_model(GetParam(), 2000, 5), make_model(GetParam(), 2000, 5)));
}

TEST_P(EveryModel, HasEvenTriangles) {
  const Mesh mesh = make_model(GetParam(), 8000);
  std::size_t slivers = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
    const float longest = std::max({length(a - b), length(b - c), length(c - a)});
    slivers += length(cross(b - a, c - a)) < 0.2f * longest * longest;
  }
  EXPECT_LT(slivers, mesh.triangles.size() / 200);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()),
                         [](const auto& tested) { return std::string(tested.param); });

RC_GTEST_PROP(QuickModels, AreClosedAtAnyCountAndSeed, ()) {
  const auto name =
      *rc::gen::element<std::string_view>("sphere", "box", "torus", "torus_knot", "blob", "serpent", "phone", "hat");
  const auto faces = *rc::gen::inRange<std::size_t>(0, 20000);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  RC_ASSERT(defect(make_model(name, faces, seed)) == "");
}

TEST(Models, AnUnknownNameIsAnErrorThatListsTheKnown) {
  try {
    (void)make_model("teapot", 100);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("teapot"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("serpent"), std::string::npos);
  }
}

TEST(Models, OnlySeededOnesVaryWithTheSeed) {
  for (const std::string_view name : model_names()) {
    const bool seeded = name == "blob" || name == "serpent" || name == "mouse";
    EXPECT_EQ(same(make_model(name, 800, 1), make_model(name, 800, 2)), !seeded) << name;
  }
}

TEST(Models, StayClosedWithMillionsOfFaces) {
  EXPECT_EQ(defect(sphere(1000000)), "");
  const Mesh big = hand(300000);
  EXPECT_EQ(defect(big), "");
  EXPECT_LT(off_by(big, 300000), 0.001);
}

TEST(Box, HasItsExactVolume) {
  EXPECT_EQ(box(1).triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(volume(box(12)), 8);
  EXPECT_NEAR(volume(box(5000, {0.5f, 1, 2})), 8, 1e-5);
}

TEST(Sphere, ApproachesItsVolumeWithMoreFaces) {
  const double exact = 4.0 / 3 * std::numbers::pi * 8;
  EXPECT_NEAR(volume(sphere(1000, 2)), exact, 0.02 * exact);
  EXPECT_NEAR(volume(sphere(100000, 2)), exact, 0.0002 * exact);
}

TEST(Torus, ApproachesItsVolumeWithMoreFaces) {
  const double exact = 2 * std::numbers::pi * std::numbers::pi * 1 * 0.25 * 0.25;
  EXPECT_NEAR(volume(torus(2000, 1, 0.25f)), exact, 0.03 * exact);
  EXPECT_NEAR(volume(torus(200000, 1, 0.25f)), exact, 0.0003 * exact);
}

TEST(TorusKnot, OverlapsItselfOnlyWhenThick) {
  EXPECT_EQ(sample(torus_knot(5000)).twice, 0);
  EXPECT_GT(sample(torus_knot(5000, 0.6f)).twice, 0.1);
}

TEST(TorusKnot, IsClosedForOtherWindings) {
  for (const auto& [p, q] : {std::pair{1, 0}, {0, 1}, {3, 2}, {-2, 3}, {5, 7}}) {
    EXPECT_EQ(defect(torus_knot(3000, 0.1f, p, q)), "") << p << ", " << q;
  }
}

TEST(Serpent, DoesNotTouchItself) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u, 99u}) EXPECT_EQ(sample(serpent(6000, seed)).twice, 0) << seed;
}

TEST(Hand, OverlapsItselfAsAFistButNotOpen) {
  const Mesh open = hand(6000), fist = hand(6000, 1);
  EXPECT_EQ(sample(open).twice, 0);
  EXPECT_GT(sample(fist).twice, 0.01 * volume(open));
  EXPECT_EQ(defect(fist), "");
}

TEST(Hand, KeepsItsTrianglesWhileItCloses) { EXPECT_EQ(hand(2000, 0).triangles, hand(2000, 0.7f).triangles); }

TEST(SolidModels, DoNotOverlapThemselves) {
  for (const std::string_view name : {"blob", "phone", "hat", "mouse", "seated_figure"}) {
    const Mesh mesh = make_model(name, 9000);
    EXPECT_LT(sample(mesh).twice, 1e-6 * volume(mesh)) << name;
  }
}

}  // namespace
}  // namespace lamella::scenes
