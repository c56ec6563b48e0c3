#include <gtest/gtest.h>

#include "picture/picture.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using shapes::pixel;

/// A small ball of a box at the end of a long stick along `axis`, at its high end.
Mesh club(Axis axis) {
  Mesh mesh = shapes::box({}, 0.5f);
  for (Vec3& p : mesh.positions) {
    for (int i = 0; i < 3; ++i) p[i] *= i == static_cast<int>(axis) ? 8 : 0.3f;
  }
  Vec3 end;
  end[static_cast<int>(axis)] = 4;
  const Mesh head = shapes::box(end, 1);
  const auto shift = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), head.positions.begin(), head.positions.end());
  for (const Triangle t : head.triangles) mesh.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
  return mesh;
}

Image draw(Axis axis, Up up, Size size = {100, 200}) {
  const Mesh mesh = club(axis);
  Picture picture;
  picture.width = size.width;
  picture.height = size.height;
  picture.layers = {{mesh, kBlueGrey, 1}};
  picture.shadows = false;
  look(picture, up);
  return render(picture);
}

/// Pixels of each row that differ from the background.
std::vector<unsigned> widths(const Image& image) {
  Picture nothing;
  nothing.width = image.width;
  nothing.height = image.height;
  const Image background = render(nothing);
  std::vector<unsigned> rows(image.height);
  for (unsigned y = 0; y < image.height; ++y)
    for (unsigned x = 0; x < image.width; ++x) rows[y] += pixel(image, x, y) != pixel(background, x, y) ? 1 : 0;
  return rows;
}

unsigned sum(const std::vector<unsigned>& rows, std::size_t begin, std::size_t end) {
  unsigned total = 0;
  for (std::size_t i = begin; i < end; ++i) total += rows[i];
  return total;
}

TEST(Look, PutsTheHighEndOfTheUpAxisOnTop) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const auto upright = widths(draw(axis, {axis, false})), turned = widths(draw(axis, {axis, true}));
    EXPECT_GT(sum(upright, 0, 100), 2 * sum(upright, 100, 200)) << static_cast<int>(axis);
    EXPECT_GT(sum(turned, 100, 200), 2 * sum(turned, 0, 100)) << static_cast<int>(axis);
  }
}

TEST(Look, ShowsTheSamePictureOfAMeshTurnedWithItsUpAxis) {
  // Cyclic permutations of the axes are rotations.
  const Image z = draw(Axis::z, {Axis::z, false}), x = draw(Axis::x, {Axis::x, false});
  EXPECT_LT(shapes::difference(z, x), 40);
}

TEST(Look, WithZUpIsTheUsualView) {
  const Mesh mesh = club(Axis::z);
  Picture picture;
  picture.layers = {{mesh, kBlueGrey, 1}};
  picture.width = 60, picture.height = 90;
  const Image usual = render(picture);
  look(picture, {});
  EXPECT_EQ(shapes::difference(usual, render(picture)), 0);
}

/// The direction from the eye, and what is up, as the picture has them.
std::pair<Vec3d, Vec3d> looking(Up up, const View& view) {
  Picture picture;
  look(picture, up, view);
  return {*picture.view_direction, picture.up};
}

TEST(Look, SidesAreWhereOneExpectsThem) {
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Up z_up, y_up{Axis::y, false};
  using Seen = std::pair<Vec3d, Vec3d>;
  EXPECT_EQ(looking(z_up, {Side::front}), (Seen{y, z}));
  EXPECT_EQ(looking(z_up, {Side::back}), (Seen{y * -1.0, z}));
  EXPECT_EQ(looking(z_up, {Side::left}), (Seen{x, z})) << "the eye is at the left, where x is low";
  EXPECT_EQ(looking(z_up, {Side::right}), (Seen{x * -1.0, z}));
  EXPECT_EQ(looking(z_up, {Side::top}), (Seen{z * -1.0, y}));
  EXPECT_EQ(looking(z_up, {Side::bottom}), (Seen{z, y}));
  EXPECT_EQ(looking(y_up, {Side::front}), (Seen{z * -1.0, y})) << "the eye is where z is high";
  EXPECT_EQ(looking(y_up, {Side::top}), (Seen{y * -1.0, z * -1.0}));
}

TEST(Look, ADirectionCountsInsteadOfASide) {
  const auto [towards, up] = looking({}, {Side::iso, Vec3d{1, 2, -3}});
  EXPECT_EQ(towards, (Vec3d{1, 2, -3}));
  EXPECT_EQ(up, (Vec3d{0, 0, 1}));
  EXPECT_EQ(looking({}, {Side::iso, Vec3d{0, 0, -5}}).second, (Vec3d{0, 1, 0})) << "along the up axis";
}

TEST(Look, FitsAnySize) {
  for (const Size size : {Size{16, 400}, {400, 16}, {16, 16}}) {
    const Image image = draw(Axis::z, {}, size);
    EXPECT_EQ(image.width, size.width);
    EXPECT_EQ(image.height, size.height);
    const auto rows = widths(image);
    EXPECT_GT(sum(rows, 0, rows.size()), 4u);
    EXPECT_EQ(rows.front() + rows.back(), 0u) << "a margin is kept";
  }
}

}  // namespace
}  // namespace lamella::picture
