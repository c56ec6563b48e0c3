#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "cli/clash/answer.hpp"
#include "lamella/mesh.hpp"

namespace lamella::cli {

/// In world coordinates.
struct WorldBox {
  Vec3d min{}, max{};

  [[nodiscard]] double diagonal() const { return length(max - min); }
};
[[nodiscard]] WorldBox unite(const WorldBox& a, const WorldBox& b);

/// Parts where they are placed. Keeps the last two, so that a list of pairs that is sorted by its first part places
/// that one once.
class PlacedParts {
 public:
  explicit PlacedParts(const Assembly& assembly) : assembly_(assembly) {}
  /// Both are valid until the next call.
  [[nodiscard]] std::array<const Mesh*, 2> pair(std::uint32_t a, std::uint32_t b);
  /// Around the placed box of the part's mesh: that of a part that is turned may be larger than need be. A mesh is read
  /// once for all of its parts.
  [[nodiscard]] WorldBox box(std::uint32_t part);

 private:
  struct Kept {
    std::uint32_t part = std::numeric_limits<std::uint32_t>::max();
    Mesh mesh{};
  };
  [[nodiscard]] Kept& place(std::uint32_t part, const Kept* keep);

  const Assembly& assembly_;
  std::array<Kept, 2> kept_{};
  std::map<std::uint32_t, Aabb> bounds_{};  ///< of meshes
};

/// What two parts share, as a closed surface.
struct PairSolid {
  std::vector<Vec3> positions;  ///< relative to `origin`
  std::vector<Vec3> normals;    ///< one for each position; empty where faces are flat
  std::vector<Triangle> triangles;
  Vec3d origin{};
  bool approximate = false;  ///< its volume is off by more than a tenth and the pair's error bar

  [[nodiscard]] bool empty() const { return triangles.empty(); }
  [[nodiscard]] MeshView view() const { return {.positions = positions, .triangles = triangles, .origin = origin}; }
};

/// Whether a pair shares a volume that can be shown.
[[nodiscard]] inline bool shares_volume(const ClashPair& pair) { return pair.kind >= ClashClass::overlapping; }

/// How finely a solid is made: cells along an axis of the overlap's own box.
struct SolidDetail {
  std::uint32_t resolution = 64;
  /// Where prisms are needed and their volume is not that of the pair, the resolution is doubled up to this.
  std::uint32_t finest = 64;
};

/// A smooth surface, as overlap_solid() makes it; where too much of the overlap is thinner than a cell, the prisms of
/// its spans. Empty when no ray meets it at this resolution.
[[nodiscard]] PairSolid pair_solid(PlacedParts& parts, const ClashPair& pair, const ClashOptions& options,
                                   const SolidDetail& detail);

/// Indices of the report's pairs in the order of its findings, the worst first, then those that are in no finding.
[[nodiscard]] std::vector<std::uint32_t> worst_first(const ClashReport& report);

}  // namespace lamella::cli
