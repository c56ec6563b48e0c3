#include "picture/color_map.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace lamella::picture {
namespace {

constexpr std::array<Rgb, 9> kViridis{{{0.993f, 0.906f, 0.144f},
                                       {0.678f, 0.864f, 0.190f},
                                       {0.369f, 0.789f, 0.383f},
                                       {0.157f, 0.684f, 0.502f},
                                       {0.128f, 0.567f, 0.551f},
                                       {0.173f, 0.449f, 0.558f},
                                       {0.231f, 0.318f, 0.545f},
                                       {0.278f, 0.174f, 0.479f},
                                       {0.267f, 0.005f, 0.329f}}};

constexpr std::array<Rgb, 7> kOrRd{{{0.996f, 0.875f, 0.710f},
                                    {0.992f, 0.831f, 0.620f},
                                    {0.992f, 0.733f, 0.518f},
                                    {0.988f, 0.553f, 0.349f},
                                    {0.890f, 0.290f, 0.200f},
                                    {0.702f, 0.000f, 0.000f},
                                    {0.400f, 0.000f, 0.000f}}};

constexpr std::array<Rgb, 7> kPuOr{{{0.600f, 0.270f, 0.010f},
                                    {0.800f, 0.420f, 0.050f},
                                    {0.945f, 0.640f, 0.250f},
                                    {0.930f, 0.925f, 0.910f},
                                    {0.640f, 0.600f, 0.800f},
                                    {0.460f, 0.380f, 0.680f},
                                    {0.270f, 0.100f, 0.500f}}};

Rgb between(std::span<const Rgb> stops, float t) {
  const float at = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const float part = at - static_cast<float>(i);
  const auto mix = [&](float a, float b) { return a + (b - a) * part; };
  return {mix(stops[i].r, stops[i + 1].r), mix(stops[i].g, stops[i + 1].g), mix(stops[i].b, stops[i + 1].b)};
}

}  // namespace

Rgb depth_color(float t) { return between(kViridis, t); }
Rgb count_color(float t) { return between(kOrRd, t); }
Rgb signed_color(float t) { return between(kPuOr, t); }

}  // namespace lamella::picture
