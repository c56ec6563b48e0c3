#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "lamella/export.hpp"
#include "lamella/scene.hpp"

namespace lamella {

/// Rows of a 3 x 3 matrix.
using Matrix3 = std::array<Vec3d, 3>;

struct MassProperties {
  double mass = 0;
  Vec3d center;     ///< of mass, in the mesh's frame
  Matrix3 inertia;  ///< about the center, in the mesh's axes
};

/// Of a closed mesh filled with `density`. Throws Error when the volume is not above 0.
[[nodiscard]] LAMELLA_API MassProperties mass_properties(MeshView mesh, double density = 1);

struct BodyOptions {
  double density = 1;
  double restitution = 0.3;  ///< 0 to 1; of a pair the smaller counts
  double friction = 0.5;     ///< Coulomb; of a pair the larger counts
  bool fixed = false;        ///< infinite mass
};

/// State of one body, free to be changed between steps. Velocity is that of the center of mass, angular velocity in
/// radians per second about the world's axes. A fixed body is moved by its velocities and by nothing else.
struct RigidBody {
  Transform pose;  ///< of the mesh's frame in the world
  Vec3d velocity, angular_velocity;
  double inverse_mass = 0;  ///< 0: fixed
  Vec3d center;             ///< of mass, in the mesh's frame
  Matrix3 inverse_inertia;  ///< about the center, in the mesh's axes; 0: fixed
  double restitution = 0, friction = 0;
  double thickness = 0;  ///< the box's thinnest side, or 4 volume / area if that is less: a tube's diameter
  double reach = 0;      ///< of the vertex farthest from the center
};

struct RigidWorldOptions {
  Vec3d gravity{0, 0, -9.81};
  unsigned collision_iterations = 5;  ///< rounds over all pairs, fewer when nothing approaches any more
  unsigned contact_iterations = 10;   ///< sweeps over all contacts, and as many over each level of a stack
  bool shock_propagation = true;
  /// A step is cut into as many parts as keep every body from moving further than half its thickness, up to this.
  /// Bodies then meet before they are half through one another, and nothing passes through anything (tested with slabs
  /// down to a third as thick as what flies at them), at speeds of up to
  /// max_substeps * thickness / (2 * seconds of the step), where a body's speed is
  /// |velocity| + |angular velocity| * reach + |gravity| * seconds.
  unsigned max_substeps = 16;
};

/// What the last step did.
struct StepReport {
  unsigned substeps = 0;
  double collide_ms = 0, response_ms = 0;
  std::uint32_t impulses = 0;
  std::uint32_t pushed = 0;  ///< contacts that were too deep at the end of a part, and were moved apart
  bool over_limit = false;   ///< a body was faster than max_substeps allows: it may have passed through another
};

/// Rigid bodies under gravity that collide, roll, slide and stack: detection on the predicted configuration, then
/// collision, velocity, contact, shock propagation, after Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies with
/// Stacking", 2003. One Scene::collide() per part of a step. In double, and the same bits for any number of threads;
/// contacts come in float, so worlds are best kept near the origin. Nothing is allocated once warm, beside what the
/// scene allocates. Use one from one thread at a time. An id that is not of this world, or was removed, is an Error.
///
/// Collisions conserve momentum and, but for the push-out, angular momentum to rounding, and never add energy.
class LAMELLA_API RigidWorld {
 public:
  /// Throws Error when `scene` makes no contacts, which would let bodies fall through one another.
  explicit RigidWorld(SceneOptions scene = {}, RigidWorldOptions options = {});
  ~RigidWorld();
  RigidWorld(RigidWorld&&) noexcept;
  RigidWorld& operator=(RigidWorld&&) noexcept;

  /// Copies the mesh, which must be closed unless the body is fixed.
  ObjectId add(MeshView mesh, const Transform& pose = {}, const BodyOptions& options = {});
  /// A later body takes its memory.
  void remove(ObjectId object);
  /// Valid until the next add, or until it is removed.
  [[nodiscard]] RigidBody& body(ObjectId object);
  [[nodiscard]] const RigidBody& body(ObjectId object) const;
  /// The scene it runs on: to ignore pairs, to look at meshes. Poses are set by step(); add and remove bodies here, not
  /// there. An object added there is in contacts(), but stops no body.
  [[nodiscard]] Scene& scene();
  [[nodiscard]] const RigidWorldOptions& options() const;
  void set_gravity(Vec3d gravity);

  /// Throws Error when `seconds` is not above 0, or a body's state is not finite.
  void step(double seconds);
  /// Of the last step's last part, on its predicted poses.
  [[nodiscard]] const SceneResult& contacts() const;
  [[nodiscard]] const StepReport& report() const;

  /// Of all bodies that are not fixed.
  [[nodiscard]] double kinetic_energy() const;
  [[nodiscard]] double potential_energy() const;  ///< against gravity, from the origin
  [[nodiscard]] Vec3d momentum() const;
  [[nodiscard]] Vec3d angular_momentum() const;  ///< about the origin

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
