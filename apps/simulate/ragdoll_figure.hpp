#pragma once

#include <btBulletDynamicsCommon.h>

#include <array>
#include <memory>
#include <vector>

#include "lamella/bullet.hpp"
#include "lamella/mesh.hpp"

// A jointed figure of thirteen limbs, 1.8 m tall, for Bullet.

namespace lamella::simulate {

/// A body in the world and its mesh. The shape outlives the body.
struct BulletBody {
  std::unique_ptr<bullet::MeshShape> shape;
  std::unique_ptr<btRigidBody> body;
};

/// A solid at `pose` (of the mesh's own frame), of mass `density` times its volume; density 0: fixed.
[[nodiscard]] BulletBody make_body(MeshView mesh, const btTransform& pose, double density);

struct RagdollFigure {
  static constexpr int kLimbs = 13;

  std::array<BulletBody, kLimbs> limbs;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;  ///< refer to the limbs
};

/// `pose` places a figure that stands upright, looks along x and has its pelvis at the origin.
[[nodiscard]] RagdollFigure make_ragdoll_figure(const btTransform& pose);

/// How far a joint's two anchors have come apart.
[[nodiscard]] double joint_gap(const btTypedConstraint& joint);

}  // namespace lamella::simulate
