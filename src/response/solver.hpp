#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/response.hpp"
#include "response/contact_law.hpp"
#include "response/slots.hpp"

namespace lamella::response {

/// A body while a substep is solved. Poses and tensors are those at the start; only velocities change.
struct SolverBody {
  Vec3d center;  ///< of mass, in the world
  Vec3d velocity, angular_velocity;
  double inverse_mass = 0;
  Matrix3 inverse_inertia;  ///< in the world's axes
  Transform pose, predicted;
  int level = 0;         ///< in the contact graph; 0: fixed, kNoLevel: does not rest on a fixed body
  Vec3d base_velocity;   ///< of the fixed body that this one rests on
  Vec3d shift, turn;     ///< push-out: by how far, and about what axis by how many radians
  bool touched = false;  ///< has contacts; scratch
};

inline constexpr int kNoLevel = -1;

struct SolverContact {
  std::uint32_t a = 0, b = 0;  ///< slots of the bodies
  std::uint32_t id = 0;        ///< Contact::id
  Vec3d arm_a, arm_b;          ///< from the centres of mass to the same point: an impulse adds no angular momentum
  double gap = 0;              ///< between the surfaces at the start, along the normal; below 0: already inside
  ContactLaw law;
  Vec3d impulse;    ///< given in this phase
  double slop = 0;  ///< depth that is tolerated
  /// The speed at which the bodies may approach: after `seconds` they are inside each other by half the slop. Resting
  /// bodies fall alike in the prediction; if they only touched, their contact would come and go.
  [[nodiscard]] double allowed(double seconds) const { return std::max(0.0, gap + slop / 2) / seconds; }
  double push = 0, excess = 0;  ///< of the push-out: mass times distance; the distance wanted
  bool leaving = false;         ///< its pair is on a way out (ways_out.hpp), which the push-out leaves alone
};

struct SolverPair {
  ObjectId object_a, object_b;
  std::uint32_t a = 0, b = 0;          ///< their slots
  std::uint32_t first = 0, count = 0;  ///< contacts
  double restitution = 0;
};

/// A contact's impulse along its normal in the last contact phase. By object: a slot may have another body by then.
struct RememberedImpulse {
  ObjectId a, b;
  std::uint32_t id = 0;
  double impulse = 0;
};

/// Keeps its memory from step to step.
struct ContactSet {
  std::vector<SolverContact> contacts;
  std::vector<SolverPair> pairs;
  std::uint32_t impulse_count = 0;  ///< of all phases
  std::vector<Vec3d> before;        ///< scratch: relative velocities of one pair

  std::vector<RememberedImpulse> remembered;  ///< of the last substep, ascending by (a, b)
  double remembered_seconds = 0;              ///< length of the last substep

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

/// Tolerated depth, as a fraction of the thinner body's thickness. Depths along rays are exact to a millionth of the
/// size; this allows for the rays through a contact being different in every frame.
inline constexpr double kSlop = 0x1p-10;

/// Takes over the pairs and contacts detected on the predicted poses. `bodies` and `shapes` are by slot; pairs with an
/// object that has no slot, because it is not a body of the world, are left out.
void gather(std::span<const ScenePair> pairs, std::span<const Contact> found, const BodySlots& slots,
            std::span<const SolverBody> bodies, std::span<const RigidBody> shapes, ContactSet& out);

/// With restitution: one pair after another, `rounds` times or until no pair approaches faster than `least`.
void collision_phase(ContactSet& set, std::span<SolverBody> bodies, unsigned rounds, double least);

/// Without restitution: all contacts, `sweeps` times. Bodies may still close their gap within `seconds`.
void contact_phase(ContactSet& set, std::span<SolverBody> bodies, double seconds, unsigned sweeps);

/// Before the first sweep: applies the impulses of the last substep. Returns the change of energy.
[[nodiscard]] EnergyBudget start_warm(ContactSet& set, std::span<SolverBody> bodies, double seconds);
/// After the last sweep: keeps the impulses for the next substep.
void remember(ContactSet& set, double seconds);

/// Sweeps at the end of a phase, along the normals only: where friction drives bodies into each other (Painleve), no
/// number of ordinary sweeps stops them. These impulses can only remove energy.
inline constexpr int kNormalSweeps = 2;
void stop_approach(SolverContact& c, std::span<SolverBody> bodies, double seconds);

/// Where bodies are still inside each other at the end of the substep, moves them apart by a fraction of the depth, in
/// addition to the shifts that they have already. Returns the number of contacts that were too deep. A body that rests
/// on a fixed one and is lifted loses as much kinetic energy as it gains potential energy in `gravity`, so that pushing
/// adds no motion.
std::uint32_t push_out(ContactSet& set, std::span<SolverBody> bodies, double seconds, Vec3d gravity);

}  // namespace lamella::response
