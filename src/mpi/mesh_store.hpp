#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// All meshes of a job. Each is read once, by the process that keeps it; the others get a copy when they need it, while
/// its keeper goes on with its own work. So a process has its share of the meshes, and 8 bytes for each of the others.
class MeshStore {
 public:
  /// Which process keeps a mesh: each has a run of numbers, as long as the others'.
  [[nodiscard]] static int keeper(std::uint32_t mesh, std::uint32_t mesh_count, int processes);

  MeshStore(const Processes& all, std::uint32_t mesh_count);
  ~MeshStore();
  MeshStore(const MeshStore&) = delete;
  MeshStore& operator=(const MeshStore&) = delete;

  /// Not collective: loads those meshes of this process that are needed, ascending; others must not be asked for.
  /// Throws what `load` throws.
  void load(std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load);
  /// Collective, once, after load(): puts the meshes where all processes can get them.
  void keep();

  /// Of this process, after keep().
  [[nodiscard]] MeshView view(std::uint32_t mesh) const;
  /// Copies, in the same order. Not collective; after keep().
  [[nodiscard]] std::vector<Mesh> get(std::span<const std::uint32_t> meshes) const;

 private:
  const Processes& all_;
  std::uint32_t mesh_count_;
  std::vector<std::uint32_t> numbers_;  ///< of loaded_
  std::vector<Mesh> loaded_;            ///< before keep()
  MPI_Win window_ = MPI_WIN_NULL;
  const char* memory_ = nullptr;
  std::vector<std::uint64_t> ends_;  ///< by mesh: where it ends in the memory of its keeper; it begins where the mesh
                                     ///< before it ends, or at 0
};

}  // namespace lamella::mpi
