#include "picture/font.hpp"

#include <gtest/gtest.h>

#include "picture/canvas.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

constexpr Rgb kBlack{0, 0, 0}, kWhite{1, 1, 1};

Image written(std::string_view text, float size, float x = 10, unsigned width = 120, unsigned height = 60) {
  Image image = blank(width, height, kWhite);
  draw_text(image, x, 40, text, size, kBlack);
  return image;
}

/// How much ink there is, in whole pixels.
double ink(const Image& image) {
  double sum = 0;
  for (const std::uint8_t part : image.rgb) sum += 255 - part;
  return sum / 255 / 3;
}

struct Extent {
  unsigned left = 1000, right = 0, top = 1000, bottom = 0;  ///< of pixels with ink
};

Extent extent(const Image& image) {
  Extent out;
  for (unsigned y = 0; y < image.height; ++y) {
    for (unsigned x = 0; x < image.width; ++x) {
      if (shapes::pixel(image, x, y)[0] > 200) continue;
      out = {std::min(out.left, x), std::max(out.right, x), std::min(out.top, y), std::max(out.bottom, y)};
    }
  }
  return out;
}

TEST(Font, ALetterHasTheAreaOfItsOutline) {
  // An en dash is a rectangle: it covers the same area wherever it is, and four times as much at twice the size.
  const double small = ink(written("–", 20)), large = ink(written("–", 40));
  EXPECT_GT(small, 10);
  EXPECT_NEAR(large, 4 * small, 0.01 * large);
  EXPECT_NEAR(ink(written("–", 20, 10.37f)), small, 0.01 * small);
}

TEST(Font, HolesOfLettersAreEmpty) {
  const Image image = written("O", 40);
  const Extent at = extent(image);
  EXPECT_GT(at.right - at.left, 15u);
  EXPECT_EQ(shapes::pixel(image, (at.left + at.right) / 2, (at.top + at.bottom) / 2)[0], 255);
  EXPECT_LT(shapes::pixel(image, at.left + 2, (at.top + at.bottom) / 2)[0], 60);
}

TEST(Font, CapitalsStandOnTheBaseline) {
  const Extent at = extent(written("H", 40));
  EXPECT_EQ(at.bottom, 39u);
  EXPECT_NEAR(at.bottom + 1 - at.top, 0.711 * 40, 1);
  EXPECT_GT(extent(written("p", 40)).bottom, 44u) << "descends";
}

TEST(Font, WidthIsWhereTheNextLetterBegins) {
  EXPECT_FLOAT_EQ(text_width("", 20), 0);
  EXPECT_FLOAT_EQ(text_width("ab", 20), text_width("a", 20) + text_width("b", 20));
  EXPECT_FLOAT_EQ(text_width("a", 40), 2 * text_width("a", 20));
  EXPECT_GT(text_width("m", 20), 2 * text_width("i", 20)) << "proportional";
  for (const char* digit : {"1", "4", "7", "9"}) EXPECT_EQ(text_width(digit, 20), text_width("0", 20));
  EXPECT_EQ(text_width(kFigureSpace, 20), text_width("0", 20));
}

TEST(Font, HasTheSignsOfCaptionsAndLatinLetters) {
  const Image unknown = written("?", 40);
  for (const char* text : {"²", "±", "×", "µ", "–", "°", "…", "ä", "É", "ß", "ø", "~", "|", "@"}) {
    const Image image = written(text, 40);
    EXPECT_GT(ink(image), 5) << text;
    EXPECT_NE(image.rgb, unknown.rgb) << text;
  }
}

TEST(Font, WhatHasNoShapeIsAQuestionMark) {
  const Image unknown = written("?", 40);
  for (const char* text : {"\u4e2d", "\U0001F600", "\xff", "\xc3", "\x01"})
    EXPECT_EQ(written(text, 40).rgb, unknown.rgb);
  EXPECT_EQ(text_width("\xe4\xbd", 20), 2 * text_width("?", 20)) << "bytes that are no UTF-8, one by one";
}

TEST(Font, IsCutAtTheEdges) {
  for (const float x : {-500.0f, -10.0f, 115.0f, 900.0f}) (void)written("cut off", 40, x);
  Image image = blank(20, 10, kWhite);
  draw_text_with_rim(image, 5, -3, "above", 30, kBlack);
  draw_text_with_rim(image, 5, 40, "below", 30, kBlack);
  EXPECT_EQ(image.rgb.size(), 600u);
}

TEST(Font, RimMakesTextReadableOnBlack) {
  Image image = blank(120, 60, kBlack);
  draw_text_with_rim(image, 10, 40, "l", 40, kBlack);
  EXPECT_GT(shapes::pixel(image, 12, 30)[0], 150) << "beside the letter";
  EXPECT_EQ(shapes::pixel(image, 60, 30)[0], 0) << "far from it";
}

}  // namespace
}  // namespace lamella::picture
