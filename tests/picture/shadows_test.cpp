#include <gtest/gtest.h>

#include <algorithm>

#include "picture/occlusion.hpp"
#include "picture/picture.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using shapes::pixel;

Camera camera() {
  Camera out;
  out.right = {1, 0, 0};
  out.up = {0, 1, 0};
  out.back = {0, 0, 1};
  out.samples = 3;
  out.zoom = 3 * 250;  // a radius of the scene, at the distance of 5, is 50 pixels
  return out;
}

/// Distances of a picture of 64 x 64 pixels.
template <class At>
Occlusion occlusion(At at) {
  std::vector<float> distances;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) distances.push_back(at(static_cast<float>(x), static_cast<float>(y)));
  }
  return occlusion_of(distances, 64, 64, camera());
}

float share(const Occlusion& o, unsigned x, unsigned y) { return o.at(x, y, o.distances[y * 64 + x]); }

TEST(Occlusion, PlanesGetAllLightHoweverTheyAreTilted) {
  // 1 / w is linear across a plane.
  for (const float slope : {0.0f, 0.0005f, -0.002f}) {
    const Occlusion o =
        occlusion([&](float x, float y) { return 1 / (0.2f + slope * (x - 32) + slope / 2 * (y - 32)); });
    for (const unsigned x : {20u, 32u, 44u}) EXPECT_LT(share(o, x, 32), 0.05f) << slope;
  }
}

TEST(Occlusion, AValleyIsDarkAndARidgeIsNot) {
  const auto roof = [](float x, float sign) { return 5 + sign * std::abs(x - 32) * 0.02f; };
  const Occlusion ridge = occlusion([&](float x, float) { return roof(x, 1); });
  const Occlusion valley = occlusion([&](float x, float) { return roof(x, -1); });
  EXPECT_GT(share(valley, 32, 32), 0.25f);
  EXPECT_LT(share(valley, 50, 32), share(valley, 32, 32) / 2) << "fades away from the corner";
  EXPECT_LT(share(ridge, 32, 32), 0.02f);
}

TEST(Occlusion, WhatIsFarInFrontCastsNoShade) {
  const auto step = [](float x, float y) { return x > 32 ? (y > 32 ? 2.0f : 4.9f) : 5.0f; };
  const Occlusion o = occlusion(step);
  EXPECT_GT(share(o, 31, 12), 0.1f) << "beside a low step";
  EXPECT_LT(share(o, 31, 52), 0.05f) << "a body far in front has no corner with what is behind it";
}

TEST(Occlusion, AnotherSurfaceAtThePixelHasNone) {
  const Occlusion valley = occlusion([&](float x, float) { return 5 - std::abs(x - 32) * 0.02f; });
  EXPECT_EQ(valley.at(32, 32, 3.0f), 0);
}

Image nothing() {
  Picture picture;
  picture.width = picture.height = 240;
  return render(picture, 1);
}

/// How much darker the ground gets right in front of a box that is so far above it.
int shadow_of_box(float above, bool shadows = true) {
  const Mesh mesh = shapes::box({0, 0, 0.5f + above}, 0.5f);
  Picture picture;
  picture.layers = {{mesh, kSand, 1}};
  picture.width = 240;
  picture.height = 240;
  picture.view_direction = Vec3d{0, 1, -1};
  picture.fit = Aabb{{-2, -2, 0}, {2, 2, 2}};
  picture.shadows = shadows;
  const ScreenPoint at = project(fit_camera(picture, 0), {0, -0.6, 0});
  const auto x = static_cast<unsigned>(at.x / 3), y = static_cast<unsigned>(at.y / 3);
  return pixel(nothing(), x, y)[0] - pixel(render(picture, 1), x, y)[0];
}

TEST(Ground, AShadowIsDarkBesideWhatTouchesAndFaintBelowWhatIsHigh) {
  const int touching = shadow_of_box(0), high = shadow_of_box(1);
  EXPECT_GT(touching, 15);
  EXPECT_GT(high, 2);
  EXPECT_LT(high, touching - 5);
  EXPECT_EQ(shadow_of_box(0, false), 0);
}

TEST(Ground, IsNotSeenFromTheSideOrFromBelow) {
  const Mesh cube = shapes::box({}, 1);
  for (const Vec3d direction : {Vec3d{0, 1, 0}, Vec3d{0, 1, 0.5}}) {
    Picture picture;
    picture.layers = {{cube, kSand, 1}};
    picture.width = picture.height = 240;
    picture.view_direction = direction;
    const Image image = render(picture, 1), empty = nothing();
    for (unsigned x = 0; x < 240; ++x) ASSERT_EQ(pixel(image, x, 236), pixel(empty, x, 236));
  }
}

TEST(Shadows, SameBitsForAnyNumberOfThreads) {
  const Mesh low = shapes::box({}, 1, 3), high = shapes::box({0.4f, 0.3f, 1.2f}, 0.6f, 3);
  Picture picture;
  picture.layers = {{low, kSand, 1}, {high, kBlueGrey, 0.4f}};
  picture.width = 300;
  picture.height = 200;
  const Image one = render(picture, 1);
  EXPECT_EQ(one.rgb, render(picture, 2).rgb);
  EXPECT_EQ(one.rgb, render(picture).rgb);
  picture.shadows = false;
  EXPECT_NE(one.rgb, render(picture, 1).rgb);
}

}  // namespace
}  // namespace lamella::picture
