#pragma once

#include <span>
#include <string>

#include "picture/picture.hpp"

namespace lamella::picture {

/// Rows of pixels from the top that lines of text take up in an image; 0 without lines.
[[nodiscard]] unsigned text_height(const Image& image, std::span<const std::string> lines);

/// Writes lines of text at the top left, as large as suits the image and small enough that the longest line fits.
/// A character outside printable ASCII shows as '?'.
void draw_lines(Image& image, std::span<const std::string> lines, Rgb color);

/// Fills the place of `count` letters from the `first` on of one of such lines: a patch of colour among words.
void fill_letters(Image& image, std::span<const std::string> lines, std::size_t line, std::size_t first,
                  std::size_t count, Rgb color);

/// The same with colours that change from the left, where `color` gets 0, to the right, where it gets 1.
void fill_letters(Image& image, std::span<const std::string> lines, std::size_t line, std::size_t first,
                  std::size_t count, Rgb (*color)(float));

/// Puts the pictures' background around the letters of such lines, a dot wide: they can be read in front of anything.
void clear_around_lines(Image& image, std::span<const std::string> lines);

}  // namespace lamella::picture
