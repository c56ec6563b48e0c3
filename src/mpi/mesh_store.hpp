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
/// its keeper goes on with its own work. So a process has its share of the meshes, and 8 bytes for each of the others,
/// or 12 with keepers of their own choice.
class MeshStore {
 public:
  /// `keeper`: which process keeps a mesh; empty: each a run of numbers, as long as the others'. Throws FailedTogether
  /// for a process that does not exist.
  MeshStore(const Processes& all, std::uint32_t mesh_count, const std::function<int(std::uint32_t)>& keeper = {});
  ~MeshStore();
  MeshStore(const MeshStore&) = delete;
  MeshStore& operator=(const MeshStore&) = delete;

  [[nodiscard]] int keeper(std::uint32_t mesh) const { return keeper_at(place(mesh)); }

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
  [[nodiscard]] std::uint32_t place(std::uint32_t mesh) const { return places_.empty() ? mesh : places_[mesh]; }
  [[nodiscard]] int keeper_at(std::uint32_t place) const;
  [[nodiscard]] std::uint64_t begin_of(std::uint32_t place, int keeper) const;

  const Processes& all_;
  std::vector<std::uint32_t> starts_;  ///< by process: the first place that is its own; at the end, all places
  std::vector<std::uint32_t> places_;  ///< of meshes, so that those of a process are a run; empty: their numbers are
  std::vector<std::uint32_t> loaded_places_;
  std::vector<Mesh> loaded_;  ///< before keep()
  MPI_Win window_ = MPI_WIN_NULL;
  const char* memory_ = nullptr;
  std::vector<std::uint64_t> ends_;  ///< by place: where the mesh ends in the memory of its keeper; it begins where
                                     ///< the one before it ends, or at 0
};

}  // namespace lamella::mpi
