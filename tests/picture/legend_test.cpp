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

}  // namespace
}  // namespace lamella::picture
