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

void add_trunk(std::vector<Part>& parts) {
  parts.push_back({{0, -0.16, -0.10}, {0, -0.04, -0.12}, 0.125, 0.105, 0.06, {1.15, 1, 0.95}});
  parts.push_back({{0, 0.00, -0.12}, {0, 0.20, -0.125}, 0.105, 0.12, 0.06, {1.2, 1, 0.85}});
  add_both(parts, {{0.06, 0.27, -0.125}, {0.165, 0.25, -0.125}, 0.062, 0.062, 0.05});
  parts.push_back({{0, 0.26, -0.125}, {0, 0.40, -0.10}, 0.062, 0.048, 0.04});
  parts.push_back({{0, 0.50, -0.095}, {0, 0.47, -0.08}, 0.105, 0.088, 0.03, {0.88, 1.12, 1}});
  parts.push_back({{0, 0.495, 0.01}, {0, 0.465, 0.028}, 0.012, 0.020, 0.02});                             // nose
  add_both(parts, {{0.094, 0.485, -0.095}, {0.094, 0.485, -0.095}, 0.032, 0.032, 0.012, {0.5, 1, 0.7}});  // ears
  add_both(parts, {{0.038, 0.512, 0.012}, {0.038, 0.512, 0.012}, 0.022, 0.022, 0.02, {1, 1, 1}, true});   // eye sockets
}

void add_limbs(std::vector<Part>& parts) {
  add_both(parts, {{0.185, 0.25, -0.12}, {0.25, 0.03, -0.10}, 0.058, 0.046, 0.03});
  add_both(parts, {{0.25, 0.03, -0.10}, {0.155, -0.045, 0.14}, 0.045, 0.033, 0.006});
  add_both(parts, {{0.15, -0.050, 0.155}, {0.125, -0.065, 0.235}, 0.036, 0.030, 0.015, {1.1, 0.8, 1}});
  add_both(parts, {{0.085, -0.175, -0.06}, {0.125, -0.16, 0.26}, 0.090, 0.066, 0.03});
  add_both(parts, {{0.125, -0.16, 0.265}, {0.125, -0.56, 0.25}, 0.062, 0.036, 0.008});
  add_both(parts, {{0.125, -0.31, 0.243}, {0.125, -0.31, 0.243}, 0.053, 0.053, 0.03, {1, 1.6, 1}});  // calves
  add_both(parts, {{0.125, -0.595, 0.24}, {0.145, -0.605, 0.38}, 0.045, 0.042, 0.02, {1, 0.85, 1}});
}

/// A round stool under the figure; it belongs to the same solid.
void add_stool(std::vector<Part>& parts) {
  parts.push_back({{0, -0.255, -0.10}, {0, -0.255, -0.10}, 0.235, 0.235, 0.01, {1, 0.22, 1}});
  parts.push_back({{0, -0.27, -0.10}, {0, -0.60, -0.10}, 0.085, 0.085, 0.03});
  parts.push_back({{0, -0.62, -0.10}, {0, -0.62, -0.10}, 0.21, 0.21, 0.03, {1, 0.22, 1}});
}

}  // namespace

/// Sits facing +z, hands on the knees.
Mesh seated_figure(std::size_t faces) {
  Shape shape{{}, 0.0115, 0.025};
  add_trunk(shape.parts);
  add_limbs(shape.parts);
  add_stool(shape.parts);
  return mesh_of(shape, faces);
}

}  // namespace lamella::scenes
