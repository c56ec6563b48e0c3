// Contacts of spans made by hand, with their exact values.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/contacts.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

/// Two objects of one triangle each, on a grid of 8 x 8 cells of 0.25 along z.
struct Pair {
  Mesh meshes[2];
  Group group;
  std::vector<PairSpan> spans;

  Pair(const Mesh& a, const Mesh& b) : meshes{a, b} {
    group.grid = {{{0, 0, 0}, {2, 2, 4}}, Axis::z, 8, 8};
    for (std::uint32_t i = 0; i < 2; ++i) group.objects.push_back({meshes[i], whole(group.grid), i * 256, i});
  }
  /// Where a leaves the ray at `a` and b enters it at `b`, or the other way round.
  void add(std::uint32_t u, std::uint32_t v, float a, float b, bool a_enters = false) {
    PairSpan s;
    s.column = v * 8 + u;
    s.begin = std::min(a, b);
    s.end = std::max(a, b);
    s.a = {Crossing::make(a, a_enters), 0};
    s.b = {Crossing::make(b, !a_enters), 256};
    spans.push_back(s);
  }
  std::vector<Contact> contacts(ContactMaker::Found* found = nullptr, const ContactMaker::Settings& settings = {}) {
    ContactMaker maker;
    Manifold manifold;
    std::vector<Contact> out;
    const PairView view{&group, {0, 1, true}, spans};
    const ContactMaker::Found f = maker.make({&view, 1}, settings, {}, manifold, out);
    std::uint32_t last_id = 0;
    number_new_contacts(out, manifold, last_id);
    if (found != nullptr) *found = f;
    return out;
  }
};

Mesh triangle(Vec3 a, Vec3 b, Vec3 c) { return {{a, b, c}, {{0, 1, 2}}}; }
/// Without area: its normal is taken from the ray.
Mesh speck() { return triangle({0, 0, 0}, {0, 0, 0}, {0, 0, 0}); }
Mesh facing_up() { return triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}); }
Mesh facing_down() { return triangle({0, 0, 0}, {0, 1, 0}, {1, 0, 0}); }
/// Its normal leans from up towards x.
Mesh leaning(double degrees) {
  const double t = std::tan(degrees * 3.14159265358979 / 180);
  return triangle({0, 0, 0}, {1, 0, static_cast<float>(-t)}, {0, 1, 0});
}

TEST(ContactMaker, PutsAContactHalfwayBetweenTheSurfacesAlongTheirMeanNormal) {
  Pair pair(facing_up(), facing_down());
  pair.add(3, 5, 1.25f, 1);
  ContactMaker::Found found;
  const std::vector<Contact> contacts = pair.contacts(&found);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].position, (Vec3d{0.875, 1.375, 1.125}));
  EXPECT_EQ(contacts[0].normal, (Vec3{0, 0, -1})) << "b is above a";
  EXPECT_EQ(contacts[0].depth, 0.25f);
  EXPECT_FALSE(contacts[0].front_a);
  EXPECT_TRUE(contacts[0].front_b);
  EXPECT_EQ(contacts[0].triangle_a, 0u);
  EXPECT_EQ(contacts[0].triangle_b, 0u);
  EXPECT_EQ(contacts[0].id, 1u);
  EXPECT_EQ(found.depth, 0.25f);
  EXPECT_FALSE(found.more);
}

TEST(ContactMaker, WhereATriangleHasNoAreaTheRayGivesTheNormal) {
  for (const bool a_enters : {false, true})
    for (const bool speck_a : {false, true})
      for (const bool speck_b : {false, true}) {
        const Mesh a = a_enters ? facing_down() : facing_up(), b = a_enters ? facing_up() : facing_down();
        Pair pair(speck_a ? speck() : a, speck_b ? speck() : b);
        pair.add(3, 5, a_enters ? 1 : 1.25f, a_enters ? 1.25f : 1, a_enters);
        const std::vector<Contact> contacts = pair.contacts();
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_EQ(contacts[0].normal, (Vec3{0, 0, a_enters ? 1.0f : -1.0f}));
        EXPECT_EQ(contacts[0].depth, 0.25f);
        EXPECT_EQ(contacts[0].front_a, a_enters);
        EXPECT_EQ(contacts[0].front_b, !a_enters);
      }
}

TEST(ContactMaker, WhereBothNormalsAreTheSameTheRayGivesTheDirection) {
  for (const bool a_enters : {false, true}) {
    Pair pair(leaning(80), leaning(80));
    pair.add(3, 5, a_enters ? 1 : 1.25f, a_enters ? 1.25f : 1, a_enters);
    const std::vector<Contact> contacts = pair.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].normal, (Vec3{0, 0, a_enters ? 1.0f : -1.0f})) << "outwards of b";
  }
}

TEST(ContactMaker, LeavesToAnotherViewWhatLeansByMoreThanSixtyDegrees) {
  // Two opposite faces that lean alike, and a shallower contact that does not lean: the first is chosen only if this
  // view has to see all.
  for (const double degrees : {58.0, 62.0})
    for (const bool all_axes : {true, false}) {
      Pair pair(leaning(degrees), leaning(degrees));
      std::swap(pair.meshes[1].triangles[0].b, pair.meshes[1].triangles[0].c);
      pair.meshes[0].positions.insert(pair.meshes[0].positions.end(), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
      pair.meshes[0].triangles.push_back({3, 4, 5});
      pair.meshes[1].positions.insert(pair.meshes[1].positions.end(), {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}});
      pair.meshes[1].triangles.push_back({3, 4, 5});
      for (std::size_t i = 0; i < 2; ++i) pair.group.objects[i].mesh = pair.meshes[i];
      pair.add(1, 1, 1.125f, 1);
      pair.add(6, 6, 1.0625f, 1);
      pair.spans[1].a.face = 1;
      pair.spans[1].b.face = 257;
      const auto contacts = pair.contacts(nullptr, {.all_axes = all_axes});
      EXPECT_EQ(contacts.size(), degrees > 60 && all_axes ? 1u : 2u) << degrees;
      for (const Contact& c : contacts)
        if (c.triangle_a == 0) {
          EXPECT_NEAR(c.depth, 0.125 * std::cos(degrees * 3.14159265358979 / 180), 1e-5);
        } else {
          EXPECT_EQ(c.depth, 0.0625f);
          EXPECT_EQ(c.triangle_b, 1u);
        }
    }
}

TEST(ContactMaker, LeavesOutSpansDeeperThanTheSharedVolumeIsWide) {
  // A patch of 3 x 3 cells is 2 cells wide from its middle: 0.5. Spans of up to 1.5 times that are contacts of it.
  for (const float depth : {0.7f, 0.8f}) {
    Pair pair(facing_up(), facing_down());
    for (std::uint32_t v = 0; v < 3; ++v)
      for (std::uint32_t u = 0; u < 3; ++u) pair.add(u, v, 1 + (u == 1 && v == 1 ? depth : 0.3f), 1);
    ContactMaker::Found found;
    (void)pair.contacts(&found);
    EXPECT_EQ(found.depth, depth < 0.75f ? 1 + depth - 1 : 1 + 0.3f - 1) << depth;
  }
}

TEST(ContactMaker, WhereNoSpanIsGoodTakesTheShallowest) {
  // One column, as wide as a cell: all are too deep. Those up to half as deep again as the shallowest are taken.
  Pair pair(facing_up(), facing_down());
  pair.add(0, 0, 2, 1);
  pair.add(4, 4, 2.375f, 1);
  pair.add(7, 7, 2.625f, 1);
  ContactMaker::Found found;
  const auto contacts = pair.contacts(&found);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(found.depth, 1.375f);
}

TEST(ContactMaker, AContactKeepsItsIdWithinThreeCellsAndThirtySevenDegrees) {
  // It moves by `away` cells, which one object's pose does not explain.
  for (const std::uint32_t away : {2u, 4u}) {
    Pair first(facing_up(), facing_down()), second(facing_up(), facing_down());
    first.add(1, 1, 1.0625f, 1);
    second.add(1 + away, 1, 1.0625f, 1);
    ContactMaker maker;
    Manifold manifold;
    std::vector<Contact> out;
    const PairView views[2] = {{&first.group, {0, 1, true}, first.spans}, {&second.group, {0, 1, true}, second.spans}};
    std::uint32_t last_id = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      (void)maker.make({&views[i], 1}, {}, {}, manifold, out);
      ASSERT_EQ(out.size(), i + 1);
      number_new_contacts(std::span(out).last(1), manifold, last_id);
    }
    EXPECT_EQ(out[0].id, 1u);
    EXPECT_EQ(out[1].id, away < 3 ? 1u : 2u);
    ASSERT_EQ(manifold.count, 1u);
    EXPECT_EQ(manifold.anchors[0].id, out[1].id);
    // A kept contact keeps its anchor, a new one gets its own.
    const Vec3d anchor = away < 3 ? out[0].position : out[1].position;
    EXPECT_LT(length(manifold.anchors[0].position - anchor), 1e-6);
  }
  for (const double degrees : {30.0, 45.0}) {
    Pair first(facing_up(), facing_down()), second(leaning(degrees), facing_down());
    second.meshes[1] = leaning(degrees);
    std::swap(second.meshes[1].triangles[0].b, second.meshes[1].triangles[0].c);
    second.group.objects[1].mesh = second.meshes[1];
    first.add(1, 1, 1.0625f, 1);
    second.add(1, 1, 1.0625f, 1);
    ContactMaker maker;
    Manifold manifold;
    std::vector<Contact> out;
    const PairView views[2] = {{&first.group, {0, 1, true}, first.spans}, {&second.group, {0, 1, true}, second.spans}};
    std::uint32_t last_id = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      (void)maker.make({&views[i], 1}, {}, {}, manifold, out);
      ASSERT_EQ(out.size(), i + 1);
      number_new_contacts(std::span(out).last(1), manifold, last_id);
    }
    EXPECT_EQ(out[1].id, degrees < 37 ? 1u : 2u) << degrees;
  }
}

TEST(ContactMaker, AnAnchorTravelsWithTheFirstObject) {
  const Transform before{{0.25, 0.25, 0}, rotation_about({0, 0, 1}, 0.3)};
  Pair first(facing_up(), facing_down());
  first.add(1, 1, 1.0625f, 1);
  ContactMaker maker;
  Manifold manifold;
  std::vector<Contact> out;
  const PairView view{&first.group, {0, 1, true}, first.spans};
  (void)maker.make({&view, 1}, {}, before, manifold, out);
  std::uint32_t last_id = 6;
  number_new_contacts(out, manifold, last_id);
  EXPECT_EQ(last_id, 7u);
  ASSERT_EQ(manifold.count, 1u);
  EXPECT_EQ(manifold.anchors[0].id, 7u);
  EXPECT_LT(length(apply(before, manifold.anchors[0].position) - out[0].position), 1e-6);
  // Four cells away, because the object went there.
  const Transform after{{1.25, 0.25, 0}, rotation_about({0, 0, 1}, 0.3)};
  Pair second(facing_up(), facing_down());
  second.add(5, 1, 1.0625f, 1);
  const PairView moved{&second.group, {0, 1, true}, second.spans};
  (void)maker.make({&moved, 1}, {}, after, manifold, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].id, out[0].id);
  number_new_contacts(out, manifold, last_id);
  EXPECT_EQ(last_id, 7u) << "a kept contact needs no new id";
}

}  // namespace
}  // namespace lamella
