#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "lamella/mesh.hpp"

// What `lamella bench peers` asks of every library. Meshes and points are made here, of seeds, so that all get the
// same.

namespace lamella::bench::peers {

/// Every mesh has two poses, which take turns: at rest, and with every vertex moved by a wave of about 1.5 % of the
/// diagonal.
inline constexpr std::size_t kPoses = 2;

struct MovingMesh {
  std::vector<Triangle> triangles;
  std::array<std::vector<Vec3>, kPoses> positions;

  [[nodiscard]] MeshView at(std::size_t pose) const { return {positions[pose], triangles}; }
};

/// Points anywhere in the mesh's box: which are inside?
struct PointsWork {
  MovingMesh solid;
  std::vector<Vec3> points;
};

/// Do they meet, where, and how much do they share?
struct PairWork {
  MovingMesh a, b;
};

/// Does it overlap itself?
struct SelfWork {
  MovingMesh mesh;
};

/// Which bodies meet? Every vertex of every body moves.
struct BodiesWork {
  std::vector<MovingMesh> bodies;
};

/// The same of bodies that only move: shapes that stay, and their poses.
struct RigidWork {
  std::vector<Mesh> shapes;
  std::array<std::vector<Transform>, kPoses> poses;
  BodiesWork placed;  ///< for methods that know no poses
};

/// How large the works are. By default as in docs/compare.md.
struct WorkSizes {
  std::size_t points = 100'000;
  std::size_t blob_faces = 520'000, knot_faces = 12'000, tube_faces = 50'000;
  std::size_t bodies = 100, body_faces = 3072;
};
/// To try it out.
[[nodiscard]] WorkSizes quick_sizes();

[[nodiscard]] PointsWork points_work(const WorkSizes& sizes);
[[nodiscard]] PairWork pair_work(const WorkSizes& sizes);
[[nodiscard]] SelfWork self_work(const WorkSizes& sizes);
/// Blobs at seeded places in a cube, so many in it that a third of them touch another. The last one is small, and
/// wholly inside the first. Below 2 bodies there is nothing to meet: Error.
[[nodiscard]] BodiesWork bodies_work(const WorkSizes& sizes);
[[nodiscard]] RigidWork rigid_work(const WorkSizes& sizes);

/// Of all poses of all bodies.
[[nodiscard]] Aabb bounds_of(const BodiesWork& work);
[[nodiscard]] std::size_t face_count(const BodiesWork& work);

}  // namespace lamella::bench::peers
