// A mouse that sits up, facing +z.
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/implicit.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"

namespace lamella::scenes {
namespace {

Part mirrored(Part part) {
  part.a.x = -part.a.x;
  part.b.x = -part.b.x;
  return part;
}

void add_both(std::vector<Part>& parts, const Part& part) {
  parts.push_back(part);
  parts.push_back(mirrored(part));
}

void add_head(std::vector<Part>& parts) {
  parts.push_back({{0, 0.25, 0.02}, {0, 0.22, 0.10}, 0.20, 0.17, 0.08});
  parts.push_back({{0, 0.20, 0.12}, {0, 0.165, 0.33}, 0.13, 0.048, 0.05});
  parts.push_back({{0, 0.185, 0.385}, {0, 0.185, 0.385}, 0.036, 0.036, 0.012});
  add_both(parts, {{0.085, 0.175, 0.17}, {0.085, 0.175, 0.17}, 0.085, 0.085, 0.05});                      // cheeks
  add_both(parts, {{0.225, 0.45, -0.03}, {0.225, 0.45, -0.03}, 0.17, 0.17, 0.03, {1, 1, 0.36}});          // ears
  add_both(parts, {{0.235, 0.46, 0.065}, {0.235, 0.46, 0.065}, 0.125, 0.125, 0.03, {1, 1, 0.55}, true});  // hollows
  add_both(parts, {{0.092, 0.30, 0.198}, {0.092, 0.30, 0.198}, 0.036, 0.036, 0.008});                     // eyes
  parts.push_back({{-0.05, 0.105, 0.30}, {0.05, 0.105, 0.30}, 0.014, 0.014, 0.014, {1, 1, 1}, true});     // mouth
}

void add_limbs(std::vector<Part>& parts) {
  add_both(parts, {{0.16, 0.00, 0.06}, {0.185, -0.12, 0.19}, 0.065, 0.05, 0.04});
  add_both(parts, {{0.185, -0.12, 0.19}, {0.10, -0.09, 0.31}, 0.048, 0.04, 0.008});
  add_both(parts, {{0.09, -0.08, 0.325}, {0.09, -0.08, 0.325}, 0.052, 0.052, 0.02});
  add_both(parts, {{0.19, -0.40, 0.06}, {0.21, -0.43, 0.14}, 0.155, 0.12, 0.05});
  add_both(parts, {{0.19, -0.545, 0.12}, {0.24, -0.56, 0.40}, 0.085, 0.075, 0.03, {1, 0.7, 1}});
}

/// From the rump back and around to one side; the seed says which, and how far up.
void add_tail(std::vector<Part>& parts, Random& random) {
  constexpr int kPieces = 14;
  const double side = random.uniform() < 0.5 ? 1.0 : -1.0, lift = random.uniform(0.10, 0.28);
  const auto at = [&](double t) {
    const double angle = 2.3 * t;
    return Vec3d{side * 0.36 * (1 - elementary::cos(angle)), -0.51 + 1.6 * lift * t * t * t,
                 -0.24 - 0.40 * elementary::sin(angle)};
  };
  for (int i = 0; i < kPieces; ++i) {
    const double t = double(i) / kPieces, next = double(i + 1) / kPieces;
    parts.push_back({at(t), at(next), 0.052 - 0.026 * t, 0.052 - 0.026 * next, 0.004});
  }
}

struct Wave {
  Vec3d direction;
  double phase;
};

/// Ruffles the coat by a sum of waves along the surface's own normals.
void add_fur(const Shape& shape, Random& random, Mesh& mesh) {
  constexpr int kWaves = 7;
  constexpr double kHeight = 0.0016;
  Wave waves[kWaves];
  for (Wave& w : waves) w = {random.direction() * random.uniform(35, 75), random.uniform(0, 2 * kPi)};
  for (Vec3& position : mesh.positions) {
    const Vec3d p = to_double(position);
    const Vec3d g = gradient(shape, p);
    double sum = 0;
    for (const Wave& w : waves) sum += elementary::sin(dot(w.direction, p) + w.phase);
    position = to_float(p + g * (kHeight * sum / std::max(length(g), 0.1)));
  }
}

}  // namespace

Mesh mouse(std::size_t faces, std::uint32_t seed) {
  Random random(seed);
  Shape shape{{}, 0.0145, 0.030};
  shape.parts.push_back({{0, -0.34, -0.02}, {0, -0.02, 0.0}, 0.275, 0.20, 0.1});
  add_head(shape.parts);
  add_limbs(shape.parts);
  add_tail(shape.parts, random);
  Mesh mesh = mesh_of(shape, faces);
  add_fur(shape, random, mesh);
  return mesh;
}

}  // namespace lamella::scenes
