#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lamella/scene.hpp"
#include "scenes/models.hpp"

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

}  // namespace
}  // namespace lamella
