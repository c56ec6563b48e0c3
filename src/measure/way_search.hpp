#pragma once

// The search over directions: which few ways out of another mesh are the shortest.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "engines/shift_finder.hpp"
#include "measure/merged_mesh.hpp"

namespace lamella {

/// A translation that takes one mesh out of the other, as far as rays see.
struct FoundWay {
  Vec3d direction{};
  double length = 0;
  double cell = 0;  ///< between rays
  double room = 0;  ///< free beyond the length
};

struct WaySearchOptions {
  std::uint32_t resolution = 64;
  std::uint32_t directions = 1000;
  /// Where the meshes overlap, if that is a small part of what their images share: all rays are sent there. The ways
  /// found are then those out of this overlap; what else is in the way must be looked for.
  std::optional<Aabb> window = std::nullopt;
};

/// Keeps its memory between calls.
class WaySearch {
 public:
  /// The shortest ways, shortest first, three at most, measured on a finer grid than they were found on. Where they are
  /// hardly longer than its cells, the ways along the axes are added with length 0: rays cannot tell which is shorter.
  /// Meshes as for ShiftFinder. The same for any number of threads.
  std::span<const FoundWay> find(MeshView a, MeshView b, const WaySearchOptions& options, ShiftFinder& finder,
                                 Workers& workers);
  static constexpr std::size_t kMostWays = 9;
  /// Directions looked along by the last find(), counted once for each grid.
  [[nodiscard]] std::uint32_t looked() const { return looked_; }

 private:
  struct Pair {
    MeshView a, b;
  };
  /// What is looked at, and how closely.
  struct Look {
    const Pair* pair;
    std::uint32_t resolution;
  };

  void ask(std::span<const Vec3d> directions, const Look& look);
  void look_along(const Look& look);
  void merge_meshes(Workers& workers);
  void look_around();
  void explore();
  void refine();
  void measure();
  void keep_apart(std::size_t most, double angle);
  void climb(std::uint32_t ring, double turn, const Look& look);
  void measure_again(const Look& look);

  Pair given_, merged_;  ///< the second with fewer triangles, where that helps
  WaySearchOptions options_;
  ShiftFinder* finder_ = nullptr;
  std::uint32_t looked_ = 0;
  double angle_ = 0;  ///< of the last ring
  MergedMesh small_[2];
  std::vector<Vec3d> directions_;
  std::vector<FreeShift> shifts_;
  std::vector<FoundWay> axes_, ways_;
};

}  // namespace lamella
