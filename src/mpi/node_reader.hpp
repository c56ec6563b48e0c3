#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lamella/job_sweep.hpp"
#include "mpi/mesh_cache.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// Reads the meshes of a sweep for the processes of a node: one of them reads a mesh, when a job first needs it, and
/// puts it into memory that they share; the others copy it from there. Nobody waits for a process that reads another
/// mesh. The memory is a cache: where it is full, older meshes make room, and are read again when they are needed.
class NodeReader {
 public:
  /// Collective over the node, as the end is. `mesh_memory`: as SweepFileOptions has it; it bounds the cache.
  NodeReader(const Processes& node, MeshLoader load, std::uint64_t mesh_memory);

  /// Of any thread, one at a time. Throws what the loader throws; then the next process that needs the mesh tries.
  [[nodiscard]] Mesh read(const std::string& name);

 private:
  [[nodiscard]] Mesh read_for_all(const std::string& name, std::uint32_t slot);

  MeshLoader load_;
  std::optional<MeshCache> cache_;  ///< none: the process is alone on its node, or there is no shared memory
};

}  // namespace lamella::mpi
