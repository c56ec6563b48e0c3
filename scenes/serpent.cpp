#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/revolve.hpp"

namespace lamella::scenes {
namespace {

constexpr double kBody = 0.105;  // the body's largest radius

/// What the seed varies: none of it brings two coils together.
struct Build {
  double sway, phase, scales, girth;
};

Build build_from(std::uint32_t seed) {
  Random random(seed);
  return {random.uniform(-0.06, 0.06), random.uniform(0, 2 * kPi), std::floor(random.uniform(48, 72)),
          random.uniform(0.92, 1.0)};
}

/// Centre line from the snout down the raised neck into the coils, outwards to the tip of the tail.
std::vector<Vec3d> centre_line(const Build& build) {
  constexpr double kTurns = 3.25, kStep = kPi / 8;
  std::vector<Vec3d> points = {{0.02 + build.sway, 0.66, 0.58},
                               {0.02 + build.sway, 0.68, 0.48},
                               {0.01 + build.sway, 0.71, 0.36},
                               {build.sway, 0.73, 0.24},
                               {0, 0.70, 0.10},
                               {-0.02, 0.58, 0.02},
                               {-0.02, 0.44, 0.00},
                               {0.02, 0.32, 0.04},
                               {0.12, 0.22, 0.13}};
  for (double angle = 1.2; angle < 1.2 + 2 * kPi * kTurns; angle += kStep) {
    const double turn = (angle - 1.2) / (2 * kPi);
    // The upper coils rest on the lower, wider ones; the last one lies flat and runs out into the tail.
    const double radius = 0.30 + 0.125 * std::min(turn, 2.4) + 0.2 * std::max(0.0, turn - 2.4);
    const double height = 0.16 - 0.21 * std::min(turn, 2.4);
    points.push_back({radius * elementary::sin(angle), height, radius * elementary::cos(angle)});
  }
  return points;
}

/// Positions and frames at equal steps along the centre line, from the snout. The frame is carried along without
/// twisting, so that the head's up stays the body's back.
struct Spine {
  double step = 0;
  std::vector<Vec3d> position, up, side;

  double length() const { return step * double(position.size() - 1); }
};

Spine make_spine(const std::vector<Vec3d>& control) {
  constexpr int kDense = 8192, kSteps = 1500;
  std::vector<Vec3d> dense;
  double total = 0;
  for (int i = 0; i <= kDense; ++i) {
    dense.push_back(spline(control, double(i) / kDense));
    if (i > 0) total += length(dense[static_cast<std::size_t>(i)] - dense[static_cast<std::size_t>(i - 1)]);
  }
  Spine spine;
  spine.step = total / kSteps;
  double passed = 0;
  std::size_t i = 1;
  for (int k = 0; k <= kSteps; ++k) {
    double step = length(dense[i] - dense[i - 1]);
    while (i + 1 < dense.size() && passed + step < k * spine.step) {
      passed += step;
      ++i;
      step = length(dense[i] - dense[i - 1]);
    }
    spine.position.push_back(mix(dense[i - 1], dense[i], std::clamp((k * spine.step - passed) / step, 0.0, 1.0)));
  }
  Vec3d up{0, 1, 0};
  for (std::size_t k = 0; k < spine.position.size(); ++k) {
    const std::size_t next = std::min(k + 1, spine.position.size() - 1), last = k == 0 ? 0 : k - 1;
    const Vec3d along = normalize(spine.position[next] - spine.position[last]);
    up = normalize(up - along * dot(up, along));
    spine.up.push_back(up);
    spine.side.push_back(cross(along, up));
  }
  return spine;
}

/// Radius at a distance from the snout: head, neck, body, long tail.
double radius_at(double s, double total, double girth) {
  const double head = 0.125 * elementary::exp(-elementary::pow((s - 0.15) / 0.085, 2));
  const double neck = 0.072 + (kBody * girth - 0.072) * smoothstep(0.5, 1.6, s);
  const double tail = elementary::pow(std::clamp((total - s) / (0.45 * total), 0.0, 1.0), 0.75);
  const double snout = std::sqrt(std::clamp(1 - elementary::pow(1 - s / 0.07, 2) * (s < 0.07), 0.0, 1.0));
  const double tip =
      std::sqrt(std::clamp(1 - elementary::pow(1 - (total - s) / 0.02, 2) * (total - s < 0.02), 0.0, 1.0));
  return (neck * smoothstep(-0.12, 0.10, s) * 0.95 + head * 0.45) * snout * (0.12 + 0.88 * tail) * tip;
}

/// Bumps on the surface, as a part of the radius: a crest along the back, eyes, and faint rings of scales.
double relief(double s, double total, double angle, const Build& build) {
  const double back = elementary::exp(-elementary::pow(std::remainder(angle - kPi / 2, 2 * kPi) / 0.22, 2));
  const double teeth = 0.5 + 0.5 * elementary::cos(2 * kPi * build.scales * s / total + build.phase);
  const double body = smoothstep(0.24, 0.45, s) * smoothstep(0, 0.5, total - s);
  double eyes = 0;
  for (const double at : {0.85, kPi - 0.85}) {
    eyes += elementary::exp(-elementary::pow((s - 0.125) / 0.030, 2) -
                            elementary::pow(std::remainder(angle - at, 2 * kPi) / 0.36, 2));
  }
  return 1 + body * back * (0.08 + 0.14 * teeth) + 0.20 * eyes +
         0.012 * body * elementary::cos(3 * kPi * build.scales * s / total);
}

}  // namespace

Mesh serpent(std::size_t faces, std::uint32_t seed) {
  constexpr int kSamples = 3000;
  const Build build = build_from(seed);
  const Spine spine = make_spine(centre_line(build));
  const double total = spine.length();
  std::vector<ProfilePoint> outline;
  for (int i = 0; i <= kSamples; ++i) {
    const double s = total * i / kSamples;
    outline.push_back({radius_at(s, total, build.girth), s});
  }
  outline.front().radius = outline.back().radius = 0;
  return revolve(outline, faces, 48, [&](double radius, double s, double angle) {
    const double x = std::clamp(s / spine.step, 0.0, double(spine.position.size() - 1));
    const auto k = std::min(static_cast<std::size_t>(x), spine.position.size() - 2);
    const double f = x - double(k);
    const double head = elementary::exp(-elementary::pow((s - 0.15) / 0.1, 2));
    const double r = radius * relief(s, total, angle, build);
    return mix(spine.position[k], spine.position[k + 1], f) +
           mix(spine.side[k], spine.side[k + 1], f) * (r * elementary::cos(angle) * (1 + 0.25 * head)) +
           mix(spine.up[k], spine.up[k + 1], f) * (r * elementary::sin(angle) * (1 - 0.2 * head));
  });
}

}  // namespace lamella::scenes
