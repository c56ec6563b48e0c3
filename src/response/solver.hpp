#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/response.hpp"
#include "response/contact_law.hpp"
#include "response/slots.hpp"

namespace lamella::response {

/// A body while a part of a step is solved. Places and tensors are those of the part's start; only velocities change.
struct SolverBody {
  Vec3d center;  ///< of mass, in the world
  Vec3d velocity, angular_velocity;
  double inverse_mass = 0;
  Matrix3 inverse_inertia;  ///< in the world's axes
  Transform pose, predicted;
  int level = 0;        ///< in the contact graph; 0: fixed, kNoLevel: not held up by anything fixed
  Vec3d base_velocity;  ///< of the fixed body that holds this one up
  Vec3d shift, turn;    ///< push-out: by how far, and about what axis by how many radians
};

inline constexpr int kNoLevel = -1;

struct SolverContact {
  std::uint32_t a = 0, b = 0;  ///< slots of the bodies
  std::uint32_t id = 0;        ///< of the pair's contacts, the same from part to part
  Vec3d arm_a, arm_b;  ///< from the centres of mass to one point of the world: so no impulse makes angular momentum
  double gap = 0;      ///< between the surfaces at the part's start, along the normal; below 0: already inside
  ContactLaw law;
  Vec3d impulse;    ///< given in this phase
  double slop = 0;  ///< depth that is left alone
  /// The speed at which the bodies may approach: after `seconds` they are in one another by half the slop. Bodies that
  /// rest on one another fall alike in the prediction; were they only to touch, their contact would come and go.
  [[nodiscard]] double allowed(double seconds) const { return std::max(0.0, gap + slop / 2) / seconds; }
  double push = 0, excess = 0;  ///< of the push-out: mass times distance; the distance wanted
};

struct SolverPair {
  ObjectId object_a, object_b;
  std::uint32_t a = 0, b = 0;          ///< their slots
  std::uint32_t first = 0, count = 0;  ///< contacts
  double restitution = 0;
};

/// What a contact gave in a contact phase, along its normal. Of objects: a slot may have another body by then.
struct RememberedImpulse {
  ObjectId a, b;
  std::uint32_t id = 0;
  double impulse = 0;
};

/// Memory is kept from step to step.
struct ContactSet {
  std::vector<SolverContact> contacts;
  std::vector<SolverPair> pairs;
  std::uint32_t impulses = 0;  ///< given, of all phases
  std::vector<Vec3d> before;   ///< relative velocities of the pair in hand

  std::vector<RememberedImpulse> remembered;  ///< of the last part, ascending by (a, b)
  double remembered_seconds = 0;              ///< that the last part took

  [[nodiscard]] std::span<SolverContact> of(const SolverPair& pair) {
    return std::span(contacts).subspan(pair.first, pair.count);
  }
};

[[nodiscard]] Vec3d relative_velocity(const SolverContact& c, std::span<const SolverBody> bodies);
void give(const SolverContact& c, Vec3d impulse, std::span<SolverBody> bodies);
/// K of the paper: an impulse at the contact changes the relative velocity there by K times the impulse.
[[nodiscard]] Matrix3 response_of(const SolverContact& c, const SolverBody& a, const SolverBody& b);

/// Whether a sweep still changed anything that matters.
struct Convergence {
  double changed = 0, given = 0;  ///< squares of impulses
  void see(Vec3d added, Vec3d impulse) {
    changed += dot(added, added);
    given += dot(impulse, impulse);
  }
  [[nodiscard]] bool reached() const { return changed <= 1e-16 * given; }
};

/// Of the thinner body's thickness: contacts this deep are left alone. Depths along rays are good to a millionth of the
/// size; what this leaves room for is that the rays through a contact are others in every frame.
inline constexpr double kSlop = 0x1p-10;

/// From what was detected on the predicted placements: pairs, and all their contacts. `bodies` and `shapes` by slot;
/// objects without a slot are not the world's, and their pairs are left out.
void gather(std::span<const ScenePair> pairs, std::span<const Contact> found, const BodySlots& slots,
            std::span<const SolverBody> bodies, std::span<const RigidBody> shapes, ContactSet& out);

/// Restitution: pair after pair, `rounds` times or until no pair approaches faster than `least`.
void collision_phase(ContactSet& set, std::span<SolverBody> bodies, unsigned rounds, double least);

/// No restitution: all contacts, `sweeps` times. Bodies may still close their gap within `seconds`.
void contact_phase(ContactSet& set, std::span<SolverBody> bodies, double seconds, unsigned sweeps);

/// Before the first sweep: gives the contacts what they gave in the last part. Returns what energy that took.
[[nodiscard]] EnergyBudget start_warm(ContactSet& set, std::span<SolverBody> bodies, double seconds);
/// After the last sweep.
void remember(ContactSet& set, double seconds);

/// Sweeps that end a phase, along the normals alone: where friction drives bodies into one another (Painleve), no
/// number of others does. Such impulses only ever take energy.
inline constexpr int kNormalSweeps = 2;
void stop_approach(SolverContact& c, std::span<SolverBody> bodies, double seconds);

/// Where bodies are still inside one another at the end of the part, moves them apart by a share of the depth.
/// Returns how many contacts that took. What stands on something fixed and is lifted pays for it with its velocity, so
/// that pushing feeds no motion; `gravity` says how much.
std::uint32_t push_out(ContactSet& set, std::span<SolverBody> bodies, double seconds, Vec3d gravity);

}  // namespace lamella::response
