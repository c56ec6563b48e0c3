#pragma once

#include <string>
#include <vector>

#include "picture/picture.hpp"

namespace lamella::picture {

/// The text at the top left of a picture: its captions, then its legend, as many entries on a line as stay readable,
/// then its colour scales. All lengths are in pixels.
struct TextBlock {
  struct Words {
    float x = 0;
    std::size_t line = 0;
    std::string text;
  };
  struct Patch {
    float left = 0, right = 0;
    std::size_t line = 0;
    Rgb color;
    Rgb (*scale)(float) = nullptr;  ///< counts instead of `color` when given
  };

  float size = 0;  ///< of the letters: as suits the picture, less where the longest line would not fit
  std::size_t lines = 0;
  std::vector<Words> words;
  std::vector<Patch> patches;

  /// Rows of pixels from the top; 0 without lines.
  [[nodiscard]] unsigned height() const;
};

[[nodiscard]] TextBlock text_block(const Picture& picture);

void draw(Image& image, const TextBlock& block);

}  // namespace lamella::picture
