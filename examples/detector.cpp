// The hello program of Detector: a soft ball falls onto a slab and bounces. Every vertex moves in every frame, and
// nothing is prepared beforehand: each frame only asks again.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <lamella/lamella.hpp>
#include <numbers>
#include <vector>

using lamella::Mesh;
using lamella::Vec3;

namespace {

constexpr std::uint32_t kAround = 64, kDown = 32;  // quads of the ball, around its axis and from pole to pole

// Closed, and counter-clockwise seen from outside: Lamella measures solids, so both matter.
Mesh make_ball() {
  Mesh ball;
  constexpr float kPi = std::numbers::pi_v<float>;
  for (std::uint32_t i = 1; i < kDown; ++i) {
    for (std::uint32_t j = 0; j < kAround; ++j) {
      const float polar = kPi * static_cast<float>(i) / kDown, angle = 2 * kPi * static_cast<float>(j) / kAround;
      ball.positions.push_back({std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)});
    }
  }
  const auto top = static_cast<std::uint32_t>(ball.positions.size()), bottom = top + 1;
  ball.positions.insert(ball.positions.end(), {{0, 0, 1}, {0, 0, -1}});

  const auto ring = [](std::uint32_t i, std::uint32_t j) { return i * kAround + j % kAround; };
  for (std::uint32_t j = 0; j < kAround; ++j) {
    ball.triangles.push_back({top, ring(0, j), ring(0, j + 1)});
    for (std::uint32_t i = 0; i + 2 < kDown; ++i) {
      ball.triangles.push_back({ring(i, j), ring(i + 1, j), ring(i + 1, j + 1)});
      ball.triangles.push_back({ring(i, j), ring(i + 1, j + 1), ring(i, j + 1)});
    }
    ball.triangles.push_back({bottom, ring(kDown - 2, j + 1), ring(kDown - 2, j)});
  }
  return ball;
}

Mesh make_slab() {
  Mesh slab;
  slab.positions = {{-2, -2, -1}, {2, -2, -1}, {-2, 2, -1}, {2, 2, -1}, {-2, -2, 0}, {2, -2, 0}, {-2, 2, 0}, {2, 2, 0}};
  slab.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return slab;
}

// Where the simulation would put the ball at time t: it comes down to the slab and goes up again, and gives way to the
// side as it is pressed flat.
void deform(const Mesh& rest, float t, Mesh& ball) {
  const float height = 1 + std::cos(2 * std::numbers::pi_v<float> * t) * 0.5f;
  const float flat = std::min((height + 1) / 2, 1.0f), wide = 1 / std::sqrt(flat);
  for (std::size_t i = 0; i < rest.positions.size(); ++i) {
    const Vec3 p = rest.positions[i];
    ball.positions[i] = {p.x * wide, p.y * wide, p.z * flat + height};
  }
}

}  // namespace

int main() {
  const Mesh rest = make_ball(), floor = make_slab();
  Mesh ball = rest;

  // Kept from frame to frame, so that its memory is: once warm, a query allocates nothing.
  lamella::Detector detector({.resolution = 128});

  constexpr int kFrames = 10;
  for (int frame = 0; frame <= kFrames; ++frame) {
    deform(rest, static_cast<float>(frame) / kFrames, ball);

    // Valid until the next call.
    const lamella::Overlap& overlap = detector.intersect(ball, floor);

    if (!overlap.health.ok()) {
      std::printf("frame %2d: do not trust this, the mesh is broken\n", frame);
    } else if (!overlap.colliding()) {
      std::printf("frame %2d: apart\n", frame);
    } else {
      // The bounds tell how deep the ball sits in the slab.
      std::printf("frame %2d: volume %.4f, depth %.3f, %.2f ms\n", frame, overlap.volume,
                  lamella::extent(overlap.bounds).z, overlap.ms.total());
    }
  }
}
