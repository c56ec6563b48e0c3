#pragma once

// Random scenes of closed bodies.

#include <algorithm>
#include <cmath>
#include <vector>

#include "lamella/scene.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

struct Body {
  Mesh mesh;
  Transform pose;
};
using Bodies = std::vector<Body>;

inline Mesh scaled(Mesh mesh, float by) {
  for (Vec3& p : mesh.positions) p = p * by;
  return mesh;
}

inline Quaternion random_rotation(Random& random) {
  const Vec3 axis = random.in({{-1, -1, -1}, {1, 1, 1}});
  return rotation_about(to_double(axis) + Vec3d{0.01, 0, 0}, random.uniform(0, 6.28f));
}

/// A few hundred faces or fewer, concave ones most often; about one unit in radius.
inline const std::vector<Mesh>& small_bodies() {
  static const std::vector<Mesh> bodies{
      scenes::sphere(80),   scenes::box(12, {0.8f, 0.5f, 0.3f}),
      scenes::torus(160),   scenes::torus_knot(500),
      scenes::blob(200, 3), scenes::hand(400),
      scenes::hand(400, 1), scenes::torus_knot(300, 0.6f),
      scenes::blob(120, 8), tetrahedron({-1, -1, -1}, {1, -0.5f, -1}, {0, 1, -1}, {0.2f, 0, 1})};
  return bodies;
}

inline Body random_body(Random& random, const Aabb& where) {
  const auto& bodies = small_bodies();
  const Mesh& mesh = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
  return {scaled(mesh, random.uniform(0.5f, 1.2f)), {to_double(random.in(where)), random_rotation(random)}};
}

/// Bodies strewn over a cube in which each meets few others, or many.
inline void strew(Bodies& bodies, Random& random, std::uint32_t count) {
  const float side = std::cbrt(static_cast<float>(count)) * random.uniform(0.7f, 2.5f);
  const Aabb where{{-side / 2, -side / 2, -side / 2}, {side / 2, side / 2, side / 2}};
  for (std::uint32_t i = 0; i < count; ++i) bodies.push_back(random_body(random, where));
}

/// Shrunk copies inside one another, about one centre.
inline void nest(Bodies& bodies, Random& random, std::uint32_t count) {
  Body body = random_body(random, {{-3, -3, -3}, {3, 3, 3}});
  for (std::uint32_t i = 0; i < count; ++i) {
    bodies.push_back(body);
    body.mesh = scaled(body.mesh, random.uniform(0.4f, 0.9f));
  }
}

/// Boxes of a lattice, face on face, some of them overlapping.
inline void pack(Bodies& bodies, Random& random, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    Vec3 low, size;
    for (int k = 0; k < 3; ++k) {
      low[k] = 0.5f * static_cast<float>(random.below(9));
      size[k] = 0.5f * static_cast<float>(1 + random.below(3));
    }
    bodies.push_back({box_mesh(low, low + size), {}});
  }
}

/// The same body again in the same place, or turned on the spot.
inline void copy(Bodies& bodies, Random& random, std::uint32_t count) {
  const Body body = random_body(random, {{-2, -2, -2}, {2, 2, 2}});
  for (std::uint32_t i = 0; i < count; ++i) {
    bodies.push_back(body);
    if (random.below(3) == 0) bodies.back().pose.rotation = random_rotation(random);
  }
}

/// Three bodies in one another.
inline void triple(Bodies& bodies, Random& random) {
  const Vec3 at = random.in({{-3, -3, -3}, {3, 3, 3}});
  for (int i = 0; i < 3; ++i)
    bodies.push_back(random_body(random, {at - Vec3{0.4f, 0.4f, 0.4f}, at + Vec3{0.4f, 0.4f, 0.4f}}));
}

/// 2 to 60 bodies.
inline Bodies random_scene(std::uint32_t seed) {
  Random random(seed);
  Bodies bodies;
  switch (seed % 7) {
    case 0:
      strew(bodies, random, 2 + random.below(4));
      break;
    case 1:
      strew(bodies, random, 10 + random.below(16));
      break;
    case 2:
      nest(bodies, random, 2 + random.below(4));
      break;
    case 3:
      pack(bodies, random, 2 + random.below(20));
      break;
    case 4:
      copy(bodies, random, 2 + random.below(4));
      break;
    case 5:
      triple(bodies, random);
      break;
    default:
      strew(bodies, random, random.below(30));
      nest(bodies, random, 3);
      pack(bodies, random, random.below(20));
      copy(bodies, random, 2);
      triple(bodies, random);
      bodies.push_back(random_body(random, {{40, 40, 40}, {50, 50, 50}}));  // alone
  }
  return bodies;
}

inline void add_all(Scene& scene, const Bodies& bodies) {
  for (const Body& b : bodies) (void)scene.add(b.mesh, b.pose);
}

/// A body relative to the origin of a group.
inline Mesh placed(const Body& body, Vec3d origin) {
  return {placed_positions(body.mesh, body.pose, origin), body.mesh.triangles};
}

/// Bodies in the world, without origins, however far away they are.
inline std::vector<Mesh> placed(const Bodies& bodies) {
  std::vector<Mesh> meshes;
  for (const Body& b : bodies) meshes.push_back(placed(b, {}));
  return meshes;
}

/// Two bodies whose boxes share a volume.
struct NearPair {
  std::uint32_t a = 0, b = 0;
  Aabb shared, both;
};

/// All of them, ascending.
inline std::vector<NearPair> near_pairs(const std::vector<Mesh>& meshes) {
  std::vector<Aabb> boxes;
  for (const Mesh& m : meshes) boxes.push_back(bounds(m));
  std::vector<NearPair> pairs;
  for (std::uint32_t a = 0; a < meshes.size(); ++a)
    for (std::uint32_t b = a + 1; b < meshes.size(); ++b) {
      NearPair pair{a, b, {}, unite(boxes[a], boxes[b])};
      bool shares = true;
      for (int i = 0; i < 3; ++i) {
        pair.shared.min[i] = std::max(boxes[a].min[i], boxes[b].min[i]);
        pair.shared.max[i] = std::min(boxes[a].max[i], boxes[b].max[i]);
        shares = shares && pair.shared.min[i] < pair.shared.max[i];
      }
      if (shares) pairs.push_back(pair);
    }
  return pairs;
}

/// Whether all that a pair can share lies on a group's grid, and both bodies between its ends.
inline bool holds(const SceneGroup& group, const NearPair& pair) {
  const Grid& grid = group.grid;
  // Of the floats of boxes in the world.
  const auto rounding = [](float x) { return 0x1p-22 * std::abs(static_cast<double>(x)); };
  const auto within = [&](int i, const Aabb& box) {
    return grid.box.min[i] + group.origin[i] <= box.min[i] + rounding(box.min[i]) &&
           box.max[i] - rounding(box.max[i]) <= grid.box.max[i] + group.origin[i];
  };
  return within(grid.u(), pair.shared) && within(grid.v(), pair.shared) && within(grid.w(), pair.both);
}

}  // namespace lamella::test
