#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "response/slots.hpp"
#include "response/solver.hpp"

namespace lamella::response {

/// Takes bodies apart that are deep inside each other. Contacts tell which surfaces touch; where bodies are deep, each
/// says something else, and following them moves bodies to and fro. So for such a pair the shortest way out is looked
/// for, once, and both are moved along it in a few substeps, by their inverse masses. Keeps its memory.
class WaysOut {
 public:
  /// Adds to the shifts of the bodies, and marks the contacts of the pairs that are on their way. `found`: on the
  /// scene's present poses, which the bodies reach in `seconds`. `resting`: there is gravity, so that bodies
  /// stay in contact. Returns how many pairs are on their way.
  std::uint32_t push(const SceneResult& found, Scene& scene, const BodySlots& slots, std::span<const RigidBody> shapes,
                     std::span<SolverBody> bodies, double seconds, bool resting, ContactSet& contacts);
  /// Forgets all ways.
  void clear() { pairs_.clear(); }

 private:
  /// What is known of a pair that overlaps.
  struct Pair {
    ObjectId a, b;
    Vec3d direction;        ///< of a's way relative to b
    double step = 0;        ///< of a substep
    double left = 0;        ///< of the way
    double volume = 0;      ///< shared when it last fell
    unsigned asked = 0;     ///< for a way out
    unsigned patience = 0;  ///< substeps since the volume fell
  };
  /// `room`: to leave between them.
  void ask(Scene& scene, Pair& pair, double room);

  std::vector<Pair> pairs_, next_;  ///< ascending by (a, b)
};

}  // namespace lamella::response
