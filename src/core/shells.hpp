#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// The closed surfaces that a closed mesh consists of.
struct Shells {
  std::vector<std::uint32_t> of_triangle;  ///< one number per triangle, below `count`
  std::size_t count = 0;
  std::vector<bool> turn;        ///< per shell: it is inside out
  std::uint64_t inside_out = 0;  ///< shells to turn
  std::uint64_t cavities = 0;    ///< shells that look inwards and lie inside another, once those are turned
  std::uint64_t unjudged = 0;    ///< shells for which it was not found out whether they lie inside others
};

/// The mesh must be closed by index. A shell is a set of triangles connected by edges of two triangles, if it is closed
/// by itself; what hangs together by other edges alone is a shell when it is closed only as a whole.
///
/// From the outside in: a shell with a negative volume is a cavity where the shells around it have a winding above 0;
/// elsewhere it is inside out, and so is, with it, everything inside it. Shells without volume are never turned.
[[nodiscard]] Shells find_shells(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace lamella
