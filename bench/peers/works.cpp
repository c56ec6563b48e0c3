#include "bench/peers/works.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench::peers {
namespace {

/// Edge of the cube in which bodies of radius 1 are put, for 100 of them; more bodies get a larger one.
constexpr double kCubeOfHundred = 19;
constexpr double kSmall = 0.3;  ///< the size of the body that is inside another
constexpr float kOverlappingTube = 0.6f;
constexpr double kStep = 0.1;  ///< how far a body moves and turns between two poses, at most: units, radians

MovingMesh moving(Mesh rest, std::uint32_t seed = 1) {
  MovingMesh mesh{std::move(rest.triangles), {}};
  mesh.positions[0] = std::move(rest.positions);
  mesh.positions[1].resize(mesh.positions[0].size());
  scenes::wobble(mesh.positions[0], 0, seed, mesh.positions[1]);
  return mesh;
}

void place(std::vector<Vec3>& positions, const Transform& pose) {
  for (Vec3& p : positions) p = to_float(apply(pose, to_double(p)));
}

using Poses = std::array<Transform, kPoses>;

/// Where a body is in the two poses.
Poses random_poses(scenes::Random& random, double side) {
  const Vec3d start{random.uniform(0, side), random.uniform(0, side), random.uniform(0, side)};
  const Vec3d axis = random.direction();
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  const Vec3d step = random.direction() * random.uniform(0, kStep);
  return {Transform{start, rotation_about(axis, angle)}, Transform{start + step, rotation_about(axis, angle + kStep)}};
}

struct Body {
  Mesh shape;
  Poses poses;
};

std::vector<Body> make_bodies(const WorkSizes& sizes) {
  if (sizes.bodies < 2) throw Error("a work of bodies needs two of them");
  scenes::Random random(1);
  const double side = kCubeOfHundred * std::cbrt(static_cast<double>(sizes.bodies) / 100);
  std::vector<Body> bodies;
  for (std::uint32_t i = 0; i < sizes.bodies; ++i) {
    bodies.push_back({scenes::blob(sizes.body_faces, i + 1), random_poses(random, side)});
  }
  Body& inner = bodies.back();
  for (Vec3& p : inner.shape.positions) p = p * static_cast<float>(kSmall);
  for (std::size_t i = 0; i < kPoses; ++i) inner.poses[i].translation = bodies.front().poses[i].translation;
  return bodies;
}

}  // namespace

WorkSizes quick_sizes() {
  return {.points = 10'000,
          .blob_faces = 20'000,
          .knot_faces = 3'000,
          .tube_faces = 5'000,
          .bodies = 30,
          .body_faces = 768};
}

PointsWork points_work(const WorkSizes& sizes) {
  PointsWork work{moving(scenes::blob(sizes.blob_faces)), {}};
  work.points = scenes::random_points(work.solid.at(0), sizes.points);
  return work;
}

PairWork pair_work(const WorkSizes& sizes) {
  Mesh blob = scenes::blob(sizes.blob_faces);
  place(blob.positions, {{0.9, 0.35, 0.1}, {}});
  return {moving(scenes::torus_knot(sizes.knot_faces)), moving(std::move(blob), 2)};
}

SelfWork self_work(const WorkSizes& sizes) { return {moving(scenes::torus_knot(sizes.tube_faces, kOverlappingTube))}; }

BodiesWork bodies_work(const WorkSizes& sizes) {
  BodiesWork work;
  for (Body& body : make_bodies(sizes)) {
    MovingMesh& mesh =
        work.bodies.emplace_back(moving(std::move(body.shape), static_cast<std::uint32_t>(work.bodies.size())));
    for (std::size_t i = 0; i < kPoses; ++i) place(mesh.positions[i], body.poses[i]);
  }
  return work;
}

RigidWork rigid_work(const WorkSizes& sizes) {
  RigidWork work;
  for (Body& body : make_bodies(sizes)) {
    MovingMesh& mesh = work.placed.bodies.emplace_back();
    mesh.triangles = body.shape.triangles;
    for (std::size_t i = 0; i < kPoses; ++i) {
      work.poses[i].push_back(body.poses[i]);
      mesh.positions[i] = body.shape.positions;
      place(mesh.positions[i], body.poses[i]);
    }
    work.shapes.push_back(std::move(body.shape));
  }
  return work;
}

Aabb bounds_of(const BodiesWork& work) {
  Aabb box;
  for (const MovingMesh& body : work.bodies) {
    for (std::size_t i = 0; i < kPoses; ++i) box = unite(box, bounds(body.at(i)));
  }
  return box;
}

std::size_t face_count(const BodiesWork& work) {
  std::size_t faces = 0;
  for (const MovingMesh& body : work.bodies) faces += body.triangles.size();
  return faces;
}

}  // namespace lamella::bench::peers
