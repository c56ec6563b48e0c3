#include "picture/legend.hpp"

#include <gmock/gmock.h>

#include "picture/font.hpp"
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

std::vector<std::string> texts(const TextBlock& block, std::size_t line) {
  std::vector<std::string> out;
  for (const TextBlock::Words& words : block.words) {
    if (words.line == line) out.push_back(words.text);
  }
  return out;
}

TEST(Legend, FollowsTheCaptionsWithRoomForColours) {
  Picture picture;
  EXPECT_EQ(text_block(picture).height(), 0u);
  picture.captions = {"title"};
  EXPECT_THAT(texts(text_block(picture), 0), ElementsAre("title"));
  picture.legend = {{kGreen, "one"}, {kGreen, "two"}};
  const TextBlock block = text_block(picture);
  EXPECT_EQ(block.lines, 2u);
  EXPECT_THAT(texts(block, 1), ElementsAre("one", "two"));
  ASSERT_EQ(block.patches.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(block.patches[i].line, 1u);
    EXPECT_GT(block.words[i + 1].x, block.patches[i].right);
  }
  EXPECT_GT(block.patches[1].left, block.words[1].x + text_width("one", block.size)) << "behind the first entry";
  EXPECT_GE(static_cast<float>(block.height()), 2 * line_height(block.size));
}

TEST(Legend, BreaksLongLines) {
  Picture picture;
  const std::string words(40, 'x');
  picture.legend = {{kGreen, words}, {kGreen, words}, {kGreen, "y"}};
  const TextBlock block = text_block(picture);
  EXPECT_THAT(texts(block, 0), ElementsAre(words));
  EXPECT_THAT(texts(block, 1), ElementsAre(words, "y"));
}

TEST(Legend, LettersGetSmallerUntilTheLongestLineFits) {
  Picture picture;
  picture.width = 400;
  picture.height = 960;
  picture.captions = {"short"};
  const float usual = text_block(picture).size;
  picture.captions = {std::string(60, 'm')};
  const TextBlock block = text_block(picture);
  EXPECT_LT(block.size, usual);
  EXPECT_LE(block.words[0].x + text_width(picture.captions[0], block.size), 400);
}

TEST(Legend, NumbersThatChangeMoveNothing) {
  Picture picture;
  picture.captions = {"1.11 s   pairs 7"};
  const TextBlock before = text_block(picture);
  picture.captions = {"8.88 s   pairs 1"};
  const TextBlock after = text_block(picture);
  EXPECT_EQ(before.size, after.size);
  EXPECT_EQ(before.height(), after.height());
  EXPECT_EQ(text_width(before.words[0].text, 20), text_width(after.words[0].text, 20));
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
  const TextBlock block = text_block(picture);
  EXPECT_THAT(texts(block, 2), ElementsAre("-1", "2.5", "height"));
  ASSERT_EQ(block.patches.size(), 2u);
  EXPECT_EQ(block.patches[1].line, 2u);
  EXPECT_EQ(block.patches[1].scale, &black_to_green);
}

TEST(ColorScale, RunsFromOneColourToTheOther) {
  Picture picture;
  picture.width = 400;
  picture.height = 120;
  picture.scales = {{black_to_green, "0", "1", ""}};
  const Image image = render(picture);
  const unsigned row = 13;  // within the first line
  int last = -1, steps = 0;
  for (unsigned x = 20; x < 140; ++x) {
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
