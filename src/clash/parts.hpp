#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "detect/holes.hpp"
#include "lamella/clash.hpp"

namespace lamella::clash {

/// A mesh with its holes closed, and its volume: found once, however many parts have the mesh.
struct MeshFacts {
  MeshView own;                        ///< as it was given, or in floats where its doubles do not close
  MeshView view;                       ///< with fans
  std::unique_ptr<ClosedMesh> closed;  ///< null: no holes, or they stay open
  std::optional<Mesh> floats;          ///< of a mesh in doubles whose holes stay open: it may have fewer in floats
  double volume = 0;
  WideBox box;           ///< before it is placed
  bool whole = false;    ///< it is known to close, and all of its triangles can be used
  bool damaged = false;  ///< it has triangles that cannot be used: vertices that are not finite, or too far away
};

/// In doubles where meshes have them. What they see must outlive the views.
[[nodiscard]] std::vector<MeshView> exact_views(std::span<const Mesh> meshes);

[[nodiscard]] std::vector<MeshFacts> facts_of(std::span<const MeshView> meshes, bool close_holes, Workers& workers);

/// A box around each part, in the world: around its placed vertices, and wider by their rounding. Empty for a part
/// without a usable vertex, and for one that is a single point.
[[nodiscard]] std::vector<WideBox> boxes_of(std::span<const AssemblyPart> parts, std::span<const MeshFacts> meshes,
                                            Workers& workers);

/// How far apart two boxes are along the axis where they are farthest; 0 where they meet.
[[nodiscard]] inline double gap_of(const WideBox& a, const WideBox& b) {
  double gap = 0;
  for (int i = 0; i < 3; ++i) gap = std::max({gap, b.min[i] - a.max[i], a.min[i] - b.max[i]});
  return gap;
}

/// Throws Error for a mesh with an index out of range; the message names the mesh.
void check_assembly(const Assembly& assembly);
/// Throws Error for a mesh with an index out of range, which is not named, and for a part as check_part() does.
void check_parts(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts);

}  // namespace lamella::clash
