#pragma once

#include <memory>
#include <span>

#include "lamella/engine.hpp"
#include "lamella/export.hpp"
#include "lamella/gradient.hpp"
#include "lamella/object_id.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// The queries of query.hpp for every frame of a simulation. Keeps its engine and memory between calls; on the CPU it
/// allocates nothing once warm. Results stay valid until the next call of the same query. Use a Detector from one
/// thread at a time.
class LAMELLA_API Detector {
 public:
  explicit Detector(Options options = {});
  /// With an engine of the caller's, which must not be null. options() then returns these, the engine's name, and
  /// defaults for what only the engine knows.
  explicit Detector(std::unique_ptr<Engine> engine, const QueryOptions& options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  const Overlap& intersect(MeshView a, MeshView b);
  const SelfOverlap& self_intersect(MeshView mesh);
  const Containment& contains(MeshView mesh, std::span<const Vec3> points);
  const Containment& contains(MeshView mesh, std::span<const Vec3d> points);
  const Containment& contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box);
  const VerticesInside& vertices_inside(MeshView a, MeshView b);
  const OverlapGradient& volume_gradient(MeshView a, MeshView b, const GradientOptions& parts = {});
  const SelfGradient& self_gradient(MeshView mesh, const GradientOptions& parts = {});

  /// Keeps a mesh between frames, for engines on a GPU: triangles are checked and uploaded once, and a frame uploads
  /// only the positions that changed. Arrays are read only during the call. CPU engines keep a copy, so a view is
  /// cheaper there.
  [[nodiscard]] ObjectId add(MeshView mesh);
  /// New positions, as many as before, relative to the mesh's origin as before; throws Error for a different number.
  void deform(ObjectId mesh, std::span<const Vec3> positions);
  /// The same in doubles, in world coordinates: the mesh gets an origin near them.
  void deform(ObjectId mesh, std::span<const Vec3d> positions);
  void remove(ObjectId mesh);

  /// Keeps a mesh that moves but never deforms. It is sampled here, once, in its own frame, with the detector's
  /// options. contains() without a box and vertices_inside() then only look points up in it, at any pose. The other
  /// queries sample it again where it stands, like any mesh: a shared volume needs both meshes on one grid. Throws
  /// Error as a query does.
  [[nodiscard]] ObjectId add_rigid(MeshView mesh, const Transform& pose = {});
  /// Places a rigid mesh: rotate, then translate. Throws Error for another mesh, for a pose that is not finite, and for
  /// a quaternion that is not of length 1. Costs nothing by itself.
  void move(ObjectId rigid, const Transform& pose);
  /// The mesh as it was sampled: its LDI, its health, and how long sampling took.
  [[nodiscard]] const RigidMesh& rigid(ObjectId rigid) const;

  const Overlap& intersect(ObjectId a, ObjectId b);
  const SelfOverlap& self_intersect(ObjectId mesh);
  const Containment& contains(ObjectId mesh, std::span<const Vec3> points);
  const Containment& contains(ObjectId mesh, std::span<const Vec3d> points);
  const Containment& contains(ObjectId mesh, std::span<const Vec3> points, const Aabb& box);
  const VerticesInside& vertices_inside(ObjectId a, ObjectId b);
  const OverlapGradient& volume_gradient(ObjectId a, ObjectId b, const GradientOptions& parts = {});
  const SelfGradient& self_gradient(ObjectId mesh, const GradientOptions& parts = {});

  [[nodiscard]] const Options& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
