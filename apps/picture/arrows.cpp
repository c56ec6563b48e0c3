#include "picture/arrows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace lamella::picture {
namespace {

constexpr std::uint32_t kSides = 24;
constexpr float kHeadWidth = 2.4f, kHeadLength = 6.0f;  // in radii of the bar
constexpr float kMostHead = 0.6f;                       // of the arrow's length

/// Two unit vectors at right angles to a unit vector and to one another.
struct Frame {
  Vec3 along, u, v;
};

Frame frame_of(Vec3 along) {
  const Vec3 other = std::abs(along.x) < 0.6f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalize(cross(other, along));
  return {along, u, cross(along, u)};
}

/// A circle of a solid of revolution: how far along the axis, and how wide.
struct Ring {
  float at = 0, radius = 0;
};

/// Turns a profile about the axis through `from`. The first and the last ring have radius 0.
Mesh revolve(Vec3 from, const Frame& frame, std::span<const Ring> rings) {
  Mesh mesh;
  for (const Ring& ring : rings) {
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kSides;
      mesh.positions.push_back(from + frame.along * ring.at +
                               (frame.u * std::cos(angle) + frame.v * std::sin(angle)) * ring.radius);
    }
  }
  for (std::uint32_t r = 0; r + 1 < rings.size(); ++r) {
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const std::uint32_t next = (i + 1) % kSides, low = r * kSides, high = low + kSides;
      if (rings[r].radius > 0) mesh.triangles.push_back({low + i, low + next, high + next});
      if (rings[r + 1].radius > 0) mesh.triangles.push_back({low + i, high + next, high + i});
    }
  }
  return mesh;
}

/// The distance, or 0 where there is no direction from one to the other.
float distance_of(Vec3 from, Vec3 to) {
  const float far = length(to - from);
  return std::isfinite(far) ? far : 0;
}

}  // namespace

Mesh rod(Vec3 from, Vec3 to, float radius) {
  const float far = distance_of(from, to);
  if (!(far > 0)) return {};
  const Ring rings[] = {{0, 0}, {0, radius}, {far, radius}, {far, 0}};
  return revolve(from, frame_of((to - from) * (1 / far)), rings);
}

Mesh arrow(Vec3 from, Vec3 to, float radius) {
  const float far = distance_of(from, to);
  if (!(far > 0)) return {};
  const float neck = far - std::min(kHeadLength * radius, kMostHead * far);
  const Ring rings[] = {{0, 0}, {0, radius}, {neck, radius}, {neck, kHeadWidth * radius}, {far, 0}};
  return revolve(from, frame_of((to - from) * (1 / far)), rings);
}

Mesh disk(Vec3 center, Vec3 normal, float radius) {
  const float size = length(normal);
  if (!(size > 0) || !std::isfinite(size)) return {};
  const Ring rings[] = {{0, 0}, {0, radius}};
  return revolve(center, frame_of(normal * (1 / size)), rings);
}

void append(Mesh& to, const Mesh& more) {
  const auto shift = static_cast<std::uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), more.positions.begin(), more.positions.end());
  for (const Triangle t : more.triangles) to.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
}

}  // namespace lamella::picture
