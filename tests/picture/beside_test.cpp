#include <gtest/gtest.h>

#include "picture/picture.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

using shapes::pixel, shapes::Pixel;

Image plain(unsigned width, unsigned height, std::uint8_t value) {
  return {width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height, value)};
}

TEST(Beside, NothingGivesAnEmptyImage) { EXPECT_TRUE(beside({}).rgb.empty()); }

TEST(Beside, OneImageIsItself) {
  const std::vector<Image> images{plain(3, 2, 40)};
  EXPECT_EQ(beside(images).rgb, images[0].rgb);
}

TEST(Beside, ImagesOfDifferentHeightStandSideBySideOnWhite) {
  const std::vector<Image> images{plain(3, 2, 40), plain(5, 4, 90)};
  const Image sheet = beside(images);
  EXPECT_GT(sheet.width, 8u);
  EXPECT_EQ(sheet.height, 4u);
  EXPECT_EQ(pixel(sheet, 2, 1), (Pixel{40, 40, 40}));
  EXPECT_EQ(pixel(sheet, 2, 2), (Pixel{255, 255, 255}));
  EXPECT_EQ(pixel(sheet, 3, 0), (Pixel{255, 255, 255}));
  EXPECT_EQ(pixel(sheet, sheet.width - 5, 3), (Pixel{90, 90, 90}));
  EXPECT_EQ(pixel(sheet, sheet.width - 6, 3), (Pixel{255, 255, 255}));
}

}  // namespace
}  // namespace lamella::picture
