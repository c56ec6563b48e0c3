// Of our own modelling, for `simulate surgery`: no patient's.
#include "scenes/organ.hpp"

#include "scenes/implicit.hpp"

namespace lamella::scenes {
namespace {

Part ball(Vec3d middle, double radius, double blend, Vec3d squash, bool carve = false) {
  return {middle, middle, radius, radius, blend, squash, carve};
}

}  // namespace

Mesh organ(std::size_t faces) {
  Shape shape{{}, 0.010, 0.022};
  std::vector<Part>& parts = shape.parts;
  parts.push_back(ball({-0.20, 0.00, 0.21}, 0.36, 0.1, {1, 0.85, 0.58}));                        // large lobe
  parts.push_back({{0.02, 0.03, 0.19}, {0.42, 0.07, 0.165}, 0.25, 0.13, 0.12, {1, 0.9, 0.66}});  // small lobe
  parts.push_back({{-0.30, 0.22, 0.20}, {-0.05, 0.25, 0.18}, 0.14, 0.10, 0.08, {1, 1, 0.8}});    // behind
  parts.push_back(ball({-0.02, -0.29, 0.20}, 0.10, 0.07, {1.1, 1, 0.85}));                       // tip in front
  parts.push_back(ball({0.13, -0.16, 0.30}, 0.26, 0.03, {0.07, 1, 1}, true));                    // fissure
  parts.push_back(ball({-0.19, -0.36, 0.33}, 0.15, 0.05, {0.22, 1, 1}, true));                   // notch
  return mesh_of(shape, faces);
}

Mesh probe(std::size_t faces, double ball_radius, double length) {
  const double rod = ball_radius / 3;
  const Vec3d middle{0, 0, ball_radius};
  Shape shape{{}, rod / 5, rod / 2};
  shape.parts.push_back({middle, middle, ball_radius, ball_radius, rod});
  shape.parts.push_back({middle, {0, 0, length - rod}, rod, rod, rod});
  return mesh_of(shape, faces);
}

}  // namespace lamella::scenes
