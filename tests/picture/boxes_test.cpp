#include "picture/boxes.hpp"

#include <gtest/gtest.h>

#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

TEST(WireBox, OfAnEmptyBoxIsEmpty) { EXPECT_TRUE(wire_box(Aabb{}, 1).triangles.empty()); }

TEST(WireBox, HasTwelveClosedBarsAlongTheEdges) {
  const Aabb box{{0, 0, 0}, {4, 3, 2}};
  const Mesh mesh = wire_box(box, 0.2f);
  EXPECT_EQ(mesh.triangles.size(), 12u * 12u);
  const MeshReport report = inspect(mesh);
  EXPECT_TRUE(report.closed);
  // Four bars along each axis, with the other bars' half widths at both ends.
  EXPECT_NEAR(report.volume, 0.04 * 4 * ((4 + 0.2) + (3 + 0.2) + (2 + 0.2)), 1e-4);
  const Aabb outer = bounds(mesh);
  EXPECT_NEAR(outer.min.x, -0.1, 1e-6);
  EXPECT_NEAR(outer.max.z, 2.1, 1e-6);
  for (const Vec3 p : mesh.positions) {
    int at_ends = 0;
    for (const int axis : {0, 1, 2}) {
      at_ends += p[axis] < box.min[axis] + 0.11f || p[axis] > box.max[axis] - 0.11f ? 1 : 0;
    }
    EXPECT_GE(at_ends, 2) << "not on an edge";
  }
}

TEST(BoxFace, LiesAtTheEndAskedFor) {
  const Aabb box{{0, 0, 0}, {4, 3, 2}};
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const int w = static_cast<int>(axis);
    for (const bool high : {false, true}) {
      const Mesh face = box_face(box, axis, high);
      ASSERT_EQ(face.positions.size(), 4u);
      for (const Vec3 p : face.positions) EXPECT_EQ(p[w], high ? box.max[w] : box.min[w]);
      const Vec3 size = extent(box);
      EXPECT_NEAR(inspect(face).area, static_cast<double>(size.x) * size.y * size.z / size[w], 1e-5);
    }
  }
}

TEST(PixelsLong, IsTheLengthThatCoversSoManyPixels) {
  const Mesh cube = shapes::box({}, 1);
  Picture picture;
  picture.width = picture.height = 200;
  picture.view_direction = Vec3d{0, 1, 0};
  const float ten = pixels_long(picture, bounds(cube), 10);
  EXPECT_NEAR(pixels_long(picture, bounds(cube), 20), 2 * ten, 1e-5);
  // Of 200 pixels the cube's two units cover most.
  EXPECT_GT(ten, 10 * 2.0 / 200);
  EXPECT_LT(ten, 10 * 2.0 / 100);
}

}  // namespace
}  // namespace lamella::picture
