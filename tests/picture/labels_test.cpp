#include "picture/labels.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

/// A row of boxes, one label each.
struct Row {
  std::vector<Mesh> meshes;
  std::vector<Label> labels;
  Picture picture;
  Camera camera;

  explicit Row(int count) {
    for (int i = 0; i < count; ++i) meshes.push_back(shapes::box({static_cast<float>(i) * 0.7f, 0, 0}, 0.3f));
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      labels.push_back({"part number " + std::to_string(i), kSand, meshes[at]});
      picture.layers.push_back({meshes[at], kSand, 1});
    }
    picture.width = 640;
    picture.height = 480;
    picture.view_direction = Vec3d{0, 1, 0};
    camera = fit_camera(picture, 0);
  }

  [[nodiscard]] std::vector<PlacedLabel> place(std::span<const float> distances = {}, float reserved = 0) const {
    return place_labels(labels, {camera, distances, 640, 480, 14, reserved});
  }
};

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

TEST(Labels, WordsLieInTheImageAndNotOnOneAnother) {
  const std::vector<PlacedLabel> places = Row(12).place({}, 60);
  ASSERT_EQ(places.size(), 12u);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PixelBox& box = places[i].box;
    EXPECT_GE(box.left, 0);
    EXPECT_LE(box.right, 640);
    EXPECT_GE(box.top, 60) << "below other text";
    EXPECT_LE(box.bottom, 480);
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(box, places[j].box)) << i << ' ' << j;
  }
}

TEST(Labels, NameTheMiddleOfTheirMesh) {
  const Row row(5);
  const std::vector<PlacedLabel> places = row.place();
  for (std::size_t i = 0; i < 5; ++i) {
    const ScreenPoint middle = project(row.camera, {static_cast<double>(i) * 0.7, 0, 0});
    EXPECT_NEAR(places[i].x, middle.x / 3, 50) << i;
    if (i > 0) {
      EXPECT_GT(places[i].x, places[i - 1].x);
    }
  }
}

TEST(Labels, NameWhatIsSeenOfAMesh) {
  const Row row(1);
  // Something close to the eye hides all but the right half of the picture.
  std::vector<float> distances(640 * 480, 1.0f);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i % 640 >= 320) distances[i] = std::numeric_limits<float>::infinity();
  }
  EXPECT_GT(row.place(distances)[0].x, 320);
}

TEST(Labels, PreferThePlaceBesideWhatIsDrawn) {
  const Row row(1);
  std::vector<float> distances(640 * 480, std::numeric_limits<float>::infinity());
  for (std::size_t y = 120; y < 360; ++y)
    std::fill_n(distances.begin() + static_cast<std::ptrdiff_t>(y * 640), 640, 4.0f);
  const PixelBox box = row.place(distances)[0].box;
  EXPECT_TRUE(box.bottom <= 130 || box.top >= 350) << box.top;
}

TEST(Labels, AreDrawn) {
  Row row(3);
  const Image without = render(row.picture);
  row.picture.labels = row.labels;
  const Image with = render(row.picture);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < with.rgb.size(); i += 3) changed += with.rgb[i] != without.rgb[i] ? 1 : 0;
  EXPECT_GT(changed, 3000u);
  EXPECT_EQ(with.rgb, render(row.picture, 1).rgb) << "the same for any number of threads";
}

}  // namespace
}  // namespace lamella::picture
