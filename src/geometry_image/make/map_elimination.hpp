#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

/// Solves the equations of a map. Made once for a disc; then solves for any weights with the same neighbours. Takes
/// about n^1.5 operations and n log n numbers for n interior vertices.
class MapElimination {
 public:
  /// Keeps a reference to neither.
  MapElimination(const Disc& disc, const MapWeights& pattern);

  /// Overwrites the map of interior vertices, given that of the boundary. `weights` must have the pattern's neighbours.
  /// Throws Error when some vertex has no path to the boundary.
  void solve(const MapWeights& weights, std::vector<Vec2d>& map);

 private:
  /// A set of vertices that are eliminated together.
  struct Front {
    std::uint32_t first = 0, pivots = 0;       ///< the places of the set in the order
    std::uint32_t children = 0;                ///< fronts before this one whose rests are added to it
    std::size_t border_begin = 0, border = 0;  ///< later vertices that they depend on: a part of borders_
    std::size_t factors = 0;                   ///< where its rows begin in factors_

    /// Columns of a row: pivots, border, the boundary's share, and x and y times that share.
    [[nodiscard]] std::size_t width() const { return pivots + border + 3; }
  };

  void find_borders(const MapWeights& pattern);
  void link_twins(const MapWeights& pattern);
  void assemble(const Front& front, const MapWeights& weights, const std::vector<Vec2d>& map);
  void add_rest(const Front& front, const Front& child);
  void eliminate(const Front& front);
  void substitute(const Front& front, std::vector<Vec2d>& map);

  std::vector<std::uint32_t> order_;    ///< interior vertices as they are eliminated
  std::vector<std::uint32_t> place_;    ///< of each vertex in the order; kFixed on the boundary
  std::vector<Front> fronts_;           ///< children before parents
  std::vector<std::uint32_t> borders_;  ///< places, ascending within a front
  std::vector<std::size_t> twin_;       ///< for each weight, that of the same edge in the other vertex's row

  std::vector<double> factors_;         ///< rows of pivots, those of a front one after the other
  std::vector<double> lower_;           ///< rows of the current front's border
  std::vector<double> rests_;           ///< rows that fronts leave to their parents, a stack
  std::vector<std::uint32_t> waiting_;  ///< fronts whose rests are on the stack
  std::vector<std::uint32_t> local_;    ///< column of each place in the current front
  std::vector<Vec2d> known_;            ///< map of the current front's columns
};

}  // namespace lamella::gi
