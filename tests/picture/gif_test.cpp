#include <gif_lib.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "picture/canvas.hpp"
#include "picture/film.hpp"

namespace lamella::picture {
namespace {

namespace fs = std::filesystem;

/// A film as giflib reads it: what is shown after each frame, and for how long.
struct Played {
  std::vector<Image> frames;
  std::vector<int> hundredths;
  std::vector<int> pixels;  ///< that each frame stores
};

Played play(const fs::path& path) {
  Played out;
  int why = 0;
  GifFileType* gif = DGifOpenFileName(path.c_str(), &why);
  if (gif == nullptr || DGifSlurp(gif) != GIF_OK) {
    ADD_FAILURE() << "cannot be read";
    return out;
  }
  Image canvas = blank(static_cast<unsigned>(gif->SWidth), static_cast<unsigned>(gif->SHeight), {1, 0, 1});
  for (int f = 0; f < gif->ImageCount; ++f) {
    const SavedImage& image = gif->SavedImages[f];
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, f, &control);
    EXPECT_EQ(image.ImageDesc.ColorMap, nullptr) << "one palette for all";
    for (int y = 0; y < image.ImageDesc.Height; ++y) {
      for (int x = 0; x < image.ImageDesc.Width; ++x) {
        const int index = image.RasterBits[y * image.ImageDesc.Width + x];
        if (index == control.TransparentColor) continue;
        const GifColorType c = gif->SColorMap->Colors[index];
        set_pixel(canvas, static_cast<unsigned>(image.ImageDesc.Left + x),
                  static_cast<unsigned>(image.ImageDesc.Top + y), {c.Red, c.Green, c.Blue});
      }
    }
    out.frames.push_back(canvas);
    out.hundredths.push_back(control.DelayTime);
    out.pixels.push_back(image.ImageDesc.Width * image.ImageDesc.Height);
  }
  DGifCloseFile(gif, &why);
  return out;
}

/// A light picture with a gradient and a red square at x.
Image frame(unsigned x) {
  Image image = blank(80, 60, {0.9f, 0.9f, 0.9f});
  for (unsigned j = 0; j < 60; ++j) {
    for (unsigned i = 0; i < 80; ++i) set_pixel(image, i, j, {static_cast<std::uint8_t>(200 + j / 2), 220, 230});
  }
  paste(blank(10, 10, {0.8f, 0.1f, 0.1f}), image, x, 20);
  return image;
}

int worst(const Image& a, const Image& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) most = std::max(most, std::abs(a.rgb[i] - b.rgb[i]));
  return most;
}

TEST(Gif, PlaysTheFramesWithCloseColours) {
  const fs::path path = fs::path(testing::TempDir()) / "lamella_gif_test.gif";
  const auto film = make_film(path, {.frame_ms = 40, .hold_ms = 900});
  std::vector<Image> frames;
  for (const unsigned x : {5u, 25u, 25u, 45u}) {
    frames.push_back(frame(x));
    film->add(frames.back());
  }
  film->finish();
  const Played played = play(path);
  fs::remove(path);
  ASSERT_EQ(played.frames.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LE(worst(played.frames[i], frames[i]), 8) << i;
  EXPECT_EQ(played.hundredths, (std::vector<int>{4, 4, 4, 90}));
  EXPECT_EQ(played.pixels[0], 80 * 60);
  EXPECT_EQ(played.pixels[1], 30 * 10) << "only what changed";
  EXPECT_EQ(played.pixels[2], 1);
}

TEST(Gif, KeepsThePaceOfFramesThatAreTooShortForIt) {
  const fs::path path = fs::path(testing::TempDir()) / "lamella_gif_pace_test.gif";
  const auto film = make_film(path, {.frame_ms = 17, .hold_ms = 17});
  for (unsigned i = 0; i < 60; ++i) film->add(frame(i));
  film->finish();
  const Played played = play(path);
  fs::remove(path);
  int sum = 0;
  for (const int time : played.hundredths) {
    EXPECT_GE(time, 2);
    sum += time;
  }
  EXPECT_NEAR(sum, 102, 2) << "60 times 17 ms";
  EXPECT_LE(worst(played.frames.back(), frame(59)), 8);
}

}  // namespace
}  // namespace lamella::picture
