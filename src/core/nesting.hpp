#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

struct Nesting {
  /// (inner, outer): shell `inner` lies inside shell `outer`. Ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::size_t looked_at = 0;  ///< shells that were tested, the first ones of those asked for
};

/// Which of the shells `asked` lie inside which others, by the winding number of three of their faces' centres, two of
/// which must agree. `shell_of` has one number per triangle, below `shells`; each shell must be closed.
/// Linear in triangles and in how many of the centres their boxes hold; where that is too much, fewer shells are looked
/// at.
[[nodiscard]] Nesting find_nesting(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                   std::span<const std::uint32_t> shell_of, std::size_t shells,
                                   std::span<const std::uint32_t> asked);

}  // namespace lamella
