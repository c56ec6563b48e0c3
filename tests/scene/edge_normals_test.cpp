#include "scene/edge_normals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lamella/scene.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// The worst angle, as its cosine, between the contacts' normals and `wanted`.
double worst(const std::vector<Contact>& contacts, Vec3d wanted) {
  double least = 1;
  for (const Contact& c : contacts) least = std::min(least, dot(to_double(c.normal), wanted));
  return least;
}

Quaternion turn(Vec3d axis, double degrees) { return rotation_about(axis, degrees * kPi / 180); }

struct Touching {
  Scene scene{{.cell = 0.02f, .threads = 1}};
  ObjectId slab, box;

  /// A box of side 1, turned, its lowest point 0.03 below the slab's surface.
  Touching(const Quaternion& rotation, double height) {
    slab = scene.add(scenes::box(12, {3, 3, 0.5f}), {{0, 0, -0.5}, {}});
    box = scene.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), {{0.007, 0.013, height - 0.03}, rotation});
  }
};

TEST(EdgeNormals, AnEdgeInASlabIsPushedAlongTheSlabsNormal) {
  for (const double degrees : {45.0, 30.0, 20.0}) {
    const double a = degrees * kPi / 180;
    Touching t(turn({0, 1, 0}, degrees), 0.5 * (std::sin(a) + std::cos(a)));
    const SceneResult& found = t.scene.collide();
    ASSERT_GE(found.contacts.size(), 2u);
    // The slab is a: it leaves downward. Where rays saw but one side of the edge, nothing tells whose edge it is, and
    // the mean of the two faces is what there is.
    EXPECT_GT(worst(found.contacts, {0, 0, -1}), degrees == 45 ? 0.999 : 0.96) << degrees;
  }
}

TEST(EdgeNormals, ACornerInASlabIsPushedAlongTheSlabsNormal) {
  const Quaternion tip = rotation_about({1, -1, 0}, std::acos(1 / std::sqrt(3.0)));
  Touching t(tip, std::sqrt(3.0) / 2);
  const SceneResult& found = t.scene.collide();
  ASSERT_GE(found.contacts.size(), 1u);
  EXPECT_GT(worst(found.contacts, {0, 0, -1}), 0.99);
}

TEST(EdgeNormals, FacesThatFaceEachOtherAreLeftAlone) {
  Touching t({}, 0.5);
  const SceneResult& found = t.scene.collide();
  ASSERT_GE(found.contacts.size(), 4u);
  EXPECT_GT(worst(found.contacts, {0, 0, -1}), 0.999);
  for (const Contact& c : found.contacts) EXPECT_LE(c.depth, 0.0301f);
}

// ----------------------------------------------------------------------------------------------- choices made by hand

ContactChoice choice(Vec3d normal_a, Vec3d normal_b, float length = 0.5f, int axis = 2) {
  ContactChoice c;
  c.normal_a = to_float(normal_a * (1 / lamella::length(normal_a)));
  c.normal_b = to_float(normal_b * (1 / lamella::length(normal_b)));
  c.contact.normal = {9, 9, 9};  // anything: to see whether it was changed
  c.contact.depth = 9;
  c.length = length;
  c.axis = axis;
  return c;
}

/// At `degrees` from `from` towards `to`, which are at a right angle.
Vec3d between(Vec3d from, Vec3d to, double degrees) {
  const double a = degrees * kPi / 180;
  return from * std::cos(a) + to * std::sin(a);
}

constexpr Vec3d kX{1, 0, 0}, kY{0, 1, 0}, kUp{0, 0, 1}, kDown{0, 0, -1};
const Vec3 kKept{9, 9, 9};

/// What the rules in edge_normals.cpp say of one choice, looked up afresh among all.
Vec3 corrected_by_hand(const std::vector<ContactChoice>& choices, const ContactChoice& c, bool& turned) {
  const auto faces = [](const ContactChoice& x) { return dot(x.normal_a, x.normal_b) < -0.97f; };
  turned = false;
  if (faces(c) || dot(c.normal_a, c.normal_b) > 0.1f) return kKept;
  std::vector<ContactChoice> squares;
  Vec3 sum_a, sum_b;
  for (const ContactChoice& x : choices) {
    sum_a = sum_a + x.normal_a;
    sum_b = sum_b + x.normal_b;
    const bool known = std::any_of(squares.begin(), squares.end(), [&](const ContactChoice& s) {
      return dot(s.normal_a, x.normal_a) > 0.995f && dot(s.normal_b, x.normal_b) > 0.995f;
    });
    if (faces(x) && !known && squares.size() < 16) squares.push_back(x);
  }
  bool by_a = false, by_b = false;
  for (const ContactChoice& s : squares) {
    by_a = by_a || dot(s.normal_a, c.normal_a) > 0.9995f;
    by_b = by_b || dot(s.normal_b, c.normal_b) > 0.9995f;
  }
  if (by_a == by_b) {
    const float n = static_cast<float>(choices.size()), a = length(sum_a) / n, b = length(sum_b) / n;
    by_a = a > 0.9995f && a > b + 0.02f;
    by_b = b > 0.9995f && b > a + 0.02f;
  }
  if (by_a == by_b) return kKept;
  turned = true;
  return by_a ? c.normal_a * -1.0f : c.normal_b;
}

TEST(EdgeNormals, FollowTheRulesForAnyChoicesAndWhicheverObjectIsA) {
  scenes::Random random(1);
  int turned_by_a = 0, turned_by_b = 0, kept = 0;
  for (int n = 0; n < 2000; ++n) {
    // Faces of two turned boxes, so that they repeat; some bent a little, some anything.
    const Quaternion qa = rotation_about(random.direction(), random.uniform(0, 3));
    const Quaternion qb = n % 2 == 0 ? qa : rotation_about(random.direction(), random.uniform(0, 3));
    const auto normal = [&](const Quaternion& q, bool one) {
      Vec3d v;
      v[one ? 2 : static_cast<int>(random.next() % 3)] = one || random.next() % 2 == 0 ? 1 : -1;
      const std::uint32_t kind = random.next() % 8;
      if (kind == 0) v = v + random.direction() * 0.05;
      if (kind == 1) v = v + random.direction() * 0.3;
      return rotate(q, v);
    };
    std::vector<ContactChoice> choices;
    const std::uint32_t count = 1 + random.next() % 30;
    const bool flat_a = random.next() % 3 == 0, flat_b = random.next() % 3 == 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Vec3d a = flat_a ? rotate(qa, kUp) : normal(qa, false), b = flat_b ? rotate(qb, kDown) : normal(qb, false);
      choices.push_back(choice(a, random.next() % 4 == 0 ? a * -1.0 : b, static_cast<float>(random.uniform()),
                               static_cast<int>(random.next() % 3)));
    }
    std::vector<ContactChoice> corrected = choices, mirrored = choices;
    for (ContactChoice& c : mirrored) std::swap(c.normal_a, c.normal_b);
    correct_edge_normals(corrected);
    correct_edge_normals(mirrored);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      bool turned = false;
      const Vec3 wanted = corrected_by_hand(choices, choices[i], turned);
      EXPECT_EQ(corrected[i].contact.normal, wanted) << "case " << n << ", choice " << i;
      const float depth = turned ? choices[i].length * std::abs(wanted[choices[i].axis]) : 9;
      EXPECT_EQ(corrected[i].contact.depth, depth);
      EXPECT_EQ(mirrored[i].contact.normal, turned ? wanted * -1.0f : kKept);
      EXPECT_EQ(mirrored[i].contact.depth, depth);
      kept += !turned;
      turned_by_a += turned && wanted == choices[i].normal_a * -1.0f;
      turned_by_b += turned && wanted == choices[i].normal_b;
    }
  }
  EXPECT_GT(std::min({turned_by_a, turned_by_b, kept}), 500);
}

TEST(EdgeNormals, ASideOfABoxTakesTheNormalOfTheFaceBesideIt) {
  // The first two faces face each other; the second contact has the same face of b, and a side of a.
  std::vector<ContactChoice> choices{choice(kDown, kUp), choice(kX, kUp, 0.25f), choice(kDown, kY, 0.25f)};
  correct_edge_normals(choices);
  EXPECT_EQ(choices[0].contact.normal, kKept);
  EXPECT_EQ(choices[1].contact.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(choices[1].contact.depth, 0.25f);
  EXPECT_EQ(choices[2].contact.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(choices[2].contact.depth, 0.25f);
}

TEST(EdgeNormals, LeaveFacesThatPointTheSameWay) {
  for (const double degrees : {80.0, 86.0}) {
    // The cosine of 84.26 degrees is a tenth: a side that leans over that far is not a side any more.
    std::vector<ContactChoice> choices{choice(kDown, kUp), choice(between(kUp, kX, degrees), kUp)};
    correct_edge_normals(choices);
    EXPECT_EQ(choices[1].contact.normal == kKept, degrees < 84) << degrees;
  }
}

TEST(EdgeNormals, FacesFaceEachOtherWithinFourteenDegrees) {
  for (const double degrees : {13.0, 15.0}) {
    // The first is a square or not; the second is turned if it is.
    std::vector<ContactChoice> choices{choice(between(kDown, kX, degrees), kUp), choice(kX, kUp),
                                       choice(kX * -1.0, between(kUp, kY, 20))};
    correct_edge_normals(choices);
    EXPECT_EQ(choices[1].contact.normal == kKept, degrees > 14) << degrees;
  }
}

TEST(EdgeNormals, AFlatFaceIsTheSameWithinTwoDegrees) {
  for (const double degrees : {1.5, 2.0}) {
    std::vector<ContactChoice> choices{choice(kDown, kUp), choice(kX, between(kUp, kY, degrees)),
                                       choice(kX * -1.0, between(kUp, kY, 30))};
    correct_edge_normals(choices);
    EXPECT_EQ(choices[1].contact.normal == kKept, degrees > 1.8) << degrees;
  }
}

TEST(EdgeNormals, WithoutFacesThatFaceEachOtherTheSteadierObjectHasTheNormal) {
  // An edge of a: its two sides, 45 degrees to either side; b is flat.
  const Vec3d left = between(kDown, kX * -1.0, 45), right = between(kDown, kX, 45);
  std::vector<ContactChoice> edge{choice(left, kUp), choice(right, kUp)};
  correct_edge_normals(edge);
  for (const ContactChoice& c : edge) EXPECT_EQ(c.contact.normal, (Vec3{0, 0, 1}));
  // Only one side of the edge was seen: nothing tells which is flat.
  std::vector<ContactChoice> one{choice(left, kUp), choice(left, kUp)};
  correct_edge_normals(one);
  for (const ContactChoice& c : one) EXPECT_EQ(c.contact.normal, kKept);
  // b is bent as well: means of 0.9995 and more count as flat.
  for (const double degrees : {1.0, 3.0}) {
    std::vector<ContactChoice> bent{choice(left, between(kUp, kY, degrees)), choice(right, between(kUp, kY, -degrees))};
    correct_edge_normals(bent);
    EXPECT_EQ(bent[0].contact.normal == kKept, degrees > 2) << degrees;
  }
  // The steadier one must be so by 0.02: the cosine of 11.5 degrees is 0.98.
  for (const double degrees : {10.0, 13.0}) {
    const Vec3d tilted = between(kDown, kY, 30);  // so that no two face each other
    std::vector<ContactChoice> slight{choice(between(tilted, kX, degrees), kUp),
                                      choice(between(tilted, kX * -1.0, degrees), kUp)};
    correct_edge_normals(slight);
    EXPECT_EQ(slight[0].contact.normal == kKept, degrees < 11.5) << degrees;
  }
}

TEST(EdgeNormals, OfNothingAreNothing) {
  std::vector<ContactChoice> none;
  correct_edge_normals(none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace lamella
