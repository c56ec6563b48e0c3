#pragma once

#include <string>
#include <vector>

#include "picture/picture.hpp"

namespace lamella::picture {

/// The picture's text: its captions, then the words of its legend with room for their colours, as many on a line as
/// stay readable, then its colour scales.
[[nodiscard]] std::vector<std::string> lines_of(const Picture& picture);

/// Puts the colours of legend and scales into the room that lines_of() left for them.
void draw_legend_colors(Image& image, const Picture& picture);

}  // namespace lamella::picture
