#include "picture/legend.hpp"

#include <gmock/gmock.h>

#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using testing::ElementsAre;

constexpr Rgb kGreen{0, 0.8f, 0};

std::size_t count_green(const Image& image) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    count += image.rgb[i] < 10 && image.rgb[i + 1] > 190 && image.rgb[i + 2] < 10 ? 1 : 0;
  }
  return count;
}

TEST(Legend, FollowsTheCaptionsWithRoomForColours) {
  Picture picture;
  picture.captions = {"title"};
  EXPECT_THAT(lines_of(picture), ElementsAre("title"));
  picture.legend = {{kGreen, "one"}, {kGreen, "two"}};
  EXPECT_THAT(lines_of(picture), ElementsAre("title", "   one      two"));
}

TEST(Legend, BreaksLongLines) {
  Picture picture;
  const std::string words(30, 'x');
  picture.legend = {{kGreen, words}, {kGreen, words}, {kGreen, "y"}};
  EXPECT_THAT(lines_of(picture), ElementsAre("   " + words, "   " + words + "      y"));
}

TEST(Legend, ShowsItsColoursAndPushesTheSceneDown) {
  Picture picture;
  picture.width = 160;
  picture.height = 120;
  EXPECT_EQ(count_green(render(picture)), 0u);
  picture.legend = {{kGreen, "one"}};
  const std::size_t one = count_green(render(picture));
  EXPECT_GT(one, 40u);
  picture.legend.push_back({kGreen, "two"});
  EXPECT_EQ(count_green(render(picture)), 2 * one);
}

Rgb black_to_green(float t) { return {0, 0.8f * t, 0}; }

TEST(ColorScale, HasItsEndsAndWordsOnALineBelowTheLegend) {
  Picture picture;
  picture.captions = {"title"};
  picture.legend = {{kGreen, "one"}};
  picture.scales = {{black_to_green, "-1", "2.5", "height"}};
  EXPECT_THAT(lines_of(picture), ElementsAre("title", "   one", "-1                2.5  height"));
}

TEST(ColorScale, RunsFromOneColourToTheOther) {
  Picture picture;
  picture.width = 400;
  picture.height = 120;
  picture.scales = {{black_to_green, "0", "1", ""}};
  const Image image = render(picture);
  const unsigned row = 10;  // a letter is 8 dots high, below a border of 6
  int last = -1, steps = 0;
  for (unsigned x = 20; x < 100; ++x) {
    const shapes::Pixel p = shapes::pixel(image, x, row);
    if (p[0] > 10 || p[2] > 10) continue;  // beside the bar
    EXPECT_GE(p[1], last);
    steps += p[1] > last ? 1 : 0;
    last = p[1];
  }
  EXPECT_GT(steps, 40);
  EXPECT_GT(last, 190);
}

}  // namespace
}  // namespace lamella::picture
