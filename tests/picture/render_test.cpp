#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "picture/picture.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using shapes::box, shapes::center, shapes::difference, shapes::pixel, shapes::Pixel;

constexpr Rgb kRed{0.9f, 0.05f, 0.05f}, kBlue{0.1f, 0.2f, 0.8f};
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Picture small_picture(std::vector<Layer> layers) {
  Picture picture;
  picture.layers = std::move(layers);
  picture.width = 160;
  picture.height = 120;
  return picture;
}

/// Seen along +y: what has the smaller y is in front, and boxes show one side.
Picture picture_from_front(std::vector<Layer> layers) {
  Picture picture = small_picture(std::move(layers));
  picture.view_direction = Vec3d{0, 1, 0};
  return picture;
}

Image empty_image() { return render(small_picture({})); }

bool near(Pixel a, Pixel b, int tolerance) {
  for (std::size_t c = 0; c < 3; ++c) {
    if (std::abs(a[c] - b[c]) > tolerance) return false;
  }
  return true;
}

TEST(Render, EmptyPictureIsALightBackgroundAlone) {
  const Image image = empty_image();
  ASSERT_EQ(image.rgb.size(), 3u * 160 * 120);
  for (unsigned y = 0; y < image.height; ++y) {
    for (unsigned x = 0; x < image.width; ++x) ASSERT_EQ(pixel(image, x, y), pixel(image, 0, y));
    EXPECT_THAT(pixel(image, 0, y), testing::Each(testing::Gt(215)));
  }
}

TEST(Render, EmptyMeshIsNotSeen) {
  EXPECT_EQ(difference(render(small_picture({{MeshView{}, kRed, 1}})), empty_image()), 0);
}

TEST(Render, PictureWithoutPixelsIsEmpty) {
  const Mesh cube = box({}, 1);
  Picture picture = small_picture({{cube, kRed, 1}});
  picture.width = 0;
  picture.captions = {"text"};
  EXPECT_TRUE(render(picture).rgb.empty());
}

TEST(Render, BoxHasItsColourInTheMiddleAndBackgroundInTheCorners) {
  const Mesh cube = box({}, 1);
  Picture picture = small_picture({{cube, kRed, 1}});
  picture.shadows = false;
  const Image image = render(picture);
  const Pixel middle = center(image);
  EXPECT_GT(middle[0], 100);
  EXPECT_LT(middle[1], middle[0] / 2);
  EXPECT_LT(middle[2], middle[0] / 2);
  for (const unsigned x : {0u, image.width - 1}) {
    for (const unsigned y : {0u, image.height - 1}) EXPECT_EQ(pixel(image, x, y), pixel(empty_image(), x, y));
  }
}

TEST(Render, DefaultViewShowsThreeSidesOfABox) {
  const Mesh cube = box({}, 1);
  const Image image = render(small_picture({{cube, kBlue, 1}}));
  // Up, and to both sides below the corner that points to the eye.
  const Pixel top = pixel(image, 80, 30), left = pixel(image, 60, 75), right = pixel(image, 105, 75);
  EXPECT_FALSE(near(top, left, 8));
  EXPECT_FALSE(near(top, right, 8));
  EXPECT_FALSE(near(left, right, 8));
}

TEST(Render, OpaqueBoxInFrontHidesATranslucentOne) {
  const Mesh red = box({0, -3, 0}, 0.3f), blue = box({0, 3, 0}, 1);
  const Image both = render(picture_from_front({{blue, kBlue, 0.5f}, {red, kRed, 1}}));
  EXPECT_TRUE(near(center(both), center(render(picture_from_front({{red, kRed, 1}}))), 2));
}

TEST(Render, OpaqueBoxBehindATranslucentOneIsSeenTinted) {
  const Mesh red = box({0, 3, 0}, 0.3f), blue = box({0, -3, 0}, 1);
  const Pixel both = center(render(picture_from_front({{blue, kBlue, 0.5f}, {red, kRed, 1}})));
  const Pixel alone = center(render(picture_from_front({{red, kRed, 1}})));
  EXPECT_LT(both[0], alone[0] - 5);
  EXPECT_GT(both[2], alone[2] + 20);
  EXPECT_GT(both[0], both[2]) << "the red box still dominates";
}

TEST(Render, OfTwoTranslucentBoxesTheOneInFrontDominates) {
  const Mesh front = box({0, -3, 0}, 1), behind = box({0, 3, 0}, 1);
  const Pixel red = center(render(picture_from_front({{front, kRed, 0.7f}, {behind, kBlue, 0.7f}})));
  const Pixel blue = center(render(picture_from_front({{behind, kRed, 0.7f}, {front, kBlue, 0.7f}})));
  EXPECT_GT(red[0], red[2] + 40);
  EXPECT_GT(blue[2], blue[0] + 40);
}

TEST(Render, OrderOfLayersDoesNotMatter) {
  const Mesh red = box({0, 0, 0}, 0.4f), blue = box({0.1f, 0, 0}, 1), sand = box({0, 0.2f, 0.1f}, 1.5f);
  const Layer a{red, kRed, 1}, b{blue, kBlue, 0.4f}, c{sand, kSand, 0.3f};
  const Image image = render(small_picture({a, b, c}));
  EXPECT_LE(difference(image, render(small_picture({c, b, a}))), 1);
  EXPECT_LE(difference(image, render(small_picture({b, a, c}))), 1);
}

TEST(Render, OrderOfTrianglesDoesNotMatter) {
  const Mesh cube = box({}, 1, 4);
  Mesh reversed = cube;
  std::reverse(reversed.triangles.begin(), reversed.triangles.end());
  EXPECT_LE(difference(render(small_picture({{cube, kBlue, 0.4f}})), render(small_picture({{reversed, kBlue, 0.4f}}))),
            1);
}

TEST(Render, TranslucentSidesShowNoSeamsBetweenTheirTriangles) {
  const Mesh coarse = box({}, 1), fine = box({}, 1, 7);
  const Image a = render(picture_from_front({{coarse, kBlue, 0.4f}}));
  const Image b = render(picture_from_front({{fine, kBlue, 0.4f}}));
  for (unsigned y = 35; y < 85; ++y) {
    for (unsigned x = 55; x < 105; ++x) ASSERT_TRUE(near(pixel(a, x, y), pixel(b, x, y), 1)) << x << ' ' << y;
  }
}

TEST(Render, OfCoincidentFacesTheLaterLayerIsSeenEverywhere) {
  // Turned and moved away, so that vertices are rounded off the common planes.
  const Transform pose{{2.1, 1.3, 3.7}, rotation_about({1, 2, 3}, 0.3)};
  Mesh coarse = box({}, 0.37f), fine = box({}, 0.37f, 7);
  for (Mesh* mesh : {&coarse, &fine}) {
    for (Vec3& p : mesh->positions) p = to_float(apply(pose, to_double(p)));
  }
  const Image expected = render(small_picture({{fine, kRed, 1}}));
  const Image image = render(small_picture({{coarse, kBlue, 1}, {fine, kRed, 1}}));
  for (unsigned y = 35; y < 85; ++y) {
    for (unsigned x = 60; x < 100; ++x) ASSERT_EQ(pixel(image, x, y), pixel(expected, x, y)) << x << ' ' << y;
  }
}

TEST(Render, BoxKeepsItsEdgesWhenItsSidesShareVertices) {
  Mesh shared;
  for (int i = 0; i < 8; ++i) {
    shared.positions.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
  }
  shared.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const Mesh apart = box({}, 1);
  EXPECT_LE(difference(render(small_picture({{shared, kBlue, 1}})), render(small_picture({{apart, kBlue, 1}}))), 1);
}

TEST(Render, SameBitsForAnyNumberOfThreads) {
  const Mesh red = box({0, 0, 0}, 0.4f, 3), blue = box({0.1f, 0, 0}, 1, 5);
  const std::vector<Vec3> points{{0.5f, 0.5f, 0.5f}, {-0.7f, 0, 0.9f}, {0, -0.9f, 0}};
  Picture picture = small_picture({{blue, kBlue, 0.4f}, {red, kRed, 1}});
  picture.dots = {{points, kSage, 3}};
  const Image one = render(picture, 1);
  EXPECT_EQ(one.rgb, render(picture, 2).rgb);
  EXPECT_EQ(one.rgb, render(picture).rgb);
}

TEST(Render, TrianglesWithVerticesThatAreNotFiniteAreLeftOut) {
  const Mesh cube = box({}, 1);
  Mesh broken = cube;
  const auto bad = static_cast<std::uint32_t>(broken.positions.size());
  broken.positions.push_back({kNaN, 0, 0});
  broken.positions.push_back({0, std::numeric_limits<float>::infinity(), 0});
  broken.triangles.push_back({0, 1, bad});
  broken.triangles.push_back({bad + 1, 2, 3});
  EXPECT_EQ(difference(render(small_picture({{broken, kRed, 1}})), render(small_picture({{cube, kRed, 1}}))), 0);
}

TEST(Render, IndexOutOfRangeIsAnError) {
  Mesh cube = box({}, 1);
  cube.triangles.push_back({0, 1, 1000});
  EXPECT_THROW((void)render(small_picture({{cube, kRed, 1}})), Error);
}

TEST(Render, ScaleAndPlaceOfTheSceneDoNotMatter) {
  const Mesh cube = box({}, 1);
  const Image expected = render(small_picture({{cube, kRed, 1}}));
  for (const float scale : {1e-40f, 1e-20f, 1e20f, 1e38f}) {
    Mesh scaled = cube;
    for (Vec3& p : scaled.positions) p = p * scale;
    EXPECT_LE(difference(render(small_picture({{scaled, kRed, 1}})), expected), 4) << scale;
  }
  Mesh moved = cube;
  for (Vec3& p : moved.positions) p = p + Vec3{4096, -4096, 8192};
  EXPECT_LE(difference(render(small_picture({{moved, kRed, 1}})), expected), 1);
}

TEST(Render, SinglePointIsADotInTheMiddle) {
  const std::vector<Vec3> points{{5, 6, 7}, {kNaN, 0, 0}};
  Picture picture = small_picture({});
  picture.dots = {{points, kRed, 3}};
  const Image image = render(picture);
  EXPECT_GT(center(image)[0], center(image)[2] + 80);
  EXPECT_EQ(pixel(image, 90, 60), pixel(empty_image(), 90, 60));
}

TEST(Render, DotsInsideATranslucentBoxAreSeenAndBehindAnOpaqueOneAreNot) {
  const Mesh blue = box({}, 1);
  const std::vector<Vec3> points{{0, 0, 0}};
  Picture picture = picture_from_front({{blue, kBlue, 0.4f}});
  picture.dots = {{points, kRed, 4}};
  EXPECT_GT(center(render(picture))[0], center(render(picture))[2]);
  picture.layers[0].opacity = 1;
  EXPECT_LT(center(render(picture))[0], center(render(picture))[2]);
}

TEST(Render, VerticesHaveColoursOfTheirOwn) {
  const Mesh cube = box({}, 1);
  std::vector<Rgb> colors;
  for (const Vec3 p : cube.positions) colors.push_back(p.x < 0 ? kRed : kBlue);
  Picture picture = picture_from_front({{cube, kRed, 1, colors}});
  const Image image = render(picture);
  EXPECT_GT(pixel(image, 45, 60)[0], pixel(image, 45, 60)[2] + 40) << "red on the left";
  EXPECT_GT(pixel(image, 115, 60)[2], pixel(image, 115, 60)[0] + 40) << "blue on the right";
  colors.assign(colors.size(), kRed);
  picture.layers[0].colors = colors;
  EXPECT_EQ(difference(render(picture), render(picture_from_front({{cube, kRed, 1}}))), 0) << "all of one colour";
  colors.pop_back();
  picture.layers[0].colors = colors;
  EXPECT_THROW((void)render(picture), Error);
}

TEST(Render, DotsHaveColoursOfTheirOwn) {
  const std::vector<Vec3> points{{-1, 0, 0}, {kNaN, 0, 0}, {1, 0, 0}};
  const std::vector<Rgb> colors{kRed, kRed, kBlue};
  Picture picture = picture_from_front({});
  picture.dots = {{points, kRed, 6, 0, colors}};
  const Image image = render(picture);
  int red = 0, blue = 0;
  for (unsigned x = 0; x < image.width; ++x) {
    const Pixel p = pixel(image, x, image.height / 2);
    (x < image.width / 2 ? red : blue) += std::abs(p[0] - p[2]) > 80 && (p[0] > p[2]) == (x < image.width / 2) ? 1 : 0;
  }
  EXPECT_GT(red, 5);
  EXPECT_GT(blue, 5);
  picture.dots[0].colors = std::span(colors).first(2);
  EXPECT_THROW((void)render(picture), Error);
}

TEST(Render, LookingStraightDownWorks) {
  const Mesh cube = box({}, 1);
  Picture picture = small_picture({{cube, kRed, 1}});
  picture.view_direction = Vec3d{0, 0, -1};
  EXPECT_GT(center(render(picture))[0], center(render(picture))[1] + 80);
}

TEST(Render, CaptionsAreWrittenAtTheTopLeftAboveTheScene) {
  const Mesh cube = box({}, 1);
  Picture picture = small_picture({{cube, kRed, 1}});
  picture.captions = {"volume 1.5"};
  const Image image = render(picture);
  int dark = 0;
  for (unsigned y = 0; y < 16; ++y) {
    for (unsigned x = 0; x < 80; ++x) dark += pixel(image, x, y)[0] < 100 ? 1 : 0;
  }
  EXPECT_GT(dark, 60);
  for (unsigned x = 0; x < image.width; ++x) EXPECT_LT(std::abs(pixel(image, x, 18)[0] - pixel(image, x, 18)[1]), 40);
}

}  // namespace
}  // namespace lamella::picture
