#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "response/solver.hpp"

namespace lamella::response {

/// Which body stands on which. Keeps its memory from step to step.
class ContactGraph {
 public:
  /// Sets every body's level and base velocity: level 0 for fixed bodies, one above the highest support for others,
  /// kNoLevel for those that do not rest on a fixed body. `up` has length 1.
  void find_levels(ContactSet& set, std::span<SolverBody> bodies, Vec3d up);

  /// From the lowest level up, each resting on the one below as if that were fixed. Needs find_levels.
  void shock_propagation(ContactSet& set, std::span<SolverBody> bodies, double seconds, unsigned sweeps);

 private:
  /// Between groups of bodies that stand on each other; a group is identified by its root.
  struct Edge {
    std::uint32_t upper = 0, lower = 0;
  };
  enum class Place : std::uint8_t { waiting, now, done };
  struct Mass {
    double inverse_mass = 0;
    Matrix3 inverse_inertia;
  };

  std::uint32_t root(std::uint32_t body);
  void find_edges(ContactSet& set, std::span<const SolverBody> bodies, Vec3d up);
  bool choose_unblocked();
  void choose_lowest(std::span<const SolverBody> bodies, Vec3d up);
  void place_chosen(std::span<SolverBody> bodies);
  void sort_by_level(const ContactSet& set, std::span<const SolverBody> bodies);
  Vec3d settle(SolverContact& c, std::span<SolverBody> bodies, double seconds, EnergyBudget& budget) const;

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> parent_;  ///< of the groups, as trees
  std::vector<Place> place_;
  std::vector<std::uint8_t> blocked_;
  std::vector<std::uint32_t> order_;      ///< contacts by level
  std::vector<std::uint32_t> level_end_;  ///< in order_
  std::vector<Mass> masses_;              ///< while bodies are held
};

}  // namespace lamella::response
