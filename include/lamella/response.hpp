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

/// Of a closed mesh filled with `density`. Throws Error when the mesh is open or not finite, when its volume is not
/// above 0 or its inertia not that of a solid (parts are inside out), and when either is beyond what double can hold.
[[nodiscard]] LAMELLA_API MassProperties mass_properties(MeshView mesh, double density = 1);

struct BodyOptions {
  double density = 1;        ///< finite and above 0; not used when fixed
  double restitution = 0.3;  ///< 0 to 1; a pair uses the smaller of the two
  double friction = 0.5;     ///< Coulomb's coefficient, finite and 0 or more; a pair uses the larger of the two
  bool fixed = false;        ///< infinite mass
};

/// State of one body, which the caller may change between steps. Velocity is that of the center of mass, angular
/// velocity in radians per second about the world's axes. Only its own velocities move a fixed body.
struct RigidBody {
  Transform pose;  ///< of the mesh's frame in the world
  Vec3d velocity, angular_velocity;
  double inverse_mass = 0;  ///< 0: fixed
  Vec3d center;             ///< of mass, in the mesh's frame
  Matrix3 inverse_inertia;  ///< about the center, in the mesh's axes; 0: fixed
  double restitution = 0, friction = 0;
  double thickness = 0;  ///< the box's thinnest side, or 4 volume / area if that is less: a tube's diameter
  double reach = 0;      ///< distance of the farthest vertex from the center
};

struct RigidWorldOptions {
  Vec3d gravity{0, 0, -9.81};
  unsigned collision_iterations = 5;  ///< rounds over all pairs at most; ends when no two bodies approach
  unsigned contact_iterations = 10;   ///< sweeps over all contacts, and as many over each level of a stack
  bool shock_propagation = true;      ///< after the contacts, level by level from the ground up: stacks stand
  /// A step is divided into substeps, so that bodies collide before they are half inside each other: into so many that
  /// none moves further than half its thickness in one, where |velocity| + |angular velocity| * reach +
  /// |gravity| * seconds is its speed. If that is more than this many, 1 or more, bodies fly on to their first touch,
  /// which Scene::sweep() finds: none passes through another, at any speed and however thin it is. Only spins
  /// still need substeps then, so that none turns further than half its thickness.
  unsigned max_substeps = 16;
  /// Bodies deep inside each other, which contacts cannot separate, leave by the shortest way (separation()), in a few
  /// substeps and without a change of velocity. The search takes as long as many substeps, once for a pair.
  bool ways_out = true;
};

/// What the last step did.
struct StepReport {
  unsigned substep_count = 0;
  Timings ms;  ///< of all substeps: those of Scene::collide(), and `solve`
  std::uint32_t impulse_count = 0;
  std::uint32_t pushed_count = 0;  ///< contacts that were too deep at the end of a substep and were moved apart
  std::uint32_t way_count = 0;     ///< pairs that were moved along their way out, over all substeps
  std::uint32_t sweep_count = 0;   ///< pairs that were swept, over all substeps
  bool over_limit = false;         ///< a body spun faster than max_substeps allows: it may have turned through another
  /// The part of the step that was left when max_substeps were used up: bodies that touch too often in a step are then
  /// where they should have been that much earlier.
  double seconds_left = 0;
};

/// Rigid bodies under gravity that collide, roll, slide and stack: detection on the predicted configuration, then
/// collision, velocity, contact, shock propagation, after Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies with
/// Stacking", 2003. One Scene::collide() per substep. Computes in double, with the same bits for any number of threads;
/// contacts are float, so keep worlds near the origin. Once warm only the scene allocates. Use one from one thread at a
/// time. Throws Error for an id that is not in this world or was removed.
///
/// Collisions conserve momentum to rounding and never add energy. They conserve angular momentum too, except for the
/// push-out of deep contacts and ways out. These move bodies and leave their velocities, and centres of mass in common
/// stay where they are, where no body is fixed.
class LAMELLA_API RigidWorld {
 public:
  /// Throws Error for options out of range, and when SceneOptions::max_contacts is 0, which would let bodies fall
  /// through each other.
  explicit RigidWorld(SceneOptions scene = {}, RigidWorldOptions options = {});
  ~RigidWorld();
  RigidWorld(RigidWorld&&) noexcept;
  RigidWorld& operator=(RigidWorld&&) noexcept;

  /// Copies the mesh. Throws Error when it is not closed and the body is not fixed (see mass_properties), and for
  /// options and a pose that are out of range.
  ObjectId add(MeshView mesh, const Transform& pose = {}, const BodyOptions& options = {});
  /// Its memory is reused by later bodies, its id is not.
  void remove(ObjectId object);
  /// Valid until the next add(), or until the body is removed.
  [[nodiscard]] RigidBody& body(ObjectId object);
  [[nodiscard]] const RigidBody& body(ObjectId object) const;
  /// The scene it runs on: to ignore pairs, to look at meshes. step() sets the poses. Add and remove bodies through the
  /// world: an object added to the scene is in result(), but stops no body.
  [[nodiscard]] Scene& scene();
  [[nodiscard]] const RigidWorldOptions& options() const;
  void set_gravity(Vec3d gravity);

  /// Throws Error when `seconds` is not above 0 and finite, or a body's state is not finite or out of range.
  void step(double seconds);
  /// What the scene found in the last substep, on the predicted poses; empty before the first step.
  [[nodiscard]] const SceneResult& result() const;
  [[nodiscard]] const StepReport& report() const;

  // Of all bodies that are not fixed:
  [[nodiscard]] double kinetic_energy() const;
  [[nodiscard]] double potential_energy() const;  ///< in gravity; 0 at the origin
  [[nodiscard]] Vec3d momentum() const;
  [[nodiscard]] Vec3d angular_momentum() const;  ///< about the origin

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
