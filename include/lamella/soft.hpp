#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella {

struct VolumeContactOptions {
  /// Cells along the longest side of the box that is sampled, 1 to kMaxResolution: of a pair, the box that both share.
  /// Cells should be no larger than the meshes' edges: a vertex that no ray passes near is not pushed.
  std::uint32_t resolution = 96;
  double cell = 0;       ///< if above 0, in place of `resolution`: the edge of a cell, so that the box may grow
  unsigned threads = 0;  ///< 0: all cores this process may use; at most kMaxThreads
  /// Of add_forces(): pressure per depth, that is force / length^3. With explicit steps of `dt` seconds (velocities
  /// first) it is stable up to s / dt^2, s the least mass per area of the surfaces: half of what theory allows where
  /// two equal surfaces meet.
  double stiffness = 1000;
  /// Of add_forces(): pressure per speed at which the surfaces move into one another. Only with velocities. Takes
  /// energy; never pulls.
  double damping = 0;
  /// Of project(), both 1 or more: how often it samples, and how many rounds it pushes after each sampling. What one
  /// sampling misses the next one finds; too many rounds on one sampling follow its noise, and bodies begin to tremble.
  unsigned passes = 2, iterations = 4;
  /// Of project(), above 0 and at most 1: how much of the overlap a call removes. Below 1 deep overlaps part slowly.
  double relaxation = 1;
  /// Of project(): how much of a depth a pass removes at most, in the meshes' units; above 0. Keeps bodies that start
  /// deep inside each other from bursting apart: no speed above this way divided by the time of a step is made.
  double max_way = std::numeric_limits<double>::infinity();
  /// Of project(): Coulomb's coefficient, finite and 0 or more. Only with SoftMesh::before of all meshes of a call.
  double friction = 0;
  bool strict = false;                                   ///< a result whose health is not ok becomes an Error
  std::uint64_t max_crossings = std::uint64_t{1} << 28;  ///< of one view
};

/// A deforming body as project() needs it: the caller's arrays, which must outlive the call.
struct SoftMesh {
  std::span<const Triangle> triangles;
  std::span<Vec3d> positions;  ///< in world coordinates; changed
  /// One over each vertex's mass, finite and 0 or more; 0: the vertex does not move. Empty: none moves.
  std::span<const double> inverse_masses{};
  std::span<const Vec3d> before{};  ///< positions when the step began, for friction; may be empty
};

/// What a call of VolumeContact found and did.
struct ContactReport {
  Verdict verdict = Verdict::clear;  ///< by samples alone; intersect() looks closer where surfaces only touch
  double volume = 0;                 ///< shared, before the call changed anything
  double energy = 0;                 ///< of add_forces(), without damping
  double area = 0;                   ///< of the contact: of the surface of one body that is inside the other
  double deepest = 0;                ///< along the normal
  double left = 0;                   ///< of project(): what is still shared afterwards, by the last samples
  /// On a; minus that on b. Of add_forces(): the force. Of project(): the sum of mass times way; divided by dt it is
  /// an impulse, by dt^2 a force. Of one mesh: 0 to rounding.
  Vec3d push;
  std::uint32_t span_count = 0;  ///< of all three views
  double cell = 0;               ///< edge of the largest sample cell
  Health health;                 ///< of all three views
  Timings ms;
};

/// Contact of deforming bodies from the volume that they share: Faure, Barbier, Allard, Falipou, "Image-based Collision
/// Detection and Response between Arbitrary Volumetric Objects", 2008, and Allard, Faure, Courtecuisse, Falipou,
/// Duriez, Kry, "Volume Contact Constraints at Arbitrary Resolution", 2010. Meshes must be closed; what their columns
/// leave open is in the health, and is not pushed.
///
/// The meshes are sampled along three axes. Each span of the overlap pushes the two surfaces at its ends apart, along
/// its ray, by equal and opposite forces: momentum is kept to rounding, and so is angular momentum but for the lattice
/// that samples lie on, a thousandth of a cell (and for friction, whose two forces are as far apart as the overlap is
/// deep). Separate places of contact do not change each other's strength.
///
/// Same bits for any number of threads. Use one from one thread at a time. Meshes may be anywhere, of one triangle or
/// none. Vertices that are not finite are left alone, and counted.
class LAMELLA_API VolumeContact {
 public:
  /// Throws Error for options out of range.
  explicit VolumeContact(VolumeContactOptions options = {});
  ~VolumeContact();
  VolumeContact(VolumeContact&&) noexcept;
  VolumeContact& operator=(VolumeContact&&) noexcept;

  /// Adds a force to each vertex that is or carries surface inside the other mesh: minus the gradient of an energy of
  /// stiffness / 2 * depth^2 per area. Forces and velocities are as many as vertices; velocities may be empty, which
  /// means at rest. Throws Error for other numbers and for an index out of range. Valid until the next call.
  const ContactReport& add_forces(MeshView a, MeshView b, std::span<Vec3d> forces_a, std::span<Vec3d> forces_b,
                                  std::span<const Vec3d> velocities_a = {}, std::span<const Vec3d> velocities_b = {});
  /// The same where a mesh overlaps itself.
  const ContactReport& add_self_forces(MeshView mesh, std::span<Vec3d> forces, std::span<const Vec3d> velocities = {});

  /// Moves vertices so that the overlap ends: along the same forces, as far as needed, each by its inverse mass. Needs
  /// no stiffness, and is stable for any step. To be called after positions were integrated; velocities should follow:
  /// add what a position changed, divided by the time of the step. Throws Error as add_forces() does, and for inverse
  /// masses out of range.
  const ContactReport& project(const SoftMesh& a, const SoftMesh& b);
  const ContactReport& project_self(const SoftMesh& mesh);

  [[nodiscard]] const ContactReport& report() const;
  [[nodiscard]] const VolumeContactOptions& options() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
