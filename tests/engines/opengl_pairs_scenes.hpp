#pragma once

// Random scenes of several objects, for gl-pairs.

#include <vector>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

inline Mesh placed(Random& random, const Mesh& mesh, float spread, float size) {
  const Quaternion turn = rotation_about({random.uniform(-1, 1), random.uniform(-1, 1), 1.1}, random.uniform(0, 3));
  Mesh small = mesh;
  for (Vec3& p : small.positions) p = p * size;
  return transformed(small, {to_double(random.in({{-spread, -spread, -spread}, {spread, spread, spread}})), turn});
}

inline Mesh any_model(Random& random) {
  switch (random.below(5)) {
    case 0:
      return scenes::torus(200);
    case 1:
      return scenes::torus_knot(500);
    case 2:
      return scenes::blob(300, random.below(8) + 1);
    case 3:
      return scenes::sphere(150);
    default:
      return scenes::box(60);
  }
}

inline Mesh moved(const Mesh& mesh, Vec3 by) {
  Mesh out = mesh;
  for (Vec3& p : out.positions) p = p + by;
  return out;
}

/// Two to twelve objects, of one of five kinds of scene.
inline std::vector<Mesh> random_scene(std::uint32_t seed) {
  Random random(seed);
  const std::uint32_t count = 2 + random.below(11);
  std::vector<Mesh> meshes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const float f = static_cast<float>(i);
    switch (seed % 5) {
      case 0:
        meshes.push_back(placed(random, any_model(random), 1.5f, random.uniform(0.3f, 0.9f)));
        break;
      case 1:  // nested, not around one centre
        meshes.push_back(placed(random, i % 2 == 0 ? scenes::sphere(150) : any_model(random), 0.02f, 1.0f / (1 + f)));
        break;
      case 2:  // boxes that touch, one of them pushed into its neighbour
        meshes.push_back(moved(scenes::box(12 + 12 * random.below(3), {0.5f, 0.5f, 0.5f}),
                               {static_cast<float>(i % 3), static_cast<float>(i / 3 % 2), static_cast<float>(i / 6)}));
        if (i == 1) meshes.back() = moved(meshes.back(), {-0.25f, 0, 0.125f});
        break;
      case 3:  // every other one a copy of the one before
        meshes.push_back(i % 2 == 1 ? meshes.back()
                                    : placed(random, any_model(random), 1.2f, random.uniform(0.3f, 0.8f)));
        break;
      default:  // a heap: three and more at one place
        meshes.push_back(placed(random, any_model(random), 0.4f, random.uniform(0.3f, 0.7f)));
    }
  }
  return meshes;
}

}  // namespace lamella::test
