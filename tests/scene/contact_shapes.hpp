#pragma once

// Bodies whose contacts are known.

#include <cmath>
#include <numbers>
#include <vector>

#include "scenes/models.hpp"
#include "scenes/revolve.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

inline Mesh cube(float half = 0.5f) { return box_mesh({-half, -half, -half}, {half, half, half}); }

/// Its top is z = 0.
inline Mesh slab() { return box_mesh({-3, -3, -1}, {3, 3, 0}); }

inline Mesh revolved(const std::vector<scenes::ProfilePoint>& profile, std::size_t faces) {
  return scenes::revolve(profile, faces, 20, [](double radius, double along, double angle) {
    return Vec3d{radius * std::cos(angle), -radius * std::sin(angle), along};
  });
}

/// The lower half of a thick shell about the origin, open at the top.
inline Mesh bowl(double inner, double outer, std::size_t faces) {
  std::vector<scenes::ProfilePoint> profile;
  constexpr int kSteps = 200;
  const auto at = [&](double radius, int i) {
    const double angle = std::numbers::pi / 2 * i / kSteps;
    profile.push_back({i == 0 ? 0 : radius * std::sin(angle), -radius * std::cos(angle)});
  };
  for (int i = 0; i <= kSteps; ++i) at(outer, i);
  for (int i = kSteps; i >= 0; --i) at(inner, i);
  return revolved(profile, faces);
}

/// An upright cylinder from z = -half to half.
inline Mesh post(double radius, double half, std::size_t faces) {
  std::vector<scenes::ProfilePoint> profile;
  for (int i = 0; i <= 100; ++i) profile.push_back({radius * i / 100, -half});
  for (int i = 1; i <= 100; ++i) profile.push_back({radius, -half + 2 * half * i / 100});
  for (int i = 99; i >= 0; --i) profile.push_back({radius * i / 100, half});
  return revolved(profile, faces);
}

}  // namespace lamella::test
