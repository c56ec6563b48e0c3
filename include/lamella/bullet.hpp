#pragma once

#include <btBulletCollisionCommon.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/scene.hpp"

// Lamella's contacts in a Bullet world: closed meshes of any shape, deforming ones too, as rigid bodies that Bullet's
// constraints and solver move. Give the bodies a MeshShape and the world a Dispatcher; nothing else changes.
//
// Optional: find_package(lamella COMPONENTS bullet), target lamella::bullet.

namespace lamella::bullet {

/// The frame that Bullet needs for a rigid body, in the mesh's frame: at the centre of mass, along the principal axes
/// of inertia. Throws Error when the mesh is not closed, or its volume not above 0.
[[nodiscard]] LAMELLA_BULLET_API btTransform principal_frame(MeshView mesh);

/// A closed mesh as the shape of any number of bodies, static or moving; keeps a copy. Against another MeshShape it
/// collides as a solid, through a Dispatcher. Against Bullet's convex shapes, and for Bullet's rays, it is a set of
/// triangles, and every one is tested: exact, without a margin, at a cost linear in their number. It does not collide
/// with Bullet's planes and other concave shapes: use a MeshShape or a btBoxShape for the ground.
class LAMELLA_BULLET_API MeshShape : public btConcaveShape {
 public:
  /// Converts the mesh to `frame`, usually its principal_frame: a body at `pose * frame` has the mesh at `pose`. Throws
  /// Error when an index is out of range or the frame is not finite.
  explicit MeshShape(MeshView mesh, const btTransform& frame = btTransform::getIdentity());
  MeshShape(const MeshShape&) = delete;
  MeshShape& operator=(const MeshShape&) = delete;

  /// New positions in the frame of the original mesh; throws Error when their number differs from before. Changes
  /// neither the body's frame nor its inertia. Contacts from the last step are dropped.
  void deform(std::span<const Vec3> positions);

  /// In the body's frame.
  [[nodiscard]] MeshView mesh() const { return mesh_; }
  [[nodiscard]] const btTransform& frame() const { return frame_; }
  /// Unique among all shapes of a process; never changes.
  [[nodiscard]] std::uint64_t identity() const { return identity_; }
  /// Goes up by one with every change of the positions.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  void processAllTriangles(btTriangleCallback* callback, const btVector3& aabb_min,
                           const btVector3& aabb_max) const override;
  void getAabb(const btTransform& pose, btVector3& aabb_min, btVector3& aabb_max) const override;
  /// Throws Error when a factor is not above 0 and finite.
  void setLocalScaling(const btVector3& scaling) override;
  const btVector3& getLocalScaling() const override { return scaling_; }
  /// Of the solid with uniform density; exact when the body's frame is the principal frame.
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  const char* getName() const override { return "LamellaMesh"; }

 private:
  void place(std::span<const Vec3> positions);

  Mesh mesh_;
  btTransform frame_;
  btVector3 scaling_{1, 1, 1};
  Aabb box_;
  std::uint64_t identity_ = 0, revision_ = 0;
};

struct DispatcherOptions {
  /// Give `cell`: a fraction of the thinnest part that must collide. `max_contacts`: 1 to 8.
  SceneOptions scene = {};
  /// How deep resting bodies stay inside each other, as a fraction of Bullet's contact breaking threshold (2 % of the
  /// smaller body's reach). Contacts are found only where bodies share a volume, so some depth must remain. 0 or more,
  /// below 1.
  btScalar rest_depth = btScalar(0.1);
};

/// A btCollisionDispatcher that finds all contacts between MeshShapes in one Scene, once per step, and leaves all other
/// pairs to Bullet. Pairs that Bullet filters out (groups and masks, linked bodies, sleeping pairs) are not tested.
///
/// A body is in the scene as long as Bullet's broad phase pairs it with another MeshShape; its mesh is copied when it
/// enters. Pairs inside compound shapes and btCollisionWorld::contactTest are answered pair by pair, which costs more.
/// A body whose pose is not finite collides with no MeshShape in a step, and makes contactTest throw Error. Step from
/// one thread; the scene uses SceneOptions::threads. In btManifoldPoint, m_index0 and m_index1 are the triangles,
/// m_partId0 and m_partId1 are Contact::id.
class LAMELLA_BULLET_API Dispatcher : public btCollisionDispatcher {
 public:
  /// Throws Error for options that are out of range.
  explicit Dispatcher(btCollisionConfiguration* configuration, const DispatcherOptions& options = {});
  ~Dispatcher() override;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override;

  /// What the last step found; valid until the next step. Empty before the first step.
  [[nodiscard]] const SceneResult& result() const;
  [[nodiscard]] const Scene& scene() const;
  /// The body's id in result(); none while it is not in the scene.
  [[nodiscard]] std::optional<ObjectId> object(const btCollisionObject& object) const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lamella::bullet
