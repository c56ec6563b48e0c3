#pragma once

#include <optional>

#include "lamella/export.hpp"
#include "lamella/grid.hpp"

namespace lamella {

/// An end of a column: `low` is depth 0.
enum class End : std::uint8_t { low, high, both };

/// The volume of interest of a pair: the box to sample, the ray axis, and for each object the end of the box that
/// is known to lie outside it (its outside face, TR 395 section 2.1). The two ends are opposite.
struct PairVoi {
  Aabb box;
  Axis axis = Axis::z;
  End outside_a = End::low;
  End outside_b = End::high;
};

/// The shallowest candidate over all axes and both directions, or over `forced` only. Returns nullopt when the boxes do
/// not share a volume: touching boxes cannot collide.
[[nodiscard]] LAMELLA_API std::optional<PairVoi> choose_pair_voi(const Aabb& a, const Aabb& b,
                                                                 std::optional<Axis> forced = std::nullopt);

/// The box that two boxes share, along its shortest side or along `forced`, for engines that sample whole columns: they
/// need no outside face, since what lies beyond the box still counts for the winding. Depths are then measured from the
/// smaller object, and exchanging a and b changes nothing. `outside_a` and `outside_b` are `both`. Returns nullopt when
/// the boxes do not share a volume.
[[nodiscard]] LAMELLA_API std::optional<PairVoi> choose_shared_voi(const Aabb& a, const Aabb& b,
                                                                   std::optional<Axis> forced = std::nullopt);

/// Ray axis for one object sampled in its own box: the shallowest. Returns nullopt when the box encloses no volume.
[[nodiscard]] LAMELLA_API std::optional<Axis> choose_axis(const Aabb& box);

}  // namespace lamella
