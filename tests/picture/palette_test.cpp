#include "picture/palette.hpp"

#include <gtest/gtest.h>

#include <set>

#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

Palette palette_of(const Image& image, std::size_t size) {
  Histogram histogram;
  histogram.add(image);
  return {histogram, size};
}

TEST(Palette, KeepsFewColoursAsTheyAre) {
  Image image = blank(30, 10, {1, 0, 0});
  paste(blank(10, 10, {0, 0, 1}), image, 0, 0);
  paste(blank(1, 1, {0, 1, 0}), image, 29, 9);
  Palette palette = palette_of(image, 255);
  ASSERT_EQ(palette.colors().size(), 3u) << "one pixel is enough";
  const Pixel blue = palette.colors()[palette.index({0, 0, 255}, 3, 5)];
  EXPECT_NEAR(blue.b, 255, 4);
  EXPECT_NEAR(blue.r, 0, 4);
}

TEST(Palette, HasNoMoreColoursThanAsked) {
  Image image = blank(256, 256, {});
  for (unsigned y = 0; y < 256; ++y) {
    for (unsigned x = 0; x < 256; ++x)
      set_pixel(image, x, y,
                {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(x ^ y)});
  }
  Palette palette = palette_of(image, 64);
  EXPECT_EQ(palette.colors().size(), 64u);
  // The mean over 8 x 8 pixels of one colour is close to it.
  double error = 0;
  for (unsigned x = 0; x < 256; x += 32) {
    double sum = 0;
    for (unsigned i = 0; i < 64; ++i) {
      sum += palette
                 .colors()[palette.index({static_cast<std::uint8_t>(x), 100, static_cast<std::uint8_t>(x ^ 100u)},
                                         i % 8, i / 8)]
                 .r;
    }
    error += std::abs(sum / 64 - x) / 8;
  }
  EXPECT_LT(error, 20);
}

TEST(Palette, APatternOfTwoColoursStandsForOneBetweenThemAndDoesNotFlicker) {
  Image image = blank(8, 8, {0.5f, 0.5f, 0.5f});
  paste(blank(4, 8, {0.53f, 0.53f, 0.53f}), image, 0, 0);
  Palette palette = palette_of(image, 2);
  std::set<int> used;
  for (unsigned y = 0; y < 8; ++y) {
    for (unsigned x = 0; x < 8; ++x) {
      const int index = palette.index({131, 131, 131}, x, y);
      used.insert(index);
      EXPECT_EQ(index, palette.index({131, 131, 131}, x + 8, y + 16)) << "by places alone";
    }
  }
  EXPECT_EQ(used.size(), 2u);
}

TEST(Palette, OfNothingIsEmpty) { EXPECT_TRUE(Palette(Histogram(), 255).colors().empty()); }

}  // namespace
}  // namespace lamella::picture
