#include "picture/shading.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::picture {
namespace {

const Vec3 kKeyLight = normalize({-0.45f, 0.75f, 0.65f});
const Vec3 kFillLight = normalize({0.85f, 0.05f, 0.50f});
constexpr float kAmbient = 0.26f, kSky = 0.18f, kKey = 0.74f, kFill = 0.18f;
constexpr float kGloss = 0.20f;
constexpr float kRim = 0.10f;      // light from behind that lifts the outline of opaque surfaces
constexpr float kGrazing = 0.92f;  // how opaque a translucent surface becomes at its outline
constexpr float kOutline = 0.45f;  // how much darker it becomes there
constexpr Rgb kTop{0.992f, 0.989f, 0.983f}, kBottom{0.905f, 0.897f, 0.885f};

float decode(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

float positive_dot(Vec3 a, Vec3 b) { return std::max(0.0f, dot(a, b)); }

float diffuse(Vec3 normal) {
  return kAmbient + kSky * (0.5f + 0.5f * normal.y) + kKey * positive_dot(normal, kKeyLight) +
         kFill * positive_dot(normal, kFillLight);
}

/// The 48th power of the cosine to the half vector; std::pow would cost more than all the rest.
float gloss(Vec3 normal, Vec3 eye) {
  float power = positive_dot(normal, normalize(kKeyLight + eye));
  power *= power * power;
  for (int i = 0; i < 4; ++i) power *= power;
  return kGloss * power;
}

}  // namespace

Vec3 to_linear(Rgb color) { return {decode(color.r), decode(color.g), decode(color.b)}; }

std::uint8_t encode(float linear) {
  const float c = std::clamp(linear, 0.0f, 1.0f);
  const float encoded = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(encoded * 255 + 0.5f);
}

Shade shade(Vec3 color, float opacity, Vec3 normal, Vec3 eye) {
  const float facing = std::min(1.0f, positive_dot(normal, eye));
  const float highlight = gloss(normal, eye);
  const Vec3 white{1, 1, 1};
  if (opacity >= 1) {
    const float rim = kRim * (1 - facing) * (1 - facing) * (1 - facing);
    return {color * diffuse(normal) + white * (highlight + rim), 1};
  }
  const float grazing = (1 - facing) * (1 - facing);
  const float veil = opacity + (std::max(opacity, kGrazing) - opacity) * grazing;
  // A highlight hides what is behind it, however clear the surface is.
  const float alpha = veil + (1 - veil) * highlight;
  const Vec3 lit = color * (diffuse(normal) * (1 - kOutline * grazing));
  return {lit + white * (highlight / std::max(alpha, 0.05f)), alpha};
}

Vec3 background(float height) {
  static const Vec3 top = to_linear(kTop), bottom = to_linear(kBottom);
  return top + (bottom - top) * height;
}

}  // namespace lamella::picture
