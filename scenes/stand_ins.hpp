#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lamella/mesh.hpp"
#include "scenes/scenes.hpp"

// The models of TR 395 are not public. Built-in ones of the same face counts stand in for them, turned and placed so
// that rays along the direction that the query chooses cross as many surfaces as the paper reports: its cost grows with
// this depth complexity.

namespace lamella::scenes {

struct StandIn {
  std::string_view paper;  ///< the paper's name
  std::string_view model;  ///< a name of make_model()
  std::size_t faces = 0;
  std::uint32_t seed = 1;
  Vec3d turn;  ///< in table 2: degrees about x, then y, then z
};
/// In the order of table 2.
[[nodiscard]] std::span<const StandIn> stand_ins();
/// By the paper's name. Throws Error when there is none.
[[nodiscard]] const StandIn& stand_in(std::string_view paper);

/// Turned as in table 2.
[[nodiscard]] Mesh make_stand_in(const StandIn& model);

/// Two of them as in a row of table 1, or in figure 10. The second is scaled to the size of the first.
struct StandInPair {
  std::string_view name, a, b;
  Vec3d turn_a, turn_b;  ///< degrees, instead of the models' own
  Vec3d aside;           ///< from the middle of a's box to that of b's, in diagonals of a's box before its turn
};
[[nodiscard]] std::span<const StandInPair> stand_in_pairs();
/// Throws Error when there is none.
[[nodiscard]] const StandInPair& stand_in_pair(std::string_view name);

[[nodiscard]] Pair make_stand_in_pair(const StandInPair& pair);

}  // namespace lamella::scenes
