#pragma once

// A batch of bodies with vertex gradients as its kernel sees it, see bodies.cu.

#include "engines/cuda/batch_job.hpp"
#include "lamella/gradient.hpp"

namespace lamella::cuda {

/// Passed by value. A unit is a body, or a pair of meshes that stay where they are.
struct BodyJob {
  const DeviceMesh* meshes = nullptr;           ///< one or two for each unit
  const std::uint64_t* first_vertex = nullptr;  ///< of each unit, in `gradients`
  BodyOverlap* answers = nullptr;
  GradientSums* sums = nullptr;  ///< null: not wanted
  Vec3* gradients = nullptr;     ///< of all vertices of all units
  BatchReport* report = nullptr;
  std::uint32_t count = 0;  ///< units
  bool pairs = false;
  std::uint32_t resolution = 0;
  std::int32_t axis = -1;  ///< forced, or -1
  float min_thickness = 0;
  std::uint64_t max_crossings = 0;  ///< of one mesh
  std::uint64_t most_nodes = 0;     ///< of all of a unit, if none has too many
  BlockMemory memory;
  std::size_t vertex_sums = 0;  ///< where in a block's scratch the sums of vertices are
};

/// Bytes of scratch for the sums of a block's vertices.
[[nodiscard]] constexpr std::size_t vertex_sum_bytes(std::size_t vertices) {
  return (vertices * 3 * sizeof(std::uint64_t) + 255) / 256 * 256;
}

/// With sums the lists are in scratch, whatever the plan says.
void launch_bodies(const BodyJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream);

}  // namespace lamella::cuda
