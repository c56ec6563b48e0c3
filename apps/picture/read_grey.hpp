#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "lamella/heights.hpp"

namespace lamella::picture {

/// Reads a greyscale PNG file of 1 to 16 bits; one with transparency, which is left out, too. The bytes are not
/// trusted: sizes are checked against them before memory is allocated. Throws Error when they are no such file, or one
/// that is damaged or larger than kMaxHeights; messages call them `name`.
[[nodiscard]] Heights read_png_heights(std::span<const std::byte> bytes, std::string_view name);

}  // namespace lamella::picture
