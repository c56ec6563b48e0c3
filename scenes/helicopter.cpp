// A light helicopter, nose towards +x, rotor up in +z. One solid without holes, so that one geometry image holds it:
// each skid hangs on a single strut, since two would make a handle of it.
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/implicit.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

void add_both(std::vector<Part>& parts, Part part) {
  parts.push_back(part);
  part.a.y = -part.a.y;
  part.b.y = -part.b.y;
  parts.push_back(part);
}

void add_fuselage(std::vector<Part>& parts) {
  parts.push_back({{-0.08, 0, 0.00}, {0.20, 0, -0.02}, 0.20, 0.17, 0.05, {1, 0.85, 1}});
  parts.push_back({{0.20, 0, -0.04}, {0.34, 0, -0.075}, 0.15, 0.085, 0.06, {1, 0.95, 1}});  // nose
  parts.push_back({{-0.14, 0, 0.17}, {0.06, 0, 0.18}, 0.085, 0.075, 0.04, {1, 0.9, 1}});    // engine
  parts.push_back({{-0.22, 0, 0.07}, {-0.88, 0, 0.13}, 0.095, 0.042, 0.06});                // boom
}

void add_tail(std::vector<Part>& parts) {
  parts.push_back({{-0.86, 0, 0.12}, {-0.99, 0, 0.33}, 0.085, 0.062, 0.015, {1, 0.36, 1}});  // fin
  parts.push_back({{-0.87, 0, 0.12}, {-0.93, 0, -0.03}, 0.075, 0.055, 0.015, {1, 0.4, 1}});
  add_both(parts, {{-0.66, 0, 0.11}, {-0.68, 0.21, 0.11}, 0.07, 0.058, 0.02, {1, 1, 0.4}});  // stabiliser
  // Tail rotor, on the left.
  parts.push_back({{-0.95, 0, 0.25}, {-0.95, 0.085, 0.25}, 0.03, 0.03, 0.012});
  parts.push_back({{-0.99, 0.095, 0.11}, {-0.91, 0.095, 0.39}, 0.032, 0.032, 0.012, {1, 0.85, 1}});
}

void add_rotor(std::vector<Part>& parts) {
  constexpr double kReach = 0.80, kTurn = 0.60;  // radians from the nose
  parts.push_back({{-0.02, 0, 0.20}, {-0.02, 0, 0.37}, 0.045, 0.034, 0.03});
  parts.push_back({{-0.02, 0, 0.375}, {-0.02, 0, 0.375}, 0.07, 0.07, 0.02, {1, 1, 0.7}});
  for (int blade = 0; blade < 2; ++blade) {
    const double angle = kTurn + kPi * blade;
    const Vec3d tip{-0.02 + kReach * elementary::cos(angle), kReach * elementary::sin(angle), 0.375};
    parts.push_back({{-0.02, 0, 0.375}, tip, 0.054, 0.052, 0.02, {1, 1, 0.52}});
  }
}

void add_skids(std::vector<Part>& parts) {
  add_both(parts, {{0.04, 0.08, -0.14}, {0.04, 0.215, -0.315}, 0.045, 0.03, 0.03, {1, 1, 1}});
  add_both(parts, {{-0.24, 0.22, -0.33}, {0.30, 0.22, -0.33}, 0.03, 0.03, 0.02});
  add_both(parts, {{0.30, 0.22, -0.33}, {0.40, 0.22, -0.27}, 0.03, 0.028, 0.02});
}

}  // namespace

Mesh helicopter(std::size_t faces) {
  Shape shape{{}, 0.0115, 0.025};
  add_fuselage(shape.parts);
  add_tail(shape.parts);
  add_rotor(shape.parts);
  add_skids(shape.parts);
  return mesh_of(shape, faces);
}

}  // namespace lamella::scenes
