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

/// Where a rigid body's frame has to lie in a closed mesh's frame, for Bullet wants it at the centre of mass and along
/// the principal axes of inertia. Throws Error when the volume is not above 0.
[[nodiscard]] LAMELLA_BULLET_API btTransform principal_frame(MeshView mesh);

/// A closed mesh as the shape of any number of bodies, which may move; keeps a copy. Against another MeshShape it
/// collides as a solid, through a Dispatcher. Against Bullet's convex shapes, and for its rays, it is a set of
/// triangles, all of which are looked at: exact, without a margin, and linear in their number. Against Bullet's planes
/// and other concave shapes it does not collide: make such ground of a MeshShape or a btBoxShape.
class LAMELLA_BULLET_API MeshShape : public btConcaveShape {
 public:
  /// Takes the mesh into `frame`, usually its principal_frame; a body at `pose * frame` has the mesh at `pose`.
  explicit MeshShape(MeshView mesh, const btTransform& frame = btTransform::getIdentity());
  MeshShape(const MeshShape&) = delete;
  MeshShape& operator=(const MeshShape&) = delete;

  /// Deforms: new positions in the frame of the mesh that was given, as many as there, else throws Error. Neither the
  /// body's frame nor its inertia follow; contacts that the last step left behind are dropped.
  void update(std::span<const Vec3> positions);

  /// In the body's frame.
  [[nodiscard]] MeshView mesh() const { return mesh_; }
  [[nodiscard]] const btTransform& frame() const { return frame_; }
  /// Differs between any two shapes of a process, and stays.
  [[nodiscard]] std::uint64_t identity() const { return identity_; }
  /// Counts the changes of the positions.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  void processAllTriangles(btTriangleCallback* callback, const btVector3& aabb_min,
                           const btVector3& aabb_max) const override;
  void getAabb(const btTransform& pose, btVector3& aabb_min, btVector3& aabb_max) const override;
  /// All above 0 and finite, else throws Error.
  void setLocalScaling(const btVector3& scaling) override;
  const btVector3& getLocalScaling() const override { return scaling_; }
  /// Of the solid, evenly filled: exact where the body's frame is the principal one.
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
  /// `cell` should be given: a fraction of the thinnest part that is to collide. Up to 8 contacts of a pair are used,
  /// and at least 1 has to be.
  SceneOptions scene = {};
  /// Bodies at rest stay this deep in one another, in parts of Bullet's contact breaking threshold (2 % of the smaller
  /// body's reach): contacts are found where there is a shared volume, so one has to be left. 0 or more, below 1.
  btScalar rest_depth = btScalar(0.1);
};

/// A btCollisionDispatcher that finds all contacts between MeshShapes in one Scene, once for each step, and hands all
/// other pairs to Bullet. What Bullet filters (groups and masks, linked bodies, sleeping pairs) is not tested.
///
/// A body is in the scene as long as Bullet's broad phase pairs it with another MeshShape; its mesh is copied when it
/// comes in. Pairs inside compound shapes, and btCollisionWorld::contactTest, are answered pair by pair, which costs
/// more. A body whose pose is not finite meets no other MeshShape in a step, and makes contactTest throw Error. One
/// thread steps; the scene uses SceneOptions::threads. In btManifoldPoint, m_index0 and m_index1 are the triangles,
/// m_partId0 and m_partId1 Contact::id.
class LAMELLA_BULLET_API Dispatcher : public btCollisionDispatcher {
 public:
  /// Throws Error for options that do not hold.
  explicit Dispatcher(btCollisionConfiguration* configuration, const DispatcherOptions& options = {});
  ~Dispatcher() override;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override;

  /// What the last step found; valid until the next. Before the first step it is empty.
  [[nodiscard]] const SceneResult& result() const;
  [[nodiscard]] const Scene& scene() const;
  /// Its number in result(); nothing while it is paired with no other MeshShape.
  [[nodiscard]] std::optional<ObjectId> object(const btCollisionObject& object) const;

  struct LAMELLA_LOCAL State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lamella::bullet
