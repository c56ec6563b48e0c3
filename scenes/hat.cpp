#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/models.hpp"
#include "scenes/revolve.hpp"

namespace lamella::scenes {
namespace {

/// From the top of the crown down its outside, over the band, around the brim and up the inside.
const std::vector<ProfilePoint> kOutline = {
    {0, 0.66},     {0.10, 0.66},   {0.20, 0.655},  {0.29, 0.635}, {0.345, 0.58}, {0.375, 0.48}, {0.395, 0.36},
    {0.41, 0.25},  {0.415, 0.20},  {0.445, 0.195}, {0.455, 0.15}, {0.46, 0.08},  {0.46, 0.04},  {0.50, 0.01},
    {0.60, 0.00},  {0.72, 0.005},  {0.84, 0.025},  {0.90, 0.045}, {0.935, 0.05}, {0.935, 0.02}, {0.90, 0.00},
    {0.84, -0.02}, {0.72, -0.045}, {0.60, -0.05},  {0.50, -0.05}, {0.43, -0.04}, {0.40, 0.00},  {0.39, 0.10},
    {0.37, 0.25},  {0.355, 0.36},  {0.335, 0.46},  {0.30, 0.54},  {0.24, 0.58},  {0.12, 0.59},  {0, 0.59},
};

/// Fedora: a crease along the crown, its front pinched, and a brim bent up at the sides and down in front.
Vec3d place(double radius, double height, double angle) {
  double x = radius * elementary::sin(angle), y = height, z = radius * elementary::cos(angle);
  const double upper = smoothstep(0.2, 0.66, height);
  y -= 0.13 * upper * upper * elementary::exp(-elementary::pow(x / 0.10, 2)) * smoothstep(0.40, 0.05, std::abs(z));
  x *= 1 - 0.22 * upper * smoothstep(-0.1, 0.4, z);
  const double brim = smoothstep(0.45, 0.95, radius);
  y += brim * (0.10 * x * x / (radius * radius + 1e-9) - 0.09 * z / (radius + 1e-9));
  return Vec3d{x * 0.92, y - 0.2, z * 1.05} * 0.8;
}

}  // namespace

Mesh hat(std::size_t faces) {
  constexpr int kSamples = 400;
  std::vector<ProfilePoint> outline;
  for (int i = 0; i <= kSamples; ++i) outline.push_back(spline(kOutline, double(i) / kSamples));
  return revolve(outline, faces, 7, place);
}

}  // namespace lamella::scenes
