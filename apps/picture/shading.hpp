#pragma once

#include <cstdint>

#include "lamella/math.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

// Colours as Vec3 are linear; directions are unit vectors in the view's axes (x right, y up, z to the eye).

[[nodiscard]] Vec3 to_linear(Rgb color);
[[nodiscard]] std::uint8_t encode(float linear);

/// A surface as seen at one sample: its own colour, and how much it hides of what lies behind.
struct Shade {
  Vec3 color;
  float alpha = 1;
};

/// `normal` is on the eye's side. `opacity` is that of the layer.
[[nodiscard]] Shade shade(Vec3 color, float opacity, Vec3 normal, Vec3 eye);

/// `height` runs from 0 at the top of the picture to 1 at the bottom.
[[nodiscard]] Vec3 background(float height);

}  // namespace lamella::picture
