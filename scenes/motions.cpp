#include "scenes/motions.hpp"

#include <cassert>
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/hand.hpp"
#include "scenes/random.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

/// From 0 to 1 at half the period, and back.
double there_and_back(float t) { return (1 - elementary::cos(phase(t))) / 2; }

}  // namespace

void rigid(std::span<const Vec3> rest, float t, std::uint32_t seed, std::span<Vec3> out) {
  assert(rest.size() == out.size());
  Random random(seed);
  const Vec3d axis = random.direction(), sway = random.direction();
  const Aabb box = box_of(rest);
  const Vec3d middle = to_double(center(box));
  const Vec3d shift = sway * (0.15 * elementary::sin(phase(t)) * double(length(extent(box))));
  const Transform turn{middle + shift, rotation_about(axis, phase(t))};
  for (std::size_t i = 0; i < rest.size(); ++i) out[i] = to_float(apply(turn, to_double(rest[i]) - middle));
}

void wobble(std::span<const Vec3> rest, float t, std::uint32_t seed, std::span<Vec3> out) {
  assert(rest.size() == out.size());
  const Aabb box = box_of(rest);
  const double diagonal = double(length(extent(box)));
  if (!(diagonal > 0)) {
    std::copy(rest.begin(), rest.end(), out.begin());
    return;
  }
  // One wave per coordinate: 1.25 % each makes 1.5 % together on average, and never more than 2.2 %.
  constexpr double kHeight = 0.0125;
  Random random(seed);
  Vec3d wave[3];
  double start[3];
  for (int i = 0; i < 3; ++i) {
    wave[i] = random.direction() * (random.uniform(12, 20) / diagonal);
    start[i] = random.uniform(0, 2 * kPi);
  }
  const double now = phase(t);
  const Vec3d middle = to_double(center(box));
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const Vec3d p = to_double(rest[n]);
    Vec3d moved = p;
    for (int i = 0; i < 3; ++i)
      moved[i] += kHeight * diagonal * elementary::sin(dot(wave[i], p - middle) + start[i] + now);
    out[n] = to_float(moved);
  }
}

void twist(std::span<const Vec3> rest, float t, float turns, std::span<Vec3> out) {
  assert(rest.size() == out.size());
  const Aabb box = box_of(rest);
  const Vec3 size = extent(box);
  const int w = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int u = (w + 1) % 3, v = (w + 2) % 3;
  const double half = double(size[w]) / 2;
  const double most = 2 * kPi * turns * there_and_back(t);
  const Vec3d middle = to_double(center(box));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec3d q = to_double(rest[i]) - middle;
    const double angle = half > 0 ? most * q[w] / half : 0.0;
    Vec3d turned = q;
    turned[u] = q[u] * elementary::cos(angle) - q[v] * elementary::sin(angle);
    turned[v] = q[u] * elementary::sin(angle) + q[v] * elementary::cos(angle);
    out[i] = to_float(middle + turned);
  }
}

void close_hand(std::span<const Vec3> rest, float t, std::span<Vec3> out) {
  assert(rest.size() == out.size());
  bend_hand(rest, static_cast<float>(there_and_back(t)), out);
}

}  // namespace lamella::scenes
