// Contacts where it is known what they should be.

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "lamella/scene.hpp"
#include "scene/contact_shapes.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

constexpr double kPi = std::numbers::pi;

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

Vec3d unit(Vec3d v) { return v * (1 / length(v)); }

/// Between a contact's normal and a direction, in degrees.
double angle(Vec3 normal, Vec3d direction) {
  return std::acos(std::clamp(dot(to_double(normal), unit(direction)), -1.0, 1.0)) * 180 / kPi;
}

/// The contacts of two bodies, a first.
struct Touch {
  ScenePair pair;
  std::vector<Contact> contacts;
  double cell = 0;

  Touch(const Mesh& a, const Transform& pose_a, const Mesh& b, const Transform& pose_b, SceneOptions options = {}) {
    Scene scene(std::move(options));
    (void)scene.add(a, pose_a);
    (void)scene.add(b, pose_b);
    const SceneResult& r = scene.collide();
    EXPECT_EQ(r.pairs.size(), 1u);
    if (r.pairs.empty()) return;
    pair = r.pairs[0];
    const auto of_pair = r.contacts_of(pair);
    contacts.assign(of_pair.begin(), of_pair.end());
    const Grid& grid = r.groups[pair.group].grid;
    cell = std::max(grid.cell_u(), grid.cell_v());
  }
  [[nodiscard]] const Contact& deepest() const {
    return *std::max_element(contacts.begin(), contacts.end(),
                             [](const Contact& x, const Contact& y) { return x.depth < y.depth; });
  }
  [[nodiscard]] double distance_to(Vec3d place) const {
    double nearest = 1e30;
    for (const Contact& c : contacts) nearest = std::min(nearest, length(c.position - place));
    return nearest;
  }
  /// By depth.
  [[nodiscard]] Vec3d mean_normal() const {
    Vec3d sum;
    for (const Contact& c : contacts) sum = sum + to_double(c.normal) * c.depth;
    return unit(sum);
  }
};

TEST(Contacts, ABoxOnASlabIsHeldUpAtItsFourCorners) {
  for (const double turn : {0.0, 0.2, 0.5, kPi / 4, 1.3}) {
    SCOPED_TRACE(turn);
    const Quaternion rotation = rotation_about({0, 0, 1}, turn);
    const Touch t(test::cube(), {{0.3, -0.2, 0.49}, rotation}, test::slab(), {});
    EXPECT_NEAR(t.pair.depth, 0.01, 1e-5);
    for (const Contact& c : t.contacts) {
      EXPECT_LT(angle(c.normal, {0, 0, 1}), 0.01);
      EXPECT_NEAR(c.depth, 0.01, 1e-5);
      EXPECT_NEAR(c.position.z, -0.005, 1e-5);
    }
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) {
        const Vec3d corner = apply({{0.3, -0.2, -0.005}, rotation}, {x, y, 0});
        EXPECT_LT(t.distance_to(corner), 3 * t.cell) << x << ' ' << y;
      }
  }
}

TEST(Contacts, NormalsPointFromTheSecondObjectToTheFirst) {
  const Touch above(test::cube(), at(0, 0, 0.49), test::slab(), {}),
      below(test::slab(), {}, test::cube(), at(0, 0, 0.49));
  ASSERT_EQ(above.contacts.size(), below.contacts.size());
  EXPECT_EQ(above.pair.depth, below.pair.depth);
  for (std::size_t i = 0; i < above.contacts.size(); ++i) {
    EXPECT_EQ(above.contacts[i].position, below.contacts[i].position);
    EXPECT_EQ(above.contacts[i].normal, below.contacts[i].normal * -1.0f);
    EXPECT_EQ(above.contacts[i].front_a, below.contacts[i].front_b);
  }
}

TEST(Contacts, BoxesSideBySidePartSideways) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double way : {-1.0, 1.0})
      for (const double depth : {0.001, 0.05, 0.2}) {
        SCOPED_TRACE(testing::Message() << "axis " << axis << ", way " << way << ", depth " << depth);
        Vec3d direction, shift{0.1, 0.1, 0.1};
        direction[axis] = way;
        shift[axis] = way * (1 - depth);
        const Touch t(test::cube(), {shift, {}}, test::cube(), {});
        EXPECT_NEAR(t.pair.depth, depth, 1e-5);
        EXPECT_GE(t.contacts.size(), 4u);
        for (const Contact& c : t.contacts) {
          EXPECT_LT(angle(c.normal, direction), 0.01);
          EXPECT_NEAR(c.depth, depth, 1e-5);
        }
      }
}

TEST(Contacts, SpheresPartAlongTheLineOfTheirCentres) {
  const Mesh ball = scenes::sphere(5000);
  for (const Vec3d direction : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{1, 1, 0}, Vec3d{1, 1, 1}, Vec3d{0.3, -0.5, 0.9}})
    for (const double depth : {0.02, 0.1, 0.24, 0.46, 0.7, 1.0}) {
      SCOPED_TRACE(testing::Message() << depth << " along " << direction.x << ' ' << direction.y << ' ' << direction.z);
      const Vec3d d = unit(direction);
      const Touch t(ball, {d * (2 - depth), {}}, ball, {});
      const Contact& deepest = t.deepest();
      EXPECT_EQ(deepest.depth, t.pair.depth);
      // Rays are not along the line of centres: the longer the span, the further the faces at its ends are turned.
      EXPECT_NEAR(deepest.depth, depth, (0.05 + 0.25 * depth) * depth + 0.3 * t.cell);
      EXPECT_LT(angle(deepest.normal, d), 7 + 22 * depth);
      EXPECT_LT(length(deepest.position - d * (1 - depth / 2)), 0.12 + 0.5 * depth);
      for (const Contact& c : t.contacts) EXPECT_LT(angle(c.normal, d), 33);
    }
}

TEST(Contacts, DepthsAndNumberDoNotDependOnTheResolution) {
  const Mesh ball = scenes::sphere(5000), knot = scenes::torus_knot(3000), box = test::cube();
  for (const Mesh* other : {&ball, &knot, &box}) {
    std::vector<double> depths;
    for (const unsigned resolution : {64u, 128u, 256u, 512u}) {
      Scene scene({.resolution = resolution});
      (void)scene.add(ball);
      (void)scene.add(*other, {{0.9, 0.7, 0.5}, {}});
      const SceneResult& r = scene.collide();
      ASSERT_EQ(r.pairs.size(), 1u);
      EXPECT_GE(r.pairs[0].contact_count, 4u) << resolution;
      depths.push_back(r.pairs[0].depth);
    }
    const auto [least, most] = std::minmax_element(depths.begin(), depths.end());
    EXPECT_LT(*most, 1.3 * *least);
  }
}

TEST(Contacts, BodiesOnOneWideFloorAreSampledAsFinelyAsOneAlone) {
  Scene scene;
  const ObjectId floor = scene.add(scenes::box(12, {100, 100, 0.5f}), {{0, 0, -0.5}, {}});
  scene.fix(floor);
  for (int i = 0; i < 20; ++i)
    (void)scene.add(test::cube(), {{-95.0 + 10 * i, 90.0 - 9 * i, -0.01}, rotation_about({0, 0, 1}, 0.1 * i)});
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.pairs.size(), 20u);
  for (const ScenePair& p : r.pairs) EXPECT_GE(p.contact_count, 4u);
}

TEST(Contacts, ABallInABowlIsPushedToItsCentre) {
  const Mesh ball = scenes::sphere(5000), bowl = test::bowl(1.5, 1.8, 8000);
  for (const double tilt : {0.0, 0.3, 0.6, 0.9}) {
    SCOPED_TRACE(tilt);
    const Vec3d down{std::sin(tilt), 0, -std::cos(tilt)};
    const Touch t(ball, {down * 0.52, {}}, bowl, {});
    const Contact& deepest = t.deepest();
    EXPECT_NEAR(deepest.depth, 0.02, 0.004);
    EXPECT_LT(angle(deepest.normal, down * -1), 5);
    EXPECT_LT(length(deepest.position - down * 1.51), 0.12);
    // Where the surfaces meet, 0.24 from the deepest place on a sphere of 1.5, the bowl's own normal has turned by 16
    // degrees and the ball's by 24.
    for (const Contact& c : t.contacts) EXPECT_LT(angle(c.normal, down * -1), 24);
  }
}

TEST(Contacts, ARingOnAPostIsPushedBackWhereItLeans) {
  const Mesh ring = scenes::torus(6000, 1, 0.35f), post = test::post(0.3, 2, 4000);
  for (const double turn : {0.0, 0.4, kPi / 4, 2.5}) {
    SCOPED_TRACE(turn);
    const Vec3d out{std::cos(turn), std::sin(turn), 0};
    const Touch t(ring, {}, post, {out * 0.37, {}});
    const Contact& deepest = t.deepest();
    EXPECT_NEAR(deepest.depth, 0.02, 0.005);
    EXPECT_LT(angle(deepest.normal, out), 10);
    EXPECT_LT(length(deepest.position - out * 0.66), 0.1);
    for (const Contact& c : t.contacts) {
      EXPECT_LT(angle(c.normal, out), 35);
      EXPECT_LT(std::abs(c.position.z), 0.2);
    }
  }
}

/// Rays see only one side of a box's edge in a slab at a time, so normals are tilted to either side.
TEST(Contacts, AnEdgeOrACornerOnASlabIsLifted) {
  const double on_corner = std::acos(1 / std::sqrt(3.0));
  const Quaternion rotations[] = {rotation_about({1, 0, 0}, 0.1), rotation_about({1, 0, 0}, kPi / 4),
                                  rotation_about({0, 1, 0}, 0.5), rotation_about({1, -1, 0}, on_corner),
                                  rotation_about({1, 2, 0}, 0.4)};
  for (const Quaternion& rotation : rotations) {
    SCOPED_TRACE(testing::Message() << "rotation " << &rotation - rotations);
    const Mesh turned = transformed(test::cube(), {{}, rotation});
    const double depth = 0.03, low = bounds(turned).min.z;
    const Touch t(test::cube(), {{0, 0, -low - depth}, rotation}, test::slab(), {});
    EXPECT_LT(t.pair.depth, 1.02 * depth);
    EXPECT_GT(t.pair.depth, 0.7 * depth);
    EXPECT_LT(angle(to_float(t.mean_normal()), {0, 0, 1}), 30);
  }
}

TEST(Contacts, ATiltedBoxIsLiftedAtItsLowerEdge) {
  const Quaternion rotation = rotation_about({1, 0, 0}, 0.1);
  const Touch t(test::cube(), {{0, 0, 0.5}, rotation}, test::slab(), {});
  // The lower edge: y = -0.5, z = -0.5 of the box, or the other, as the turn goes.
  const Vec3d edge = apply({{0, 0, 0.5}, rotation}, {0, -0.5, -0.5});
  ASSERT_LT(edge.z, 0);
  EXPECT_NEAR(t.pair.depth, -edge.z, 0.15 * -edge.z);
  EXPECT_NEAR(t.deepest().position.y, edge.y, 0.1);
  const Vec3d ends[] = {apply({{0, 0, 0.5}, rotation}, {-0.5, -0.5, -0.5}),
                        apply({{0, 0, 0.5}, rotation}, {0.5, -0.5, -0.5})};
  for (const Vec3d& end : ends) EXPECT_LT(t.distance_to(end), 0.1) << "at both ends of the edge";
}

TEST(Contacts, ABoxWithinAnotherTakesTheShortestWayOut) {
  const Touch t(test::cube(0.1f), at(0.1, -0.2, -0.3), test::slab(), {});
  for (const Contact& c : t.contacts) {
    EXPECT_LT(angle(c.normal, {0, 0, 1}), 0.01);
    EXPECT_NEAR(c.depth, 0.4, 1e-4);
  }
}

/// For any two bodies: unit normals between the two faces, depths above 0, triangles that exist.
TEST(Contacts, AreBetweenTheTwoFacesTheyName) {
  std::size_t contacts = 0;
  for (std::uint32_t seed = 0; seed < 84; ++seed) {
    const test::Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    Scene scene({.resolution = 48, .max_contacts = 1 + seed % 16});
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    for (const ScenePair& pair : r.pairs) {
      EXPECT_GE(pair.contact_count, 1u);
      EXPECT_LE(pair.contact_count, 1 + seed % 16);
      const Mesh &a = meshes[pair.a.number], &b = meshes[pair.b.number];
      const auto normal_of = [](const Mesh& m, std::uint32_t face) {
        const Triangle t = m.triangles[face];
        return cross(to_double(m.positions[t.b]) - to_double(m.positions[t.a]),
                     to_double(m.positions[t.c]) - to_double(m.positions[t.a]));
      };
      for (const Contact& c : r.contacts_of(pair)) {
        ++contacts;
        EXPECT_NEAR(length(to_double(c.normal)), 1, 1e-5);
        EXPECT_GT(c.depth, 0);
        EXPECT_LE(c.depth, pair.depth);
        EXPECT_NE(c.front_a, c.front_b);
        ASSERT_LT(c.triangle_a, a.triangles.size());
        ASSERT_LT(c.triangle_b, b.triangles.size());
        const Vec3d na = normal_of(a, c.triangle_a), nb = normal_of(b, c.triangle_b);
        // Out of both faces, or at an edge along one of them.
        EXPECT_LE(dot(to_double(c.normal), na), 0.1001 * length(na));
        EXPECT_GE(dot(to_double(c.normal), nb), -0.1001 * length(nb));
      }
    }
  }
  EXPECT_GT(contacts, 2000u);
}

double volume(const Mesh& a, const Mesh& b, Vec3d shift) {
  Scene scene({.resolution = 96, .views = 1, .points = false, .max_contacts = 0});
  (void)scene.add(a, {shift, {}});
  (void)scene.add(b);
  const SceneResult& r = scene.collide();
  return r.pairs.empty() ? 0 : r.pairs[0].volume.value();
}

/// Two bodies that met by chance, not too deep.
TEST(Contacts, GoingOutByTheDeepestLeavesLess) {
  std::size_t pairs = 0, worse = 0, much_less = 0;
  for (std::uint32_t seed = 1; pairs < 120; ++seed) {
    test::Random random(seed);
    test::Bodies bodies;
    for (int i = 0; i < 2; ++i)
      bodies.push_back(test::random_body(random, {{-0.8f, -0.8f, -0.8f}, {0.8f, 0.8f, 0.8f}}));
    const std::vector<Mesh> meshes = test::placed(bodies);
    Scene scene({.resolution = 96});
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    if (r.pairs.empty()) continue;
    ++pairs;
    const auto contacts = r.contacts_of(r.pairs[0]);
    const Contact deepest = *std::max_element(contacts.begin(), contacts.end(),
                                              [](const Contact& x, const Contact& y) { return x.depth < y.depth; });
    const double before = volume(meshes[0], meshes[1], {});
    const double after = volume(meshes[0], meshes[1], to_double(deepest.normal) * deepest.depth);
    worse += after >= before ? 1 : 0;
    much_less += after < 0.7 * before ? 1 : 0;
  }
  RecordProperty("of 120 pairs, those with more in common after", static_cast<int>(worse));
  RecordProperty("of 120 pairs, those with much less in common after", static_cast<int>(much_less));
  EXPECT_LE(worse, 12u);  // concave bodies that are in one another at several places
  EXPECT_GE(much_less, 60u);
}

TEST(Contacts, TwoKnotsAreTouchedWhereTheyCross) {
  const Mesh knot = scenes::torus_knot(4000);
  const Transform pose{{0.3, 0.2, 0.2}, rotation_about({1, 1, 0}, 0.5)};
  const Touch t(knot, {}, knot, pose, {.resolution = 192});
  EXPECT_EQ(t.contacts.size(), 8u);
  EXPECT_GT(t.pair.depth, 0.05);
  EXPECT_LT(t.pair.depth, 0.5) << "tubes are 0.5 thick";
  double farthest = 0;
  for (const Contact& c : t.contacts)
    for (const Contact& d : t.contacts) farthest = std::max(farthest, length(c.position - d.position));
  EXPECT_GT(farthest, 1.5) << "not all in one place";
}

/// The published normals and those of the faces, on smooth bodies.
TEST(Contacts, NormalsFromNeighbouringPointsAgreeWithThoseOfFaces) {
  const Mesh ball = scenes::sphere(8000), ring = scenes::torus(8000), blob = scenes::blob(8000);
  const struct {
    const Mesh &a, &b;
    Vec3d shift;
  } cases[] = {{ball, ball, {1.8, 0.2, 0.3}}, {ball, ring, {0.4, 0.3, 0.9}}, {blob, ring, {0.9, 0.5, 0.6}}};
  double worst = 0, sum = 0;
  std::size_t count = 0;
  for (const auto& c : cases) {
    const Touch faces(c.a, {c.shift, {}}, c.b, {});
    const Touch neighbours(c.a, {c.shift, {}}, c.b, {}, {.normals = Normals::neighbours});
    for (const Contact& n : neighbours.contacts)
      for (const Contact& f : faces.contacts) {
        if (n.triangle_a != f.triangle_a || n.triangle_b != f.triangle_b || !(n.position == f.position)) continue;
        const double off = angle(n.normal, to_double(f.normal));
        worst = std::max(worst, off);
        sum += off;
        ++count;
      }
    EXPECT_NEAR(faces.pair.depth, neighbours.pair.depth, 0.15 * faces.pair.depth + faces.cell);
  }
  RecordProperty("compared", static_cast<int>(count));
  RecordProperty("worst angle", std::to_string(worst));
  ASSERT_GE(count, 5u);
  EXPECT_LT(worst, 10);
  EXPECT_LT(sum / static_cast<double>(count), 4);
}

}  // namespace
}  // namespace lamella
