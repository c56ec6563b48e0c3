#pragma once

#include <cstddef>
#include <memory>

#include "bench/detector.hpp"
#include "lamella/mesh.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench {

// The papers' experiments as workloads. Meshes, points and, where there is a motion, all its frames are made here, so
// that a run times detection alone.

/// What is asked of the closing hand.
enum class Grip { collision, self_collision, overall };

/// WSCG 2004 table 1: from the open hand to the closed grip around the phone.
[[nodiscard]] Workload grip(std::size_t hand_faces, std::size_t phone_faces, Grip asked);

/// WSCG 2004 table 3: the hat sways on the mouse's head.
[[nodiscard]] Workload swaying_hat(std::size_t hat_faces, std::size_t mouse_faces);

/// TR 395 table 1 and figure 10: two meshes that overlap.
[[nodiscard]] Workload placed_pair(std::shared_ptr<const scenes::Pair> pair);

/// WSCG 2004 table 2, TR 395 table 2: points anywhere in the mesh's box.
[[nodiscard]] Workload points_inside(std::shared_ptr<const Mesh> mesh, std::size_t points);

/// TR 395's rigid objects: sampled once, then only looked up in, at a new pose in every run. The points of table 2, and
/// of the pairs of table 1 the vertices of either in the other.
[[nodiscard]] Workload points_in_rigid(std::shared_ptr<const Mesh> mesh, std::size_t points);
[[nodiscard]] Workload vertices_in_rigid(std::shared_ptr<const scenes::Pair> pair);

/// The query of TR 395 figure 12: particles fall through a figure that deforms. Both move in each run, timed apart.
[[nodiscard]] Workload falling_particles(std::size_t faces, std::size_t points);

[[nodiscard]] Workload self_overlap(Mesh mesh);

}  // namespace lamella::bench
