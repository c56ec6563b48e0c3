// A rabbit that crouches with its ears up, facing +z: stands in for the Stanford bunny. One solid without holes, so
// that one geometry image holds it.
#include "scenes/implicit.hpp"
#include "scenes/models.hpp"

namespace lamella::scenes {
namespace {

void add_both(std::vector<Part>& parts, Part part) {
  parts.push_back(part);
  part.a.x = -part.a.x;
  part.b.x = -part.b.x;
  parts.push_back(part);
}

Part ball(Vec3d middle, double radius, double blend, Vec3d squash = {1, 1, 1}, bool carve = false) {
  return {middle, middle, radius, radius, blend, squash, carve};
}

void add_trunk(std::vector<Part>& parts) {
  parts.push_back({{0, -0.17, -0.20}, {0, -0.15, 0.12}, 0.275, 0.20, 0.1, {0.95, 1, 1}});
  parts.push_back({{0, -0.12, 0.16}, {0, 0.14, 0.22}, 0.185, 0.13, 0.1});  // chest and neck
  parts.push_back(ball({0, -0.20, -0.50}, 0.095, 0.04));                   // tail
}

void add_head(std::vector<Part>& parts) {
  parts.push_back({{0, 0.225, 0.24}, {0, 0.165, 0.36}, 0.165, 0.11, 0.05, {0.92, 1, 1}});
  add_both(parts, ball({0.062, 0.135, 0.37}, 0.078, 0.04));                  // cheeks
  parts.push_back(ball({0, 0.185, 0.462}, 0.026, 0.015, {1.2, 0.9, 1}));     // nose
  add_both(parts, ball({0.112, 0.235, 0.335}, 0.037, 0.012, {0.9, 1, 1}));   // eyes
  parts.push_back(ball({0, 0.08, 0.45}, 0.035, 0.03, {0.5, 1.2, 1}, true));  // mouth
}

/// Flat front and back, widest in the middle, with a dent in front. The squash shortens what they lean back, too: their
/// tips end up 0.6 times as far back as written.
void add_ears(std::vector<Part>& parts) {
  add_both(parts, {{0.075, 0.33, 0.20}, {0.115, 0.52, 0.10}, 0.055, 0.080, 0.03, {1, 1, 0.6}});
  add_both(parts, {{0.115, 0.52, 0.14}, {0.155, 0.74, -0.01}, 0.078, 0.040, 0.02, {1, 1, 0.6}});
  add_both(parts, {{0.100, 0.46, 0.219}, {0.136, 0.65, 0.080}, 0.042, 0.034, 0.03, {1, 1, 0.6}, true});
}

void add_legs(std::vector<Part>& parts) {
  add_both(parts, ball({0.185, -0.235, -0.16}, 0.20, 0.025, {0.75, 1, 1.05}));  // haunches
  add_both(parts, {{0.20, -0.425, -0.20}, {0.225, -0.43, 0.06}, 0.07, 0.065, 0.02, {1, 0.85, 1}});
  add_both(parts, {{0.10, -0.20, 0.21}, {0.105, -0.42, 0.255}, 0.085, 0.052, 0.05});
  add_both(parts, {{0.105, -0.435, 0.265}, {0.105, -0.44, 0.335}, 0.058, 0.054, 0.02, {1, 0.85, 1}});
}

}  // namespace

Mesh rabbit(std::size_t faces) {
  Shape shape{{}, 0.0125, 0.027};
  add_trunk(shape.parts);
  add_legs(shape.parts);
  add_head(shape.parts);
  add_ears(shape.parts);
  return mesh_of(shape, faces);
}

}  // namespace lamella::scenes
