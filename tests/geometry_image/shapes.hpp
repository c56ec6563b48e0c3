#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "lamella/image_collide.hpp"

// Images and placements for the tests of collisions, and the brute-force answer.

namespace lamella::test {

/// A closed, uneven surface of about unit size.
inline GeometryImage lumpy_ball(int n, unsigned seed, float radius = 1) {
  GeometryImage image = image_of_sphere(n, {}, 1);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(2, 6);
  const Vec3 waves{any(random), any(random), any(random)}, shift{any(random), any(random), any(random)};
  for (Vec3& p : image.positions) {
    const float bump = std::sin(waves.x * p.x + shift.x) * std::sin(waves.y * p.y + shift.y) +
                       0.5f * std::sin(waves.z * p.z * 2 + shift.z);
    p = p * (radius * (1 + 0.25f * bump));
  }
  return image;
}

/// An open sheet of hills from -1 to 1.
inline GeometryImage hills(int n, unsigned seed, float height = 0.2f) {
  const std::uint32_t side = (1u << n) + 1;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(0, 6);
  const float a = any(random), b = any(random), c = any(random);
  std::vector<float> heights(std::size_t{side} * side);
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const float u = static_cast<float>(x) / static_cast<float>(side),
                  v = static_cast<float>(y) / static_cast<float>(side);
      heights[y * side + x] = height * (std::sin(7 * u + a) * std::cos(5 * v + b) + 0.3f * std::sin(23 * u * v + c));
    }
  return image_from_heights(heights, {-1, -1, 0}, {1, 1, 0});
}

/// Triangles by number, with no vertex welded.
inline Mesh unwelded(const GeometryImage& image) {
  Mesh mesh{image.positions, {}};
  for (std::uint32_t i = 0; i < image.triangle_count(); ++i) mesh.triangles.push_back(image_triangle(image.n, i));
  return mesh;
}

inline Transform random_pose(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> any(-1, 1);
  const Vec3d axis{any(random), any(random), 1.5 + any(random)};
  return {Vec3d{any(random), any(random), any(random)} * reach, rotation_about(axis, 3 * any(random))};
}

/// All pairs of triangles that share a point, ascending: every triangle of `a` against every one of `b`, each image's
/// in turn.
inline std::vector<TrianglePair> brute_force(const std::vector<Mesh>& a, const Transform& pose_a,
                                             const std::vector<Mesh>& b, const Transform& pose_b) {
  std::vector<TrianglePair> pairs;
  const Transform relative = relative_pose(pose_a, pose_b);
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    const Mesh moved{placed_positions(b[j], relative), b[j].triangles};
    for (std::uint32_t i = 0; i < a.size(); ++i)
      for (std::uint32_t s = 0; s < a[i].triangles.size(); ++s)
        for (std::uint32_t t = 0; t < moved.triangles.size(); ++t) {
          Vec3 p[3], q[3];
          for (int k = 0; k < 3; ++k) {
            p[k] = a[i].positions[a[i].triangles[s][k]];
            q[k] = moved.positions[moved.triangles[t][k]];
          }
          if (triangles_meet(p, q)) pairs.push_back({i, s, j, t});
        }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

inline std::vector<TrianglePair> sorted(std::vector<TrianglePair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace lamella::test
