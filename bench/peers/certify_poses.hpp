#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/peers/method.hpp"

// Pairs of meshes in poses that are hard to decide, and whether certified verdicts on them are those of a library with
// exact predicates.

namespace lamella::bench::peers {

enum class PoseKind : std::uint8_t { random, grazing, just_apart, corners, mirrored };
inline constexpr std::array<const char*, 5> kPoseKinds = {"random", "grazing", "just apart", "touching corners",
                                                          "mirrored, sharing a face"};

/// What came out for all poses of a kind.
struct Agreement {
  std::size_t poses = 0, colliding = 0, touching = 0, clear = 0, undecided = 0;
  std::size_t wrong = 0;  ///< certain, and not what the exact library says

  void add(const Agreement& other) {
    poses += other.poses;
    colliding += other.colliding;
    touching += other.touching;
    clear += other.clear;
    undecided += other.undecided;
    wrong += other.wrong;
  }
};

/// Closed meshes that do not intersect themselves, of at most 40,000 faces, scaled to a diagonal of 1: those found in
/// the folder, or models where it is empty.
[[nodiscard]] std::vector<Mesh> models_for_poses(const std::filesystem::path& folder);

/// Puts random pairs of the models into random poses, as many as asked for of all kinds together, and compares. The
/// same for any number of threads.
[[nodiscard]] std::array<Agreement, kPoseKinds.size()> compare_poses(const std::vector<Mesh>& models, std::size_t poses,
                                                                     const Peer& exact, unsigned threads);

}  // namespace lamella::bench::peers
